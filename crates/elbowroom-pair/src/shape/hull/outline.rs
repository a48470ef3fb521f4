//! Corners and facets of a hull that is being built.

use crate::shape::hull::rank::Rank;
use alloc::vec::Vec;

/// The corners of a hull, as indices into the set, and its facets.
pub(super) struct Outline {
    pub rank: Rank,
    pub corners: Vec<u32>,
    pub facets: Facets,
}

/// The facets of a hull by indices into its corners, counter-clockwise from outside.
pub(super) enum Facets {
    /// All are triangles: sorted, each beginning with its smallest corner.
    Triangles(Vec<[u32; 3]>),
    /// Any polygons.
    Cycles(Cycles),
}

/// Polygons: number k is `corners[starts[k]..starts[k + 1]]`.
pub(super) struct Cycles {
    pub corners: Vec<u32>,
    pub starts: Vec<u32>,
}

/// The corners of a triangle in their cyclic order, beginning with the smallest.
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
