//! Vectors of eight lanes.

use elbowroom_pair::numeric::simd::Lanes;

/// Eight numbers, in memory.
pub(super) type Eights = [f32; 8];

/// A vector for each lane.
pub(super) type V<E> = [E; 3];

#[inline(always)]
pub(super) fn minus8<L: Lanes>(l: L, a: L::E) -> L::E {
    l.sub8(l.splat8(0.0), a)
}

#[inline(always)]
pub(super) fn abs8<L: Lanes>(l: L, a: L::E) -> L::E {
    l.max8(a, minus8(l, a))
}

/// Clamped to -1 to 1.
#[inline(always)]
pub(super) fn clamp_unit8<L: Lanes>(l: L, a: L::E) -> L::E {
    l.min8(l.max8(a, l.splat8(-1.0)), l.splat8(1.0))
}

/// Positive where `a` is strictly between two numbers.
#[inline(always)]
pub(super) fn positive_between8<L: Lanes>(l: L, low: f32, a: L::E, high: f32) -> L::E {
    l.mul8(l.sub8(a, l.splat8(low)), l.sub8(l.splat8(high), a))
}

#[inline(always)]
pub(super) fn load3<L: Lanes>(l: L, a: &[Eights], i: usize) -> V<L::E> {
    [l.load8(&a[i]), l.load8(&a[i + 1]), l.load8(&a[i + 2])]
}

#[inline(always)]
pub(super) fn add3<L: Lanes>(l: L, a: V<L::E>, b: V<L::E>) -> V<L::E> {
    [l.add8(a[0], b[0]), l.add8(a[1], b[1]), l.add8(a[2], b[2])]
}

#[inline(always)]
pub(super) fn sub3<L: Lanes>(l: L, a: V<L::E>, b: V<L::E>) -> V<L::E> {
    [l.sub8(a[0], b[0]), l.sub8(a[1], b[1]), l.sub8(a[2], b[2])]
}

#[inline(always)]
pub(super) fn mul3<L: Lanes>(l: L, a: V<L::E>, s: L::E) -> V<L::E> {
    [l.mul8(a[0], s), l.mul8(a[1], s), l.mul8(a[2], s)]
}

#[inline(always)]
pub(super) fn dot3<L: Lanes>(l: L, a: V<L::E>, b: V<L::E>) -> L::E {
    l.add8(l.add8(l.mul8(a[0], b[0]), l.mul8(a[1], b[1])), l.mul8(a[2], b[2]))
}

#[inline(always)]
pub(super) fn minus3<L: Lanes>(l: L, a: V<L::E>) -> V<L::E> {
    [minus8(l, a[0]), minus8(l, a[1]), minus8(l, a[2])]
}

/// `start` plus the product of a matrix and a vector that is the same in all lanes. Its zeros cost nothing.
#[inline(always)]
pub(super) fn add_matrix_product<L: Lanes>(l: L, r: &[V<L::E>; 3], v: &[f32; 3], start: V<L::E>) -> V<L::E> {
    let mut sum = start;
    for k in 0..3 {
        if v[k] != 0.0 {
            sum = add3(l, sum, mul3(l, r[k], l.splat8(v[k])));
        }
    }
    sum
}
