//! Two boxes with axes of their own, by the separating axis test (haase10, section II-A, after Gottschalk,
//! Lin and Manocha, 1996).
//!
//! Two boxes are apart if and only if their shadows on one of 15 axes are: the three normals of the faces of
//! each, and the nine products of an edge of one and an edge of the other. Here the test ends at the first
//! axis that separates. That axis is kept: a hand moves little from one test to the next, and what separated
//! two boxes then mostly does now ([`KeptAxis`]). It is tried first.
//!
//! Two edges that are nearly parallel have a product of nearly no length, in which rounding is all there is.
//! So each cosine counts as a little more than it is ([`SEPARATING_ROUNDING`]), as in Gottschalk's program:
//! boxes that are apart by less than a millionth of a micrometre count as touching, and none that overlap are
//! said to be apart.

use super::counts::LevelCounts;
use crate::limits::SEPARATING_ROUNDING;
use crate::primitives::OrientedBox;
use elbowroom::math::Vec3;

/// How many axes there are.
pub const AXES: u8 = 15;

/// The axis that separated two boxes the last time: 0 to 2 the first box's, 3 to 5 the second's, 6 to 14 the
/// products, `6 + 3 i + j` of edge `i` of the first and edge `j` of the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptAxis(pub u8);

/// The second box in the first one's frame: what all axes need.
struct Relative {
    /// Between the middles, along the first box's axes.
    to: Vec3,
    /// Cosines: row `i` has those of the first box's axis `i` with the second's.
    cosines: [Vec3; 3],
    /// Their sizes, and a little more.
    sizes: [Vec3; 3],
}

impl Relative {
    #[inline]
    fn of_boxes(a: &OrientedBox, b: &OrientedBox) -> Relative {
        let row = |i: usize| b.axes.transpose_mul(a.axes.cols[i]);
        let cosines = [row(0), row(1), row(2)];
        let more = Vec3 { x: SEPARATING_ROUNDING, y: SEPARATING_ROUNDING, z: SEPARATING_ROUNDING };
        Relative {
            to: a.axes.transpose_mul(b.center - a.center),
            cosines,
            sizes: cosines.map(|row| row.abs() + more),
        }
    }

    /// Whether the shadows on an axis are apart.
    #[inline]
    fn is_apart_on(&self, axis: u8, a: Vec3, b: Vec3) -> bool {
        let axis = usize::from(axis);
        match axis {
            0..3 => self.to[axis].abs() > a[axis] + b.dot(self.sizes[axis]),
            3..6 => {
                let j = axis - 3;
                let column = |rows: &[Vec3; 3]| Vec3 { x: rows[0][j], y: rows[1][j], z: rows[2][j] };
                self.to.dot(column(&self.cosines)).abs() > b[j] + a.dot(column(&self.sizes))
            }
            _ => {
                let (i, j) = ((axis - 6) / 3, (axis - 6) % 3);
                let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
                let way = self.to[i2] * self.cosines[i1][j] - self.to[i1] * self.cosines[i2][j];
                let first = a[i1] * self.sizes[i2][j] + a[i2] * self.sizes[i1][j];
                let second = b[j1] * self.sizes[i][j2] + b[j2] * self.sizes[i][j1];
                way.abs() > first + second
            }
        }
    }
}

/// Whether two boxes of one frame overlap or touch. The axis that separates them is kept.
#[inline]
pub fn do_boxes_meet(
    a: &OrientedBox,
    b: &OrientedBox,
    kept: &mut KeptAxis,
    counts: &mut LevelCounts,
) -> bool {
    let relative = Relative::of_boxes(a, b);
    counts.passes += 1;
    counts.axes += 1;
    if relative.is_apart_on(kept.0, a.half, b.half) {
        counts.kept += 1;
        return false;
    }
    for axis in (0..AXES).filter(|axis| *axis != kept.0) {
        counts.axes += 1;
        if relative.is_apart_on(axis, a.half, b.half) {
            *kept = KeptAxis(axis);
            return false;
        }
    }
    true
}
