//! The distance between two triangle meshes.
//!
//! A pair of boxes, one of each tree, has a lower bound. Before it is expanded, the distance of the hulls of
//! what the boxes hold is measured. Then the larger box is expanded into its eight
//! children, whose bounds against the other box are computed at once, and children beyond the threshold are
//! pruned. Pairs of hulls that overlap go on a stack, the deepest boxes on top, so that a crossing is found
//! soon; other pairs go into a heap, the nearest first, so that no pair farther than the result is expanded.
//! The heap has a fixed size. When it is full the stack is used, whose size is bounded by the depths: seven
//! entries a level of both trees. Two triangles are measured by [`crate::shape::triangle`]. The search
//! stops when both are empty.
//!
//! The largest bound of a pair counts: the distance of the first box from the second's bounding box in the
//! first's frame, the same with the boxes exchanged, the gap along the *plane normal*, the direction of the
//! best witnesses so far; the distance of the hulls, and for children the gap of their points along the
//! direction of their parents' hulls. The first plane normal is the separating direction of the whole hulls
//! or, better, comes from the triangles of the last query.
//!
//! Bounds on boxes are f32 and bounds on triangles f64, each with its error taken off. Only lower bounds
//! prune. Pruned pairs have a lower bound not below the final threshold, so `lower = min(threshold, lower
//! bounds of the measured pairs)`.
//!
//! Thousands of pairs may tie, as where one triangle occurs many times. After a fixed amount of work the
//! search ends; then the least bound of the pairs that are left counts, and the interval is wide but proved.
//!
//! If the surfaces are apart, a vertex of each piece of one mesh is tested against the other
//! ([`crate::shape::mesh::inside`]): a piece that does not cross the surface lies inside as a whole or not at
//! all. A piece that an open surface shuts in is not known to be outside.

use super::boxes::{Filter, Side};
use super::contact::{Containment, contained, settle_contact};
use super::front::Next;
use super::queue::{Entry, MeshScratch};
use super::search::Search;
use crate::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use crate::numeric::tolerance::{ROUNDOFF_F32, TRANSFORM_ROUNDING, UNDERFLOW, UNDERFLOW_F32};
use crate::pair::mesh::gap::{MeshCounts, MeshGap, MeshQuery, MeshWarm, Relation};
use crate::pair::tolerance::{MESH_GAP_ROUNDING, MESH_TIE, SAME_HULLS};
use crate::shape::mesh::Mesh;
use crate::shape::tolerance::{BOX_FILTER, SLAB_FILTER};
use elbowroom_describe::limits::MESH_COORDINATE_LIMIT;
use elbowroom_describe::math::{Transform, Vec3, round_up};

/// The distance between `a` and `b`, where `b_in_a` is the pose of B's frame in A's (metres; its
/// numbers as given, orthonormal up to rounding). See [`MeshGap`].
pub fn distance(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    query: &MeshQuery,
    warm: &mut MeshWarm,
    scratch: &mut MeshScratch,
) -> MeshGap {
    let gap = dispatch_kernel(Prepared { a, b, b_in_a, query, warm, scratch });
    if let Some((triangle_a, triangle_b)) = gap.triangles {
        *warm = MeshWarm { triangle_a, triangle_b };
    }
    scratch.fronts.end(warm);
    gap
}

/// A query, compiled for each instruction set. Hulls use the lanes. Loops over eight boxes do not: the
/// compiler vectorizes them, and must not fuse or reorder operations.
struct Prepared<'a> {
    a: &'a Mesh,
    b: &'a Mesh,
    b_in_a: &'a Transform,
    query: &'a MeshQuery,
    warm: &'a MeshWarm,
    scratch: &'a mut MeshScratch,
}

impl Kernel for Prepared<'_> {
    type Output = MeshGap;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> MeshGap {
        search(l, self)
    }
}

