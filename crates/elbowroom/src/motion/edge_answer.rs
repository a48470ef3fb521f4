//! What is told of a motion.

use crate::model::id::BodyPair;

/// The answer for a motion, from [`EdgeChecker::check`](super::edge::EdgeChecker::check). Parts of it are
/// numbers from 0, its start, to 1, its end. Only [`Edge::Free`] allows the motion. The example of
/// [this module](crate::motion) matches all three; [`World::body_names`](crate::World::body_names) has the
/// names of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edge {
    /// Proved free at every instant: see [`EdgeChecker::pieces`](super::edge::EdgeChecker::pieces).
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

/// What a motion took: one pose is set an interval, and at it each pair that is still open is asked. See
/// [`EdgeChecker::counts`](super::edge::EdgeChecker::counts).
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
