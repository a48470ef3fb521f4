//! The distance between two triangle meshes.
//!
//! A pair of boxes, one of each tree, is bounded from below; the larger is opened into its eight children, whose bounds
//! against the other are computed at once; children that cannot matter are dropped. Boxes that overlap go on a stack, the deepest on
//! top, so that a crossing is soon found; the others in a heap, the nearest first, so that no pair farther than the answer is
//! opened. The heap's size is fixed; when it is full the stack takes over, whose size the depths bound: seven entries a
//! level of both trees. Two triangles are measured by [`crate::triangle::gap`]. It stops when nothing is left.
//!
//! A box pair has three bounds, and the largest counts: the distance of the first box from the second's bounding box in the first's
//! frame, the same the other way round, and the room between both along the *plane normal*, the direction of the best witnesses so
//! far. The last is what makes this fast: along the normal of the true closest pair only triangles whose projections
//! overlap to within (upper bound - distance along the normal) are left, on each side for itself, so once the witnesses are
//! right nearly everything else falls. A separating direction from the hulls starts it, last query's triangles better still.
//!
//! Bounds on boxes are f32 with their error taken off, bounds on triangles f64 with theirs; both prune, upper bounds never
//! do. Dropped pairs have a lower bound not below the final threshold, hence
//! `lower = min(threshold, lower bounds of the measured pairs)`.
//!
//! Thousands of pairs may tie (the same triangle many times over). After a fixed amount of work the search ends with what it has:
//! then the least bound of what is left counts, and the interval is wide but proved.
//!
//! If the surfaces are apart and one of the meshes encloses something, a vertex of each part of the other is tested against it
//! ([`super::inside`]): a part that does not cross the surface lies inside as a whole or not at all.

use super::nearest::{self, LeafGap, NearestScratch, Probe};
use super::tree::{LEAF, Node, WIDTH, round_up};
use super::{Mesh, inside, simd};
use crate::math::{Mat3, Transform, Vec3};
use crate::tolerance::{
    APPROACH_STEPS, BOX_FILTER, CONTACT_SHARES, DEEPER_PAIRS, HEAP_LIMIT, MESH_COORDINATE_LIMIT, MESH_ROOM,
    MESH_TIE, PART_LIMIT, ROUNDOFF_F32, SLAB_FILTER, TOUCHING_PAIRS, TRANSFORM_ROUNDING, UNDERFLOW,
    UNDERFLOW_F32, WORK_LIMIT,
};
use crate::triangle::{self, Triangle};
use alloc::vec::Vec;

/// What is asked of two meshes, and what is known before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshAsk {
    /// The distance is known to be at most this (metres), from anything proved elsewhere; infinite if nothing is.
    pub upper: f64,
    /// The signed distance is known to be at least this (metres), as a rule that of the hulls; the search stops when it is
    /// reached, and above zero nothing is tested for being inside. Minus infinity if nothing is known.
    pub lower: f64,
    /// A direction that may separate, pointing from B to A, in A's frame; need not be right. Zero if none.
    pub normal: Vec3,
    /// Where the pair is thought to be nearest, a point near each surface in A's frame, as a rule the hulls' witnesses; the
    /// triangles nearest to them are measured first.
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
    /// A point of one surface lies in the solid that the other bounds: `upper` is below zero. `lower` is minus infinity.
    Inside,
    /// Neither overlap nor freedom is proved: they touch to within rounding, a point could not be placed inside or outside, or the
    /// search stopped below `stop_below`. `lower` is minus infinity. Never clear.
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
    /// The signed distance is at least this (metres); minus infinity where overlap is proved or possible, for the caller to
    /// replace by what the hulls prove.
    pub lower: f64,
    /// The signed distance is at most this (metres); negative only where overlap is proved.
    pub upper: f64,
    /// Point on A that realizes `upper`; only if `triangles` is there.
    pub point_a: Vec3,
    /// Point on B.
    pub point_b: Vec3,
    /// Unit vector from B's point to A's, or the best known direction.
    pub normal: Vec3,
    /// The triangles of the two points, by their places in the trees; none if nothing was nearer than `MeshAsk::upper`.
    pub triangles: Option<(u32, u32)>,
    /// What is proved.
    pub relation: Relation,
    /// Work done.
    pub counts: MeshCounts,
}

/// A pair of boxes waiting to be looked at.
#[derive(Clone, Copy, Debug)]
struct Entry {
    a: u32,
    b: u32,
    lower: f32,
}

