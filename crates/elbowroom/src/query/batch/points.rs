//! Points inside both bodies of eight pairs, in f32 lanes. The search is that of `bounds::inside`, in A's
//! frame and about the middle of A's inside.

use super::eights::{V, add_matrix_product, add3, dot3, minus3, mul3, sub3};
use super::gaps::Relative;
use crate::bounds::inside::Inside;
use crate::bounds::tolerance::{INSIDE_AIM, INSIDE_LOOKS};
use elbowroom_describe::math::{Vec3, round_down};
use elbowroom_pair::numeric::simd::Lanes;

/// The lanes of `wanted` in which a point is found that proves that the bodies overlap.
#[inline(always)]
pub(super) fn find_overlap_lanes<L: Lanes>(
    l: L,
    [a, b]: [&Inside; 2],
    at: &Relative<L::E>,
    room: f32,
    wanted: u32,
) -> u32 {
    let (a_middle, a_radius, a_far) = inside_extent(a);
    let (b_middle, b_radius, b_far) = inside_extent(b);
    let (zero, one) = (l.splat8(0.0), l.splat8(1.0));
    let [x, y, z] = a_middle;
    let from_a = sub3(l, at.t, [l.splat8(x), l.splat8(y), l.splat8(z)]);
    let [x, y, z] = b_middle;
    let b_middle_in_b = [l.splat8(x), l.splat8(y), l.splat8(z)];
    let apart = add_matrix_product(l, &at.r, &b_middle, from_a);
    // On the line between the middles.
    let (a_gauge, _) = a.gauge_bound8(l, apart);
    let (b_gauge, _) = b.gauge_bound8(l, minus3(l, at.turn_back(l, apart)));
    let mut p = mul3(l, apart, l.div8(b_gauge, l.add8(a_gauge, b_gauge)));
    let (mut found, mut going) = (0, wanted);
    for _ in 0..INSIDE_LOOKS {
        let b_own = sub3(l, at.turn_back(l, sub3(l, p, from_a)), b_middle_in_b);
        let ((a_gauge, a_slope), (b_gauge, b_slope)) = (a.gauge_bound8(l, p), b.gauge_bound8(l, b_own));
        let (a_in, b_in) = (l.sub8(one, a_gauge), l.sub8(one, b_gauge));
        let depth = l.add8(l.mul8(a_in, l.splat8(a_radius)), l.mul8(b_in, l.splat8(b_radius)));
        let inside = l.above_mask8(a_in, zero) & l.above_mask8(b_in, zero);
        found |= inside & l.above_mask8(depth, l.splat8(room));
        going &= !found;
        if going == 0 {
            break;
        }
        let aim = l.splat8(INSIDE_AIM as f32);
        let step =
            into_both(l, a_slope, at.rotate_vector(l, b_slope), [l.sub8(aim, a_in), l.sub8(aim, b_in)]);
        // Bodies count as separated if the half spaces meet only beyond one of them.
        let from_b = sub3(l, p, apart);
        let a_farthest = l.add8(l.sqrt8(dot3(l, p, p)), l.splat8(a_far));
        let b_farthest = l.add8(l.sqrt8(dot3(l, from_b, from_b)), l.splat8(b_far));
        let farthest = l.min8(a_farthest, b_farthest);
        going &= l.above_mask8(l.mul8(farthest, farthest), dot3(l, step, step));
        if going == 0 {
            break;
        }
        p = add3(l, p, step);
    }
    found & wanted
}

/// The middle of an inside, its radius rounded down, and how far it reaches.
fn inside_extent(inside: &Inside) -> ([f32; 3], f32, f32) {
    let (Vec3 { x, y, z }, radius, far) = inside.middle_and_radii();
    ([x as f32, y as f32, z as f32], round_down(radius), far as f32)
}

/// As `bounds::inside::into_both`; what it returns is only a guess.
#[inline(always)]
fn into_both<L: Lanes>(l: L, u: V<L::E>, v: V<L::E>, by: [L::E; 2]) -> V<L::E> {
    let zero = l.splat8(0.0);
    let (uu, vv, uv) = (dot3(l, u, u), dot3(l, v, v), dot3(l, u, v));
    let determinant = l.sub8(l.mul8(uu, vv), l.mul8(uv, uv));
    let s = l.div8(l.sub8(l.mul8(by[1], uv), l.mul8(by[0], vv)), determinant);
    let t = l.div8(l.sub8(l.mul8(by[0], uv), l.mul8(by[1], uu)), determinant);
    // A step along one gradient, if it lowers the other function by enough.
    let (along_u, along_v) = (l.div8(by[0], uu), l.div8(by[1], vv));
    let by_u = l.min8(by[0], l.sub8(l.mul8(along_u, uv), by[1]));
    let by_v = l.min8(by[1], l.sub8(l.mul8(along_v, uv), by[0]));
    let s = l.positive8(by_v, zero, s);
    let t = l.positive8(by_v, l.sub8(zero, along_v), t);
    let s = l.positive8(by_u, l.sub8(zero, along_u), s);
    let t = l.positive8(by_u, zero, t);
    add3(l, mul3(l, u, s), mul3(l, v, t))
}
