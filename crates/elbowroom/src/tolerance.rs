//! Every number that decides something, with its unit and where it comes from.

/// Unit roundoff of f64: a correctly rounded operation is off by at most this factor.
pub const ROUNDOFF: f64 = 1.110_223_024_625_156_5e-16; // 2^-53

/// Rounding of a certified bound between cores, as a factor of [`ROUNDOFF`] times the pair's scale (both extents
/// plus the distance of the frames). The bound is a sum of three scalar products and a division: each product
/// carries at most `3 + 3` roundings of `sqrt(3)` times its lengths (the turned direction counts once more), the
/// norm and the division 4 together. That is below 24; heights carry their own product's rounding besides.
pub const CERTIFY_ROUNDING: f64 = 32.0;

/// Largest `Hull::climb_slack` with which a climb counts as a proof; beyond, all vertices are looked at. The
/// proof widens by `2 * slack * 4 * sqrt(3) * ROUNDOFF` of the hull's extent, here 6e-12 of it: less than a hundredth of
/// the promised interval width of 1e-9.
pub const CLIMB_SLACK_MAX: f64 = 4096.0;

/// The distance search ends when upper and lower bound differ by less than this fraction of the scale.
/// Polytopes end exactly, a few roundings apart; curved cores get a hundredth of a percent of their promised 1e-7.
pub const GJK_GAP: f64 = 1e-12;

/// A table look-up is accepted as a step if it brings the squared distance bound below this fraction.
pub const GJK_GLANCE: f64 = 0.8;

/// Steps after which the search gives up improving. Polytopes need 5 to 15, curved cores up to about 60.
pub const GJK_STEPS: u32 = 128;

/// A tetrahedron whose height over a face is below this fraction of its edge is flat: the signs of its volumes are
/// rounding (three roundings of products of edges, with room for needle-like faces).
pub const FLAT: f64 = 1e-13;

/// The depth search ends when its bounds differ by less than this fraction of the scale.
pub const DEPTH_GAP: f64 = 1e-12;

/// The same where a core is curved: its bounds close quadratically with the number of faces, and the promised
/// width is 1e-7.
pub const DEPTH_GAP_CURVED: f64 = 1e-8;

/// Corners of the polytope of a depth search. Curved cores reach [`DEPTH_GAP_CURVED`] with 100 to 300.
pub const DEPTH_CORNERS: usize = 512;

/// Hulls of at least this many vertices are climbed, smaller ones scanned: where the two cost the same (measured
/// with `cargo xtask bench-peers`, AVX2).
pub const CLIMB_FROM: usize = 100;

/// A lower bound is good enough for `Ask::LowerBound` at this fraction of the upper bound: one or two steps before
/// the end.
pub const LOWER_BOUND_RATIO: f64 = 0.9;
/// Largest coordinate a hull takes, metres. The exact orientation test multiplies three coordinate differences,
/// (2e100)^3 * 6 < 5e301, which must not overflow.
pub const HULL_LARGEST_COORDINATE: f64 = 1e100;
/// Point sets whose largest coordinate is below this (2^-100) are scaled by a power of two while their hull is built.
pub const HULL_SMALL_SET: f64 = 7.888_609_052_210_118e-31;
/// Coordinates below this (2^-290, after scaling) count as zero: multiples of 2^-342 have triple products that are
/// multiples of 2^-1026, so the exact orientation test never underflows (smallest positive f64: 2^-1074).
pub const HULL_SMALLEST_COORDINATE: f64 = 5.027_329_282_278_328e-88;
/// Error of `normal . (x - origin)` against the exact determinant, per unit of `|cross product terms| . |extent|`:
/// eight roundings (two in the differences and one product each, one subtraction, one difference, one product, two
/// sums), and the rounding of the bound itself: 12 * 2^-53.
pub const HULL_FILTER: f64 = 12.0 * ROUNDOFF;
/// Point-against-face tests per point and bit of the number of points, after which the remaining points are inserted
/// in shuffled order, for which n log n is expected. Points on a sphere, where all survive, need about 2.
pub const HULL_WORK_PER_POINT: u64 = 16;
/// Facets with more corners than this have their diagonals among the neighbours, so that a climb crosses a rim of k
/// vertices in about 2 log2 k steps.
pub const HULL_LARGE_FACET: usize = 8;
/// Hulls with at least this many vertices have a direction table; below, all vertices are scanned anyway.
pub const HULL_TABLE_FROM: usize = 64;
/// Cells along one side of the direction table's six squares.
pub const HULL_TABLE_SIDE: usize = 16;
/// Vertices up to this number fit the entries of the direction table (u16).
pub const HULL_TABLE_REACH: usize = 1 << 16;
/// Distances evaluated while shrinking a hull's ball: bounds the build time, not the correctness.
pub const HULL_BALL_WORK: usize = 1 << 20;
/// Steps of the nearest-point iteration behind a climb slack, and its relative gap: any step gives a valid bound.
pub const HULL_SLACK_STEPS: usize = 64;
/// Relative gap at which that iteration stops.
pub const HULL_SLACK_GAP: f64 = 0.02;

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
pub const MESH_TIE: f64 = 1e-10;
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
/// A face normal shorter than this (square metres) may have underflowed, and is not used to drop a pair of triangles.
pub const FACE_NORMAL_LEAST: f64 = 1e-100;
/// At most this many times the search for a first near pair goes from one mesh to the other and back; it seldom gains after four.
pub const APPROACH_STEPS: u32 = 8;
/// Box pairs that a mesh query keeps ordered by their bound; 12 bytes each, so that they stay in the nearest cache. Close pairs of ten
/// thousand triangles each need a few hundred.
pub const HEAP_LIMIT: usize = 2048;
/// Box and triangle pairs one mesh query looks at before it ends with what it has, some tens of milliseconds.
pub const WORK_LIMIT: u32 = 1 << 19;
/// Parts of a mesh tested for being inside another before the answer is left open.
pub const PART_LIMIT: u32 = 1 << 14;
/// A mesh with more inwards wound shells than this has none of them taken for holes: the space is solid.
pub const CAVITY_LIMIT: usize = 1 << 12;
