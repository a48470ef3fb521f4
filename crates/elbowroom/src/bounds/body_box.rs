//! A box around a body, parallel to the axes of the body's own frame. Designers draw links along their axes,
//! so it fits nearly as well as the best box, and it needs no rotation of its own.

use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::GAP_ROUNDING;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::numeric::tolerance::ROUNDOFF;

/// Middle and half extents in the body's frame (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyBox {
    center: Vec3,
    half: Vec3,
}

/// Extents of a posed box along its own axes, each times the axis' length. The axes are at right angles only
/// up to rounding.
#[inline(always)]
fn own_extent(at: &Transform, half: Vec3) -> Vec3 {
    let [x, y, z] = at.rotation.cols;
    let (xy, yz, zx) = (x.dot(y).abs(), y.dot(z).abs(), z.dot(x).abs());
    Vec3 {
        x: x.dot(x) * half.x + xy * half.y + zx * half.z,
        y: xy * half.x + y.dot(y) * half.y + yz * half.z,
        z: zx * half.x + yz * half.y + z.dot(z) * half.z,
    }
}

impl BodyBox {
    /// The box `aligned`, in the body's frame; an infinite one for `None`.
    pub fn new(aligned: Option<AlignedBox>) -> BodyBox {
        let inf = f64::INFINITY;
        match aligned {
            Some(b) => BodyBox { center: b.center(), half: b.size() * (0.5 * (1.0 + 8.0 * ROUNDOFF)) },
            None => BodyBox { center: Vec3::ZERO, half: Vec3 { x: inf, y: inf, z: inf } },
        }
    }

    /// Its middle.
    pub fn center(&self) -> Vec3 {
        self.center
    }
    /// Half its extents.
    pub fn half_extents(&self) -> Vec3 {
        self.half
    }

    /// How far its points are from the origin of the body's frame, at most (metres).
    pub fn reach_from_origin(&self) -> f64 {
        let far = self.center.abs() + self.half;
        (far.x + far.y + far.z) * (1.0 + 4.0 * ROUNDOFF)
    }

    /// A box around this one, parallel to the axes of the frame that `at` leads to. `slack` is how far a
    /// point of the body may be from its computed image (metres), the rounding here included.
    #[inline]
    pub fn aligned_box_at(&self, at: &Transform, slack: f64) -> AlignedBox {
        let [x, y, z] = at.rotation.cols;
        let half = x.abs() * self.half.x + y.abs() * self.half.y + z.abs() * self.half.z;
        let (center, half) = (at.point(self.center), half + Vec3 { x: slack, y: slack, z: slack });
        AlignedBox { low: center - half, high: center + half }
    }

