//! Is the straight motion of all joints from one configuration to another free, at every instant? What is
//! straight says [`super::way`].
//!
//! An interval of the motion is asked at its middle: each pair's lower bound there, less how much nearer the
//! pair can come until either end ([`super::lever`]), proves the pair free on the whole interval or leaves it
//! open. Open pairs, and only they, are asked again on both halves, the earlier first. The balls around the
//! bodies are asked before their shapes. A pair that overlaps at a middle ends the motion there: what comes
//! later is not looked at any more, and the halves before it narrow the first contact down.
//!
//! An interval on which an open pair moves less than the resolution is not halved for that pair again. If the
//! pair overlaps at an end of it, this is its first contact. If not, it touches, as far as anyone can tell,
//! and the answer is `Unknown` unless an overlap follows. A pair that touches on many such intervals is left
//! alone from there on; the other pairs are looked at as before, so that one that slides along does not hide
//! when another one is hit. So two things are told of a contact: since when its own pair is open, and since
//! when any pair is. The search stops, too, when the work that is allowed is done.
//!
//! Where a moving body meets a crowd of fixed ones ([`crate::model::checked`]), those that it cannot come
//! near on the whole motion are left out at once, by the tree over them.
//!
//! What is proved: `Free` comes with pieces that [`super::verify`] checks from their numbers. The lists of
//! open pairs lie one behind the other in one array: an interval's list ends where those of its halves begin,
//! and halves are done before it is.
//!
//! # Source
//!
//! After Schwarzer, Saha, Latombe: Exact collision checking of robot paths (2002), with levers taken at the
//! pose instead of over all poses, of two bodies' the smaller for each joint, and where that does not suffice
//! along one direction.

use super::around::Near;
use super::ask::{Around, Asker, Cleared, Stays};
use super::certificate::Piece;
use super::edge_answer::{Edge, EdgeCounts};
use super::edge_options::EdgeOptions;
use super::motion_bounds::MotionBounds;
use super::way::Way;
use crate::model::id::{BodyPair, ordered};
use crate::model::world::World;
use crate::motion::tolerance::{EDGE_HALVINGS, EDGE_OPEN_ENDS};
use crate::pair::clearance::Ask;
use crate::pose::fault::PoseFault;
use crate::pose::frames::Pose;
use crate::query::resolved::Resolved;
use alloc::vec;
use alloc::vec::Vec;

/// An interval whose open pairs are `lists[from..to]`.
#[derive(Clone, Copy, Debug)]
struct Node {
    t: [f64; 2],
    from: usize,
    to: usize,
}

/// What stayed open of a pair at the resolution.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The start of the first interval.
    from: f64,
    /// How many there are.
    count: usize,
}

const NOT_OPEN: Open = Open { from: f64::INFINITY, count: 0 };

/// Asks whether motions are free. One a thread; it grows with the first motions and is then reused.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::World;
/// use elbowroom::motion::{Edge, EdgeChecker, EdgeOptions, verify};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// let mut checker = EdgeChecker::new(&world);
/// let options = EdgeOptions::default();
///
/// // Free at every instant, with a proof that can be checked.
/// let way = [&[-2.0][..], &[1.0][..]];
/// assert_eq!(checker.check(way, &options)?, Edge::Free);
/// verify(&world, way, checker.pieces(), &options)?;
/// assert!(checker.counts().poses < 100);
///
/// // Farther on the rod comes nearer to the post than the margin: where the chord between their centres is
/// // 0.31.
/// let found = checker.check([&[0.0], &[2.0]], &options)?;
/// let Edge::Contact { first: [before, after], .. } = found else { panic!("{found:?}") };
/// let at = (std::f64::consts::FRAC_PI_2 - 2.0 * (0.31_f64 / 2.0).asin()) / 2.0;
/// assert!(before <= at && at <= after && after - before < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EdgeChecker<'w> {
    pose: Pose<'w>,
    bounds: MotionBounds<'w>,
    way: Way,
    asker: Asker,
    stack: Vec<Node>,
    lists: Vec<u32>,
    /// By pair.
    open: Vec<Open>,
    /// Pairs at the resolution on the interval in hand.
    at_resolution: Vec<u32>,
    near: Near,
    values: Vec<f64>,
    change: Vec<f64>,
    adds: Vec<f64>,
    pieces: Vec<Piece>,
    counts: EdgeCounts,
}

