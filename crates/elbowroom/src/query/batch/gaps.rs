//! Lower bounds on the distance of two bodies in eight poses at once, in f32 lanes. One bound is that of the
//! capsules around the bodies; the other is the largest gap between their boxes along the normals of the
//! boxes' faces. Both compute what `bounds` computes for one pair.

use super::eights::{Eights, V, abs8, add_matrix_product, add3, clamp_unit8, dot3, load3, mul3, sub3};
use super::model::LaneCapsule;
use crate::query::tolerance::{BATCH_NEAR, BATCH_PARALLEL};
use elbowroom_pair::numeric::simd::Lanes;

/// The bound of `bounds::lanes::four_gaps`.
#[inline(always)]
pub(super) fn capsule_gap<L: Lanes>(
    l: L,
    [of_a, of_b]: [&LaneCapsule; 2],
    [a, b]: [&[Eights; 6]; 2],
) -> L::E {
    let (zero, one) = (l.splat8(0.0), l.splat8(1.0));
    let (half_a, half_b) = (load3(l, a, 3), load3(l, b, 3));
    let r = sub3(l, load3(l, a, 0), load3(l, b, 0));
    let (ra, rb, ab) = (dot3(l, r, half_a), dot3(l, r, half_b), dot3(l, half_a, half_b));
    let (inverse_a, inverse_b) = (l.splat8(of_a.inverse), l.splat8(of_b.inverse));
    let (to_a, to_b) = (l.mul8(ab, inverse_a), l.mul8(ab, inverse_b));
    let (from_a, from_b) = (l.mul8(ra, inverse_a), l.mul8(rb, inverse_b));
    let apart = l.max8(l.sub8(one, l.mul8(to_a, to_b)), l.splat8(BATCH_PARALLEL));
    let s = clamp_unit8(l, l.div8(l.sub8(l.mul8(from_b, to_a), from_a), apart));
    let t = clamp_unit8(l, l.add8(from_b, l.mul8(s, to_b)));
    let s = clamp_unit8(l, l.sub8(l.mul8(t, to_a), from_a));
    let v = sub3(l, add3(l, r, mul3(l, half_a, s)), mul3(l, half_b, t));
    let across = l.add8(abs8(l, dot3(l, v, half_a)), abs8(l, dot3(l, v, half_b)));
    let square = dot3(l, v, v);
    let proved = l.div8(l.sub8(dot3(l, v, r), across), l.sqrt8(square));
    // Without a direction the distance of the axes is only known to be at least zero.
    let proved = l.positive8(l.sub8(square, l.splat8(BATCH_NEAR)), proved, zero);
    l.sub8(l.max8(proved, zero), l.splat8(of_a.radius + of_b.radius))
}

/// The frame of a body in that of another: the columns of the rotation, and the translation.
#[derive(Clone, Copy)]
pub(super) struct Relative<E> {
    pub r: [V<E>; 3],
    pub t: V<E>,
}

impl<E: Copy> Relative<E> {
    /// B's frame in A's.
    #[inline(always)]
    pub fn new<L: Lanes<E = E>>(l: L, a: [V<E>; 4], b: [V<E>; 4]) -> Relative<E> {
        let [x, y, z, from] = a;
        let [u, v, w, to] = b;
        let apart = sub3(l, to, from);
        Relative {
            r: [
                [dot3(l, x, u), dot3(l, y, u), dot3(l, z, u)],
                [dot3(l, x, v), dot3(l, y, v), dot3(l, z, v)],
                [dot3(l, x, w), dot3(l, y, w), dot3(l, z, w)],
            ],
            t: [dot3(l, x, apart), dot3(l, y, apart), dot3(l, z, apart)],
        }
    }

    #[inline(always)]
    pub fn load_lanes<L: Lanes<E = E>>(l: L, m: &[Eights; 12]) -> Relative<E> {
        Relative { r: [load3(l, m, 0), load3(l, m, 3), load3(l, m, 6)], t: load3(l, m, 9) }
    }

    #[inline(always)]
    pub fn store_lanes<L: Lanes<E = E>>(&self, l: L) -> [Eights; 12] {
        let [x, y, z] = self.r;
        let mut m = [[0.0; 8]; 12];
        for k in 0..3 {
            (m[k], m[3 + k]) = (l.to_array8(x[k]), l.to_array8(y[k]));
            (m[6 + k], m[9 + k]) = (l.to_array8(z[k]), l.to_array8(self.t[k]));
        }
        m
    }

    /// A vector of B along A's axes.
    #[inline(always)]
    pub fn rotate_vector<L: Lanes<E = E>>(&self, l: L, v: V<E>) -> V<E> {
        let [x, y, z] = self.r;
        add3(l, add3(l, mul3(l, x, v[0]), mul3(l, y, v[1])), mul3(l, z, v[2]))
    }

    /// A vector of A along B's axes.
    #[inline(always)]
    pub fn turn_back<L: Lanes<E = E>>(&self, l: L, v: V<E>) -> V<E> {
        let [x, y, z] = self.r;
        [dot3(l, x, v), dot3(l, y, v), dot3(l, z, v)]
    }
}

/// The bound of `BodyBox::faces_gap`, less the pair's room.
#[inline(always)]
pub(super) fn box_gap<L: Lanes>(
    l: L,
    [of_a, of_b]: [&LaneCapsule; 2],
    at: &Relative<L::E>,
    room: f32,
) -> L::E {
    let [ax, ay, az] = of_a.box_center;
    let [bx, by, bz] = of_b.box_center;
    let from_a = sub3(l, at.t, [l.splat8(ax), l.splat8(ay), l.splat8(az)]);
    // The middles apart, along A's axes and along B's.
    let along_a = add_matrix_product(l, &at.r, &of_b.box_center, from_a);
    let along_b = add3(l, at.turn_back(l, from_a), [l.splat8(bx), l.splat8(by), l.splat8(bz)]);
    let (half_a, half_b) = (of_a.box_half, of_b.box_half);
    let mut best = l.splat8(f32::NEG_INFINITY);
    let mut reach_a = [l.splat8(half_a[0]), l.splat8(half_a[1]), l.splat8(half_a[2])];
    for j in 0..3 {
        let mut reach_b = l.splat8(half_b[j]);
        for k in 0..3 {
            let m = abs8(l, at.r[j][k]);
            reach_b = l.add8(reach_b, l.mul8(m, l.splat8(half_a[k])));
            reach_a[k] = l.add8(reach_a[k], l.mul8(m, l.splat8(half_b[j])));
        }
        best = l.max8(l.sub8(abs8(l, along_b[j]), reach_b), best);
    }
    for k in 0..3 {
        best = l.max8(l.sub8(abs8(l, along_a[k]), reach_a[k]), best);
    }
    l.sub8(best, l.splat8(room))
}
