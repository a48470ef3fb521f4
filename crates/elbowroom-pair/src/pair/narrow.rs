//! The narrow phase: the certified distance of two shapes. Cores are measured, then radii are subtracted.

use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::clearance::{Ask, Clearance, Effort, Query, Stop};
use crate::pair::convex::convex;
use crate::pair::depth;
use crate::pair::geometry::Geometry;
use crate::pair::gjk::Goal;
use crate::pair::nonconvex;
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{FREE_DIRECTION, LOWER_BOUND_RATIO, MESH_TIE, TOUCH_WIDTH};
use crate::shape::solid::Shape;
use elbowroom_describe::math::Transform;

/// Proved signed distance of `a` and `b` (metres), where `b_in_a` is the pose of B's frame in A's. Points and
/// normal are in A's frame. The page of this module begins with an example.
///
/// The bounds hold for the numbers of `b_in_a` as they are; the caller's `slack` covers their error.
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
    // The goal includes what is taken off the lower bound at the end: a search that stops just above the
    // cutoff must still be above it then.
    let beyond = |cutoff: f64| {
        let above = cutoff + radius;
        above + query.slack + 8.0 * ROUNDOFF * (above.abs() + radius + query.slack)
    };
    let above = beyond(query.cutoff);
    let (below, ratio) = match query.ask {
        Ask::Test => (radius, 2.0),
        Ask::LowerBound => (0.0, LOWER_BOUND_RATIO),
        Ask::Distance => (0.0, 2.0),
    };
    let goal = Goal { ask: query.ask, above, below, ratio };
    // Hulls that overlap say little of two meshes, so their depth is not measured before it is needed.
    let hollow = hollow([a, b]).filter(|_| query.ask != Ask::Test && query.geometry == Geometry::Mesh);
    let rough =
        query.geometry == Geometry::Mesh && a.mesh().is_some() && b.mesh().is_some() && hollow.is_none();
    let of_hulls = if rough { Goal { ask: Ask::Test, ..goal } } else { goal };
    convex(a, b, b_in_a, of_hulls, &mut warm.gjk, &mut scratch.work, &mut c);
    // Radii move both bounds alike; the sums are rounded once each.
    let error = |bound: f64| 4.0 * ROUNDOFF * (bound.abs() + radius) + query.slack;
    if query.geometry == Geometry::Mesh && (a.mesh().is_some() || b.mesh().is_some()) {
        // A lower bound for the hulls is one for the triangles, and may be all that is wanted.
        let apart = c.interval.lower - radius - error(c.interval.lower);
        let decided =
            c.interval.lower > goal.above || query.ask == Ask::LowerBound && apart > query.margin.max(0.0);
        if decided {
            // The upper bound and the points of the hulls are not those of the triangles.
            (c.interval.upper, c.stop) = (f64::INFINITY, Stop::Decided);
        } else if let Some(upper) = hollow.and_then(|hollow| upper_of_hollow(&c, hollow, query.depth)) {
            c.interval.upper = upper;
        } else {
            let mut hulls = c;
            // Triangles prove a gap and no depth. So they are asked whether the bodies are apart, also where
            // less would do.
            let above = if query.cutoff < 0.0 { beyond(0.0) } else { above };
            let goal = Goal { above, ..goal };
            c = nonconvex::refine(a, b, b_in_a, goal, &mut hulls, warm, scratch);
            if c.interval.lower - radius - error(c.interval.lower) <= 0.0
                && hulls.interval.lower < c.interval.lower
            {
                // The cores are apart, but with their radii the bodies may overlap. Leaving one wall may run
                // into another, so the triangles' bound is no depth.
                if rough && query.ask != Ask::Test && c.interval.lower > 0.0 {
                    convex(a, b, b_in_a, goal, &mut warm.gjk, &mut scratch.work, &mut hulls);
                }
                c.interval.lower = hulls.interval.lower;
                // Keep `Decided` only if the overlap was decided: the gap was between the cores, without
                // their radii, and not between the bodies.
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
    // Each bound by itself: an infinite one must not make the other infinite.
    c.interval.lower = c.interval.lower - radius - error(c.interval.lower);
    c.interval.upper = c.interval.upper - radius + error(c.interval.upper);
    c.interval.geometry = query.geometry;
    if radius > 0.0 {
        to_surface(&mut c, a, b, radius);
    }
    if c.stop == Stop::Bracketed && query.ask == Ask::Distance && c.interval.upper < 0.0 {
        depth::measure([a, b], (b_in_a, query.slack), query.depth, &mut c, warm, scratch);
    }
    let size = a.bounding_radius + b.bounding_radius;
    if matches!(c.stop, Stop::Bracketed | Stop::Stalled)
        && query.ask == Ask::Distance
        && query.depth != Effort::Rough
        && query.geometry == Geometry::Mesh
        && (0.0..=TOUCH_WIDTH * size).contains(&c.interval.upper)
        && c.interval.lower < -TOUCH_WIDTH * size
    {
        depth::bound_touch([a, b], (b_in_a, query.slack), &mut c, warm, scratch);
    }
    if c.stop == Stop::Bracketed && c.interval.upper < 0.0 && c.interval.lower.is_finite() {
        // What is told of a bracketed depth is a way out.
        c.witness_b = c.witness_a - c.normal * c.interval.lower;
    }
    c
}

/// By how much, at most, the hulls of both bodies together extend beyond convex bodies inside them (metres);
/// `None` where one body is not convex, not even nearly.
fn hollow([a, b]: [&Shape; 2]) -> Option<f64> {
    let of = |shape: &Shape| shape.mesh().map_or(Some(0.0), |mesh| mesh.hollow);
    Some(of(a)? + of(b)?)
}

/// The upper end for two bodies that are nearly convex, from that of their hulls, which overlap: the convex
/// bodies inside them have supports that are smaller by `hollow` at most, along every direction, and so is
/// their depth. `None` where the bracket of triangles may be narrower, or if nothing is proved.
fn upper_of_hollow(hulls: &Clearance, hollow: f64, effort: Effort) -> Option<f64> {
    let share = effort.share();
    let known = matches!(hulls.stop, Stop::Converged | Stop::Stalled) && hulls.interval.upper < 0.0;
    (known && hollow <= share * -hulls.interval.upper).then(|| (hulls.interval.upper + hollow).next_up())
}

/// Moves the witnesses from the cores to the surfaces: along the line between them, or along the normal where
/// that line is too short to have a direction.
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
