//! Every number that decides something, with its unit and where it comes from.

/// Unit roundoff of f64: a correctly rounded operation is off by at most this factor.
pub const ROUNDOFF: f64 = 1.110_223_024_625_156_5e-16; // 2^-53

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
/// Error of comparing two vertices along a unit direction that a climb slack must cover, per largest norm of a vertex.
/// Two scalar products differ by at most about 8 roundings of it; the rest is for directions that were rotated.
pub const HULL_CLIMB_ERROR: f64 = 64.0 * ROUNDOFF;
/// Steps of the nearest-point iteration behind a climb slack, and its relative gap: any step gives a valid bound.
pub const HULL_SLACK_STEPS: usize = 64;
/// Relative gap at which that iteration stops.
pub const HULL_SLACK_GAP: f64 = 0.02;
