//! Planes between eight pairs of bodies in f32 lanes, by tables of the bodies' heights. The search is that of
//! `bounds::heights`, in A's frame.

use super::eights::{V, add_matrix_product, add3, dot3, minus3, mul3, sub3};
use super::gaps::Relative;
use super::model::LaneCapsule;
use crate::bounds::heights::Heights;
use crate::query::tolerance::BATCH_NEAR;
use elbowroom_pair::numeric::simd::Lanes;

/// From box to box: the first direction to try.
#[inline(always)]
pub(super) fn first_direction<L: Lanes>(
    l: L,
    [of_a, of_b]: [&LaneCapsule; 2],
    at: &Relative<L::E>,
) -> V<L::E> {
    let [x, y, z] = of_a.box_center;
    let from_a = sub3(l, at.t, [l.splat8(x), l.splat8(y), l.splat8(z)]);
    add_matrix_product(l, &at.r, &of_b.box_center, from_a)
}

/// Lower bounds on the signed distances (metres), at least `known`. So many directions are tried, the first
/// of them `direction`, until all gaps of the lanes in `wanted` exceed `target`. The next one comes back.
#[inline(always)]
pub(super) fn plane_gap<L: Lanes>(
    l: L,
    [a, b]: [&Heights; 2],
    at: &Relative<L::E>,
    room: f32,
    mut direction: V<L::E>,
    known: L::E,
    (looks, wanted, target): (usize, u32, L::E),
) -> (L::E, V<L::E>) {
    let (zero, two) = (l.splat8(0.0), l.splat8(2.0));
    let mut best = known;
    for _ in 0..looks {
        let square = dot3(l, direction, direction);
        // Without a direction there is no gap: all heights are zero.
        let inverse = l.div8(l.splat8(1.0), l.sqrt8(square));
        let inverse = l.positive8(l.sub8(square, l.splat8(BATCH_NEAR)), inverse, zero);
        let v = mul3(l, direction, inverse);
        let (a_height, a_point) = a.height_bound8(l, v);
        let (b_height, b_point) = b.height_bound8(l, minus3(l, at.turn_back(l, v)));
        let gap = l.sub8(l.sub8(l.sub8(dot3(l, at.t, v), a_height), b_height), l.splat8(room));
        best = l.max8(gap, best);
        if wanted & !l.above_mask8(best, target) == 0 {
            break;
        }
        let between = sub3(l, add3(l, at.rotate_vector(l, b_point), at.t), a_point);
        let along = l.div8(l.mul8(two, dot3(l, between, v)), dot3(l, between, between));
        let reflected = sub3(l, v, mul3(l, between, along));
        for k in 0..3 {
            direction[k] = l.positive8(gap, between[k], reflected[k]);
        }
    }
    (best, direction)
}