/// Memory for queries, owned by the caller. Sized for the deepest trees it will meet, it never grows in a query.
#[derive(Clone, Debug, Default)]
pub struct MeshScratch {
    stack: Vec<Entry>,
    heap: Vec<Entry>,
    pub(crate) nearest: NearestScratch,
}

impl MeshScratch {
    /// For two meshes of at most these depths ([`Mesh::depth`]).
    pub fn for_depths(a: usize, b: usize) -> MeshScratch {
        let mut scratch = MeshScratch::default();
        scratch.reserve(a, b);
        scratch
    }
    /// How many entries fit without allocating.
    pub fn capacity(&self) -> usize {
        self.stack.capacity() + self.heap.capacity()
    }
    /// Grows for two meshes of at most these depths.
    pub fn reserve(&mut self, a: usize, b: usize) {
        let need = (WIDTH - 1) * a.saturating_add(b).saturating_add(2) + 1;
        self.stack.reserve(need.saturating_sub(self.stack.len()));
        self.heap.reserve(HEAP_LIMIT.saturating_sub(self.heap.len()));
        self.nearest.reserve(a.max(b));
    }
}

/// Adds to a binary heap whose first entry has the least bound.
#[inline(always)]
fn push(heap: &mut Vec<Entry>, entry: Entry) {
    let mut at = heap.len();
    heap.push(entry);
    while at > 0 {
        let up = (at - 1) / 2;
        if heap[up].lower <= entry.lower {
            break;
        }
        heap[at] = heap[up];
        at = up;
    }
    heap[at] = entry;
}

/// Takes the entry with the least bound.
#[inline(always)]
fn pop(heap: &mut Vec<Entry>) -> Option<Entry> {
    let last = heap.pop()?;
    let Some(&first) = heap.first() else { return Some(last) };
    let mut at = 0;
    loop {
        let mut down = 2 * at + 1;
        if down >= heap.len() {
            break;
        }
        if down + 1 < heap.len() && heap[down + 1].lower < heap[down].lower {
            down += 1;
        }
        if heap[down].lower >= last.lower {
            break;
        }
        heap[at] = heap[down];
        at = down;
    }
    heap[at] = last;
    Some(first)
}

/// One box of a tree, relative to the mesh's origin.
#[derive(Clone, Copy)]
struct Slot {
    center: [f32; 3],
    half: [f32; 3],
    child: u32,
}

#[inline(always)]
fn slot(nodes: &[Node], i: u32) -> Slot {
    let (node, lane) = (&nodes[(i / WIDTH as u32) as usize], (i % WIDTH as u32) as usize);
    Slot {
        center: [node.center[0][lane], node.center[1][lane], node.center[2][lane]],
        half: [node.half[0][lane], node.half[1][lane], node.half[2][lane]],
        child: node.child[lane],
    }
}

/// What bounds need to know about one side, in f32. `turn` carries the other tree's coordinates to this one's.
#[derive(Clone, Copy)]
struct Side {
    /// Rows of the rotation.
    turn: [[f32; 3]; 3],
    offset: [f32; 3],
    /// The plane normal in this side's frame, pointing away from the other side.
    normal: [f32; 3],
}

impl Side {
    #[inline(always)]
    fn new(turn: &Mat3, offset: Vec3) -> Side {
        let c = turn.cols;
        let row = |k: usize| [c[0][k] as f32, c[1][k] as f32, c[2][k] as f32];
        Side {
            turn: [row(0), row(1), row(2)],
            offset: [offset.x as f32, offset.y as f32, offset.z as f32],
            normal: [0.0; 3],
        }
    }
    /// Centre of the other side's box in this frame.
    #[inline(always)]
    fn carry(&self, p: [f32; 3]) -> [f32; 3] {
        let t = &self.turn;
        core::array::from_fn(|i| t[i][0] * p[0] + t[i][1] * p[1] + t[i][2] * p[2] + self.offset[i])
    }
    /// Half extents, in this frame, of the box around the other side's box.
    #[inline(always)]
    fn spread(&self, h: [f32; 3]) -> [f32; 3] {
        let t = &self.turn;
        core::array::from_fn(|i| t[i][0].abs() * h[0] + t[i][1].abs() * h[1] + t[i][2].abs() * h[2])
    }
    /// Least projection of this side's box on the plane normal.
    #[inline(always)]
    fn least(&self, s: &Slot) -> f32 {
        let (n, c, h) = (&self.normal, &s.center, &s.half);
        (n[0] * c[0] + n[1] * c[1] + n[2] * c[2])
            - (n[0].abs() * h[0] + n[1].abs() * h[1] + n[2].abs() * h[2])
    }
}

