//! Pairs with a mesh: from the clearance of the hulls to that of the triangles.
//!
//! The lower bound of the hulls holds for the meshes too, also as a bound on the depth, since a translation
//! that separates the hulls separates their contents. Two meshes are searched together
//! ([`super::mesh`]). Against a convex core, the hulls of nodes bound their triangles, and each triangle
//! that is near enough is a convex core of three corners, solved and certified like any other pair.

use crate::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use crate::numeric::tolerance::{ROUNDOFF, TRANSFORM_ROUNDING};
use crate::pair::aligned::defect;
use crate::pair::clearance::{Ask, Clearance, Stop};
use crate::pair::convex::{against, convex};
use crate::pair::geometry::Geometry;
use crate::pair::gjk::{GjkStart, Goal};
use crate::pair::interval::Interval;
use crate::pair::mesh::hulls::from_core;
use crate::pair::mesh::point::{ball_inside, holds, triangle_at};
use crate::pair::mesh::{MeshGap, MeshQuery, Relation};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{AS_HULLS, CERTIFY_ROUNDING, MESH_TIE, MIDDLE_OF, WORK_LIMIT};
use crate::shape::extreme::Support;
use crate::shape::mesh::Mesh;
use crate::shape::mesh::inside::{contains, shut_in};
use crate::shape::mesh::nearest::{HalfSpace, LeafGap, Probe, nearest_in};
use crate::shape::solid::Shape;
use crate::shape::support::TriangleCorners;
use crate::with_support;
use core::cell::RefCell;
use elbowroom_describe::math::{Transform, Vec3};

/// The clearance of two cores of which at least one is a mesh; `hulls` is that of their hulls. For two meshes
/// it may be rough where the hulls overlap, and is made exact if that matters.
pub(crate) fn refine(
    a: &Shape,
    b: &Shape,
    b_in_a: &Transform,
    goal: Goal,
    hulls: &mut Clearance,
    warm: &mut Warm,
    scratch: &mut Scratch,
) -> Clearance {
    let mut c = match (a.mesh(), b.mesh()) {
        (Some(ma), Some(mb)) => {
            let result = meshes(ma, mb, b_in_a, goal, hulls, warm, scratch);
            if goal.ask != Ask::Test && !(hulls.interval.lower > 0.0 || result.lower > 0.0) {
                // Only where the meshes are not proved apart, it matters how deep their hulls overlap.
                convex(a, b, b_in_a, goal, &mut warm.gjk, &mut scratch.work, hulls);
            }
            of_meshes(&result, goal, hulls)
        }
        (Some(ma), None) => mesh_to_convex(ma, b, b_in_a, goal, hulls, warm, scratch),
        (None, Some(mb)) => {
            // The query in the mesh's frame. The transposed rotation is the inverse up to its defect.
            let a_in_b = b_in_a.inverse();
            let mirrored = Clearance {
                witness_a: a_in_b.point(hulls.witness_b),
                witness_b: a_in_b.point(hulls.witness_a),
                normal: -a_in_b.direction(hulls.normal),
                ..*hulls
            };
            let extent = a.bounding_radius
                + a.center.norm()
                + b.bounding_radius
                + b.center.norm()
                + b_in_a.translation.norm();
            let error = (CERTIFY_ROUNDING * ROUNDOFF + 2.0 * defect(&b_in_a.rotation)) * extent;
            // Then the bound is above the goal after the error is taken off.
            let goal = Goal { above: goal.above + 2.0 * error, ..goal };
            let c = mesh_to_convex(mb, a, &a_in_b, goal, &mirrored, warm, scratch);
            let Interval { lower, upper, .. } = c.interval;
            Clearance {
                interval: Interval { lower: lower - error, upper: upper + error, ..c.interval },
                witness_a: b_in_a.point(c.witness_b),
                witness_b: b_in_a.point(c.witness_a),
                normal: -b_in_a.direction(c.normal),
                ..c
            }
        }
        (None, None) => *hulls,
    };
    // The better of both lower bounds.
    c.interval.lower = c.interval.lower.max(hulls.interval.lower);
    c.steps += hulls.steps;
    let decided = c.interval.lower > goal.above || (goal.ask == Ask::Test && c.interval.upper < goal.below);
    if c.interval.lower <= 0.0
        && !decided
        && c.interval.upper - c.interval.lower > MESH_TIE * (a.bounding_radius + b.bounding_radius)
    {
        // The interval is wide: the depth of non-convex solids is not measured, or nothing was proved.
        if c.interval.upper < a.radius + b.radius {
            c.stop = Stop::Bracketed;
        } else if !matches!(c.stop, Stop::IterationLimit | Stop::ShutIn) {
            c.stop = Stop::Stalled;
        }
    } else if decided {
        c.stop = Stop::Decided;
    }
    if c.stop == Stop::Converged && c.interval.upper < 0.0 {
        show_depth(a, b, b_in_a, hulls, scratch, &mut c);
    }
    if c.stop == Stop::Bracketed && c.interval.upper >= 0.0 {
        // Padded, and the side of the surface is not decided: the present normal is that of a triangle, but
        // the proved way out is that of the hulls.
        c.normal = hulls.normal;
    }
    c
}

