//! Is the straight motion of all joints from one configuration to another free, at every instant?
//!
//! An interval of the motion is asked at its middle: each pair's lower bound there, less how much nearer the pair can come
//! until either end ([`super::lever`]), proves the pair free on the whole interval or leaves it open. Open pairs, and only
//! they, are asked again on both halves, the earlier first. The balls around the bodies are asked before their shapes. A
//! pair that overlaps at a middle ends the motion there: what comes later is not looked at any more, and the halves
//! before it narrow the first contact down. So every part of the motion before the first contact that is told has been
//! proved free.
//!
//! It stops at intervals on which an open pair moves less than the resolution. Such a pair neither overlaps at the interval's
//! ends nor is proved apart: it touches, as far as anyone can tell, and the answer is `Unknown` unless an overlap follows.
//! It stops, too, when the work that is allowed is done.
//!
//! Where a moving body meets a crowd of fixed ones ([`crate::checked`]), those that it cannot come near on the whole motion are
//! left out at once, by the tree over them.
//!
//! What is proved: `Free` comes with pieces that [`verify`] checks from their numbers. The lists of open pairs lie one
//! behind the other in one array: an interval's list ends where those of its halves begin, and halves are done before it is.
//!
//! # Example
//!
//! ```
//! # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
//! # use example::rod_and_post;
//! use elbowroom::compile::compile;
//! use elbowroom::motion::edge::{Edge, EdgeOptions, EdgeWork, edge, verify};
//! use elbowroom::pose::Pose;
//!
//! // The rod of the crate's first example, and the post at (0, 1, 0).
//! let world = compile(&rod_and_post([0.0, 1.0, 0.0]))?;
//! let (mut pose, mut work) = (Pose::new(&world), EdgeWork::new(&world));
//! let options = EdgeOptions::of(&world);
//!
//! // Free at every instant, with a proof that can be checked.
//! let way = [&[-2.0][..], &[1.0][..]];
//! assert_eq!(edge(&world, &mut pose, &mut work, way, &options)?, Edge::Free);
//! verify(&world, &mut pose, way, work.pieces(), &options)?;
//!
//! // Farther on the rod comes nearer to the post than the margin: where the chord between their centres is 0.31.
//! let found = edge(&world, &mut pose, &mut work, [&[0.0], &[2.0]], &options)?;
//! let Edge::Contact { first: [before, after], .. } = found else { panic!("{found:?}") };
//! let at = (std::f64::consts::FRAC_PI_2 - 2.0 * (0.31_f64 / 2.0).asin()) / 2.0;
//! assert!(before <= at && at <= after && after - before < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Source
//!
//! After Schwarzer, Saha, Latombe: Exact collision checking of robot paths (2002), with levers taken at the pose instead of
//! over all poses, of two bodies' the smaller for each joint, and where that does not suffice along one direction.

use super::around::near;
use super::ask::{Asker, Cleared, Question};
pub use super::certificate::{CertificateFault, Piece, verify};
use super::certificate::{half_change, values_at};
use super::reach::Reach;
use crate::narrow::Ask;
pub use crate::narrow::Geometry;
use crate::pairs::{BodyPair, ordered};
use crate::pose::{Pose, PoseFault, SetOptions};
use crate::tolerance::{EDGE_HALVINGS, EDGE_OPEN_ENDS, EDGE_RESOLUTION, EDGE_WORK};
use crate::world::World;
use alloc::vec;
use alloc::vec::Vec;

/// What is asked of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeOptions {
    /// Free means farther apart than this at every instant, contact means nearer (metres, >= 0). A negative one counts as zero; with one
    /// that is not a number nothing is free, and nothing in contact.
    pub clearance: f64,
    /// What meshes stand for.
    pub geometry: Geometry,
    /// An interval within which an open pair moves less than this is not halved again (metres).
    pub resolution: f64,
    /// Pairs asked on intervals, after which what is not decided is `Unknown`.
    pub work: u64,
    /// What joint values may be.
    pub set: SetOptions,
}

impl Default for EdgeOptions {
    fn default() -> EdgeOptions {
        EdgeOptions {
            clearance: 0.0,
            geometry: Geometry::Mesh,
            resolution: EDGE_RESOLUTION,
            work: EDGE_WORK,
            set: SetOptions::default(),
        }
    }
}

impl EdgeOptions {
    /// The default with the margin of a world for its clearance: free is where [`crate::verdict::Verdict::Clear`] would be said, and
    /// contact includes what would be near.
    pub fn of(world: &World) -> EdgeOptions {
        EdgeOptions { clearance: world.margin, ..EdgeOptions::default() }
    }

    /// With a clearance that is not negative; one that is no number stays.
    pub(super) fn sound(&self) -> EdgeOptions {
        let clearance = if self.clearance < 0.0 { 0.0 } else { self.clearance };
        EdgeOptions { clearance, ..*self }
    }
}