/// Errors of the f32 bounds (metres), constant in a query.
#[derive(Clone, Copy)]
struct Filter {
    /// Of a box distance.
    boxes: f32,
    /// Of the room along the plane normal.
    slab: f32,
}

/// What [`bound_eight`] finds for each lane.
struct Eight {
    /// Least distance of the boxes.
    lower: [f32; WIDTH],
    /// Least room along the plane normal, less the distance of the origins along it.
    room: [f32; WIDTH],
    /// Order of visits: the distance, or, where it is zero, how deep the boxes overlap (negative).
    keys: [f32; WIDTH],
}

/// Bounds the eight boxes of `node` (of the side `own`) against one box of the side `other`.
#[inline(always)]
fn bound_eight(node: &Node, fixed: &Slot, own: &Side, other: &Side, filter: Filter) -> Eight {
    let (fc, fh) = (own.carry(fixed.center), own.spread(fixed.half));
    let base = other.least(fixed) - filter.slab;
    let (t, o, n) = (&other.turn, &other.offset, &own.normal);
    let o: [f32; 3] = core::array::from_fn(|i| o[i] - fixed.center[i]);
    let m = n.map(f32::abs);
    let a = t.map(|r| r.map(f32::abs));
    let mut eight = Eight { lower: [0.0; WIDTH], room: [0.0; WIDTH], keys: [0.0; WIDTH] };
    let [cx, cy, cz] = &node.center;
    let [hx, hy, hz] = &node.half;
    let positive = |x: f32| if x > 0.0 { x } else { 0.0 };
    let larger = |x: f32, y: f32| if x > y { x } else { y };
    for k in 0..WIDTH {
        let (c, h) = ([cx[k], cy[k], cz[k]], [hx[k], hy[k], hz[k]]);
        let (mut near, mut far) = ([0.0_f32; 3], [0.0_f32; 3]);
        for i in 0..3 {
            near[i] = (c[i] - fc[i]).abs() - (h[i] + fh[i]);
            let x = t[i][0] * c[0] + t[i][1] * c[1] + t[i][2] * c[2] + o[i];
            let r = a[i][0] * h[0] + a[i][1] * h[1] + a[i][2] * h[2];
            far[i] = x.abs() - (r + fixed.half[i]);
        }
        let square = |g: [f32; 3]| {
            let g = g.map(positive);
            g[0] * g[0] + g[1] * g[1] + g[2] * g[2]
        };
        let distance = root(larger(square(near), square(far))) - filter.boxes;
        eight.room[k] =
            (n[0] * c[0] + n[1] * c[1] + n[2] * c[2]) - (m[0] * h[0] + m[1] * h[1] + m[2] * h[2]) + base;
        eight.lower[k] = positive(distance);
        let deep = larger(larger(near[0], larger(near[1], near[2])), larger(far[0], larger(far[1], far[2])));
        eight.keys[k] = if distance > 0.0 { distance } else { deep };
    }
    eight
}

/// Correctly rounded square root in f32.
#[inline(always)]
pub(super) fn root(x: f32) -> f32 {
    #[cfg(feature = "std")]
    {
        x.sqrt()
    }
    #[cfg(not(feature = "std"))]
    {
        libm::sqrtf(x)
    }
}

/// All that changes while a query runs.
struct Search<'a> {
    a: &'a Mesh,
    b: &'a Mesh,
    b_in_a: &'a Transform,
    /// Rounding of B's corners in A's frame.
    slack: f64,
    /// Pairs that improve by less do not matter.
    tie: f64,
    filter: Filter,
    side_a: Side,
    side_b: Side,
    /// Distance of B's tree's origin in A's tree's frame.
    offset: Vec3,
    /// The same along the plane normal, away from A.
    apart: f64,
    /// Rounding of a room along the normal in f64.
    error: f64,
    ask: MeshAsk,
    found: MeshGap,
    /// Least lower bound of the measured pairs.
    measured: f64,
}

