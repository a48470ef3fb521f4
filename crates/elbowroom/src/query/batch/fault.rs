//! Why a batch is refused, and how much work one took.

use crate::numeric::numeral::write_all;
use crate::pose::fault::PoseFault;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;

/// Why a batch is refused, or some of its rows. All other rows have their answers.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchFault {
    /// The array does not have one row of joint values for each answer.
    WrongSize {
        /// How many values it should have.
        expected: usize,
        /// How many it has.
        given: usize,
    },
    /// Rows that are not configurations.
    Poses {
        /// The first of them: the number of the row, and what is wrong.
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

/// How much work a batch took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchCounts {
    /// Poses.
    pub poses: usize,
    /// Poses that lanes decided.
    pub by_lanes: usize,
    /// Pairs of shapes whose distance was computed, for the other poses.
    pub shape_queries: usize,
}