/// The answer for a motion. Parts of it are numbers from 0, its start, to 1, its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edge {
    /// Proved free at every instant: see [`EdgeWork::pieces`].
    Free,
    /// Proved free before the first of the two parts; at the second this pair is proved in contact.
    Contact {
        /// The interval of first contact; narrower than the resolution unless pairs touched before, or the work ended.
        first: [f64; 2],
        /// Who is in contact at its end.
        pair: BodyPair,
    },
    /// Proved free before the interval; on it nothing could be proved.
    Unknown {
        /// The first interval that is open, or all that was left when the work ended.
        at: [f64; 2],
        /// A pair that is open there; `None` where no pair is checked, or the configurations themselves are none.
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

/// Work space, and what is known of a world beforehand: one per thread. Grows with the first motions and is then reused.
#[derive(Clone, Debug)]
pub struct EdgeWork {
    reach: Reach,
    asker: Asker,
    stack: Vec<Node>,
    lists: Vec<u32>,
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
    /// The earliest part where a pair is proved in contact.
    contact: Option<(f64, BodyPair)>,
    /// The first interval that stayed open, and how many there are.
    open: Option<([f64; 2], BodyPair)>,
    opens: usize,
}

/// Whether the straight motion of all joint values between two configurations is free. The pose is left anywhere on the
/// motion. Refused if one of the two is no configuration of the world. In a world in which no pair is checked, or a robot has
/// no shape at all, nothing is [`Edge::Free`].
pub fn edge(
    world: &World,
    pose: &mut Pose,
    work: &mut EdgeWork,
    [from, to]: [&[f64]; 2],
    options: &EdgeOptions,
) -> Result<Edge, PoseFault> {
    if work.reach.fingerprint != world.fingerprint {
        return Err(PoseFault::OtherWorld);
    }
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
    [from, to]: [&[f64]; 2],
    options: &EdgeOptions,
) -> Edge {
    let mut found = Found { contact: None, open: None, opens: 0 };
    while let Some(node) = work.stack.pop() {
        let [start, end] = node.t;
        if found.contact.is_some_and(|(t, _)| start >= t) {
            continue;
        }
        if work.counts.asked >= options.work || found.opens >= EDGE_OPEN_ENDS {
            return ended(found, start, work.lists.get(node.from).map(|i| work.asker.pairs[*i as usize]));
        }
        let middle = 0.5 * (start + end);
        if !at(world, pose, work, [from, to], middle, options) {
            return ended(found, start, None);
        }
        half_change(from, to, node.t, &mut work.change);
        work.lists.truncate(node.to);
        interval(world, pose, work, &node, middle, options, &mut found);
        if let Some(answer) = resolved(world, pose, work, [from, to], node.t, options, &mut found) {
            return answer;
        }
        let (first, last) = (node.to, work.lists.len());
        if last > first {
            work.stack.push(Node { t: [middle, end], from: first, to: last });
            work.stack.push(Node { t: [start, middle], from: first, to: last });
        }
    }
    match (found.contact, found.open) {
        (None, None) => Edge::Free,
        (None, Some((at, pair))) => Edge::Unknown { at, pair: Some(pair) },
        // An open interval is left wherever a contact was narrowed down; without one, this proves the less.
        (Some((t, pair)), open) => Edge::Contact { first: [open.map_or(t, |(at, _)| at[0].min(t)), t], pair },
    }
}

/// Adds the pairs of the crowds that could touch anywhere on the motion; all others are proved free. False if the motion is none
/// in its middle.
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
    half_change(ends[0], ends[1], whole, &mut work.change);
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

/// The answer when the work ended: everything before `t` was proved free, but for what was left open.
fn ended(found: Found, t: f64, pair: Option<BodyPair>) -> Edge {
    let open = found.open.map_or(t, |(at, _)| at[0].min(t));
    match (found.contact, found.open) {
        (Some((at, pair)), _) => Edge::Contact { first: [open.min(at), at], pair },
        (None, Some((_, pair))) => Edge::Unknown { at: [open, 1.0], pair: Some(pair) },
        (None, None) => Edge::Unknown { at: [open, 1.0], pair },
    }
}

/// Moves the pose along the motion; false if it refuses.
fn at(
    world: &World,
    pose: &mut Pose,
    work: &mut EdgeWork,
    [from, to]: [&[f64]; 2],
    t: f64,
    options: &EdgeOptions,
) -> bool {
    values_at(from, to, t, &mut work.values);
    work.counts.poses += 1;
    pose.set_with(world, &work.values, options.set).is_ok()
}

/// Asks the open pairs of an interval at its middle. Those that stay open are appended to the lists, or to `ends` where
/// halving again would tell no more.
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
            found.contact = Some((middle, pair));
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

/// Asks pairs that are at the resolution at the ends of their interval. An answer, if the first contact is known by now.
fn resolved(
    world: &World,
    pose: &mut Pose,
    work: &mut EdgeWork,
    [from, to]: [&[f64]; 2],
    [start, end]: [f64; 2],
    options: &EdgeOptions,
    found: &mut Found,
) -> Option<Edge> {
    let first = work.asker.pairs[*work.ends.first()? as usize];
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
        if known || !at(world, pose, work, [from, to], t, options) {
            continue;
        }
        for index in &ends {
            let pair = work.asker.pairs[*index as usize];
            let answer = work.asker.ask(world, pose, *index as usize, &question);
            if answer.upper < options.clearance && found.contact.is_none_or(|(c, _)| t < c) {
                found.contact = Some((t, pair));
            }
        }
    }
    work.ends = ends;
    if let Some((t, pair)) = found.contact.filter(|(t, _)| *t <= end) {
        // Everything before this interval is done.
        let from = found.open.map_or(start, |(at, _)| at[0]).min(t);
        return Some(Edge::Contact { first: [from, t], pair });
    }
    found.open.get_or_insert(([start, end], first));
    found.opens += 1;
    None
}
