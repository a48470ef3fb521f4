//! What a description may not exceed, with units and derivations.

/// Largest coordinate, extent or translation that is accepted (metres). At this distance from the origin one
/// rounding is already a tenth of a micrometre. Squares of such numbers are far from overflow.
pub const MAX_COORDINATE: f64 = 1e9;
/// How far a 3 by 3 matrix may be from a rotation, `|RᵀR - 1|` (Frobenius norm, no unit). Reading a rotation
/// from a file with ten decimals gives about 1e-10. The defect is added to the error of every pose that
/// depends on the matrix.
pub const ROTATION_DEFECT: f64 = 1e-9;
/// Smallest extent of a shape that is accepted, and of the largest coordinate of points that are not all zero
/// (metres): below the size of an atom it is a unit mistake.
/// Squares and products of such numbers are far from underflow, where relative rounding errors would no
/// longer hold.
pub const MIN_EXTENT: f64 = 1e-12;
/// Coordinates of a mesh beyond this are refused (metres), so that no square overflows in f32.
pub const MESH_COORDINATE_LIMIT: f64 = 1e12;
/// Longest chain of mimic joints that is followed. Real chains have one link; a ring has no end.
pub const MAX_MIMIC_HOPS: u32 = 64;
/// Most points in a cloud: some five gigabytes in each checker.
pub const MAX_CLOUD: usize = 1 << 26;
/// Most corners of a shape in a spare place: some thirty megabytes in each checker.
pub const MAX_SPARE_CORNERS: usize = 1 << 16;
/// Smallest depth of a pad (metres): ten micrometres, a hundred times what covers the rounding of its
/// geometry.
pub const LEAST_PAD_DEPTH: f64 = 1e-5;
/// Largest depth of a pad (metres): soft skins of robots are a few centimetres thick. A larger number is
/// rather one of millimetres.
pub const MAX_PAD_DEPTH: f64 = 0.1;
/// Largest coordinate of a shape under a pad, in its own frame (metres). There a coordinate is off by up to
/// 1.2e-13 m after each rounding, far below what covers them.
pub const MAX_PAD_REACH: f64 = 1e3;
/// Most triangles in the region of a pad. Each is held against all triangles of its mesh that lie near.
pub const MAX_PAD_TRIANGLES: usize = 1 << 15;
