//! Two boxes with axes of their own, by the separating axis test (haase10, section II-A, after Gottschalk,
//! Lin and Manocha, 1996).
//!
//! Two boxes are apart if and only if their projections on one of 15 axes are: the three normals of the faces
//! of each, and the nine products of an edge of one and an edge of the other. Here the test ends at the first
//! axis that separates. That axis is kept: a hand moves little from one test to the next, and what separated
//! two boxes then mostly does now ([`KeptAxis`]). It is tried first, by itself: seven products of vectors.
//! All that the other axes need is computed only where it fails.
//!
//! A sixteenth axis is ours: the line between the middles. It separates most boxes that are apart, long ones
//! beside each other too, where balls around them meet. So it is tried where no other axis is kept.
//!
//! Two edges that are nearly parallel have a product of nearly no length, in which rounding is all there is.
//! So each cosine counts as a little more than it is ([`SEPARATING_ROUNDING`]), as in Gottschalk's program:
//! boxes that are next to touching may count as touching, and none that overlap are said to be apart.

use super::counts::LevelCounts;
use crate::limits::SEPARATING_ROUNDING;
use crate::primitives::OrientedBox;
use elbowroom::math::{Vec3, vec3};

/// How many axes there are.
pub const AXES: u8 = 16;
/// The line between the middles.
const LINE: u8 = 15;

/// The axis that separated two boxes the last time: 0 to 2 the first box's, 3 to 5 the second's, 6 to 14 the
/// products, `6 + 3 i + j` of edge `i` of the first and edge `j` of the second; 15 the line between the
/// middles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptAxis(pub u8);

impl Default for KeptAxis {
    fn default() -> KeptAxis {
        KeptAxis(LINE)
    }
}

/// The line between the middles along the axes of both boxes: what the line and all faces need.
struct Between {
    /// Along the first box's axes.
    first: Vec3,
    /// Along the second's.
    second: Vec3,
}

impl Between {
    #[inline(always)]
    fn of_boxes(a: &OrientedBox, b: &OrientedBox) -> Between {
        let way = b.center - a.center;
        Between { first: a.axes.transpose_mul(way), second: b.axes.transpose_mul(way) }
    }

    /// Whether the projections on the line are apart.
    #[inline(always)]
    fn is_apart_on_line(&self, a: &OrientedBox, b: &OrientedBox) -> bool {
        let (x, y) = (self.first.abs(), self.second.abs());
        // The line has any length, and its rounding is a part of that.
        x.dot(x) > reach_along(x, y, a, b, SEPARATING_ROUNDING * (x.x + x.y + x.z))
    }
}

/// How far both boxes reach along a direction, by the sizes of its components along their axes and a little
/// more.
#[inline(always)]
fn reach_along(x: Vec3, y: Vec3, a: &OrientedBox, b: &OrientedBox, more: f64) -> f64 {
    let more = vec3(more, more, more);
    (x + more).dot(a.half) + (y + more).dot(b.half)
}

/// Whether the projections on one of the 15 axes are apart, computed for it alone.
#[inline(always)]
fn is_apart_on(axis: u8, a: &OrientedBox, b: &OrientedBox) -> bool {
    let direction = match usize::from(axis) {
        i @ 0..3 => a.axes.cols[i],
        j @ 3..6 => b.axes.cols[j - 3],
        ij => a.axes.cols[(ij - 6) / 3 % 3].cross(b.axes.cols[(ij - 6) % 3]),
    };
    let (x, y) = (a.axes.transpose_mul(direction).abs(), b.axes.transpose_mul(direction).abs());
    direction.dot(b.center - a.center).abs() > reach_along(x, y, a, b, SEPARATING_ROUNDING)
}

/// The second box in the first one's frame: what all axes need.
struct Relative {
    /// Between the middles, along the axes of each box.
    to: [[f64; 3]; 2],
    /// Cosines: row `i` has those of the first box's axis `i` with the second's.
    cosines: [[f64; 3]; 3],
    /// Their sizes, and a little more.
    sizes: [[f64; 3]; 3],
    /// Half extents of both.
    halves: [[f64; 3]; 2],
}

