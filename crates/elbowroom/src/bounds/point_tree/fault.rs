//! Why points, and queries among them, are refused.

use core::fmt;
use elbowroom_describe::fault::Numeral;
use elbowroom_describe::limits::MAX_COORDINATE;

/// Why points cannot replace those of a tree. The tree then has those that it had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointFault {
    /// There are more points than the tree has room for.
    TooMany {
        /// How many were given.
        given: usize,
        /// How many there may be.
        capacity: usize,
    },
    /// Some points have a coordinate that is not finite, or beyond 1e9 m.
    Coordinates {
        /// How many points.
        count: usize,
        /// The first of them, from 0.
        first: usize,
        /// Its coordinates (metres).
        point: [f64; 3],
    },
}

impl fmt::Display for PointFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PointFault::TooMany { given, capacity } => {
                write!(f, "there are {given} points, and room for {capacity}: give fewer, or make more room")
            }
            PointFault::Coordinates { count, first, point } => {
                let [x, y, z] = point.map(Numeral);
                write!(
                    f,
                    "{count} points have coordinates that are not finite or beyond {MAX_COORDINATE:e} m; the \
                     first is point {first}, ({x}, {y}, {z}): leave them out"
                )
            }
        }
    }
}

impl core::error::Error for PointFault {}

/// A query was prepared before the points were replaced, or for another tree. It would bound nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleQuery {
    /// The number of the query.
    pub query: usize,
}

impl fmt::Display for StaleQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "query {} is of other points: prepare it again", self.query)
    }
}

impl core::error::Error for StaleQuery {}
