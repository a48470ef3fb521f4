//! What rounding costs, with units and derivations: what every room above rests on.

/// Unit roundoff of f64: a correctly rounded operation is off by at most this factor.
pub const ROUNDOFF: f64 = 1.110_223_024_625_156_5e-16; // 2^-53
/// Largest coordinate, extent or translation that is accepted (metres). At this distance from the origin one
/// rounding is already a tenth of a micrometre; and squares of such numbers are far from overflow.
pub const MAX_COORDINATE: f64 = 1e9;
/// Relative rounding of the length of a difference of two points (3 subtractions, 3 squares, 2 sums, a root):
/// 5u.
pub const NORM_ROUNDING: f64 = 8.0 * ROUNDOFF;
/// Rounding of the determinant of three vectors, per sum of the magnitudes of its six products: three
/// roundings each, five of their sum, and as much again.
pub const DETERMINANT_ROUNDING: f64 = 16.0 * ROUNDOFF;
/// Squares below this may have lost digits to underflow: those behind a product of two lengths of 1e-140 m.
pub const LEAST_SQUARE: f64 = 1e-280;
/// Metres added where a product of tiny numbers may have underflowed: below it squares of f64 are no longer
/// normal.
pub const UNDERFLOW: f64 = 1e-150;
/// Corner of B expressed in A's frame, in units of the corner's and the translation's length: three products
/// and three sums per coordinate are off by 4 u, times sqrt(3) for the length. Rounded up.
pub const TRANSFORM_ROUNDING: f64 = 8.0 * ROUNDOFF;
/// Unit roundoff of f32, with room for the rounding of the constants it multiplies.
pub const ROUNDOFF_F32: f64 = 6e-8;
/// Metres that f32 may lose by underflow: squares below 1e-38 vanish.
pub const UNDERFLOW_F32: f64 = 1e-18;
/// How far a 3 by 3 matrix may be from a rotation, `|RᵀR - 1|` (Frobenius norm, no unit). Reading a rotation
/// from a file with ten decimals gives about 1e-10. What defect there is goes into the error of every pose
/// behind it.
pub const ROTATION_DEFECT: f64 = 1e-9;

// Rounding of poses.
//
// Truth is the pose that exact arithmetic gives for the joint values, with every given rotation matrix
// replaced by the nearest rotation. A computed pose (R', t') of the true pose (R, t) carries three numbers
// (`numeric::pose_error`):
//     turn  >= |R' - R|        (Frobenius norm)
//     shift >= |t' - t|        (metres)
//     reach >= |t|, |t'|       (metres, from the cell's origin)
// so that the computed image of a point p is off by at most `shift + turn |p|` plus the rounding of that one
// product. With u = ROUNDOFF:
//   * a product of two rotations: each entry is a sum of three products, |error| <= 3u |A| |B| entry by
//     entry, and in the Frobenius norm <= 3u * sqrt 3 * sqrt 3 = 9u;
//   * R p + t: <= 3u * sqrt 3 |p| for the product and u (|p| + |t|) for the sum.
// Products of two errors are left out; ERROR_FACTOR pays for them.

/// Angles up to this (radians) have their sine taken in lanes: 2^19 quarter turns, so that their number times
/// 33 bits of a quarter is exact.
pub const SINE_LIMIT: f64 = 823_000.0;
/// Rounding of a product of two rotation matrices (Frobenius norm): 9u, see above.
pub const TURN_OF_PRODUCT: f64 = 10.0 * ROUNDOFF;
/// Error of a rotation made from an angle, and of its product with the frame before it (Frobenius norm): sine
/// and cosine are within 2u, `1 - cos` within 4u, the axis was normalized to 6u; in Rodrigues' formula these
/// and the roundings of its products sum to 38u, the product adds 9u. A quaternion, scaled, squared and
/// summed, stays below.
pub const TURN_OF_MOTION: f64 = 50.0 * ROUNDOFF;
/// The same for a turn about a coordinate axis, where two columns x and y become `x c + y s` and `y c - x s`:
/// 4u for sine and cosine, and 2u sqrt(x² + y²) an entry, 4u in the Frobenius norm, for the products and
/// sums.
pub const TURN_ABOUT_AXIS: f64 = 10.0 * ROUNDOFF;
/// Rounding of a point sent through a transform, per metre of the point: (3 sqrt 3 + 1) u.
pub const SHIFT_PER_OFFSET: f64 = 8.0 * ROUNDOFF;
/// Rounding of a sum of two positions, per metre of their distance from the origin.
pub const SHIFT_PER_REACH: f64 = 2.0 * ROUNDOFF;
/// Error of a joint's own translation per metre of travel: axis 6u, product 6u, sum 1u.
pub const SHIFT_PER_TRAVEL: f64 = 16.0 * ROUNDOFF;
/// Pays for products of errors and for the rounding of the error sums themselves.
pub const ERROR_FACTOR: f64 = 1.01;