impl Relative {
    #[inline(always)]
    fn of_boxes(a: &OrientedBox, b: &OrientedBox, between: &Between) -> Relative {
        // Written out: `map` over arrays becomes calls.
        let row = |i: usize| b.axes.transpose_mul(a.axes.cols[i]).to_array();
        let size = |[x, y, z]: [f64; 3]| {
            let more = SEPARATING_ROUNDING;
            [x.abs() + more, y.abs() + more, z.abs() + more]
        };
        let cosines = [row(0), row(1), row(2)];
        Relative {
            to: [between.first.to_array(), between.second.to_array()],
            cosines,
            sizes: [size(cosines[0]), size(cosines[1]), size(cosines[2])],
            halves: [a.half.to_array(), b.half.to_array()],
        }
    }

    /// Whether the projections on the first box's axis `i` are apart.
    #[inline(always)]
    fn is_apart_on_first(&self, i: usize) -> bool {
        let ([a, b], row) = (&self.halves, &self.sizes[i]);
        self.to[0][i].abs() > a[i] + b[0] * row[0] + b[1] * row[1] + b[2] * row[2]
    }

    /// Whether the projections on the second box's axis `j` are apart.
    #[inline(always)]
    fn is_apart_on_second(&self, j: usize) -> bool {
        let ([a, b], sizes) = (&self.halves, &self.sizes);
        self.to[1][j].abs() > b[j] + a[0] * sizes[0][j] + a[1] * sizes[1][j] + a[2] * sizes[2][j]
    }

    /// Whether the projections on the product of edge `i` of the first box and edge `j` of the second are
    /// apart.
    #[inline(always)]
    fn is_apart_on_product(&self, i: usize, j: usize) -> bool {
        let ([a, b], [to, _], cosines, sizes) = (&self.halves, &self.to, &self.cosines, &self.sizes);
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        let way = to[i2] * cosines[i1][j] - to[i1] * cosines[i2][j];
        let first = a[i1] * sizes[i2][j] + a[i2] * sizes[i1][j];
        way.abs() > first + b[j1] * sizes[i][j2] + b[j2] * sizes[i][j1]
    }
}

/// Whether two boxes of one frame overlap or touch. The axis that separates them is kept.
#[inline]
pub fn boxes_overlap(
    a: &OrientedBox,
    b: &OrientedBox,
    kept: &mut KeptAxis,
    counts: &mut LevelCounts,
) -> bool {
    let (axis, tried) = find_axis(a, b, kept.0);
    // Counted in one place: scattered stores would hold up the next test.
    counts.passes += 1;
    counts.axes += u64::from(tried);
    counts.kept += u64::from(axis == Some(kept.0));
    *kept = KeptAxis(axis.unwrap_or(kept.0));
    axis.is_none()
}

/// An axis that separates the boxes, and how many were tried: the kept one, the line, then all others.
#[inline(always)]
fn find_axis(a: &OrientedBox, b: &OrientedBox, kept: u8) -> (Option<u8>, u8) {
    let has_kept = u8::from(kept != LINE);
    if kept != LINE && is_apart_on(kept, a, b) {
        return (Some(kept), 1);
    }
    let between = Between::of_boxes(a, b);
    if between.is_apart_on_line(a, b) {
        return (Some(LINE), 1 + has_kept);
    }
    match find_of_fifteen(&Relative::of_boxes(a, b, &between)) {
        // Tried were the line between the middles, all axes up to this one, and the kept axis once.
        Some(axis) => (Some(axis), 1 + axis + has_kept + u8::from(axis < kept)),
        None => (None, AXES),
    }
}

/// The first of the 15 axes that separates the boxes. It does not skip the kept axis: that would cost more
/// than trying it. The loops have a constant length, so the compiler unrolls them.
#[inline(always)]
fn find_of_fifteen(relative: &Relative) -> Option<u8> {
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
