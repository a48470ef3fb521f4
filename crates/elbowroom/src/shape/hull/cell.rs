//! The cells of a cube map of directions.

use crate::numeric::math::Vec3;
use crate::shape::tolerance::HULL_TABLE_SIDE;

/// Number of a direction's cell: the axis of its largest coordinate, its sign, and the two other coordinates
/// divided by it. Selects instead of branches, because no branch predictor can learn the axis. The number is
/// below the table's length for any direction, also for NaN.
#[inline(always)]
pub(super) fn cell(d: Vec3) -> usize {
    let a = d.abs();
    let y_wins = a.y > a.x;
    let largest_xy = if y_wins { a.y } else { a.x };
    let z_wins = a.z > largest_xy;
    let largest = if z_wins { a.z } else { largest_xy };
    // A little less than half the side, so that the sum stays inside. A sum of size 2^32 has twenty
    // fractional bits; shifting them out leaves the whole number.
    const SIDE: usize = HULL_TABLE_SIDE;
    const { assert!(SIDE.is_power_of_two()) };
    const INSIDE: f64 = SIDE as f64 / 2.0 * (1.0 - 1e-6);
    const WHOLE: f64 = 4_294_967_296.0 + SIDE as f64 / 2.0;
    let s = INSIDE / largest;
    let index = |c: f64| ((c * s + WHOLE).to_bits() >> 20) as usize & (SIDE - 1);
    let (x, y, z) = (index(d.x), index(d.y), index(d.z));
    let face = |axis: usize, c: f64| (2 * axis + (c.to_bits() >> 63) as usize) * SIDE * SIDE;
    let xy = if y_wins { face(1, d.y) + z * SIDE + x } else { face(0, d.x) + y * SIDE + z };
    if z_wins { face(2, d.z) + x * SIDE + y } else { xy }
}
