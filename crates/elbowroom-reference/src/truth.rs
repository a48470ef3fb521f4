//! What the slow methods answer, and how sharply.

use crate::math::Vec3;

/// Width of the bracket, relative to the scale of the pair, at which the search stops.
pub const TARGET: f64 = 1e-13;
/// Width for overlapping curved shapes, where each further digit costs a level of the search.
pub const TARGET_CURVED_DEPTH: f64 = 2e-11;
/// Rounding of poses, vertices and supports in f64, relative to the scale of the pair: 16 operations' worth.
pub const ROUNDING: f64 = 16.0 * 1.2e-16;

/// The signed distance as a bracket, and where it is attained. Metres; A's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truth {
    /// The signed distance is at least this.
    pub lower: f64,
    /// The signed distance is at most this.
    pub upper: f64,
    /// Point of A: the nearest to B, or the deepest in B along `normal`.
    pub witness_a: Vec3,
    /// Point of B likewise.
    pub witness_b: Vec3,
    /// Unit vector along which A escapes from B.
    pub normal: Vec3,
    /// Size of the pair (metres): both shapes' reach and their offset. Errors are relative to it.
    pub scale: f64,
    /// How the bracket was found.
    pub method: Method,
    /// Points of A and of B that carry the nearest point of `D` (1 vertex, 2 edge, 3 face); 0 unless apart.
    pub rank: [u8; 2],
}

/// How a [`Truth`] was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Nearest point of `D`.
    Separated,
    /// All facet normals of `D`.
    Facets,
    /// Branch and bound over directions.
    Sphere,
    /// All triangles.
    Triangles,
}
