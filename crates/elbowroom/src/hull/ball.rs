//! A ball around points: Badoiu and Clarkson's shrinking walk, "Smaller core-sets for balls" (2003).
//!
//! The centre moves towards the farthest point by a shrinking fraction; after i steps the radius is within 1/sqrt(i)
//! of the smallest, in practice far closer. The best centre seen counts; its radius is measured at the end and rounded up.

use crate::math::Vec3;
use crate::tolerance::HULL_BALL_WORK;

/// Centre and largest squared distance.
pub(super) fn around(points: &[Vec3]) -> (Vec3, f64) {
    let farthest = |c: Vec3| {
        points.iter().fold((0.0, c), |(d, at), &p| {
            let e = (p - c).norm_squared();
            if e > d { (e, p) } else { (d, at) }
        })
    };
    let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), &p| (l.min(p), h.max(p)));
    let mut c = low + (high - low) * 0.5;
    let (mut d, mut at) = farthest(c);
    let mut best = (c, d);
    let steps = (HULL_BALL_WORK / points.len()).clamp(8, 256);
    for i in 0..steps {
        c += (at - c) * (1.0 / (i as f64 + 4.0));
        (d, at) = farthest(c);
        if d < best.1 {
            best = (c, d);
        }
    }
    best
}
