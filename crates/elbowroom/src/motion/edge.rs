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
//! What is proved: `Free` comes with pieces that [`verify`] checks from their numbers. The lists of open
//! pairs lie one behind the other in one array: an interval's list ends where those of its halves begin, and
//! halves are done before it is.
//!
//! # Example
//!
//! ```
//! # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
//! # use example::rod_and_post;
//! use elbowroom::compile::compile;
//! use elbowroom::motion::edge::{Edge, EdgeOptions, EdgeWork, check_edge, verify};
//! use elbowroom::CheckWork;
//!
//! // The rod of the crate's first example, and the post at (0, 1, 0).
//! let world = compile(&rod_and_post([0.0, 1.0, 0.0]))?;
//! let (mut pose, mut work) = (CheckWork::new(&world), EdgeWork::new(&world));
//! let options = EdgeOptions::of(&world);
//!
//! // Free at every instant, with a proof that can be checked.
//! let way = [&[-2.0][..], &[1.0][..]];
//! assert_eq!(check_edge(&world, &mut pose, &mut work, way, &options)?, Edge::Free);
//! verify(&world, &mut pose, way, work.pieces(), &options)?;
//!
//! // Farther on the rod comes nearer to the post than the margin: where the chord between their centres is
//! // 0.31.
//! let found = check_edge(&world, &mut pose, &mut work, [&[0.0], &[2.0]], &options)?;
//! let Edge::Contact { first: [before, after], .. } = found else { panic!("{found:?}") };
//! let at = (std::f64::consts::FRAC_PI_2 - 2.0 * (0.31_f64 / 2.0).asin()) / 2.0;
//! assert!(before <= at && at <= after && after - before < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Source
//!
//! After Schwarzer, Saha, Latombe: Exact collision checking of robot paths (2002), with levers taken at the
//! pose instead of over all poses, of two bodies' the smaller for each joint, and where that does not suffice
//! along one direction.

use super::around::near;
use super::ask::{Asker, Cleared, Question};
pub use super::certificate::{CertificateFault, Piece, verify};
pub use super::edge_options::EdgeOptions;
use super::reach::Reach;
use super::way::Way;
use crate::model::id::{BodyPair, ordered};
use crate::model::world::World;
use crate::motion::tolerance::{EDGE_HALVINGS, EDGE_OPEN_ENDS};
use crate::pair::clearance::Ask;
pub use crate::pair::clearance::Geometry;
use crate::pose::fault::PoseFault;
use crate::pose::frames::Pose;
use crate::query::check_work::CheckWork;
use crate::query::checker::Checker;
use alloc::vec;
use alloc::vec::Vec;

/// The answer for a motion. Parts of it are numbers from 0, its start, to 1, its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edge {
    /// Proved free at every instant: see [`EdgeWork::pieces`].
    Free,
    /// A pair is proved in contact.
    Contact {
        /// Before the first of the two parts this pair is proved free, at the second it is proved in contact.
        /// Within them it moves less than a few times the resolution, unless it was already open at the first
        /// (it may have touched there), or the work ended.
        first: [f64; 2],
        /// Who is in contact at its end.
        pair: BodyPair,
        /// Before this part every pair is proved free: no more than the first part of `first`.
        free_until: f64,
        /// Another pair that is open from there on; `None` where everything is proved free up to `first`.
        open: Option<BodyPair>,
    },
    /// Proved free before the interval; on it nothing could be proved.
    Unknown {
        /// The first interval that is open, or all that was left when the work ended.
        at: [f64; 2],
        /// A pair that is open there; `None` where no pair is checked, or the configurations themselves are
        /// none.
        pair: Option<BodyPair>,
    },
}

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

/// Work space, and what is known of a world beforehand: one per thread. Grows with the first motions and is
/// then reused.
#[derive(Clone, Debug)]
pub struct EdgeWork {
    reach: Reach,
    way: Way,
    asker: Asker,
    stack: Vec<Node>,
    lists: Vec<u32>,
    /// By pair.
    open: Vec<Open>,
    /// Pairs at the resolution on the interval in hand.
    ends: Vec<u32>,
    /// Fixed bodies near a moving one, and work space of looking for them.
    places: Vec<u32>,
    nodes: Vec<u32>,
    values: Vec<f64>,
    change: Vec<f64>,
    adds: Vec<f64>,
    pieces: Vec<Piece>,
    counts: EdgeCounts,
}

