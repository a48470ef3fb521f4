//! The point set, in a range where the exact predicates are exact.

use super::HullFault;
use crate::math::{Vec3, vec3};
use crate::tolerance::{HULL_LARGEST_COORDINATE, HULL_SMALL_SET, HULL_SMALLEST_COORDINATE};
use alloc::{borrow::Cow, vec::Vec};

/// Points ready for exact predicates: `original = point * unit`, exactly, to within `defect`.
pub(super) struct Set<'a> {
    pub points: Cow<'a, [Vec3]>,
    /// A power of two as exponent: 0 unless the whole set is tiny.
    pub exponent: i32,
    /// Metres by which flushing small coordinates to zero moved a point, at most.
    pub defect: f64,
    /// Length of the bounding box's sides, rounded up.
    pub extent: Vec3,
}

/// `x * 2^e`, exact unless the result is subnormal; `|e|` up to 2000.
pub(super) fn scaled(x: f64, e: i32) -> f64 {
    libm::ldexp(x, e)
}

/// As [`scaled`], each coordinate.
pub(super) fn scaled_vec(v: Vec3, e: i32) -> Vec3 {
    if e == 0 { v } else { vec3(scaled(v.x, e), scaled(v.y, e), scaled(v.z, e)) }
}

impl<'a> Set<'a> {
    pub(super) fn new(given: &'a [Vec3]) -> Result<Set<'a>, HullFault> {
        if given.is_empty() {
            return Err(HullFault::Empty);
        }
        if given.len() >= (u32::MAX - 1) as usize {
            return Err(HullFault::TooMany { count: given.len() });
        }
        // One pass: largest coordinate, smallest that is not zero.
        let (mut largest, mut smallest) = (0.0_f64, f64::INFINITY);
        for (index, p) in given.iter().enumerate() {
            if !p.is_finite() {
                return Err(HullFault::NotFinite { index });
            }
            let a = p.abs();
            if p.max_abs() > HULL_LARGEST_COORDINATE {
                return Err(HullFault::TooLarge { index });
            }
            largest = largest.max(p.max_abs());
            for c in [a.x, a.y, a.z] {
                if c > 0.0 && c < smallest {
                    smallest = c;
                }
            }
        }
        let exponent = if largest > 0.0 && largest < HULL_SMALL_SET { libm::frexp(largest).1 } else { 0 };
        let flushed = scaled(smallest, -exponent) < HULL_SMALLEST_COORDINATE;
        let points = if exponent == 0 && !flushed {
            Cow::Borrowed(given)
        } else {
            let flush = |c: f64| if c.abs() < HULL_SMALLEST_COORDINATE { 0.0 } else { c };
            let fit = |&p: &Vec3| {
                let q = scaled_vec(p, -exponent);
                vec3(flush(q.x), flush(q.y), flush(q.z))
            };
            Cow::Owned(given.iter().map(fit).collect::<Vec<_>>())
        };
        // Each coordinate moved by less than the limit, the point by less than twice that.
        let defect = if flushed { scaled(2.0 * HULL_SMALLEST_COORDINATE, exponent).next_up() } else { 0.0 };
        let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), &p| (l.min(p), h.max(p)));
        let up = 1.0 + 4.0 * f64::EPSILON;
        Ok(Set { extent: (high - low) * up, points, exponent, defect })
    }
}