#[inline(always)]
fn search<L: Lanes>(l: L, asked: Prepared) -> MeshGap {
    let Prepared { a, b, b_in_a, query, warm, scratch } = asked;
    let mut gap = MeshGap {
        lower: f64::NEG_INFINITY,
        upper: if query.upper >= 0.0 { query.upper } else { f64::INFINITY },
        point_a: a.origin,
        point_b: b.origin,
        normal: Vec3::ZERO,
        triangles: None,
        relation: Relation::Open,
        limited: false,
        counts: MeshCounts::default(),
    };
    scratch.fronts.begin(warm, b_in_a, b.origin, a.radius.min(b.radius));
    let offset = b_in_a.point(b.origin) - a.origin;
    let radii = a.radius + b.radius;
    let far = offset.norm();
    if !(b_in_a.is_finite() && far < 8.0 * MESH_COORDINATE_LIMIT) {
        return gap;
    }
    let scale = a.extent + b.extent + b_in_a.translation.norm();
    let slack = TRANSFORM_ROUNDING * scale;
    let mut search = Search {
        a,
        b,
        b_in_a,
        slack,
        scale,
        tie: MESH_TIE * radii,
        filter: Filter {
            boxes: round_up(BOX_FILTER * ROUNDOFF_F32 * (radii + far) + UNDERFLOW_F32 + slack),
            slab: round_up(SLAB_FILTER * ROUNDOFF_F32 * radii + UNDERFLOW_F32),
        },
        side_a: Side::new(&b_in_a.rotation, offset),
        side_b: Side::new(&b_in_a.rotation.transpose(), -b_in_a.rotation.transpose_mul(offset)),
        offset,
        apart: 0.0,
        error: MESH_GAP_ROUNDING * (radii + far) + slack + UNDERFLOW,
        query: *query,
        best: gap,
        measured: f64::INFINITY,
    };
    let start = query.normal.normalized().unwrap_or(Vec3::ZERO);
    search.best.normal = start;
    search.aim(start);

    let mut stopped = false;
    if !search.roots_apart() {
        let known =
            (warm.triangle_a as usize) < a.triangles.len() && (warm.triangle_b as usize) < b.triangles.len();
        stopped = known && search.measure(warm.triangle_a, warm.triangle_b);
        let mut next = Next::Larger;
        let expanded = scratch.fronts.known(0, 0).and_then(|known| known.expanded);
        if let Some(expanded) = expanded {
            next = expanded;
        } else if !stopped {
            // Where the hulls are apart, the triangles nearest to their witnesses are often the nearest of
            // all.
            if let Some((pa, pb)) = query.witnesses.filter(|_| query.lower > 0.0) {
                let same = SAME_HULLS / MESH_TIE * search.tie;
                (stopped, next) = search.look(query.lower, [pa, pb], [0, 0], same, &mut scratch.nearest);
            }
        }
        scratch.stack.clear();
        scratch.heap.clear();
        if !stopped {
            let along = [start.x as f32, start.y as f32, start.z as f32];
            // The caller measured the hulls of the whole meshes.
            let (lower, exact) = (query.lower.max(0.0), query.witnesses.is_some());
            scratch.stack.push(Entry { along, next, exact, ..Entry::bounded(0, 0, lower) });
            stopped = search.run(l, scratch);
        }
    }
    gap = search.best;
    let MeshCounts { nodes, hulls, triangles, dropped } = gap.counts;
    scratch.nearest.visits += [nodes, hulls, triangles, dropped].map(u64::from).iter().sum::<u64>();
    let threshold = search.threshold();
    let measured = search.measured;

    if gap.upper < 0.0 {
        gap.relation = Relation::Crossing;
        return gap;
    }
    let mut lower = if stopped { query.lower } else { measured.min(threshold).max(query.lower) };
    if gap.upper < lower {
        lower = gap.upper;
    }
    if !(lower > 0.0) {
        if gap.upper <= search.tie {
            settle_contact(a, b, b_in_a, &mut gap, slack, scratch);
        }
        return gap;
    }
    if !(query.lower > 0.0) {
        match contained(a, b, b_in_a, (lower, slack), scratch) {
            Some(Containment::Outside) => {}
            Some(Containment::Within { crack }) => {
                // The solid ends at its seams, which may be nearer than its triangles.
                gap.relation = Relation::Inside;
                gap.upper = crack - lower;
                return gap;
            }
            Some(Containment::ShutIn) => {
                gap.relation = Relation::ShutIn;
                return gap;
            }
            None => return gap,
        }
    }
    gap.relation = Relation::Apart;
    gap.lower = lower;
    gap
}
