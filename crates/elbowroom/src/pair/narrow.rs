//! The distance between two shapes: one exhaustive table of pairs, the radii taken off once, always
//! certified.

use crate::numeric::math::Transform;
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::clearance::{Ask, Clearance, Query, Stop};
use crate::pair::convex::convex;
use crate::pair::geometry::Geometry;
use crate::pair::gjk::Goal;
use crate::pair::nonconvex;
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{FREE_DIRECTION, LOWER_BOUND_RATIO, MESH_TIE};
use crate::shape::solid::Shape;

/// Proved signed distance between `a` and `b` with `b_in_a` the pose of B's frame in A's (metres). Points and
/// normal in A's frame. The page of this module begins with an example.
///
/// The bounds hold for the numbers of `b_in_a` as they are; what they may be off by is the caller's `slack`.
pub fn clearance(
    a: &Shape,
    b: &Shape,
    b_in_a: &Transform,
    query: &Query,
    warm: &mut Warm,
    scratch: &mut Scratch,
) -> Clearance {
    let mut c = Clearance::NOTHING;
    // A pose with NaN proves nothing.
    if !b_in_a.is_finite() {
        return c;
    }
    let radius = a.radius + b.radius;
    // What is taken off the lower bound at the end is asked for beforehand: a search that stops just above
    // the cutoff must still be above it then.
    let above = query.cutoff + radius;
    let above = above + query.slack + 8.0 * ROUNDOFF * (above.abs() + radius + query.slack);
    let (below, ratio) = match query.ask {
        Ask::Test => (radius, 2.0),
        Ask::LowerBound => (0.0, LOWER_BOUND_RATIO),
        Ask::Distance => (0.0, 2.0),
    };
    let goal = Goal { ask: query.ask, above, below, ratio };
    convex(a, b, b_in_a, goal, &mut warm.gjk, &mut scratch.work, &mut c);
    // Radii move both bounds alike; the sums are rounded once each.
    let error = |bound: f64| 4.0 * ROUNDOFF * (bound.abs() + radius) + query.slack;
    if query.geometry == Geometry::Mesh && (a.mesh().is_some() || b.mesh().is_some()) {
        // Hulls contain their triangles: their lower bound is one of the triangles', and may be all that is
        // wanted.
        let apart = c.interval.lower - radius - error(c.interval.lower);
        let enough =
            c.interval.lower > goal.above || query.ask == Ask::LowerBound && apart > query.margin.max(0.0);
        if enough {
            // Their upper bound is none of the triangles', nor are their points.
            (c.interval.upper, c.stop) = (f64::INFINITY, Stop::Decided);
        } else {
            let hulls = c;
            c = nonconvex::refine(a, b, b_in_a, goal, &hulls, warm, scratch);
            if c.interval.lower - radius - error(c.interval.lower) <= 0.0
                && hulls.interval.lower < c.interval.lower
            {
                // Cores that are apart, bodies that may overlap: a way out of one wall may lead into the
                // next.
                c.interval.lower = hulls.interval.lower;
                // Decided stays only what overlap decides: the gap that may have been is none of the bodies.
                let told = query.ask == Ask::Test && c.interval.upper < radius;
                if c.interval.upper - c.interval.lower > MESH_TIE * (a.bounding_radius + b.bounding_radius)
                    && !told
                {
                    c.stop = if c.interval.upper < radius { Stop::Bracketed } else { Stop::Stalled };
                    c.normal = hulls.normal;
                }
            }
        }
    }
    // A bound that is infinite says nothing, and must not take the other with it.
    c.interval.lower = c.interval.lower - radius - error(c.interval.lower);
    c.interval.upper = c.interval.upper - radius + error(c.interval.upper);
    c.interval.geometry = query.geometry;
    if radius > 0.0 {
        to_surface(&mut c, a, b, radius);
    }
    c
}

/// Moves the witnesses from the cores to the surfaces. Round shapes meet along the line between the points of
/// their cores; where that is too short to have a direction, along the normal.
fn to_surface(c: &mut Clearance, a: &Shape, b: &Shape, radius: f64) {
    let apart = c.witness_a - c.witness_b;
    let line = if c.interval.upper + radius > 0.0
        && apart.norm() > FREE_DIRECTION * (a.bounding_radius + b.bounding_radius)
    {
        apart.normalized().unwrap_or(c.normal)
    } else {
        c.normal
    };
    c.witness_a -= line * a.radius;
    c.witness_b += line * b.radius;
}
