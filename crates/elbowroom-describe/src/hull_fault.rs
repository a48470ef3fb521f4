//! Faults of point sets.

use core::fmt;

/// Why a hull could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HullFault {
    /// No points were given.
    Empty,
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// Which point, from zero.
        index: usize,
    },
    /// A coordinate is beyond 1e100 m.
    TooLarge {
        /// Which point, from zero.
        index: usize,
    },
    /// More points than 32-bit indices can name.
    TooMany {
        /// How many were given.
        count: usize,
    },
    /// The finished hull failed its check. This is a defect of the program; the hull is not returned.
    Unproved {
        /// The property that does not hold.
        what: &'static str,
    },
}

impl fmt::Display for HullFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HullFault::Empty => write!(f, "a convex hull needs at least one point"),
            HullFault::NotFinite { index } => write!(f, "point {index} has a coordinate that is not finite"),
            HullFault::TooLarge { index } => write!(f, "point {index} has a coordinate beyond 1e100 m"),
            HullFault::TooMany { count } => write!(f, "{count} points are more than a hull can index"),
            HullFault::Unproved { what } => write!(f, "the hull could not be proved convex: {what}"),
        }
    }
}

impl core::error::Error for HullFault {}
