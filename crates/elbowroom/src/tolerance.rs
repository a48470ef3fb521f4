//! Every number that decides something, with its unit and where it comes from.

/// Unit roundoff of f64: a correctly rounded operation is off by at most this factor.
pub const ROUNDOFF: f64 = 1.110_223_024_625_156_5e-16; // 2^-53

/// Metres added where a product of tiny numbers may have underflowed: below it squares of f64 are no longer normal.
pub const UNDERFLOW: f64 = 1e-150;

// Triangles. `l` is the largest coordinate of the six corners relative to one of them; every corner is then off by u per
// coordinate, an edge vector is at most 2 l long per coordinate, u = ROUNDOFF.

/// Distance of two witness points of triangles, in units of `l`: a point is built as corner + edge * s + edge * t with an
/// error of at most 16 u l per coordinate, two of them and their difference 36 u l, times sqrt(3) for the length is
/// 63 u l; the root of the sum of squares adds 3 u of at most 2 sqrt(3) l. Together 74, rounded up.
pub const TRIANGLE_UPPER: f64 = 96.0 * ROUNDOFF;
/// Room between two triangles along a unit vector, in units of `l`: per side the corner's error sqrt(3) u l and the scalar
/// product's 3 sqrt(3) u l, the difference 3.5 u l, and a normal whose length is 1 to within 8 u times at most
/// 2 sqrt(3) l of room (28 u l). Together 46, rounded up.
pub const TRIANGLE_LOWER: f64 = 64.0 * ROUNDOFF;
/// An interval wider than this, in units of `l`, makes the triangle query try more planes. The two bounds above leave
/// 160 u between them when the plane is the right one.
pub const TRIANGLE_OPEN: f64 = 1024.0 * ROUNDOFF;
/// Error of a height over a triangle's plane, or of a distance from its side, in units of `l (1 + l² / area)`, `area` being
/// twice the triangle's: the product of two edges is off by at most 56 u l², which tilts the normal by 56 u l² / area and
/// moves a height over at most 2 sqrt(3) l by 196 u l; the scalar products add 40 u l. Doubled.
pub const TRIANGLE_CROSSING: f64 = 512.0 * ROUNDOFF;

// Meshes.

/// Coordinates of a mesh beyond this are refused (metres), so that no square overflows in f32.
pub const MESH_COORDINATE_LIMIT: f64 = 1e12;
/// Corner of B expressed in A's frame, in units of the corner's and the translation's length: three products and three
/// sums per coordinate are off by 4 u, times sqrt(3) for the length. Rounded up.
pub const TRANSFORM_ROUNDING: f64 = 8.0 * ROUNDOFF;
/// Unit roundoff of f32, with room for the rounding of the constants it multiplies.
pub const ROUNDOFF_F32: f64 = 6e-8;
/// Error of a distance between two tree boxes computed in f32, in units of the two reaches and the distance of the
/// origins: a centre carried over is off by at most 8 u per coordinate (rotation entries, three products, three sums, the
/// offset), a half extent likewise; sqrt(3) * 16 for the vector and 3 for square, sum and root. Rounded up.
pub const BOX_FILTER: f64 = 36.0;
/// Error of a box's extent along a direction in f32, in units of the reaches: two scalar products of vectors of length at most
/// the reach, each off by 4 sqrt(3) u with the rounding of the direction, for each of the two boxes. Rounded up.
pub const SLAB_FILTER: f64 = 32.0;
/// Metres that f32 may lose by underflow: squares below 1e-38 vanish.
pub const UNDERFLOW_F32: f64 = 1e-18;
/// Room along a direction in f64 between two meshes, in units of the reaches: as [`TRIANGLE_LOWER`].
pub const MESH_ROOM: f64 = 64.0 * ROUNDOFF;
/// Triangle pairs that can improve the distance by less than this are not looked at (in units of the reaches); the lower
/// bound then stays that much below the upper one. Flat faces that lie parallel would otherwise all tie.
pub const MESH_TIE: f64 = 1e-12;
/// After surfaces were found to touch, the search for a pair that crosses goes on for at most this many triangle pairs; then
/// overlap is left open. Two tessellated faces in contact offer as many pairs as they have triangles.
pub const TOUCHING_PAIRS: u32 = 1 << 15;
/// After a crossing is found, this many more triangle pairs are looked at for a deeper one.
pub const DEEPER_PAIRS: u32 = 8;
/// Boxes that a ray misses by more than this, in units of the reach, are skipped: far above the rounding (1e-14) and far below
/// any box that matters.
pub const INSIDE_SKIP: f64 = 1e-9;
/// How far from a place of contact towards a corner points are tested for being inside the other solid.
pub const CONTACT_SHARES: [f64; 3] = [0.5, 0.125, 0.03125];
