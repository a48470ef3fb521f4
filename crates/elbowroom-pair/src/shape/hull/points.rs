//! The point set, scaled to a range where the predicates are exact, without duplicates, and sorted.
//!
//! Many points are sorted along a Morton curve of their bounding box, so that near points are near in memory:
//! with a million points in random order each step of the hull would be a cache miss. Few points are sorted
//! by coordinates.

use super::{predicate, small};
use crate::shape::tolerance::{HULL_LARGEST_COORDINATE, HULL_SMALL_SET, HULL_SMALLEST_COORDINATE};
use alloc::vec::Vec;
use elbowroom_describe::fault::HullFault;
use elbowroom_describe::math::{Vec3, vec3};

/// Points for exact predicates: `original = point * 2^exponent`, exactly, or to within `defect`.
pub(super) struct Set {
    pub points: Vec<Vec3>,
    /// Whether they are sorted by x, y, z.
    pub in_order: bool,
    /// 0 unless the whole set is tiny.
    pub exponent: i32,
    /// The most by which a point moved because small coordinates were set to zero (metres).
    pub defect: f64,
    /// Length of the bounding box's sides, rounded up.
    pub extent: Vec3,
}

/// `x * 2^e`, exact unless the result is subnormal; `|e|` up to 2000.
pub(super) fn scaled_number(x: f64, e: i32) -> f64 {
    libm::ldexp(x, e)
}

/// [`scaled_number`] for each coordinate.
pub(super) fn scaled_vec(v: Vec3, e: i32) -> Vec3 {
    if e == 0 { v } else { vec3(scaled_number(v.x, e), scaled_number(v.y, e), scaled_number(v.z, e)) }
}

impl Set {
    pub(super) fn new(given: &[Vec3]) -> Result<Set, HullFault> {
        if given.is_empty() {
            return Err(HullFault::Empty);
        }
        if given.len() >= (u32::MAX - 1) as usize {
            return Err(HullFault::TooMany { count: given.len() });
        }
        // The largest coordinate, and the smallest that is not zero.
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
        let flushed = scaled_number(smallest, -exponent) < HULL_SMALLEST_COORDINATE;
        // Adding zero turns -0 into 0.
        let flush = |c: f64| if c.abs() < HULL_SMALLEST_COORDINATE { 0.0 } else { c };
        let fit = |&p: &Vec3| {
            let q = scaled_vec(p, -exponent) + Vec3::ZERO;
            if flushed { vec3(flush(q.x), flush(q.y), flush(q.z)) } else { q }
        };
        let points: Vec<Vec3> = given.iter().map(fit).collect();
        // Each coordinate moves by less than the limit, so a point by less than twice that.
        let defect =
            if flushed { scaled_number(2.0 * HULL_SMALLEST_COORDINATE, exponent).next_up() } else { 0.0 };
        let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), &p| (l.min(p), h.max(p)));
        let up = 1.0 + 4.0 * f64::EPSILON;
        let few = points.len() <= small::MOST;
        let points = if few { in_order(points) } else { along_curve(&points, low, high) };
        Ok(Set { extent: (high - low) * up, points, in_order: few, exponent, defect })
    }
}

/// Sorted by x, y, z, without duplicates.
fn in_order(mut points: Vec<Vec3>) -> Vec<Vec3> {
    points.sort_unstable_by(|&a, &b| predicate::compare_points(a, b));
    points.dedup();
    points
}

/// Sorted along the curve (steps of 2^-21 of the box, within a step by x, y, z), without duplicates.
fn along_curve(points: &[Vec3], low: Vec3, high: Vec3) -> Vec<Vec3> {
    const LAST: u64 = (1 << 21) - 1;
    // Two zero bits between any two of the 21 bits.
    let spread = |x: u64| {
        let x = (x | x << 32) & 0x001f_0000_0000_ffff;
        let x = (x | x << 16) & 0x001f_0000_ff00_00ff;
        let x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
        let x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
        (x | x << 2) & 0x1249_2492_4924_9249
    };
    // A side of no length gives NaN, which becomes zero.
    let d = high - low;
    let per = vec3(LAST as f64 / d.x, LAST as f64 / d.y, LAST as f64 / d.z);
    let key = |p: Vec3| {
        let q = (p - low).scaled(per);
        let bits = |c: f64| spread((c as u64).min(LAST));
        bits(q.x) << 2 | bits(q.y) << 1 | bits(q.z)
    };
    let mut keyed: Vec<(u64, u32)> = points.iter().enumerate().map(|(i, &p)| (key(p), i as u32)).collect();
    let at = |i: u32| points[i as usize];
    keyed.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| predicate::compare_points(at(a.1), at(b.1))));
    let mut sorted: Vec<Vec3> = keyed.iter().map(|&(_, i)| at(i)).collect();
    sorted.dedup();
    sorted
}