impl<'w> EdgeChecker<'w> {
    /// For a world.
    pub fn new(world: &'w World) -> EdgeChecker<'w> {
        let pairs = world.checks.pairs.listed.clone();
        let values = world.kinematics.value_names.len();
        EdgeChecker {
            pose: Pose::new(world),
            bounds: MotionBounds::new(world),
            way: Way::new(world),
            open: Vec::with_capacity(pairs.len()),
            lists: Vec::with_capacity(4 * pairs.len()),
            asker: Asker::new(world, pairs),
            stack: Vec::with_capacity(2 * EDGE_HALVINGS),
            at_resolution: Vec::new(),
            near: Near::default(),
            values: vec![0.0; values],
            change: vec![0.0; values],
            adds: vec![0.0; values],
            pieces: Vec::new(),
            counts: EdgeCounts::default(),
        }
    }

    /// The world that it asks.
    pub fn world(&self) -> &'w World {
        self.pose.world
    }

    /// The certificate of the last motion, if it was [`Edge::Free`]; what was proved of it, if not.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// What the last motion took.
    pub fn counts(&self) -> EdgeCounts {
        self.counts
    }

    /// Forgets what earlier motions left: it never changes what is proved, only how fast.
    pub fn forget(&mut self) {
        self.asker.forget();
    }

    /// Whether the straight motion of all joint values between two configurations (radians, metres; order of
    /// [`World::value_names`]) is free. In a world in which no pair is checked, or a robot has no shape at
    /// all, nothing is [`Edge::Free`].
    ///
    /// # Errors
    /// One of the two is no configuration of the world: all of its values that are wrong are named.
    pub fn check(&mut self, [from, to]: [&[f64]; 2], options: &EdgeOptions) -> Result<Edge, PoseFault> {
        let world = self.world();
        self.pose.set_with(to, options.set)?;
        self.pose.set_with(from, options.set)?;
        let margin = options.margin_in(world);
        self.pieces.clear();
        // As of poses: where nothing is checked nothing is proved.
        if world.checks.pairs.is_empty() || margin.is_nan() {
            return Ok(Edge::Unknown { at: [0.0, 1.0], pair: None });
        }
        self.asker.work.queries = 0;
        self.counts = EdgeCounts { poses: 2, ..EdgeCounts::default() };
        let whole = if from == to { [0.0, 0.0] } else { [0.0, 1.0] };
        let mut search =
            Search { checker: self, ends: [from, to], margin, options, progress: Progress::default() };
        let edge = search.run(whole);
        self.counts.shape_queries = self.asker.work.queries as u64;
        if whole[1] == 0.0 {
            self.pieces.iter_mut().for_each(|piece| piece.t = [0.0, 1.0]);
        }
        // Of a robot without shapes nothing is known.
        let blind = world.blind && edge == Edge::Free;
        Ok(if blind { Edge::Unknown { at: [0.0, 1.0], pair: None } } else { edge })
    }
}

/// What was found so far.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// The earliest part where a pair is proved in contact, and its number.
    contact: Option<(f64, u32)>,
    /// The first interval that stayed open, and its pair.
    open: Option<([f64; 2], u32)>,
    /// Whether a pair was left alone, open.
    left: bool,
}

impl Progress {
    fn touches(&mut self, t: f64, pair: u32) {
        if self.contact.is_none_or(|(first, _)| t < first) {
            self.contact = Some((t, pair));
        }
    }
}