/// Chooses witnesses for a known depth. Points of the overlap need not show it; the hulls' deepest points do,
/// if they are points of the bodies.
fn show_depth(
    a: &Shape,
    b: &Shape,
    b_in_a: &Transform,
    hulls: &Clearance,
    scratch: &mut Scratch,
    c: &mut Clearance,
) {
    let within = MESH_TIE * (a.bounding_radius + b.bounding_radius);
    let along = c.normal * (0.5 * (c.interval.lower + c.interval.upper));
    if (c.witness_a - c.witness_b - along).norm() <= within {
        return;
    }
    let mut has =
        |s: &Shape, x: Vec3| s.mesh().is_none_or(|m| holds(m, x, within, &mut scratch.mesh.nearest));
    let shown = (hulls.witness_a - hulls.witness_b - along).norm() <= within
        && has(a, hulls.witness_a)
        && has(b, b_in_a.inverse().point(hulls.witness_b));
    if shown {
        (c.witness_a, c.witness_b) = (hulls.witness_a, hulls.witness_b);
    } else {
        c.stop = Stop::Bracketed;
    }
}

fn meshes(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    goal: Goal,
    hulls: &Clearance,
    warm: &mut Warm,
    scratch: &mut Scratch,
) -> MeshGap {
    // The side of a surface is known only for points farther from it than its seams and the rounding of a
    // transform.
    let sides = 2.0 * a.crack_half_width().max(b.crack_half_width())
        + 8.0 * TRANSFORM_ROUNDING * (a.extent + b.extent + b_in_a.translation.norm());
    let query = MeshQuery {
        upper: f64::INFINITY,
        lower: hulls.interval.lower,
        normal: hulls.normal,
        // Without an upper end the points mean nothing, and the hulls were not measured.
        witnesses: hulls.interval.upper.is_finite().then_some((hulls.witness_a, hulls.witness_b)),
        stop_above: goal.above.max(sides),
        stop_below: if goal.ask == Ask::Test { goal.below } else { f64::NEG_INFINITY },
    };
    crate::pair::mesh::distance(a, b, b_in_a, &query, &mut warm.mesh, &mut scratch.mesh)
}

/// What the search of two meshes found, beside the clearance of their hulls.
fn of_meshes(result: &MeshGap, goal: Goal, hulls: &Clearance) -> Clearance {
    let known = result.triangles.is_some();
    Clearance {
        interval: Interval::new(result.lower, result.upper, Geometry::Mesh),
        witness_a: if known { result.point_a } else { hulls.witness_a },
        witness_b: if known { result.point_b } else { hulls.witness_b },
        normal: if result.relation == Relation::Apart && known { result.normal } else { hulls.normal },
        stop: if result.lower > goal.above {
            Stop::Decided
        } else if result.relation == Relation::ShutIn {
            Stop::ShutIn
        } else if result.limited {
            Stop::IterationLimit
        } else {
            Stop::Converged
        },
        steps: result.counts.triangles,
    }
}

/// Bounds of a convex core in the mesh's frame.
struct Bounds<'a> {
    b: &'a Shape,
    b_in_a: &'a Transform,
    normal: Vec3,
}

impl Kernel for Bounds<'_> {
    type Output = Probe;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Probe {
        with_support!(&self.b.core, core => self.probe_support(l, core))
    }
}

impl Bounds<'_> {
    #[inline(always)]
    fn probe_support<L: Lanes, B: Support>(&self, l: L, core: B) -> Probe {
        let error =
            CERTIFY_ROUNDING * ROUNDOFF * (core.extent_from_origin() + self.b_in_a.translation.norm());
        // The axes and their opposites, then the normal: a loop, since closures are not compiled for lanes.
        let along = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z, self.normal];
        let mut high = [0.0; 7];
        for (high, d) in high.iter_mut().zip(along) {
            let in_b = self.b_in_a.rotation.transpose_mul(d);
            *high = core.support_height(l, in_b, 0) + d.dot(self.b_in_a.translation) + error;
        }
        let [x, y, z, down_x, down_y, down_z, offset] = high;
        let top = Vec3 { x, y, z };
        let low = Vec3 { x: -down_x, y: -down_y, z: -down_z };
        let widen = Vec3 { x: error, y: error, z: error };
        Probe {
            center: (top + low) * 0.5,
            half: (top - low) * 0.5 + widen,
            plane: Some(HalfSpace { normal: self.normal, offset }),
        }
    }
}

/// A point of a convex core that is easy to compute and usually well inside. The centre of the ball around it
/// may be outside.
fn middle(b: &Shape) -> Vec3 {
    let Some(hull) = b.core.hull() else { return b.center };
    let some = || hull.vertices().step_by(hull.vertex_count().div_ceil(MIDDLE_OF));
    some().fold(Vec3::ZERO, |sum, v| sum + v) * (1.0 / some().count() as f64)
}

/// Whether a convex shape lies in the box around a mesh. If not, it extends out of it.
fn is_in_box(mesh: &Mesh, probe: &Probe) -> bool {
    [probe.half, -probe.half].iter().all(|half| mesh.box_contains(probe.center + *half, 0.0))
}