impl Search<'_> {
    /// Pairs at least this far apart do not matter.
    #[inline(always)]
    fn threshold(&self) -> f64 {
        let u = self.found.upper;
        // Once they touch, only pairs proved apart may be dropped: another may cross.
        let u = if u > self.tie { u - self.tie } else { UNDERFLOW };
        if self.ask.stop_above < u { self.ask.stop_above.max(UNDERFLOW) } else { u }
    }

    /// Takes a unit vector as the plane normal, in A's frame and pointing to A.
    #[inline(always)]
    fn aim(&mut self, normal: Vec3) {
        let cast = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
        self.side_a.normal = cast(normal);
        self.side_b.normal = cast(-self.b_in_a.rotation.transpose_mul(normal));
        // A's points are n . a, B's n . (offset + R b): the room is their difference.
        self.apart = -normal.dot(self.offset) - self.error;
    }

    /// Corners of one of B's triangles in A's frame.
    #[inline(always)]
    fn carried(&self, b: usize) -> Triangle {
        self.b.triangles[b].map(|p| self.b_in_a.point(p))
    }

    /// Measures a pair of triangles. True if the search is over.
    #[inline(always)]
    fn measure(&mut self, a: u32, b: u32) -> bool {
        let (ta, tb) = (&self.a.triangles[a as usize], self.carried(b as usize));
        // The plane through the best witnesses drops most pairs.
        let n = self.found.normal;
        let o = tb[0];
        let (la, lb) = (ta.map(|p| p - o), tb.map(|p| p - o));
        let enough = self.threshold() + self.error;
        if triangle::room_along(&la, &lb, n) > enough || triangle::face_room_exceeds(&la, &lb, enough) {
            self.found.counts.dropped += 1;
            return false;
        }
        self.found.counts.triangles += 1;
        let gap = triangle::gap(ta, &tb);
        let lower = gap.lower - self.slack;
        let upper = gap.upper + self.slack;
        self.measured = self.measured.min(lower);
        if upper < self.found.upper {
            self.found.upper = upper;
            (self.found.point_a, self.found.point_b) = (gap.point_a, gap.point_b);
            self.found.triangles = Some((a, b));
            if gap.direction != Vec3::ZERO {
                self.found.normal = gap.direction;
                self.aim(gap.direction);
            }
        }
        self.found.upper < self.ask.stop_below || self.found.upper - self.tie <= self.ask.lower
    }

    /// True if the boxes around the whole meshes are far enough apart.
    #[inline(always)]
    fn roots_apart(&self) -> bool {
        let (node, fixed) = (&self.a.nodes[0], slot(&self.b.nodes, 0));
        let eight = bound_eight(node, &fixed, &self.side_a, &self.side_b, self.filter);
        let threshold = self.threshold();
        eight.lower[0] >= round_up(threshold) || eight.room[0] >= round_up(threshold - self.apart)
    }

    /// Finds a near pair before the search, so that it has something to drop others by: from the witnesses, or the warm pair, or the
    /// middle of B, to the nearest triangle of one mesh and of the other in turn, while that helps. True if the
    /// search is over.
    #[inline(always)]
    fn approach(&mut self, scratch: &mut NearestScratch) -> bool {
        let tie = self.tie;
        let into_b = |s: &Self, p: Vec3| s.b_in_a.rotation.transpose_mul(p - s.b_in_a.translation);
        let from = match (self.ask.witnesses, self.found.triangles) {
            (Some((wa, wb)), _) => {
                let ia = triangle_at(self.a, wa, tie, scratch);
                let ib = triangle_at(self.b, into_b(self, wb), tie, scratch);
                if let (Some(ia), Some(ib)) = (ia, ib)
                    && self.measure(ia, ib)
                {
                    return true;
                }
                self.found.triangles.map_or(wb, |_| self.found.point_b)
            }
            (None, Some(_)) => return false,
            (None, None) => self.b_in_a.point(self.b.origin),
        };
        self.alternate(from, scratch)
    }

    /// From a point near B to the nearest triangle of A, from there to that of B, and so on while it helps. True if the
    /// search is over.
    #[inline(never)]
    fn alternate(&mut self, mut from: Vec3, scratch: &mut NearestScratch) -> bool {
        let tie = self.tie;
        for _ in 0..APPROACH_STEPS {
            let before = self.found.upper;
            if before <= tie {
                break;
            }
            let Some(ia) = triangle_at(self.a, from, tie, scratch) else { break };
            let p = triangle::nearest_point(&self.a.triangles[ia as usize], from);
            let p = self.b_in_a.rotation.transpose_mul(p - self.b_in_a.translation);
            let Some(ib) = triangle_at(self.b, p, tie, scratch) else { break };
            if self.measure(ia, ib) {
                return true;
            }
            if !(self.found.upper < before - tie) {
                break;
            }
            from = self.found.point_b;
        }
        false
    }

    /// Works off the stack. True if it was stopped before the end.
    #[inline(always)]
    fn run(&mut self, scratch: &mut MeshScratch) -> bool {
        let (mut touching, mut deeper, mut work) = (0, 0, 0);
        while let Some(entry) = scratch.stack.pop().or_else(|| pop(&mut scratch.heap)) {
            let limit = round_up(self.threshold());
            if entry.lower >= limit {
                continue;
            }
            work += 1;
            if work > WORK_LIMIT {
                // What is left keeps the bounds it has.
                let left = scratch.stack.iter().chain(&scratch.heap).map(|e| e.lower);
                self.measured = self.measured.min(left.fold(entry.lower, f32::min).into());
                return false;
            }
            let (sa, sb) = (slot(&self.a.nodes, entry.a), slot(&self.b.nodes, entry.b));
            let (leaf_a, leaf_b) = (sa.child & LEAF != 0, sb.child & LEAF != 0);
            if leaf_a && leaf_b {
                let before = self.found.upper;
                if self.measure(sa.child & !LEAF, sb.child & !LEAF) {
                    return true;
                }
                // A nearer region: go to its nearest place before looking at the rest of it.
                if self.found.upper < before - self.tie
                    && self.found.upper > self.tie
                    && self.alternate(self.found.point_b, &mut scratch.nearest)
                {
                    return true;
                }
                if self.found.upper < 0.0 {
                    deeper += 1;
                    if deeper > DEEPER_PAIRS {
                        return true;
                    }
                } else if self.found.upper <= self.tie {
                    touching += 1;
                    if touching > TOUCHING_PAIRS {
                        return true;
                    }
                }
                continue;
            }
            // The plane may have turned since the pair was pushed.
            let room = round_up(self.threshold() - self.apart);
            if self.side_a.least(&sa) + self.side_b.least(&sb) - self.filter.slab >= room {
                continue;
            }
            self.found.counts.nodes += 1;
            let size = |s: &Slot| s.half[0] + s.half[1] + s.half[2];
            let open_a = leaf_b || (!leaf_a && size(&sa) > size(&sb));
            let (node, eight) = if open_a {
                let node = &self.a.nodes[sa.child as usize];
                (node, bound_eight(node, &sb, &self.side_a, &self.side_b, self.filter))
            } else {
                let node = &self.b.nodes[sb.child as usize];
                (node, bound_eight(node, &sa, &self.side_b, &self.side_a, self.filter))
            };
            // Farthest first, so that the nearest is on top.
            let (mut kept, mut count) = ([(0.0_f32, 0_u32, 0.0_f32); WIDTH], 0);
            for lane in 0..(node.count as usize).min(WIDTH) {
                if (eight.lower[lane] >= limit) | (eight.room[lane] >= room) {
                    continue;
                }
                let (key, lower) = (eight.keys[lane], eight.lower[lane]);
                let mut at = count;
                while at > 0 && kept[at - 1].0 < key {
                    kept[at] = kept[at - 1];
                    at -= 1;
                }
                kept[at] = (key, lane as u32, lower);
                count += 1;
            }
            for &(_, lane, lower) in &kept[..count] {
                let child = if open_a {
                    Entry { a: sa.child * WIDTH as u32 + lane, b: entry.b, lower }
                } else {
                    Entry { a: entry.a, b: sb.child * WIDTH as u32 + lane, lower }
                };
                if lower > 0.0 && scratch.heap.len() < HEAP_LIMIT {
                    push(&mut scratch.heap, child);
                } else {
                    scratch.stack.push(child);
                }
            }
        }
        false
    }
}