/// What a motion took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeCounts {
    /// Poses that were set.
    pub poses: u64,
    /// Pairs asked on intervals.
    pub asked: u64,
    /// Of those, proved free by their balls.
    pub by_balls: u64,
    /// Distances between shapes.
    pub shape_queries: u64,
}

impl EdgeWork {
    /// For a world.
    pub fn new(world: &World) -> EdgeWork {
        let pairs = world.pairs.listed.clone();
        let values = world.value_names.len();
        EdgeWork {
            reach: Reach::new(world),
            way: Way::new(world),
            open: Vec::with_capacity(pairs.len()),
            lists: Vec::with_capacity(4 * pairs.len()),
            asker: Asker::new(world, pairs),
            stack: Vec::with_capacity(2 * EDGE_HALVINGS),
            ends: Vec::new(),
            places: Vec::new(),
            nodes: Vec::new(),
            values: vec![0.0; values],
            change: vec![0.0; values],
            adds: vec![0.0; values],
            pieces: Vec::new(),
            counts: EdgeCounts::default(),
        }
    }

    /// The certificate of the last motion, if it was [`Edge::Free`]; what was proved of it, if not.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// What the last motion took.
    pub fn counts(&self) -> EdgeCounts {
        self.counts
    }

    /// Forgets what earlier motions found: it never changes what is proved, only how fast.
    pub fn forget(&mut self) {
        self.asker.forget();
    }
}

/// Where the search stands.
struct Found {
    /// The earliest part where a pair is proved in contact, and its number.
    contact: Option<(f64, u32)>,
    /// The first interval that stayed open, and its pair.
    open: Option<([f64; 2], u32)>,
    /// Whether a pair was left alone, open.
    left: bool,
}

impl Checker<'_> {
    /// Whether the straight motion of all joint values between two configurations is free: [`check_edge`].
    ///
    /// # Errors
    /// One of the two is no configuration of the world.
    pub fn edge(
        &mut self,
        work: &mut EdgeWork,
        ends: [&[f64]; 2],
        options: &EdgeOptions,
    ) -> Result<Edge, PoseFault> {
        check_edge(self.world, &mut self.work, work, ends, options)
    }
}

/// Whether the straight motion of all joint values between two configurations is free. The pose is left
/// anywhere on the motion. Refused if one of the two is no configuration of the world. In a world in which no
/// pair is checked, or a robot has no shape at all, nothing is [`Edge::Free`].
pub fn check_edge(
    world: &World,
    checker: &mut CheckWork,
    work: &mut EdgeWork,
    [from, to]: [&[f64]; 2],
    options: &EdgeOptions,
) -> Result<Edge, PoseFault> {
    if work.reach.fingerprint != world.fingerprint {
        return Err(PoseFault::OtherWorld);
    }
    let pose = &mut checker.pose;
    pose.set_with(world, to, options.set)?;
    pose.set_with(world, from, options.set)?;
    let options = &options.sound();
    // As of poses: where nothing is checked nothing is proved.
    if world.pairs.is_empty() || options.clearance.is_nan() {
        work.pieces.clear();
        return Ok(Edge::Unknown { at: [0.0, 1.0], pair: None });
    }
    let queries = work.asker.queries;
    work.counts = EdgeCounts { poses: 2, ..EdgeCounts::default() };
    work.pieces.clear();
    work.stack.clear();
    work.lists.clear();
    let whole = if from == to { [0.0, 0.0] } else { [0.0, 1.0] };
    work.asker.drop_added();
    if !world.pairs.crowds.is_empty() && !crowds(world, pose, work, [from, to], whole, options) {
        return Ok(Edge::Unknown { at: whole, pair: None });
    }
    work.lists.extend(0..work.asker.pairs.len() as u32);
    work.open.clear();
    work.open.resize(work.asker.pairs.len(), NOT_OPEN);
    work.stack.push(Node { t: whole, from: 0, to: work.lists.len() });
    let answer = search(world, pose, work, [from, to], options);
    work.counts.shape_queries = work.asker.queries - queries;
    if whole[1] == 0.0 {
        work.pieces.iter_mut().for_each(|piece| piece.t = [0.0, 1.0]);
    }
    // Of a robot without shapes nothing is known.
    Ok(if world.blind && answer == Edge::Free {
        Edge::Unknown { at: [0.0, 1.0], pair: None }
    } else {
        answer
    })
}

