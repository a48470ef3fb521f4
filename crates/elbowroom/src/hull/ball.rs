//! A ball around points: Badoiu and Clarkson's shrinking walk, "Smaller core-sets for balls" (2003).
//!
//! The centre moves towards the farthest point by a shrinking fraction; after i steps the radius is within 1/sqrt(i)
//! of the smallest, in practice far closer. The best centre seen counts; its radius is measured at the end and rounded up.
//!
//! As long as the centre is within some distance of where all points were looked at, only those can be farthest that
//! were farthest there to within twice that: the others are left out, and the walk is the same to the last bit.

use crate::math::{Vec3, sqrt};
use crate::tolerance::{HULL_BALL_WALK, HULL_BALL_WORK};
use alloc::vec::Vec;

/// The largest squared distance, and the first point that has it.
#[inline(always)]
fn farthest(points: &[Vec3], c: Vec3) -> (f64, Vec3) {
    let (mut d, mut at) = (0.0, usize::MAX);
    for (i, &p) in points.iter().enumerate() {
        let e = (p - c).norm_squared();
        at = if e > d { i } else { at };
        d = if e > d { e } else { d };
    }
    (d, points.get(at).copied().unwrap_or(c))
}

/// Centre and largest squared distance. `some` is room for work.
pub(super) fn around(points: &[Vec3], some: &mut Vec<Vec3>) -> (Vec3, f64) {
    let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), &p| (l.min(p), h.max(p)));
    let mut c = low + (high - low) * 0.5;
    let (mut d, mut at) = farthest(points, c);
    let mut best = (c, d);
    let steps = (HULL_BALL_WORK / points.len()).clamp(8, 256);
    let (mut looked_from, mut square, mut again) = (c, -1.0, 0);
    for i in 0..steps {
        c += (at - c) * (1.0 / (i as f64 + 4.0));
        if i >= again || !((c - looked_from).norm_squared() <= square) {
            // Also where steps have become shorter: fewer points can be farthest then.
            again = i + i / 2 + 4;
            (d, at) = farthest(points, c);
            let walk = sqrt(d) * (HULL_BALL_WALK / (i as f64 + 4.0));
            (looked_from, square) = (c, walk * walk);
            // A billionth of the distance is far more than all rounding.
            let least = (sqrt(d) * (1.0 - 1e-9) - 2.0 * walk * (1.0 + 1e-9)).max(0.0);
            let least = least * least;
            some.clear();
            some.extend(points.iter().filter(|p| (**p - c).norm_squared() >= least));
        } else {
            (d, at) = farthest(some, c);
        }
        if d < best.1 {
            best = (c, d);
        }
    }
    best
}
