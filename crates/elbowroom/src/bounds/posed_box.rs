//! The bounds of a body at a pose, in lanes.

use crate::bounds::body_box::BodyBox;
use crate::bounds::hierarchy::about_lanes;
use crate::bounds::lanes::CapsuleRecord;
use crate::numeric::padded::PaddedTransform;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::numeric::simd::{Lanes, abs_lanes};
use elbowroom_pair::numeric::tolerance::ROUNDOFF;
use elbowroom_pair::numeric::wide::Box32;

/// What bounds a body, in its frame.
#[derive(Clone, Copy)]
pub(crate) struct PosedBounds<'a> {
    pub record: &'a CapsuleRecord,
    pub body_box: &'a BodyBox,
    /// The radius of the capsule that the record is of.
    pub radius: f64,
}

/// The capsule of a body and the box around it, at a pose in the cell whose translation is given less
/// `origin`; and the pose. `posed_radius` is [`CapsuleRecord::posed_radius`]. The box is relative to
/// `tree_origin`. It contains what [`BodyBox::aligned_box_at`] and
/// [`CapsuleRecord::bounding_box`] both contain.
#[inline(always)]
pub(crate) fn posed_bounds<L: Lanes>(
    l: L,
    around: PosedBounds,
    at: &Transform,
    [origin, tree_origin]: [&Vec3; 2],
    posed_radius: f64,
) -> (PaddedTransform, CapsuleRecord, Box32) {
    let [x, y, z] = &at.rotation.cols;
    let axes = [load_vec3(l, x), load_vec3(l, y), load_vec3(l, z)];
    let translation = l.sub(load_vec3(l, &at.translation), load_vec3(l, origin));
    let ([u, v, w, _], [p, q, r, inverse]) = (around.record.center, around.record.half);
    let center = l.add(sum_axes(l, axes, Vec3 { x: u, y: v, z: w }), translation);
    let half = sum_axes(l, axes, Vec3 { x: p, y: q, z: r });
    let capsule = (center, half, posed_radius);
    let box_around = box_from_axes(
        l,
        (around.body_box, around.radius),
        axes,
        translation,
        capsule,
        load_vec3(l, tree_origin),
    );
    let in_cell = PaddedTransform {
        x: l.to_array(axes[0]),
        y: l.to_array(axes[1]),
        z: l.to_array(axes[2]),
        translation: l.to_array(translation),
    };
    let ([cx, cy, cz, _], [hx, hy, hz, _]) = (l.to_array(center), l.to_array(half));
    let record = CapsuleRecord { center: [cx, cy, cz, posed_radius], half: [hx, hy, hz, inverse] };
    (in_cell, record, box_around)
}

/// The box of [`posed_bounds`] for a body whose frame and capsule in the cell are known, relative to
/// `tree_origin`; `radius` is that of the capsule that the record is of.
#[inline(always)]
pub(crate) fn box_around<L: Lanes>(
    l: L,
    (body_box, radius): (&BodyBox, f64),
    at: &PaddedTransform,
    record: &CapsuleRecord,
    tree_origin: &Vec3,
) -> Box32 {
    let axes = [l.load(&at.x), l.load(&at.y), l.load(&at.z)];
    let capsule = (l.load(&record.center), l.load(&record.half), record.radius());
    box_from_axes(l, (body_box, radius), axes, l.load(&at.translation), capsule, load_vec3(l, tree_origin))
}

/// The box of [`posed_bounds`] from the axes and the origin of the body's frame, and the middle, the half
/// axis and the radius of its capsule, all in the cell; relative to `tree_origin`. Fourth lanes are ignored.
#[inline(always)]
fn box_from_axes<L: Lanes>(
    l: L,
    (body_box, radius): (&BodyBox, f64),
    axes: [L::F; 3],
    translation: L::F,
    (center, half, posed_radius): (L::F, L::F, f64),
    tree_origin: L::F,
) -> Box32 {
    // How far rounding may have moved the body's points.
    let slack = l.splat(posed_radius - radius);
    let lengths = [abs_lanes(l, axes[0]), abs_lanes(l, axes[1]), abs_lanes(l, axes[2])];
    let extent = l.add(sum_axes(l, lengths, body_box.half_extents()), slack);
    let middle = l.add(sum_axes(l, axes, body_box.center()), translation);
    let reach = l.add(abs_lanes(l, half), l.splat(posed_radius));
    let reach = l.add(reach, l.mul(l.splat(4.0 * ROUNDOFF), l.add(reach, abs_lanes(l, center))));
    // Without a box around the body its corners may be NaN: then those of the capsule are taken.
    let low = l.max(l.sub(middle, extent), l.sub(center, reach));
    let high = l.min(l.add(middle, extent), l.add(center, reach));
    about_lanes(l, [low, high], tree_origin)
}

