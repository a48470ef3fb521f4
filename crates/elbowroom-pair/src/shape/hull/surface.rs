//! A closed surface of triangles that know their neighbours.

use alloc::vec::Vec;

/// Triangles, counter-clockwise from outside.
pub(super) struct HullSurface {
    pub faces: Vec<[u32; 3]>,
    /// `across[f][i]` is the triangle across the edge from `faces[f][i]` to the next corner.
    pub across: Vec<[u32; 3]>,
}
