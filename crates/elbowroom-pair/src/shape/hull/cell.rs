//! The cells of a cube map of directions.

use elbowroom_describe::math::Vec3;

/// The axes of a pair of faces: their normal, and the two along them.
pub(crate) const AXES: [[usize; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];

/// How far a direction may lie outside the cell that [`direction_cell`] gives it, as a share of a cell, for
/// sides of up to 16 cells: cells are too wide by 1e-6 of half the side, and coordinates are cut off at
/// 2^-20.
pub(crate) const CELL_ERROR: f64 = 1e-5;

/// Number of a direction's cell among those of faces with `side` by `side` cells, a power of two: the axis of
/// its largest coordinate, its sign, and the two other coordinates divided by it, in the order of [`AXES`].
/// Selects instead of branches, because no branch predictor can learn the axis. The number is below the
/// number of cells for any direction, also for NaN.
#[inline(always)]
pub(crate) fn direction_cell(d: Vec3, side: usize) -> usize {
    let a = d.abs();
    let y_wins = a.y > a.x;
    let largest_xy = if y_wins { a.y } else { a.x };
    let z_wins = a.z > largest_xy;
    let largest = if z_wins { a.z } else { largest_xy };
    // A little less than half the side, so that the sum stays inside. A sum of size 2^32 has twenty
    // fractional bits; shifting them out leaves the whole number.
    let half = side as f64 / 2.0;
    let s = half * (1.0 - 1e-6) / largest;
    let whole = 4_294_967_296.0 + half;
    let index = |c: f64| ((c * s + whole).to_bits() >> 20) as usize & (side - 1);
    let (x, y, z) = (index(d.x), index(d.y), index(d.z));
    let face = |axis: usize, c: f64| (2 * axis + (c.to_bits() >> 63) as usize) * side * side;
    let xy = if y_wins { face(1, d.y) + z * side + x } else { face(0, d.x) + y * side + z };
    if z_wins { face(2, d.z) + x * side + y } else { xy }
}
