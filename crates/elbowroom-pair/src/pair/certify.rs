//! From witnesses and planes to proved intervals, independently of how they were found.
//!
//! A claim about two cores is points of the cores and a direction, or a closed surface of points of A - B
//! around the origin. Each bound is recomputed here from the cores and widened by its rounding
//! ([`CERTIFY_ROUNDING`]); a wrong claim can only give a wide interval.

pub(crate) mod enclosed;
pub(crate) mod surface;

use crate::numeric::simd::Lanes;
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::cores::Cores;
use crate::pair::farthest::{Direction, Farthest};
use crate::pair::simplex::Simplex;
use crate::pair::tolerance::CERTIFY_ROUNDING;
use crate::shape::extreme::Support;
use elbowroom_describe::math::Vec3;

/// A proved interval of the distance of two cores, with the points of the upper bound (A's frame).
#[derive(Clone, Copy)]
pub(crate) struct Gap {
    pub lower: f64,
    pub upper: f64,
    pub a: Vec3,
    pub b: Vec3,
}

/// What rounding may add to a bound of this pair (metres).
#[inline(always)]
pub(crate) fn rounding<A: Support, B: Support>(cores: &Cores<A, B>) -> f64 {
    CERTIFY_ROUNDING * ROUNDOFF * cores.scale
}

/// A proved lower bound on all points of A - B along the direction of `far`, from B to A.
#[inline(always)]
pub fn plane<L: Lanes, A: Support, B: Support>(l: L, cores: &Cores<A, B>, far: &Farthest) -> f64 {
    let (high_a, high_b) = far.heights(l, cores);
    let v = far.direction().in_a;
    if far.direction().in_b != Direction::new(v, &cores.rotation).in_b {
        // Not the same direction in both frames, or none.
        return f64::NEG_INFINITY;
    }
    between([high_a, high_b], v, cores.translation, cores.scale)
}

/// A proved lower bound on all points of A - B along `v`, from B to A in A's frame. `heights` bound A against
/// `v` and B along it (in B's frame); `translation` and `scale` are those of [`Cores`].
#[inline(always)]
pub(crate) fn between([high_a, high_b]: [f64; 2], v: Vec3, translation: Vec3, scale: f64) -> f64 {
    let low = -high_a - high_b - v.dot(translation);
    let bound = low / v.norm() - CERTIFY_ROUNDING * ROUNDOFF * scale;
    // NaN, from a zero direction, proves nothing.
    if bound.is_nan() { f64::NEG_INFINITY } else { bound }
}

/// Points of both cores by the weights of a simplex: convex combinations of points of the cores, for any
/// weights. Of four corners, the first three count.
#[inline(always)]
pub(crate) fn witnesses(s: &Simplex) -> (Vec3, Vec3) {
    let mut sum = 0.0;
    let (mut a, mut b) = (Vec3::ZERO, Vec3::ZERO);
    for i in 0..3 {
        // Without branches, because the number of corners is unpredictable.
        let used = i < s.len;
        let (w, c) = (if used { s.weight[i].max(0.0) } else { 0.0 }, s.corner(if used { i } else { 0 }));
        sum += w;
        a += c.a * w;
        b += c.b * w;
    }
    let inv = 1.0 / sum;
    (a * inv, b * inv)
}

/// The interval that a simplex and the farthest points along a direction prove.
#[inline(always)]
pub(crate) fn gap<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    s: &Simplex,
    far: &Farthest,
) -> Gap {
    let lower = plane(l, cores, far);
    let (a, b) = witnesses(s);
    Gap { lower, upper: (a - b).norm() + rounding(cores), a, b }
}