/// A motion in hand.
struct Search<'s, 'w> {
    checker: &'s mut EdgeChecker<'w>,
    ends: [&'s [f64]; 2],
    margin: f64,
    options: &'s EdgeOptions,
    progress: Progress,
}

impl Search<'_, '_> {
    fn run(&mut self, whole: [f64; 2]) -> Edge {
        let world = self.checker.world();
        self.checker.stack.clear();
        self.checker.asker.drop_added();
        if !world.checks.pairs.crowds.is_empty() && !self.add_crowds(whole) {
            return Edge::Unknown { at: whole, pair: None };
        }
        let EdgeChecker { asker, lists, open, stack, .. } = &mut *self.checker;
        lists.clear();
        lists.extend(0..asker.pairs.len() as u32);
        open.clear();
        open.resize(asker.pairs.len(), NOT_OPEN);
        stack.push(Node { t: whole, from: 0, to: lists.len() });
        while let Some(node) = self.checker.stack.pop() {
            let [start, end] = node.t;
            if self.progress.contact.is_some_and(|(t, _)| start >= t) {
                continue;
            }
            if self.checker.counts.asked >= self.options.work {
                let pair = self.checker.lists.get(node.from).copied();
                return self.ended(node, pair);
            }
            let middle = 0.5 * (start + end);
            if !self.set_at(middle) {
                return self.ended(node, None);
            }
            let EdgeChecker { way, change, lists, .. } = &mut *self.checker;
            way.half_change(self.ends, node.t, change);
            lists.truncate(node.to);
            self.ask_interval(&node, middle);
            if self.resolve(node.t) {
                return self.contact(start).unwrap_or(Edge::Unknown { at: node.t, pair: None });
            }
            let EdgeChecker { lists, stack, .. } = &mut *self.checker;
            let (first, last) = (node.to, lists.len());
            if last > first {
                stack.push(Node { t: [middle, end], from: first, to: last });
                stack.push(Node { t: [start, middle], from: first, to: last });
            }
        }
        match (self.contact(f64::INFINITY), self.progress.open) {
            (Some(contact), _) => contact,
            (None, None) => Edge::Free,
            (None, Some(([from, to], pair))) => {
                let at = [from, if self.progress.left { 1.0 } else { to }];
                Edge::Unknown { at, pair: Some(self.pair(pair)) }
            }
        }
    }

    fn pair(&self, index: u32) -> BodyPair {
        self.checker.asker.pairs[index as usize]
    }

    /// The contact that was found, if there is one. Its pair was proved free, or left open at the resolution,
    /// up to `until`, all others as well.
    fn contact(&self, until: f64) -> Option<Edge> {
        let (t, index) = self.progress.contact?;
        let own = self.checker.open[index as usize].from.min(until).min(t);
        let (open, other) = self.progress.open.map_or((own, index), |(at, pair)| (at[0], pair));
        Some(Edge::Contact {
            first: [own, t],
            pair: self.pair(index),
            free_until: open.min(own),
            open: (open < own).then(|| self.pair(other)),
        })
    }

    /// Adds the pairs of the crowds that could touch anywhere on the motion; all others are proved free.
    /// False if the motion is none in its middle.
    fn add_crowds(&mut self, whole: [f64; 2]) -> bool {
        if !self.set_at(0.5 * (whole[0] + whole[1])) {
            return false;
        }
        let EdgeChecker { pose, bounds, way, asker, change, near, pieces, .. } = &mut *self.checker;
        let world = pose.world;
        way.half_change(self.ends, whole, change);
        for crowd in &world.checks.pairs.crowds {
            let approach = near.find(pose, crowd, Around { bounds, change }, self.margin);
            let pair = BodyPair { a: crowd.body, b: crowd.body };
            pieces.push(Piece { pair, t: whole, lower: self.margin + approach, approach });
            for index in &near.indices {
                let (a, b) = ordered(crowd.body, world.checks.pairs.fixed[*index as usize]);
                asker.add(world, BodyPair { a, b });
            }
        }
        true
    }

