//! The answer for a motion.

use crate::model::id::BodyPair;

/// The answer for a motion, from [`MotionChecker::check_edge`](super::MotionChecker::check_edge). Fractions
/// of the motion are numbers from 0, its start, to 1, its end. Only [`Edge::Free`] allows the motion. The
/// example of [this module](crate::motion) matches all three; [`World::body_names`](crate::World::body_names)
/// has the names of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edge {
    /// Proved free at every instant: see [`MotionChecker::pieces`](super::MotionChecker::pieces).
    Free,
    /// A pair is proved in contact.
    Contact {
        /// Two fractions: before the first this pair is proved free, at the second it is proved in contact.
        /// Usually the pair moves less than a few times the resolution between them. It may move farther in
        /// two cases: the bodies only graze each other, so that no contact can be proved before the second
        /// fraction; or the allowed work was used up. With
        /// [`EdgeAsk::IsFree`](super::edge_options::EdgeAsk::IsFree) the first fraction is always 0.
        first: [f64; 2],
        /// The pair in contact.
        pair: BodyPair,
        /// Before this fraction every pair is proved free. It is at most the first of `first`.
        free_until: f64,
        /// Another pair that is open from there on; `None` where every pair is proved free up to `first`.
        open: Option<BodyPair>,
    },
    /// Proved free before the interval; on it nothing could be proved.
    Unknown {
        /// The first interval that is open, or all that was left when the allowed work was done. With
        /// [`EdgeAsk::IsFree`](super::edge_options::EdgeAsk::IsFree) it is the whole motion if the work was
        /// done, or if a pair was given up because it stayed open on too many intervals.
        at: [f64; 2],
        /// A pair that is open there; `None` where no pair is checked, or a pose of the motion is refused.
        pair: Option<BodyPair>,
        /// Why.
        why: Doubt,
    },
}

/// Why nothing could be proved of a part of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The pair touches: at an end of the interval two of its points are as far apart as the margin, as
    /// closely as can be computed, and nothing proves it nearer. So it is with a body that rests on another
    /// at the start of a motion, also if it leaves it, and with a peg of exactly the size of its hole.
    Touching,
    /// The pair comes nearer to the margin than can be told between poses that differ by the resolution.
    Close,
    /// The allowed work was done.
    Work,
    /// A pose of the motion is refused, a cloud was not seen, no pair is checked, or a robot has no shape.
    NothingKnown,
}

/// What a motion took: one pose is set an interval, and at it each pair that is still open is asked. See
/// [`MotionChecker::edge_counts`](super::MotionChecker::edge_counts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeCounts {
    /// Poses that were set.
    pub poses: u64,
    /// Pairs asked on intervals.
    pub asked: u64,
    /// Those of them that balls proved free.
    pub by_balls: u64,
    /// Pairs of shapes whose distance was computed.
    pub shape_queries: u64,
    /// What counts against [`EdgeOptions::work`](super::edge_options::EdgeOptions::work): pairs asked on
    /// intervals, and for every few nodes, triangles and parts of meshes that they visited one more.
    pub work: u64,
}

impl EdgeCounts {
    /// Adds what an earlier search took.
    pub(super) fn add(&mut self, earlier: &EdgeCounts) {
        self.poses += earlier.poses;
        self.asked += earlier.asked;
        self.by_balls += earlier.by_balls;
        self.shape_queries += earlier.shape_queries;
        self.work += earlier.work;
    }
}

/// How far a question about a motion has come, for
/// [`MotionChecker::check_edge_watched`](super::MotionChecker::check_edge_watched).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeSoFar {
    /// Nothing before this fraction of the motion is asked any more. It stays 0 for long where it is only
    /// asked whether the motion is free, since long intervals come before short ones.
    pub done: f64,
    /// What the motion took so far.
    pub counts: EdgeCounts,
}