/// The distance between `a` and `b`, with `b_in_a` the pose of B's frame in A's (metres; taken as it is written, orthonormal
/// to rounding). See [`MeshGap`].
pub fn distance(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    ask: &MeshAsk,
    warm: &mut MeshWarm,
    scratch: &mut MeshScratch,
) -> MeshGap {
    let found = simd::search(a, b, b_in_a, ask, warm, scratch);
    if let Some((triangle_a, triangle_b)) = found.triangles {
        *warm = MeshWarm { triangle_a, triangle_b };
    }
    found
}

/// The query; [`super::simd`] compiles it twice.
#[inline(always)]
pub(super) fn search(
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
            Some(false) => {}
            Some(true) => {
                found.relation = Relation::Inside;
                found.upper = -lower;
                return found;
            }
            None => return found,
        }
    }
    found.relation = Relation::Apart;
    found.lower = lower;
    found
}

/// The triangle nearest to a point, or one within `enough` of it.
#[inline(always)]
fn triangle_at(mesh: &Mesh, p: Vec3, enough: f64, scratch: &mut NearestScratch) -> Option<u32> {
    let none = f64::INFINITY;
    let probe = Probe { center: p, half: Vec3::ZERO, plane: None };
    let found = nearest::nearest(mesh, &probe, none, none, enough, None, scratch, |_, t| {
        let d = (triangle::nearest_point(t, p) - p).norm();
        LeafGap { lower: d, upper: d, plane: None }
    });
    found.triangle
}

