//! What rounding costs, with units and derivations. All rooms use it.

/// Unit roundoff of f64: a correctly rounded operation is off by at most this factor.
pub const ROUNDOFF: f64 = 1.110_223_024_625_156_5e-16; // 2^-53
/// Relative rounding of the length of a difference of two points (3 subtractions, 3 squares, 2 sums, a root):
/// 5u.
pub const NORM_ROUNDING: f64 = 8.0 * ROUNDOFF;
/// Rounding of the determinant of three vectors, per sum of the magnitudes of its six products: three
/// roundings each, five of their sum, and as much again.
pub const DETERMINANT_ROUNDING: f64 = 16.0 * ROUNDOFF;
/// Squares below this may have lost digits to underflow: it is the product of two lengths of 1e-140 m.
pub const LEAST_SQUARE: f64 = 1e-280;
/// Metres added where a product of tiny numbers may have underflowed: squares of smaller numbers are not
/// normal in f64.
pub const UNDERFLOW: f64 = 1e-150;
/// Corner of B expressed in A's frame, in units of the corner's and the translation's length: three products
/// and three sums per coordinate are off by 4 u, times sqrt(3) for the length. Rounded up.
pub const TRANSFORM_ROUNDING: f64 = 8.0 * ROUNDOFF;
/// Unit roundoff of f32, a little enlarged: it also pays for the rounding of constants that it multiplies.
pub const ROUNDOFF_F32: f64 = 6e-8;
/// Metres that f32 may lose by underflow: squares below 1e-38 vanish.
pub const UNDERFLOW_F32: f64 = 1e-18;

// Rounding of poses.
//
// The true pose (R, t) is what exact arithmetic gives for the joint values, with every given rotation matrix
// replaced by the nearest rotation. A computed pose (R', t') carries three numbers (`numeric::pose_error`):
//     rotation >= |R' - R|        (Frobenius norm)
//     shift    >= |t' - t|        (metres)
//     distance >= |t|, |t'|       (metres, from the cell's origin)
// The computed image of a point p is off by at most `shift + rotation |p|` plus the rounding of that one
// product. With u = ROUNDOFF:
//   * a product of two rotations: each entry is a sum of three products, |error| <= 3u |A| |B| entry by
//     entry, and in the Frobenius norm <= 3u * sqrt 3 * sqrt 3 = 9u;
//   * R p + t: <= 3u * sqrt 3 |p| for the product and u (|p| + |t|) for the sum.
// Products of two errors are neglected; ERROR_FACTOR pays for them.

/// Largest angle (radians) whose sine is computed in lanes: 2^19 quarter turns. Up to it, the number of
/// quarter turns times the first 33 bits of a quarter turn is exact.
pub const SINE_LIMIT: f64 = 823_000.0;
/// Rounding of a product of two rotation matrices (Frobenius norm): 9u, see above.
pub const PRODUCT_ROTATION_ERROR: f64 = 10.0 * ROUNDOFF;
/// Error of a rotation made from an angle, and of its product with the frame before it (Frobenius norm). Sine
/// and cosine are within 2u, `1 - cos` within 4u, and the axis was normalized to 6u. In Rodrigues' formula
/// these and the roundings of its products sum to 38u; the product adds 9u. A rotation made from a quaternion
/// has less.
pub const MOTION_ROTATION_ERROR: f64 = 50.0 * ROUNDOFF;
/// Error of a rotation about a coordinate axis, made from an angle, and of its product with the frame before
/// it (Frobenius norm). Two columns x and y become `x c + y s` and `y c - x s`: 4u for sine and cosine; for
/// the products and sums 2u sqrt(x² + y²) an entry, which is 4u in the Frobenius norm.
pub const AXIS_ROTATION_ERROR: f64 = 10.0 * ROUNDOFF;
/// Rounding of a transformed point, per metre of its distance from the frame's origin: (3 sqrt 3 + 1) u.
pub const SHIFT_PER_OFFSET: f64 = 8.0 * ROUNDOFF;
/// Rounding of a sum of two positions, per metre of their distance from the origin.
pub const SHIFT_PER_DISTANCE: f64 = 2.0 * ROUNDOFF;
/// Error of a joint's own translation per metre of travel: axis 6u, product 6u, sum 1u.
pub const SHIFT_PER_TRAVEL: f64 = 16.0 * ROUNDOFF;
/// Factor that pays for products of errors and for the rounding of the sums of errors.
pub const ERROR_FACTOR: f64 = 1.01;

/// How many tasks are done, on all threads, before the results of any are used: many enough to keep threads
/// busy, and few, as all these results are in memory at once.
pub const PART: usize = 256;