fn search(
    world: &World,
    pose: &mut Pose,
    work: &mut EdgeWork,
    ends: [&[f64]; 2],
    options: &EdgeOptions,
) -> Edge {
    let mut found = Found { contact: None, open: None, left: false };
    while let Some(node) = work.stack.pop() {
        let [start, end] = node.t;
        if found.contact.is_some_and(|(t, _)| start >= t) {
            continue;
        }
        if work.counts.asked >= options.work {
            let pair = work.lists.get(node.from).copied();
            return ended(work, &found, node, pair);
        }
        let middle = 0.5 * (start + end);
        if !at(world, pose, work, ends, middle, options) {
            return ended(work, &found, node, None);
        }
        work.way.half_change(ends, node.t, &mut work.change);
        work.lists.truncate(node.to);
        interval(world, pose, work, &node, middle, options, &mut found);
        if resolved(world, pose, work, ends, node.t, options, &mut found) {
            return contact(work, &found, start).unwrap_or(Edge::Unknown { at: node.t, pair: None });
        }
        let (first, last) = (node.to, work.lists.len());
        if last > first {
            work.stack.push(Node { t: [middle, end], from: first, to: last });
            work.stack.push(Node { t: [start, middle], from: first, to: last });
        }
    }
    match (contact(work, &found, f64::INFINITY), found.open) {
        (Some(contact), _) => contact,
        (None, None) => Edge::Free,
        (None, Some(([from, to], pair))) => {
            let at = [from, if found.left { 1.0 } else { to }];
            Edge::Unknown { at, pair: Some(work.asker.pairs[pair as usize]) }
        }
    }
}

/// The contact that was found, if there is one. Its pair was proved free, or left open at the resolution, up
/// to `until`, all others as well.
fn contact(work: &EdgeWork, found: &Found, until: f64) -> Option<Edge> {
    let (t, index) = found.contact?;
    let own = work.open[index as usize].from.min(until).min(t);
    let (open, other) = found.open.map_or((own, index), |(at, pair)| (at[0], pair));
    let pair = |index: u32| work.asker.pairs[index as usize];
    Some(Edge::Contact {
        first: [own, t],
        pair: pair(index),
        free_until: open.min(own),
        open: (open < own).then(|| pair(other)),
    })
}

/// Adds the pairs of the crowds that could touch anywhere on the motion; all others are proved free. False if
/// the motion is none in its middle.
fn crowds(
    world: &World,
    pose: &mut Pose,
    work: &mut EdgeWork,
    ends: [&[f64]; 2],
    whole: [f64; 2],
    options: &EdgeOptions,
) -> bool {
    if !at(world, pose, work, ends, 0.5 * (whole[0] + whole[1]), options) {
        return false;
    }
    work.way.half_change(ends, whole, &mut work.change);
    for crowd in &world.pairs.crowds {
        let EdgeWork { reach, asker, change, places, nodes, pieces, .. } = work;
        let approach = near(world, pose, reach, crowd, change, options.clearance, nodes, places);
        let pair = BodyPair { a: crowd.body, b: crowd.body };
        pieces.push(Piece { pair, t: whole, lower: options.clearance + approach, approach });
        for place in places.iter() {
            let (a, b) = ordered(crowd.body, world.pairs.fixed[*place as usize]);
            asker.add(world, BodyPair { a, b });
        }
    }
    true
}

