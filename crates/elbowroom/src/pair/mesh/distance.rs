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
//! If the surfaces are apart, a vertex of each part of the other is tested against it ([`super::inside`]): a
//! part that does not cross the surface lies inside as a whole or not at all. Where a mesh has an open
//! surface, a part from which hardly a way leads out is not known to be outside.

use super::boxes::{Filter, Side};
use super::contact::{Held, contained, settle_contact};
use super::queue::Entry;
pub use super::queue::MeshScratch;
use super::search::Search;
use crate::numeric::math::{Transform, Vec3, round_up};
use crate::numeric::simd::{Kernel, Lanes, dispatch};
use crate::numeric::tolerance::{
    BOX_FILTER, MESH_COORDINATE_LIMIT, MESH_ROOM, MESH_TIE, ROUNDOFF_F32, SLAB_FILTER, TRANSFORM_ROUNDING,
    UNDERFLOW, UNDERFLOW_F32,
};
use crate::shape::mesh::Mesh;

/// What is asked of two meshes, and what is known before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshAsk {
    /// The distance is known to be at most this (metres), from anything proved elsewhere; infinite if nothing
    /// is.
    pub upper: f64,
    /// The signed distance is known to be at least this (metres), as a rule that of the hulls; the search
    /// stops when it is reached, and above zero nothing is tested for being inside. Minus infinity if nothing
    /// is known.
    pub lower: f64,
    /// A direction that may separate, pointing from B to A, in A's frame; need not be right. Zero if none.
    pub normal: Vec3,
    /// Where the pair is thought to be nearest, a point near each surface in A's frame, as a rule the hulls'
    /// witnesses; the triangles nearest to them are measured first.
    pub witnesses: Option<(Vec3, Vec3)>,
    /// Stop when the distance is proved to be at least this (metres); infinite for the full distance.
    pub stop_above: f64,
    /// Stop when it is proved to be below this (metres); minus infinity for the full distance.
    pub stop_below: f64,
}

impl MeshAsk {
    /// The full distance, nothing known.
    pub const DISTANCE: MeshAsk = MeshAsk {
        upper: f64::INFINITY,
        lower: f64::NEG_INFINITY,
        normal: Vec3::ZERO,
        witnesses: None,
        stop_above: f64::INFINITY,
        stop_below: f64::NEG_INFINITY,
    };
}

/// Memory of the last query of a pair, owned by the caller. `Default` is a cold start. Any content is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshWarm {
    /// Triangle of A by its place in the tree.
    pub triangle_a: u32,
    /// Triangle of B.
    pub triangle_b: u32,
}

impl Default for MeshWarm {
    fn default() -> MeshWarm {
        MeshWarm { triangle_a: u32::MAX, triangle_b: u32::MAX }
    }
}

/// How two meshes lie to each other, as far as proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Neither surfaces nor solids meet: `lower` is above zero.
    Apart,
    /// The surfaces cross: `upper` is below zero. `lower` is minus infinity.
    Crossing,
    /// A point of one surface lies in the solid that the other bounds: `upper` is below zero. `lower` is
    /// minus infinity.
    Inside,
    /// The surfaces are apart, and part of one mesh is shut in by an open surface of the other
    /// ([`super::inside`]): free of it as a surface, and inside it if it was meant to close. `lower` is minus
    /// infinity. Never clear.
    ShutIn,
    /// Neither overlap nor freedom is proved: they touch to within rounding, a point could not be placed
    /// inside or outside, or the search stopped below `stop_below`. `lower` is minus infinity. Never clear.
    Open,
}

/// How much work a query was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshCounts {
    /// Nodes opened, each bounding up to eight boxes.
    pub nodes: u32,
    /// Triangle pairs that the plane bound did not drop.
    pub triangles: u32,
    /// Triangle pairs that it did.
    pub dropped: u32,
}

/// The proved distance of two meshes. Points and directions in A's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshGap {
    /// The signed distance is at least this (metres); minus infinity where overlap is proved or possible, for
    /// the caller to replace by what the hulls prove.
    pub lower: f64,
    /// The signed distance is at most this (metres); negative only where overlap is proved.
    pub upper: f64,
    /// Point on A that realizes `upper`; only if `triangles` is there.
    pub point_a: Vec3,
    /// Point on B.
    pub point_b: Vec3,
    /// Unit vector from B's point to A's, or the best known direction.
    pub normal: Vec3,
    /// The triangles of the two points, by their places in the trees; none if nothing was nearer than
    /// `MeshAsk::upper`.
    pub triangles: Option<(u32, u32)>,
    /// What is proved.
    pub relation: Relation,
    /// The search ended at its limit of work, not because nothing was left to look at.
    pub limited: bool,
    /// Work done.
    pub counts: MeshCounts,
}

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
    let reaches = a.reach + b.reach;
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