/// Surfaces that touch to within rounding may still belong to solids that overlap, where edge meets edge exactly. Points of the two
/// triangles around the place of contact are tested for being inside the other solid; one that lies `d` from its
/// surface proves a depth of `d`, for no shorter translation brings it out.
#[cold]
#[inline(never)]
fn settle_contact(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    found: &mut MeshGap,
    slack: f64,
    scratch: &mut MeshScratch,
) {
    let Some((ia, ib)) = found.triangles else { return };
    let (Some(ta), Some(tb)) = (a.triangle(ia), b.triangle(ib)) else { return };
    let a_in_b = b_in_a.inverse();
    let error = slack + TRANSFORM_ROUNDING * 4.0 * (a.extent + b.extent + b_in_a.translation.norm());
    let (pa, pb) = (found.point_a, a_in_b.point(found.point_b));
    let mut deepest = error;
    for (solid, pose, triangle, p, of_a) in [(b, &a_in_b, ta, pa, true), (a, b_in_a, tb, pb, false)] {
        for (v, share) in triangle.iter().flat_map(|v| CONTACT_SHARES.map(|s| (*v, s))) {
            let q = p + (v - p) * share;
            let x = pose.point(q);
            if inside::contains(solid, x) != Some(true) {
                continue;
            }
            let probe = Probe { center: x, half: Vec3::ZERO, plane: None };
            let none = f64::INFINITY;
            let near =
                nearest::nearest(solid, &probe, none, none, deepest, None, &mut scratch.nearest, |_, t| {
                    let gap = triangle::gap(t, &[x; 3]);
                    LeafGap { lower: gap.lower, upper: gap.upper, plane: None }
                });
            // `q` lies on its triangle to within the rounding of one product and one sum.
            if near.lower > deepest {
                deepest = near.lower;
                found.upper = error - near.lower;
                let at = if of_a { q } else { b_in_a.point(q) };
                (found.point_a, found.point_b) = (at, at);
                found.relation = Relation::Inside;
            }
        }
    }
}

/// Whether a part of one mesh lies in the solid of the other, their surfaces being at least `lower` apart; `None` if that
/// could not be decided.
fn contained(a: &Mesh, b: &Mesh, b_in_a: &Transform, lower: f64, slack: f64) -> Option<bool> {
    if !(a.encloses() || b.encloses()) {
        return Some(false);
    }
    let a_in_b = b_in_a.inverse();
    // Carried over, a vertex is off by no more than this; as long as that is less than the gap it stays on its side.
    let error = slack + TRANSFORM_ROUNDING * 4.0 * (a.extent + b.extent + b_in_a.translation.norm());
    let (mut all, mut tested) = (Some(false), 0);
    let mut look = |solid: &Mesh, pose: &Transform, parts: &Mesh| {
        for part in solid.encloses().then_some(&parts.parts).into_iter().flatten() {
            let p = pose.point(part.vertex);
            let answer = if solid.box_contains(p, error) {
                {
                    tested += 1;
                    if lower > error && tested <= PART_LIMIT { inside::contains(solid, p) } else { None }
                }
            } else {
                Some(false)
            };
            match answer {
                Some(true) => return Some(true),
                Some(false) => {}
                None => all = None,
            }
        }
        None
    };
    if look(a, b_in_a, b).is_some() || look(b, &a_in_b, a).is_some() { Some(true) } else { all }
}
