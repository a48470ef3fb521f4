//! Two boxes with axes of their own, by the separating axis test (haase10, section II-A, after Gottschalk,
//! Lin and Manocha, 1996).
//!
//! Two boxes are apart if and only if their projections on one of 15 axes are: the three normals of the faces
//! of each, and the nine products of an edge of one and an edge of the other. Here the test ends at the first
//! axis that separates. That axis is kept: a hand moves little from one test to the next, and what separated
//! two boxes then mostly does now ([`KeptAxis`]). It is tried first.
//!
//! Two edges that are nearly parallel have a product of nearly no length, in which rounding is all there is.
//! So each cosine counts as a little more than it is ([`SEPARATING_ROUNDING`]), as in Gottschalk's program:
//! boxes that are next to touching may count as touching, and none that overlap are said to be apart.

use super::counts::LevelCounts;
use crate::limits::SEPARATING_ROUNDING;
use crate::primitives::OrientedBox;

/// How many axes there are.
pub const AXES: u8 = 15;

/// The axis that separated two boxes the last time: 0 to 2 the first box's, 3 to 5 the second's, 6 to 14 the
/// products, `6 + 3 i + j` of edge `i` of the first and edge `j` of the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptAxis(pub u8);

/// The second box in the first one's frame: what all axes need.
struct Relative {
    /// Between the middles, along the first box's axes.
    to: [f64; 3],
    /// Cosines: row `i` has those of the first box's axis `i` with the second's.
    cosines: [[f64; 3]; 3],
    /// Their sizes, and a little more.
    sizes: [[f64; 3]; 3],
    /// Half extents of both.
    halves: [[f64; 3]; 2],
}

impl Relative {
    #[inline(always)]
    fn of_boxes(a: &OrientedBox, b: &OrientedBox) -> Relative {
        // Written out: `map` over arrays becomes calls.
        let row = |i: usize| b.axes.transpose_mul(a.axes.cols[i]).to_array();
        let size = |[x, y, z]: [f64; 3]| {
            let more = SEPARATING_ROUNDING;
            [x.abs() + more, y.abs() + more, z.abs() + more]
        };
        let cosines = [row(0), row(1), row(2)];
        Relative {
            to: a.axes.transpose_mul(b.center - a.center).to_array(),
            cosines,
            sizes: [size(cosines[0]), size(cosines[1]), size(cosines[2])],
            halves: [a.half.to_array(), b.half.to_array()],
        }
    }

    /// Whether the projections on the first box's axis `i` are apart.
    #[inline(always)]
    fn is_apart_on_first(&self, i: usize) -> bool {
        let ([a, b], row) = (&self.halves, &self.sizes[i]);
        self.to[i].abs() > a[i] + b[0] * row[0] + b[1] * row[1] + b[2] * row[2]
    }

    /// The same on the second box's axis `j`.
    #[inline(always)]
    fn is_apart_on_second(&self, j: usize) -> bool {
        let ([a, b], to, cosines, sizes) = (&self.halves, &self.to, &self.cosines, &self.sizes);
        let way = to[0] * cosines[0][j] + to[1] * cosines[1][j] + to[2] * cosines[2][j];
        way.abs() > b[j] + a[0] * sizes[0][j] + a[1] * sizes[1][j] + a[2] * sizes[2][j]
    }

    /// The same on the product of edge `i` of the first and edge `j` of the second.
    #[inline(always)]
    fn is_apart_on_product(&self, i: usize, j: usize) -> bool {
        let ([a, b], to, cosines, sizes) = (&self.halves, &self.to, &self.cosines, &self.sizes);
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        let way = to[i2] * cosines[i1][j] - to[i1] * cosines[i2][j];
        let first = a[i1] * sizes[i2][j] + a[i2] * sizes[i1][j];
        way.abs() > first + b[j1] * sizes[i][j2] + b[j2] * sizes[i][j1]
    }

    #[inline(always)]
    fn is_apart_on(&self, axis: u8) -> bool {
        match usize::from(axis) {
            i @ 0..3 => self.is_apart_on_first(i),
            j @ 3..6 => self.is_apart_on_second(j - 3),
            ij => self.is_apart_on_product((ij - 6) / 3, (ij - 6) % 3),
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
    if relative.is_apart_on(kept.0) {
        counts.kept += 1;
        return false;
    }
    match find_axis(&relative) {
        Some(axis) => {
            // Those before it, and it; the kept one is counted.
            counts.axes += u64::from(axis) + u64::from(axis < kept.0);
            *kept = KeptAxis(axis);
            false
        }
        None => {
            counts.axes += u64::from(AXES) - 1;
            true
        }
    }
}

/// The first axis that separates the boxes. It does not skip the kept axis: that would cost more than trying
/// it. The loops have a constant length, so the compiler unrolls them.
#[inline(always)]
fn find_axis(relative: &Relative) -> Option<u8> {
    for i in 0..3 {
        if relative.is_apart_on_first(i) {
            return Some(i as u8);
        }
    }
    for j in 0..3 {
        if relative.is_apart_on_second(j) {
            return Some(3 + j as u8);
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            if relative.is_apart_on_product(i, j) {
                return Some((6 + 3 * i + j) as u8);
            }
        }
    }
    None
}
