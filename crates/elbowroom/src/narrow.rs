//! The distance between two shapes: one exhaustive table of pairs.

use crate::math::{Transform, Vec3};
use crate::shape::{Core, Shape};

/// Which question is asked; each stops earlier than the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Only whether the shapes are farther apart than the cutoff: stops at the first proof either way.
    Test,
    /// A proved lower bound, as good as it comes without searching for the last digits.
    LowerBound,
    /// Signed distance to full accuracy.
    Distance,
}

/// What a mesh counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    /// Its convex hull.
    Hull,
    /// Its triangles.
    Mesh,
    /// Its convex hull where that proves clearance, its triangles where not.
    HullThenMesh,
}

/// Why a query stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A formula gave the answer.
    ClosedForm,
    /// The interval is as narrow as asked.
    Converged,
    /// The question was decided before the interval was narrow.
    Decided,
    /// Rounding: no vertex improves the interval any more.
    Stalled,
    /// The iteration limit was reached; the interval is proved all the same.
    IterationLimit,
}

/// A proved answer for two shapes. Points and directions are in the frame named by the function that returns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// The signed distance is at least this (metres; negative: minus an upper bound of the penetration depth).
    pub lower: f64,
    /// The signed distance is at most this; negative only if overlap is proved.
    pub upper: f64,
    /// Point of A realizing `upper` (separated), or the deepest point along `normal`.
    pub witness_a: Vec3,
    /// Point of B.
    pub witness_b: Vec3,
    /// Unit vector along which A escapes from B: from B's witness to A's when separated.
    pub normal: Vec3,
    /// Why the query stopped.
    pub stop: Stop,
}

/// Memory of the last query of a pair, owned by the caller. `Default` is a cold start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Warm {}

/// Work space for penetration and mesh queries, allocated once and grown only when built.
#[derive(Clone, Debug, Default)]
pub struct Scratch {}

/// What is asked of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The question.
    pub ask: Ask,
    /// Distances proved to be above this need not be exact (metres).
    pub cutoff: f64,
    /// What meshes count as.
    pub geometry: Geometry,
    /// Error already contained in the pose (metres); both bounds are widened by it.
    pub slack: f64,
}

/// Proved signed distance between `a` and `b` with `b_in_a` the pose of B's frame in A's. Points and normal in A's frame.
pub fn clearance(
    a: &Shape,
    b: &Shape,
    b_in_a: &Transform,
    query: &Query,
    warm: &mut Warm,
    scratch: &mut Scratch,
) -> Clearance {
    let _ = (warm, scratch);
    if let (Core::Point, Core::Point) = (&a.core, &b.core) {
        let gap = b_in_a.translation.norm();
        let normal = -b_in_a.translation.normalized().unwrap_or(Vec3::Z);
        let distance = gap - (a.radius + b.radius);
        let error = query.slack + 4.0 * crate::tolerance::ROUNDOFF * (gap + a.radius + b.radius);
        return Clearance {
            lower: distance - error,
            upper: distance + error,
            witness_a: -normal * a.radius,
            witness_b: b_in_a.translation + normal * b.radius,
            normal,
            stop: Stop::ClosedForm,
        };
    }
    Clearance {
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        witness_a: Vec3::ZERO,
        witness_b: Vec3::ZERO,
        normal: Vec3::Z,
        stop: Stop::IterationLimit,
    }
}
