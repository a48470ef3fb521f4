//! Corners and facets of a hull that is being built.

use crate::shape::hull::rank::Rank;
use alloc::vec::Vec;
/// The corners of a hull, as indices into the set, and its facets, as cycles of indices into `corners`,
/// counter-clockwise from outside.
pub(super) struct Outline {
    pub rank: Rank,
    pub corners: Vec<u32>,
    pub cycles: Vec<u32>,
    /// Cycle k is `cycles[cycle_starts[k]..cycle_starts[k + 1]]`.
    pub cycle_starts: Vec<u32>,
}

/// The same triangle, beginning with its smallest corner.
#[inline(always)]
pub(super) fn from_least([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}
