//! Why a batch is refused, and what one took.

use crate::numeric::numeral::write_all;
use crate::pose::fault::PoseFault;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
/// Why a batch is refused. Rows that are not named have their answers.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchFault {
    /// The array of values is not rows of as many as the world has, one for each answer.
    WrongSize {
        /// How many values it should have.
        expected: usize,
        /// How many it has.
        given: usize,
    },
    /// Rows that are not configurations.
    Poses {
        /// The first of them: their numbers, and what is wrong.
        first: Vec<(usize, PoseFault)>,
        /// How many there are.
        count: usize,
    },
}

impl fmt::Display for BatchFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchFault::WrongSize { expected, given } => {
                write!(f, "{given} joint values were given for a batch of {expected}")
            }
            BatchFault::Poses { first, count } => {
                write_all(f, first.iter().map(|(row, fault)| format!("pose {row}: {fault}")))?;
                match count - first.len() {
                    0 => Ok(()),
                    more => write!(f, "; and {more} more"),
                }
            }
        }
    }
}

impl core::error::Error for BatchFault {}

/// What a batch took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchCounts {
    /// Poses.
    pub poses: usize,
    /// Those that lanes decided.
    pub by_lanes: usize,
    /// Distances of shapes that the others asked for.
    pub shape_queries: usize,
}