/// The clearance of a mesh A and a convex shape B, without B's radius.
fn mesh_to_convex(
    mesh: &Mesh,
    b: &Shape,
    b_in_a: &Transform,
    goal: Goal,
    hulls: &Clearance,
    warm: &mut Warm,
    scratch: &mut Scratch,
) -> Clearance {
    let probe = dispatch_kernel(Bounds { b, b_in_a, normal: hulls.normal });
    // The side of the surface is known only for points farther from it than its seams.
    let goal = Goal { above: goal.above.max(2.0 * mesh.crack_half_width()), ..goal };
    let Scratch { work, mesh: mesh_scratch, .. } = scratch;
    let work = RefCell::new(work);
    let mut best = *hulls;
    best.interval.upper = f64::INFINITY;
    let (mut steps, mut limited) = (0, false);
    let leaf = |_: u32, t: &[Vec3; 3]| {
        let center = (t[0] + t[1] + t[2]) * (1.0 / 3.0);
        let above = best.interval.upper.max(0.0).min(goal.above);
        let goal = Goal { above, ..goal };
        // Triangles differ: each search starts cold.
        let mut c = Clearance::NOTHING;
        let work = &mut work.borrow_mut();
        against((TriangleCorners(t), center), b, b_in_a, goal, &mut GjkStart::default(), work, &mut c);
        steps += c.steps;
        limited |= c.stop == Stop::IterationLimit;
        if c.interval.upper < best.interval.upper {
            best = c;
        }
        LeafGap { lower: c.interval.lower, upper: c.interval.upper, plane: None }
    };
    let part = |node: u32, above: f64| {
        let found = &mut work.borrow_mut().nearest;
        from_core((mesh, node), b, b_in_a, above, hulls.normal, found)
    };
    let apart = hulls.interval.lower > 0.0;
    let known = Some(warm.mesh.triangle_a).filter(|t| mesh.triangle(*t).is_some());
    let tie = AS_HULLS * (mesh.radius + b.bounding_radius);
    let first = known.or_else(|| {
        // Where the hulls are apart, the triangle nearest to their witness is often the nearest of all.
        let at = |p| triangle_at(mesh, 0, p, [f64::INFINITY, tie], &mut mesh_scratch.nearest);
        apart.then_some(hulls.witness_a).and_then(at).map(|(triangle, _)| triangle)
    });
    // A triangle as near as the hulls is the nearest.
    let below = if apart { hulls.interval.lower + tie } else { 0.0 };
    let below = if goal.ask == Ask::Test { goal.below.max(below) } else { below };
    let stops = [goal.above, below];
    let mut result = nearest_in((mesh, 0), &probe, stops, first, &mut mesh_scratch.nearest, leaf, part);
    if apart {
        result.lower = result.lower.max(hulls.interval.lower);
    }
    if let Some(t) = result.triangle {
        warm.mesh.triangle_a = t;
    }
    best.steps = steps;
    best.interval.lower = result.lower;
    best.stop = if result.lower > goal.above {
        Stop::Decided
    } else if limited {
        Stop::IterationLimit
    } else {
        Stop::Converged
    };
    // A ball in the solid about a point of the core proves a depth.
    let x = b_in_a.point(middle(b));
    let error = 4.0
        * TRANSFORM_ROUNDING
        * (mesh.extent + b.bounding_radius + b.center.norm() + b_in_a.translation.norm());
    if best.interval.upper >= 0.0 && result.lower <= 0.0 {
        // They touch, perhaps from inside.
        if let Some(ball) = ball_inside(mesh, x, error, &mut mesh_scratch.nearest) {
            best.interval.upper = error - ball;
            (best.witness_a, best.witness_b) = (x, x);
        }
    }
    if best.interval.upper < 0.0 || result.lower <= 0.0 {
        // Crossing, or not proved apart: single triangles do not bound the depth; the hulls do.
        best.interval.lower = hulls.interval.lower;
        best.normal = hulls.normal;
        return best;
    }
    if hulls.interval.lower <= 0.0 {
        // The core does not meet the surface, nor the seams if they are nearer to the surface than the core.
        // So it lies in the solid as a whole or not at all.
        let clear = result.lower > mesh.crack_half_width();
        match if clear { contains(mesh, x) } else { None } {
            Some(false) if is_in_box(mesh, &probe) && shut_in(mesh, x, &mut WORK_LIMIT.into()) => {
                best.interval.lower = hulls.interval.lower;
                best.stop = Stop::ShutIn;
            }
            Some(false) => {}
            Some(true) => {
                best.interval.upper = mesh.crack_half_width() - result.lower;
                if let Some(ball) =
                    ball_inside(mesh, x, error - best.interval.upper, &mut mesh_scratch.nearest)
                {
                    best.interval.upper = error - ball;
                    (best.witness_a, best.witness_b) = (x, x);
                }
                best.interval.lower = hulls.interval.lower;
                best.normal = hulls.normal;
            }
            None => best.interval.lower = hulls.interval.lower,
        }
    }
    best
}
