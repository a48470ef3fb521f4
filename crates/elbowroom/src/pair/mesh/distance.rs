//! The distance between two triangle meshes.
//!
//! A pair of boxes, one of each tree, is bounded from below; the larger is opened into its eight children,
//! whose bounds against the other are computed at once; children that cannot matter are dropped. Boxes that
//! overlap go on a stack, the deepest on top, so that a crossing is soon found; the others in a heap, the
//! nearest first, so that no pair farther than the answer is opened. The heap's size is fixed; when it is
//! full the stack takes over, whose size the depths bound: seven entries a level of both trees. Two triangles
//! are measured by [`crate::shape::triangle::gap`]. It stops when nothing is left.
//!
//! A box pair has three bounds, and the largest counts: the distance of the first box from the second's
//! bounding box in the first's frame, the same the other way round, and the room between both along the
//! *plane normal*, the direction of the best witnesses so far. The last is what makes this fast: along the
//! normal of the true closest pair only triangles whose projections overlap to within (upper bound - distance
//! along the normal) are left, on each side for itself, so once the witnesses are right nearly everything
//! else falls. A separating direction from the hulls starts it, last query's triangles better still.
//!
//! Bounds on boxes are f32 with their error taken off, bounds on triangles f64 with theirs; both prune, upper
//! bounds never do. Dropped pairs have a lower bound not below the final threshold, hence `lower =
//! min(threshold, lower bounds of the measured pairs)`.
//!
//! Thousands of pairs may tie (the same triangle many times over). After a fixed amount of work the search
//! ends with what it has: then the least bound of what is left counts, and the interval is wide but proved.
//!
//! If the surfaces are apart, a vertex of each part of the other is tested against it
//! ([`crate::shape::mesh::inside`]): a part that does not cross the surface lies inside as a whole or not at
//! all. Where a mesh has an open surface, a part from which hardly a way leads out is not known to be
//! outside.

use super::boxes::{Filter, Side};
use super::contact::{Held, contained, settle_contact};
use super::queue::{Entry, MeshScratch};
use super::search::Search;
use crate::numeric::math::{Transform, Vec3, round_up};
use crate::numeric::simd::{Kernel, Lanes, dispatch};
use crate::numeric::tolerance::{ROUNDOFF_F32, TRANSFORM_ROUNDING, UNDERFLOW, UNDERFLOW_F32};
use crate::pair::mesh::gap::{MeshAsk, MeshCounts, MeshGap, MeshWarm, Relation};
use crate::pair::tolerance::{MESH_ROOM, MESH_TIE};
use crate::shape::mesh::Mesh;
use crate::shape::tolerance::{BOX_FILTER, MESH_COORDINATE_LIMIT, SLAB_FILTER};

/// The distance between `a` and `b`, with `b_in_a` the pose of B's frame in A's (metres; taken as it is
/// written, orthonormal to rounding). See [`MeshGap`].
pub fn distance(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    ask: &MeshAsk,
    warm: &mut MeshWarm,
    scratch: &mut MeshScratch,
) -> MeshGap {
    let found = dispatch(Asked { a, b, b_in_a, ask, warm, scratch });
    if let Some((triangle_a, triangle_b)) = found.triangles {
        *warm = MeshWarm { triangle_a, triangle_b };
    }
    found
}

/// A query to be compiled for each instruction set. It names no lanes: loops over eight boxes fill whatever
/// registers there are, and neither copy may fuse or reorder operations.
struct Asked<'a> {
    a: &'a Mesh,
    b: &'a Mesh,
    b_in_a: &'a Transform,
    ask: &'a MeshAsk,
    warm: &'a MeshWarm,
    scratch: &'a mut MeshScratch,
}

impl Kernel for Asked<'_> {
    type Output = MeshGap;
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> MeshGap {
        let Asked { a, b, b_in_a, ask, warm, scratch } = self;
        search(a, b, b_in_a, ask, warm, scratch)
    }
}

#[inline(always)]
fn search(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    ask: &MeshAsk,
    warm: &MeshWarm,
    scratch: &mut MeshScratch,
) -> MeshGap {
    let mut found = MeshGap {
        lower: f64::NEG_INFINITY,
        upper: if ask.upper >= 0.0 { ask.upper } else { f64::INFINITY },
        point_a: a.origin,
        point_b: b.origin,
        normal: Vec3::ZERO,
        triangles: None,
        relation: Relation::Open,
        limited: false,
        counts: MeshCounts::default(),
    };
    let offset = b_in_a.point(b.origin) - a.origin;
    let reaches = a.radius + b.radius;
    let far = offset.norm();
    if !(b_in_a.is_finite() && far < 8.0 * MESH_COORDINATE_LIMIT) {
        return found;
    }
    let slack = TRANSFORM_ROUNDING * (a.extent + b.extent + b_in_a.translation.norm());
    let mut search = Search {
        a,
        b,
        b_in_a,
        slack,
        tie: MESH_TIE * reaches,
        filter: Filter {
            boxes: round_up(BOX_FILTER * ROUNDOFF_F32 * (reaches + far) + UNDERFLOW_F32 + slack),
            slab: round_up(SLAB_FILTER * ROUNDOFF_F32 * reaches + UNDERFLOW_F32),
        },
        side_a: Side::new(&b_in_a.rotation, offset),
        side_b: Side::new(&b_in_a.rotation.transpose(), -b_in_a.rotation.transpose_mul(offset)),
        offset,
        apart: 0.0,
        error: MESH_ROOM * (reaches + far) + slack + UNDERFLOW,
        ask: *ask,
        found,
        measured: f64::INFINITY,
    };
    let start = ask.normal.normalized().unwrap_or(Vec3::ZERO);
    search.found.normal = start;
    search.aim(start);

    let mut stopped = false;
    if !search.roots_apart() {
        let known =
            (warm.triangle_a as usize) < a.triangles.len() && (warm.triangle_b as usize) < b.triangles.len();
        stopped = known && search.measure(warm.triangle_a, warm.triangle_b);
        if !stopped {
            stopped = search.approach(&mut scratch.nearest);
        }
        scratch.stack.clear();
        scratch.heap.clear();
        if !stopped {
            scratch.stack.push(Entry { a: 0, b: 0, lower: 0.0 });
            stopped = search.run(scratch);
        }
    }
    found = search.found;
    let threshold = search.threshold();
    let measured = search.measured;

    if found.upper < 0.0 {
        found.relation = Relation::Crossing;
        return found;
    }
    let mut lower = if stopped { ask.lower } else { measured.min(threshold).max(ask.lower) };
    if found.upper < lower {
        lower = found.upper;
    }
    if !(lower > 0.0) {
        if found.upper <= search.tie {
            settle_contact(a, b, b_in_a, &mut found, slack, scratch);
        }
        return found;
    }
    if !(ask.lower > 0.0) {
        match contained(a, b, b_in_a, lower, slack) {
            Some(Held::Nowhere) => {}
            Some(Held::Within { crack }) => {
                // The solid ends at its seams, which may be nearer than its triangles.
                found.relation = Relation::Inside;
                found.upper = crack - lower;
                return found;
            }
            Some(Held::ShutIn) => {
                found.relation = Relation::ShutIn;
                return found;
            }
            None => return found,
        }
    }
    found.relation = Relation::Apart;
    found.lower = lower;
    found
}
