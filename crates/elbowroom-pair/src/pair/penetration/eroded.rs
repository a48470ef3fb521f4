//! The depth of round cores, by erosion: a polytope has too few corners for them.
//!
//! If A' swept by a ball of radius r lies in A, and B' swept by a ball of radius s lies in B, then a ball in
//! A' - B', grown by r + s, lies in A - B. So a proved depth of A' and B', plus r + s, is a proved depth of A
//! and B. The error of approximating a round body by flat faces shrinks with the body. Nothing else is lost
//! where the shortest way out leads through a side, a cap, or an ellipsoid's surface; on a rim nothing is
//! gained.
//!
//! A cylinder and a cone are eroded to smaller ones. An ellipsoid may be eroded by a ball as large as its
//! least radius of curvature, the shortest half axis squared over the longest (Blaschke's rolling theorem;
//! Schneider, "Convex bodies: the Brunn-Minkowski theory", 3.2). The result has the support `|Dn| - r`, and
//! is not an ellipsoid.

use super::remainder::{Remainder, improve};
use super::{Polytope, depth};
use crate::numeric::simd::Plain;
use crate::pair::aligned::defect;
use crate::pair::clearance::Clearance;
use crate::pair::cores::Cores;
use crate::pair::simplex::Simplex;
use crate::pair::tolerance::{ERODED_MOST, ERODED_ROUNDING, LEVEL};
use crate::shape::solid::Core;
use elbowroom_describe::math::sqrt;

/// Radius of the largest ball by which a core can be eroded; zero for cores with corners.
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

/// A core eroded by a ball: another core, an erosion along its normals, and a shift along z. `None` if
/// nothing is eroded.
fn erode(core: &Core, ball: f64) -> Option<(Core, f64, f64)> {
    if !(ball > 0.0) {
        return None;
    }
    match *core {
        Core::Cylinder { radius, half_length } => {
            Some((Core::Cylinder { radius: radius - ball, half_length: half_length - ball }, 0.0, 0.0))
        }
        Core::Cone { radius, half_length } => {
            // The base moves up by the radius, the apex down by the radius over the sine of half its angle.
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
    whole: &Cores<Remainder, Remainder>,
    wide: f64,
    work: &mut Polytope,
    c: &mut Clearance,
) {
    // Both cores; then, in case a rim touches, only one of them.
    let most = (largest(a), largest(b));
    let ways = if most.0.min(most.1) > 0.0 { 3 } else { 1 };
    for (most_a, most_b) in [most, (0.0, most.1), (most.0, 0.0)].into_iter().take(ways) {
        let sum = most_a + most_b;
        if sum > 0.0 && c.interval.upper - c.interval.lower > wide {
            let share = ERODED_MOST * (-c.interval.upper / sum).min(1.0);
            with_balls([a, b], [most_a * share, most_b * share], whole, work, c);
        }
    }
}

/// Improves the depth with cores eroded by balls of these radii.
fn with_balls(
    [a, b]: [&Core; 2],
    [ball_a, ball_b]: [f64; 2],
    whole: &Cores<Remainder, Remainder>,
    work: &mut Polytope,
    c: &mut Clearance,
) {
    let (left_a, left_b) = (erode(a, ball_a), erode(b, ball_b));
    let left = Cores { a: whole.a.eroded(&left_a), b: whole.b.eroded(&left_b), ..*whole };
    let d = depth(Plain, &left, &Simplex::default(), f64::INFINITY, LEVEL, work);
    c.steps += d.steps;
    if d.least > 0.0
        && let Some(escape) = d.escape.normalized()
    {
        // The defect of the rotation may flatten B's ball.
        let error = ERODED_ROUNDING * whole.scale + defect(&whole.rotation) * ball_b;
        let least = d.least + (ball_a + ball_b) - error;
        improve(c, whole, least, d.a - escape * ball_a, d.b + escape * ball_b, escape);
    }
}
