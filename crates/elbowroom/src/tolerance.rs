//! Every number that decides something, with its unit and where it comes from.

/// Unit roundoff of f64: a correctly rounded operation is off by at most this factor.
pub const ROUNDOFF: f64 = 1.110_223_024_625_156_5e-16; // 2^-53

// ---- Descriptions -------------------------------------------------------------------------------------------

/// Largest coordinate, extent or translation that is accepted (metres). At this distance from the origin one
/// rounding is already a tenth of a micrometre; and squares of such numbers are far from overflow.
pub const MAX_COORDINATE: f64 = 1e9;

/// Smallest extent of a shape that is accepted (metres): below the size of an atom it is a unit mistake. Squares
/// and products of such numbers are far from underflow, where relative rounding errors would no longer hold.
pub const MIN_EXTENT: f64 = 1e-12;

/// How far a 3 by 3 matrix may be from a rotation, `|RᵀR - 1|` (Frobenius norm, no unit). Reading a rotation from
/// a file with ten decimals gives about 1e-10. What defect there is goes into the error of every pose behind it.
pub const ROTATION_DEFECT: f64 = 1e-9;

/// How far the length of a quaternion among the joint values may be from 1. Values written with four decimals are
/// within 2e-4; what is further off is a mistake and is refused instead of normalized.
pub const QUATERNION_DEFECT: f64 = 1e-3;

/// How far a joint value may lie outside its limits (radians or metres). Limits are decimal copies of fractions of
/// pi, cut at nine or ten digits: a value computed as `270° * pi / 180` must not be refused for the last of them.
pub const LIMIT_ROUNDING: f64 = 1e-9;

/// Longest chain of mimic joints that is followed; real ones have one link, and a ring has no end.
pub const MAX_MIMIC_HOPS: u32 = 64;

/// Most bodies in a world: the pairs between them are visited once when the world is compiled.
pub const MAX_BODIES: usize = 1 << 16;

/// Most shapes in a world.
pub const MAX_SHAPES: usize = 1 << 22;

/// Most checked pairs in a world: every pose visits each of them.
pub const MAX_CHECKED_PAIRS: usize = 1 << 24;

/// Most pairs of shapes whose last query a pose remembers. Pairs beyond start cold; the answers are the same.
pub const MAX_REMEMBERED: usize = 1 << 18;

// ---- Rounding of poses ----------------------------------------------------------------------------------------
//
// Truth is the pose that exact arithmetic gives for the joint values, with every given rotation matrix replaced by
// the nearest rotation. A computed pose (R', t') of the true pose (R, t) carries three numbers
// (`kinematics::PoseError`):
//     turn  >= |R' - R|        (Frobenius norm)
//     shift >= |t' - t|        (metres)
//     reach >= |t|, |t'|       (metres, from the cell's origin)
// so that the computed image of a point p is off by at most `shift + turn |p|` plus the rounding of that one
// product. With u = ROUNDOFF:
//   * a product of two rotations: each entry is a sum of three products, |error| <= 3u |A| |B| entry by entry, and
//     in the Frobenius norm <= 3u * sqrt 3 * sqrt 3 = 9u;
//   * R p + t: <= 3u * sqrt 3 |p| for the product and u (|p| + |t|) for the sum.
// Products of two errors are left out; ERROR_FACTOR pays for them.

/// Rounding of a product of two rotation matrices (Frobenius norm): 9u, see above.
pub const TURN_OF_PRODUCT: f64 = 10.0 * ROUNDOFF;

/// Error of a rotation made from an angle, and of its product with the frame before it (Frobenius norm): sine and
/// cosine are within 2u, `1 - cos` within 4u, the axis was normalized to 6u; in Rodrigues' formula these and the
/// roundings of its products sum to 38u, the product adds 9u. A quaternion, scaled, squared and summed, stays below.
pub const TURN_OF_MOTION: f64 = 50.0 * ROUNDOFF;

/// The same for a turn about a coordinate axis, where two columns x and y become `x c + y s` and `y c - x s`: 4u for
/// sine and cosine, and 2u sqrt(x² + y²) an entry, 4u in the Frobenius norm, for the products and sums.
pub const TURN_ABOUT_AXIS: f64 = 10.0 * ROUNDOFF;

/// Rounding of a point sent through a transform, per metre of the point: (3 sqrt 3 + 1) u.
pub const SHIFT_PER_OFFSET: f64 = 8.0 * ROUNDOFF;

/// Rounding of a sum of two positions, per metre of their distance from the origin.
pub const SHIFT_PER_REACH: f64 = 2.0 * ROUNDOFF;

/// Error of a joint's own translation per metre of travel: axis 6u, product 6u, sum 1u.
pub const SHIFT_PER_TRAVEL: f64 = 16.0 * ROUNDOFF;

/// Rounding of `multiplier * value + offset`, per link of a chain of mimics, per unit of its two terms.
pub const MIMIC_ROUNDING: f64 = 4.0 * ROUNDOFF;

/// Pays for products of errors and for the rounding of the error sums themselves.
pub const ERROR_FACTOR: f64 = 1.01;

/// Relative rounding of the length of a difference of two points (3 subtractions, 3 squares, 2 sums, a root): 5u.
pub const NORM_ROUNDING: f64 = 8.0 * ROUNDOFF;