    /// A lower bound on the signed distance of two bodies in one frame (metres), at least `known`: the widest
    /// of the gaps along the six face normals of their boxes (the separating axes of Gottschalk 1996 without
    /// the products of edges). `slack` as in [`BodyBox::aligned_box_at`], for both bodies together. No wider
    /// gap is looked for once one exceeds `target`.
    #[inline]
    pub fn faces_gap(
        [a, b]: [&BodyBox; 2],
        [a_at, b_at]: [&Transform; 2],
        slack: f64,
        known: f64,
        target: f64,
    ) -> f64 {
        let apart = b_at.point(b.center) - a_at.point(a.center);
        let gap_along = |axis: Vec3, own: f64, other: f64| {
            let gap = apart.dot(axis).abs() - (own + other);
            // A given rotation has a defect: the axis may not have unit length, and the gap scales with it.
            gap * (1.0 - (axis.dot(axis) - 1.0).abs() - GAP_ROUNDING) - slack
        };
        let (own_a, own_b) = (own_extent(a_at, a.half), own_extent(b_at, b.half));
        let (axes_a, axes_b) = (a_at.rotation.cols, b_at.rotation.cols);
        let [bx, by, bz] = axes_b;
        let b_along_a = axes_a.map(|axis| Vec3 { x: axis.dot(bx), y: axis.dot(by), z: axis.dot(bz) }.abs());
        let [row_x, row_y, row_z] = b_along_a;
        let mut best = known;
        for k in 0..3 {
            let a_along_b = Vec3 { x: row_x[k], y: row_y[k], z: row_z[k] };
            let gaps = [
                gap_along(axes_a[k], own_a[k], b_along_a[k].dot(b.half)),
                gap_along(axes_b[k], own_b[k], a_along_b.dot(a.half)),
            ];
            // NaN bounds nothing, and is never greater.
            best = gaps.into_iter().fold(best, |best, gap| if gap > best { gap } else { best });
            if best > target {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::slow::{prepare, truth_of};
    use elbowroom_describe::ShapeDescription;
    use elbowroom_describe::math::{Mat3, vec3};

    #[test]
    fn faces_never_claim_more_than_there_is() {
        let rng = &mut Rng::new(9);
        let (mut apart, mut tight) = (0, 0);
        for _ in 0..1500 {
            let size = rng.decades(-3.0, 3.0);
            let mut one = || vec3(rng.range(0.05, 1.0), rng.range(0.05, 1.0), rng.range(0.05, 1.0)) * size;
            let halves = [one(), one()];
            let poses = [rng.pose(size), rng.pose(size)];
            let boxes = halves.map(|h| BodyBox::new(Some(AlignedBox { low: -h, high: h })));
            let slack = 1e-13 * size;
            let gap = BodyBox::faces_gap(
                [&boxes[0], &boxes[1]],
                [&poses[0], &poses[1]],
                slack,
                -1e9,
                f64::INFINITY,
            );
            let shapes =
                halves.map(|h| prepare(&ShapeDescription::Box { size: (h * 2.0).to_array() }, 0.0).unwrap());
            let truth = truth_of(&shapes[0], &shapes[1], &poses[0].relative(&poses[1]));
            assert!(gap <= truth.upper, "{gap:e} above {:e}", truth.upper);
            apart += usize::from(truth.lower > 0.0);
            tight += usize::from(gap > 0.0 && gap > truth.upper - 1e-12 * size);
            for (b, at) in boxes.iter().zip(&poses) {
                let around = b.aligned_box_at(at, slack);
                for corner in 0..8 {
                    let sign = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                    let p = at.point(vec3(b.half.x * sign(0), b.half.y * sign(1), b.half.z * sign(2)));
                    assert!((0..3).all(|k| around.low[k] <= p[k] && p[k] <= around.high[k]));
                }
            }
        }
        assert!(apart > 400 && tight > 10, "{apart} {tight}");
        // Axes that are not at right angles: the image of a box is wider along them.
        let skew = Transform {
            rotation: Mat3 { cols: [Vec3::X, vec3(0.3, 1.0, 0.0), Vec3::Z] },
            translation: Vec3::ZERO,
        };
        let long = BodyBox::new(Some(AlignedBox { low: vec3(-1.0, -9.0, -1.0), high: vec3(1.0, 9.0, 1.0) }));
        let aside = Transform::from_translation(Vec3::X * 4.0);
        let small = BodyBox::new(Some(AlignedBox { low: -Vec3::X, high: Vec3::X }));
        let gap = BodyBox::faces_gap([&long, &small], [&skew, &aside], 0.0, -9.0, f64::INFINITY);
        assert!(gap <= 4.0 - 1.0 - (1.0 + 0.3 * 9.0), "{gap}");
        let without = BodyBox::new(None);
        let one = BodyBox::new(Some(AlignedBox { low: -Vec3::X, high: Vec3::X }));
        let far = Transform::from_translation(Vec3::X * 9.0);
        assert_eq!(BodyBox::faces_gap([&without, &one], [&Transform::IDENTITY, &far], 0.0, -1.0, 9.0), -1.0);
    }
}
