//! Why a batch is refused, and how much work one took.

use crate::pose::fault::PoseFault;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use elbowroom_describe::fault::write_lines;

/// Why a batch is refused, or some of its rows. All other rows have their answers. Displayed one value a
/// line.
#[derive(Clone, PartialEq)]
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
                let mut lines = Vec::new();
                for (row, fault) in first {
                    match fault {
                        PoseFault::Values(values) => {
                            lines.extend(values.iter().map(|value| format!("pose {row}: {value}")));
                        }
                        PoseFault::WrongCount { .. } => lines.push(format!("pose {row}: {fault}")),
                    }
                }
                match count.saturating_sub(first.len()) {
                    0 => {}
                    1 => lines.push("and 1 more pose".into()),
                    more => lines.push(format!("and {more} more poses")),
                }
                write_lines(f, lines.iter())
            }
        }
    }
}

impl fmt::Debug for BatchFault {
    /// The words of [`Display`](fmt::Display), for a `main` that returns this error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
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