    /// The answer when the work ended before an interval was looked at, on which a pair is open: everything
    /// before it was proved free, but for what was left open.
    fn ended(&self, node: Node, pair: Option<u32>) -> Edge {
        let (start, checker) = (node.t[0], &*self.checker);
        let from = self.progress.open.map_or(start, |(at, _)| at[0].min(start));
        let pair = self.progress.open.map(|(_, pair)| pair).or(pair).map(|index| self.pair(index));
        let Some((t, index)) = self.progress.contact else {
            return Edge::Unknown { at: [from, 1.0], pair };
        };
        // The pair in contact may be free for longer: up to the first interval that was left for it.
        let lists = |node: &&Node| checker.lists[node.from..node.to].contains(&index);
        let left = checker.stack.iter().rev().chain([&node]).filter(lists).map(|node| node.t[0]);
        let own = left.fold(checker.open[index as usize].from.min(t), f64::min);
        let open = if from < own { pair } else { None };
        Edge::Contact { first: [own, t], pair: self.pair(index), free_until: from.min(own), open }
    }

    /// Moves the pose along the motion; false if it refuses.
    fn set_at(&mut self, t: f64) -> bool {
        let EdgeChecker { pose, way, values, counts, .. } = &mut *self.checker;
        way.values_at(self.ends, t, values);
        counts.poses += 1;
        pose.set_with(values, self.options.set).is_ok()
    }

    /// Asks the open pairs of an interval at its middle. Those that stay open are appended to the lists, or
    /// to `at_resolution` where halving again would tell no more.
    fn ask_interval(&mut self, node: &Node, middle: f64) {
        let EdgeChecker {
            pose, bounds, asker, lists, open, at_resolution, change, adds, pieces, counts, ..
        } = &mut *self.checker;
        at_resolution.clear();
        let [start, end] = node.t;
        // Halves that are no shorter in numbers, or as short as ever asked.
        let short = end - start <= 1.0 / (1_u64 << EDGE_HALVINGS) as f64 || !(start < middle && middle < end);
        for k in node.from..node.to {
            let index = lists[k];
            if open[index as usize].count >= EDGE_OPEN_ENDS {
                continue;
            }
            let pair = asker.pairs[index as usize];
            counts.asked += 1;
            let wanted = (self.margin, self.options.geometry);
            let cleared = asker.clears(pose, index as usize, Around { bounds, change }, wanted, adds);
            let Cleared { stays, room: lower, approach, upper, .. } = cleared;
            counts.by_balls += u64::from(stays == Stays::ByBalls);
            if upper < self.margin {
                self.progress.touches(middle, index);
            }
            if stays != Stays::Open {
                pieces.push(Piece { pair, t: node.t, lower, approach });
            } else if approach <= self.options.resolution.max(0.0) || short {
                at_resolution.push(index);
            } else {
                lists.push(index);
            }
        }
    }

    /// Asks pairs that are at the resolution at the ends of their interval. True if one of them is the first
    /// contact.
    fn resolve(&mut self, [start, end]: [f64; 2]) -> bool {
        if self.checker.at_resolution.is_empty() {
            return false;
        }
        let pairs = core::mem::take(&mut self.checker.at_resolution);
        let (margin, geometry) = (self.margin, self.options.geometry);
        let asked = Resolved { ask: Ask::Test, geometry, margin, cutoff: margin };
        for t in [start, end] {
            // Other starts are ends of intervals before.
            let known = self.progress.contact.is_some_and(|(c, _)| c <= t) || (t == start && start > 0.0);
            if known || !self.set_at(t) {
                continue;
            }
            for index in &pairs {
                let EdgeChecker { pose, asker, .. } = &mut *self.checker;
                if asker.ask(pose, *index as usize, &asked).interval.upper < margin {
                    self.progress.touches(t, *index);
                }
            }
        }
        // Of a pair that is not at the resolution yet the halves tell more.
        let done = self.progress.contact.is_some_and(|(t, index)| t <= end && pairs.contains(&index));
        if !done {
            for index in &pairs {
                let open = &mut self.checker.open[*index as usize];
                open.from = open.from.min(start);
                open.count += 1;
                self.progress.left |= open.count >= EDGE_OPEN_ENDS;
            }
            self.progress.open.get_or_insert(([start, end], pairs[0]));
        }
        self.checker.at_resolution = pairs;
        done
    }
}