/// The answer when the work ended before an interval was looked at, on which a pair is open: everything
/// before it was proved free, but for what was left open.
fn ended(work: &EdgeWork, found: &Found, node: Node, pair: Option<u32>) -> Edge {
    let start = node.t[0];
    let from = found.open.map_or(start, |(at, _)| at[0].min(start));
    let pair = found.open.map(|(_, pair)| pair).or(pair).map(|index| work.asker.pairs[index as usize]);
    let Some((t, index)) = found.contact else {
        return Edge::Unknown { at: [from, 1.0], pair };
    };
    // The pair in contact may be free for longer: up to the first interval that was left for it.
    let lists = |node: &&Node| work.lists[node.from..node.to].contains(&index);
    let left = work.stack.iter().rev().chain([&node]).filter(lists).map(|node| node.t[0]);
    let own = left.fold(work.open[index as usize].from.min(t), f64::min);
    let open = if from < own { pair } else { None };
    Edge::Contact { first: [own, t], pair: work.asker.pairs[index as usize], free_until: from.min(own), open }
}

/// Moves the pose along the motion; false if it refuses.
fn at(
    world: &World,
    pose: &mut Pose,
    work: &mut EdgeWork,
    ends: [&[f64]; 2],
    t: f64,
    options: &EdgeOptions,
) -> bool {
    work.way.values_at(ends, t, &mut work.values);
    work.counts.poses += 1;
    pose.set_with(world, &work.values, options.set).is_ok()
}

/// Asks the open pairs of an interval at its middle. Those that stay open are appended to the lists, or to
/// `ends` where halving again would tell no more.
fn interval(
    world: &World,
    pose: &Pose,
    work: &mut EdgeWork,
    node: &Node,
    middle: f64,
    options: &EdgeOptions,
    found: &mut Found,
) {
    work.ends.clear();
    let [start, end] = node.t;
    // Halves that are no shorter in numbers, or as short as ever asked.
    let short = end - start <= 1.0 / (1_u64 << EDGE_HALVINGS) as f64 || !(start < middle && middle < end);
    for k in node.from..node.to {
        let index = work.lists[k];
        if work.open[index as usize].count >= EDGE_OPEN_ENDS {
            continue;
        }
        let pair = work.asker.pairs[index as usize];
        work.counts.asked += 1;
        let clears = work.asker.clears(
            world,
            pose,
            &work.reach,
            index as usize,
            &work.change,
            options.clearance,
            options.geometry,
            &mut work.adds,
        );
        let Cleared { lower, approach, .. } = clears;
        work.counts.by_balls += u64::from(clears.by_balls);
        if clears.upper < options.clearance && found.contact.is_none_or(|(t, _)| middle < t) {
            found.contact = Some((middle, index));
        }
        if clears.free {
            work.pieces.push(Piece { pair, t: node.t, lower, approach });
        } else if approach <= options.resolution || short {
            work.ends.push(index);
        } else {
            work.lists.push(index);
        }
    }
}

/// Asks pairs that are at the resolution at the ends of their interval. True if one of them is the first
/// contact.
fn resolved(
    world: &World,
    pose: &mut Pose,
    work: &mut EdgeWork,
    way: [&[f64]; 2],
    [start, end]: [f64; 2],
    options: &EdgeOptions,
    found: &mut Found,
) -> bool {
    if work.ends.is_empty() {
        return false;
    }
    let ends = core::mem::take(&mut work.ends);
    let question = Question {
        ask: Ask::Test,
        cutoff: options.clearance,
        margin: options.clearance,
        geometry: options.geometry,
    };
    for t in [start, end] {
        // Other starts are ends of intervals before.
        let known = found.contact.is_some_and(|(c, _)| c <= t) || (t == start && start > 0.0);
        if known || !at(world, pose, work, way, t, options) {
            continue;
        }
        for index in &ends {
            let answer = work.asker.ask(world, pose, *index as usize, &question);
            if answer.upper < options.clearance && found.contact.is_none_or(|(c, _)| t < c) {
                found.contact = Some((t, *index));
            }
        }
    }
    // Of a pair that is not at the resolution yet the halves tell more.
    let done = found.contact.is_some_and(|(t, index)| t <= end && ends.contains(&index));
    if !done {
        for index in &ends {
            let open = &mut work.open[*index as usize];
            open.from = open.from.min(start);
            open.count += 1;
            found.left |= open.count >= EDGE_OPEN_ENDS;
        }
        found.open.get_or_insert(([start, end], ends[0]));
    }
    work.ends = ends;
    done
}
