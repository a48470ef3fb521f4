//! Boxes relative to an origin, in f32, rounded outwards.

use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::WIDE_LIMIT;
use elbowroom_describe::math::{Vec3, round_down};
use elbowroom_pair::numeric::simd::{Lanes, abs_lanes8};
use elbowroom_pair::numeric::wide::Box32;

/// A box relative to an origin, rounded outwards. A side beyond [`WIDE_LIMIT`], or NaN, becomes infinite.
pub(super) fn round_outwards(b: &AlignedBox, origin: Vec3) -> Box32 {
    let mut r = Box32 { low: [0.0; 4], high: [0.0; 4] };
    for k in 0..3 {
        r.low[k] = round_down_f32(b.low[k], origin[k]);
        r.high[k] = -round_down_f32(-b.high[k], -origin[k]);
    }
    r
}

/// The box of a query relative to an origin, rounded outwards. It is found faster than by [`round_outwards`],
/// and is a few millionths wider. A side beyond [`WIDE_LIMIT`], or NaN, becomes infinite.
#[inline(always)]
pub(super) fn round_outwards_fast(b: &AlignedBox, origin: Vec3) -> Box32 {
    let mut r = Box32 { low: [0.0; 4], high: [0.0; 4] };
    for k in 0..3 {
        r.low[k] = round_down_fast(b.low[k], origin[k]);
        r.high[k] = -round_down_fast(-b.high[k], -origin[k]);
    }
    r
}

/// The box with these corners relative to an origin, rounded outwards, in lanes. A side beyond
/// [`WIDE_LIMIT`], or NaN, becomes infinite. Fourth lanes are ignored.
#[inline(always)]
pub(crate) fn about_lanes<L: Lanes>(l: L, [low, high]: [L::F; 2], origin: L::F) -> Box32 {
    // Both are rounded down, as in `below32`.
    let (below, above) = (l.sub(low, origin), l.sub(origin, high));
    let (far, limit) = (l.splat(-WIDE_LIMIT), l.splat(WIDE_LIMIT));
    // False for NaN.
    let is_near =
        l.and(l.and(l.gt(below, far), l.gt(limit, below)), l.and(l.gt(above, far), l.gt(limit, above)));
    let r = l.narrow_lanes(below, above);
    let size = abs_lanes8(l, r);
    let room =
        l.add8(l.mul8(l.mul8(size, l.splat8(f32::EPSILON)), l.splat8(2.0)), l.splat8(f32::MIN_POSITIVE));
    if l.mask_bits(is_near) & 0b111 == 0b111 {
        let signs = l.load8(&[1.0, 1.0, 1.0, 0.0, -1.0, -1.0, -1.0, 0.0]);
        let [x, y, z, o, u, v, w, p] = l.to_array8(l.mul8(l.sub8(r, room), signs));
        return Box32 { low: [x, y, z, o], high: [u, v, w, p] };
    }
    let [[x, y, z, _], [u, v, w, _], [p, q, r, _]] = [low, high, origin].map(|v| l.to_array(v));
    round_outwards(
        &AlignedBox { low: Vec3 { x, y, z }, high: Vec3 { x: u, y: v, z: w } },
        Vec3 { x: p, y: q, z: r },
    )
}

/// The largest f32 not above `x - origin`; infinite where that is below [`WIDE_LIMIT`], or NaN.
fn round_down_f32(x: f64, origin: f64) -> f32 {
    if x == f64::INFINITY {
        // The box is empty.
        return f32::INFINITY;
    }
    // The difference is rounded to nearest, so the next number down is below it.
    let d = (x - origin).next_down();
    if !(d >= -WIDE_LIMIT) {
        return f32::NEG_INFINITY;
    }
    round_down(d.min(WIDE_LIMIT))
}

/// An f32 below `x - origin`. The difference, its conversion, and the subtraction are each rounded by at most
/// 2^-24 of the difference.
#[inline(always)]
fn round_down_fast(x: f64, origin: f64) -> f32 {
    let d = x - origin;
    if !(d.abs() <= WIDE_LIMIT) {
        return round_down_f32(x, origin);
    }
    let r = d as f32;
    r - (r.abs() * f32::EPSILON * 2.0 + f32::MIN_POSITIVE)
}
