//! A finished hull.

use crate::shape::hull::block::Block;
use crate::shape::hull::graph::Graph;
use crate::shape::hull::lists::{Faces, Vertices};
use crate::shape::hull::rank::Rank;
use crate::shape::hull::store::Store;
use crate::shape::tolerance::HULL_CLIMB_ERROR;
use alloc::sync::Arc;
use elbowroom_describe::math::Vec3;

/// A convex polytope of any rank. Frame: that of the given points; metres.
#[derive(Clone, Debug)]
pub struct Hull {
    pub(super) store: Arc<Store>,
    pub(super) max_abs: f64,
    /// Its first block in the store, and its first byte of faces.
    pub(super) start: [u32; 2],
    pub(super) count: u32,
    pub(super) rank: Rank,
}

impl Hull {
    /// Whether two hulls lie in one store.
    pub fn shares_store(&self, other: &Hull) -> bool {
        Arc::ptr_eq(&self.store, &other.store)
    }

    /// What a climb needs; `None` for hulls that are scanned.
    #[inline(always)]
    pub(crate) fn graph(&self) -> Option<&Graph> {
        self.store.graph.as_deref()
    }

    /// Dimension of the hull.
    pub fn rank(&self) -> Rank {
        self.rank
    }
    /// How many vertices it has.
    #[inline(always)]
    pub fn vertex_count(&self) -> usize {
        self.count as usize
    }
    /// The extreme points, each once, sorted by x, then y, then z (hulls of more than 65536 vertices have
    /// another fixed order). They are exact copies of input points, except that coordinates below 5e-88 m are
    /// zero.
    pub fn vertices(&self) -> Vertices<'_> {
        Vertices::new(self.blocks(), self.vertex_count())
    }
    /// Vertex `v`. Panics, or returns the last vertex, if there is no such vertex.
    #[inline(always)]
    pub fn vertex(&self, v: usize) -> Vec3 {
        self.blocks()[v / 4].point(v % 4)
    }
    /// Triangles, counter-clockwise from outside; facets with more corners are several triangles. A polygon
    /// has both its sides; a segment and a point have none.
    pub fn faces(&self) -> Faces<'_> {
        Faces::new(&self.store.faces[self.start[1] as usize..], self.rank, self.vertex_count())
    }
    /// Vertices that share an edge with `v`, ascending; also those that share a diagonal of a facet of more
    /// than eight corners. Panics if there is no vertex `v`. Empty for hulls of a compiled world with fewer
    /// than a hundred vertices, which have no graph: build the hull of the vertices again to have one.
    #[inline(always)]
    pub fn neighbours(&self, v: usize) -> &[u32] {
        self.graph().map_or(&[], |g| g.neighbours(v))
    }
    /// All vertices, four at a time, in order; the last block repeats the last vertex.
    #[inline(always)]
    pub fn blocks(&self) -> &[Block] {
        let first = self.start[0] as usize;
        &self.store.blocks[first..first + self.vertex_count().div_ceil(4)]
    }
    /// The neighbours of `v`, four at a time, with their indices; the last block repeats the last neighbour.
    /// Empty for a point, and where [`Hull::neighbours`] is. Panics if there is no vertex `v`.
    #[inline(always)]
    pub fn neighbour_blocks(&self, v: usize) -> (&[Block], &[[u32; 4]]) {
        self.graph().map_or((&[], &[]), |g| g.neighbour_blocks(v))
    }
    /// A vertex that is extreme, or nearly so, in `direction` (any length): one look-up in a cube map. 0 if
    /// the hull is too small to have a map; some vertex if the direction is zero or not finite.
    #[inline(always)]
    pub fn start_vertex(&self, direction: Vec3) -> u32 {
        self.graph().map_or(0, |g| g.start_vertex(direction))
    }
    /// How far an input point may lie outside the hull of [`Hull::vertices`] (metres): 0, except for sets
    /// with coordinates too small for exact arithmetic (5e-88 m).
    #[inline(always)]
    pub fn defect(&self) -> f64 {
        self.store.defect
    }
    /// What a climb that stops at `v` proves despite rounding: if no neighbour n of `v` has d . (n - v) >
    /// t, in exact arithmetic, then no point x of the hull has d . (x - v) > `t * climb_slack(v)`. Holds for
    /// every t <= `climb_error() * |d|`. Infinite where no finite bound could be proved.
    #[inline(always)]
    pub fn climb_slack(&self, v: usize) -> f64 {
        self.graph().map_or(f64::INFINITY, |g| g.vertex_slack(v))
    }
    /// The largest error of a comparison, in metres for a direction of length 1, for which
    /// [`Hull::climb_slack`] holds: 64 roundings of [`Hull::max_abs`].
    #[inline(always)]
    pub fn climb_error(&self) -> f64 {
        HULL_CLIMB_ERROR * self.max_abs
    }
    /// Largest distance of a vertex from the origin of the hull's frame, rounded up.
    #[inline(always)]
    pub fn max_abs(&self) -> f64 {
        self.max_abs
    }
    /// Climbs from vertex `from` along `direction` until no neighbour is higher in f64. Without a graph, all
    /// vertices are scanned.
    pub fn climb_from(&self, from: u32, direction: Vec3) -> u32 {
        if let Some(graph) = self.graph() {
            return graph.climb_from(|v| self.vertex(v as usize), from, direction);
        }
        let mut best = (from, direction.dot(self.vertex(from as usize)));
        for (v, p) in (0..).zip(self.vertices()) {
            let height = direction.dot(p);
            if height > best.1 {
                best = (v, height);
            }
        }
        best.0
    }
}
