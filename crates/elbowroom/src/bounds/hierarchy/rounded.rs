//! Boxes less an origin, in f32, rounded outwards.

use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::WIDE_LIMIT;
use crate::numeric::math::{Vec3, round_down};
use crate::numeric::wide::Box32;

/// A box less an origin, rounded outwards. What is farther than [`WIDE_LIMIT`], or NaN, is infinite.
pub(super) fn around(b: &AlignedBox, origin: Vec3) -> Box32 {
    let mut r = Box32 { low: [0.0; 4], high: [0.0; 4] };
    for k in 0..3 {
        r.low[k] = low32(b.low[k], origin[k]);
        r.high[k] = -low32(-b.high[k], -origin[k]);
    }
    r
}

/// The same, a few millionths wider, for what is asked about: in a fraction of the time.
#[inline(always)]
pub(super) fn about(b: &AlignedBox, origin: Vec3) -> Box32 {
    let mut r = Box32 { low: [0.0; 4], high: [0.0; 4] };
    for k in 0..3 {
        r.low[k] = below32(b.low[k], origin[k]);
        r.high[k] = -below32(-b.high[k], -origin[k]);
    }
    r
}

/// The largest f32 not above `x - origin`; infinite where that is below [`WIDE_LIMIT`], or NaN.
fn low32(x: f64, origin: f64) -> f32 {
    if x == f64::INFINITY {
        // The box is empty.
        return f32::INFINITY;
    }
    // The difference is rounded to nearest: one number further down is below it.
    let d = (x - origin).next_down();
    if !(d >= -WIDE_LIMIT) {
        return f32::NEG_INFINITY;
    }
    round_down(d.min(WIDE_LIMIT))
}

/// An f32 below `x - origin`. The difference, its conversion, and the margin taken off are each rounded by
/// 2^-24 of it at most.
#[inline(always)]
fn below32(x: f64, origin: f64) -> f32 {
    let d = x - origin;
    if !(d.abs() <= WIDE_LIMIT) {
        return low32(x, origin);
    }
    let r = d as f32;
    r - (r.abs() * f32::EPSILON * 2.0 + f32::MIN_POSITIVE)
}
