//! The depth once more, of cores that are worn off by a ball, where a polytope has too few corners for round
//! ones.
//!
//! If A' swept by a ball of radius r lies in A, and B' swept by one of radius s in B, then a ball in A' - B'
//! grown by r + s lies in A - B: whatever depth is proved for A' and B' is proved, and r + s more, for A and
//! B. What is lost by covering a round body with flat faces shrinks with the body, and nothing else is lost
//! where the nearest way out leads through a side, a cap, or an ellipsoid's surface; on a rim the answer
//! stays as it was.
//!
//! A cylinder and a cone are worn off to a smaller one. A ball summand of an ellipsoid may be as large as its
//! least radius of curvature, the shortest half axis squared over the longest (Blaschke's rolling theorem;
//! Schneider, "Convex bodies: the Brunn-Minkowski theory", 3.2): what is left has the support `|Dn| - r`, and
//! is no ellipsoid.

use super::part::{Part, take};
use super::{Polytope, depth};
use crate::numeric::math::sqrt;
use crate::numeric::simd::Plain;
use crate::pair::aligned::defect;
use crate::pair::clearance::Clearance;
use crate::pair::cores::Cores;
use crate::pair::simplex::Simplex;
use crate::pair::tolerance::{ERODED_MOST, ERODED_ROUNDING, LEVEL};
use crate::shape::solid::Core;

/// Radius of the largest ball by which a core can be worn off; zero for those with corners.
fn largest(core: &Core) -> f64 {
    match *core {
        Core::Cylinder { radius, half_length } => radius.min(half_length),
        Core::Cone { radius, half_length: h } => {
            2.0 * h * radius / (radius + sqrt(radius * radius + 4.0 * h * h))
        }
        Core::Ellipsoid { radii } => {
            let least = radii.x.min(radii.y).min(radii.z);
            least * (least / radii.max_abs())
        }
        Core::Point | Core::Segment { .. } | Core::Box { .. } | Core::Hull(_) | Core::Mesh { .. } => 0.0,
    }
}

/// What is left of a core worn off by a ball: another core, what is to be taken off its normals, and its
/// place on z. `None` where nothing is worn off.
fn wear(core: &Core, ball: f64) -> Option<(Core, f64, f64)> {
    if !(ball > 0.0) {
        return None;
    }
    match *core {
        Core::Cylinder { radius, half_length } => {
            Some((Core::Cylinder { radius: radius - ball, half_length: half_length - ball }, 0.0, 0.0))
        }
        Core::Cone { radius, half_length } => {
            // The base comes up by the radius, the apex down by as much over the sine of half its angle.
            let down = ball * sqrt(radius * radius + 4.0 * half_length * half_length) / radius;
            let left = half_length - 0.5 * (ball + down);
            let cone = Core::Cone { radius: radius * (left / half_length), half_length: left };
            Some((cone, 0.0, 0.5 * (ball - down)))
        }
        Core::Ellipsoid { radii } => Some((Core::Ellipsoid { radii }, ball, 0.0)),
        Core::Point | Core::Segment { .. } | Core::Box { .. } | Core::Hull(_) | Core::Mesh { .. } => None,
    }
}

/// Narrows the depth `c` of two cores that overlap to `wide`, if it can.
pub(super) fn deepen(
    [a, b]: [&Core; 2],
    whole: &Cores<Part, Part>,
    wide: f64,
    work: &mut Polytope,
    c: &mut Clearance,
) {
    // Both; and where it is a rim that touches, only the other one.
    let most = (largest(a), largest(b));
    let ways = if most.0.min(most.1) > 0.0 { 3 } else { 1 };
    for (most_a, most_b) in [most, (0.0, most.1), (most.0, 0.0)].into_iter().take(ways) {
        let sum = most_a + most_b;
        if sum > 0.0 && c.interval.upper - c.interval.lower > wide {
            let share = ERODED_MOST * (-c.interval.upper / sum).min(1.0);
            worn([a, b], [most_a * share, most_b * share], whole, work, c);
        }
    }
}

/// The depth with balls of these radii worn off.
fn worn(
    [a, b]: [&Core; 2],
    [ball_a, ball_b]: [f64; 2],
    whole: &Cores<Part, Part>,
    work: &mut Polytope,
    c: &mut Clearance,
) {
    let (left_a, left_b) = (wear(a, ball_a), wear(b, ball_b));
    let left = Cores { a: whole.a.worn(&left_a), b: whole.b.worn(&left_b), ..*whole };
    let d = depth(Plain, &left, &Simplex::default(), f64::INFINITY, LEVEL, work);
    c.steps += d.steps;
    if d.least > 0.0
        && let Some(escape) = d.escape.normalized()
    {
        // B's ball is turned with B: what the rotation lacks to being one may flatten it.
        let error = ERODED_ROUNDING * whole.scale + defect(&whole.rotation) * ball_b;
        let least = d.least + (ball_a + ball_b) - error;
        take(c, whole, least, d.a - escape * ball_a, d.b + escape * ball_b, escape);
    }
}