#[inline(always)]
fn load_vec3<L: Lanes>(l: L, v: &Vec3) -> L::F {
    l.load(&[v.x, v.y, v.z, 0.0])
}

/// The sum of axes, each times a coordinate.
#[inline(always)]
fn sum_axes<L: Lanes>(l: L, [x, y, z]: [L::F; 3], v: Vec3) -> L::F {
    l.add(l.add(l.mul(x, l.splat(v.x)), l.mul(y, l.splat(v.y))), l.mul(z, l.splat(v.z)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::{AlignedBox, Capsule};
    use crate::rng::Rng;
    use elbowroom_describe::math::vec3;
    use elbowroom_pair::numeric::simd::{Kernel, Plain, dispatch_kernel};

    struct One<'a> {
        around: PosedBounds<'a>,
        at: &'a Transform,
        origins: [&'a Vec3; 2],
        posed_radius: f64,
    }

    impl Kernel for &One<'_> {
        type Output = (PaddedTransform, CapsuleRecord, Box32);
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Self::Output {
            let told = posed_bounds(l, self.around, self.at, self.origins, self.posed_radius);
            let bounds = (self.around.body_box, self.around.radius);
            assert_eq!(box_around(l, bounds, &told.0, &told.1, self.origins[1]), told.2);
            told
        }
    }

    #[test]
    fn the_box_contains_what_both_bounds_contain_and_is_hardly_wider() {
        let rng = &mut Rng::new(4);
        let (mut unbounded, mut far) = (0, 0);
        for _ in 0..20_000 {
            let size = rng.decades(-3.0, 3.0);
            let half = vec3(rng.range(0.0, 1.0), rng.range(0.0, 1.0), rng.range(0.0, 1.0)) * size;
            let center = rng.point(size);
            let inner = AlignedBox { low: center - half, high: center + half };
            let without = rng.chance(0.1);
            let body_box = BodyBox::new((!without).then_some(inner));
            let capsule = Capsule { a: rng.point(size), b: rng.point(size), radius: rng.range(0.0, size) };
            let is_far = rng.chance(0.1);
            let at = rng.pose(if is_far { 1e13 } else { size });
            let slack = rng.pick(&[0.0, 1e-9, 1e-3]) * size;
            let posed_radius = capsule.radius + slack;
            let own = CapsuleRecord::new(&capsule);
            let origins = [rng.point(size), rng.point(size)];
            let around = PosedBounds { record: &own, body_box: &body_box, radius: capsule.radius };
            let one = One { around, at: &at, origins: [&origins[0], &origins[1]], posed_radius };
            let (in_cell, record, lanes) = dispatch_kernel(&one);
            assert_eq!((in_cell, record, lanes), (&one).run(Plain));
            let at = Transform::new(at.rotation, at.translation - origins[0]);
            assert_eq!((in_cell, record), (PaddedTransform::new(&at), own.transform_by(&at, posed_radius)));
            let (a, b) = (body_box.aligned_box_at(&at, posed_radius - capsule.radius), record.bounding_box());
            let (low, high) = (a.low.max(b.low) - origins[1], a.high.min(b.high) - origins[1]);
            for k in 0..3 {
                let room = 1e-6 * (low[k].abs() + high[k].abs()) + 1e-37;
                let (below, above) = (f64::from(lanes.low[k]), f64::from(lanes.high[k]));
                assert!(below <= low[k] && high[k] <= above, "{lanes:?} {low:?} {high:?}");
                assert!(below >= low[k] - room || low[k].abs() > 0.9e12, "{below:e} {:e}", low[k]);
                assert!(above <= high[k] + room || high[k].abs() > 0.9e12, "{above:e} {:e}", high[k]);
            }
            unbounded += usize::from(without);
            far += usize::from(lanes.low.iter().chain(&lanes.high).any(|x| x.is_infinite()));
        }
        assert!(unbounded > 1000 && far > 100, "{unbounded} {far}");
    }
}
