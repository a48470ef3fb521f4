//! The box pairs that a mesh query has not visited yet: a stack, and a heap of fixed size.

use super::front::{Fronts, Next};
use crate::numeric::heap::Queued;
use crate::pair::gjk::Nearest;
use crate::pair::tolerance::{HEAP_LIMIT, WORK_LIMIT};
use crate::shape::mesh::nearest::NearestScratch;
use crate::shape::mesh::tree::WIDTH;
use alloc::vec::Vec;

/// A pair of boxes that is not visited yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) a: u32,
    pub(super) b: u32,
    /// A lower bound on its distance (metres); zero where its parts may overlap.
    pub(super) lower: f64,
    /// Whether `lower` is the distance of the hulls.
    pub(super) exact: bool,
    /// The part to expand next.
    pub(super) next: Next,
    /// A direction from B to A in A's frame, of about unit length: that of `lower`, or a guess. Zero if there
    /// is none.
    pub(super) along: [f32; 3],
}

impl Entry {
    /// With a bound and nothing else.
    pub(super) fn bounded(a: u32, b: u32, lower: f64) -> Entry {
        Entry { a, b, lower, exact: false, next: Next::Larger, along: [0.0; 3] }
    }
}

impl Queued for Entry {
    type Bound = f64;
    #[inline(always)]
    fn lower_bound(&self) -> f64 {
        self.lower
    }
}

/// Scratch space of queries, owned by the caller. Reserved for the deepest trees, it never grows in a query.
#[derive(Clone, Debug)]
pub struct MeshScratch {
    pub(super) stack: Vec<Entry>,
    pub(super) heap: Vec<Entry>,
    /// What earlier queries left.
    pub(super) fronts: Fronts,
    /// The search for the nearest points of two hulls.
    pub(super) convex: Nearest,
    pub(crate) nearest: NearestScratch,
    /// Box and triangle pairs after which a query ends.
    pub(crate) work_limit: u32,
}

impl Default for MeshScratch {
    fn default() -> MeshScratch {
        MeshScratch {
            stack: Vec::new(),
            heap: Vec::new(),
            fronts: Fronts::default(),
            convex: Nearest::NEW,
            nearest: NearestScratch::default(),
            work_limit: WORK_LIMIT,
        }
    }
}

impl MeshScratch {
    /// For two meshes of at most these depths ([`crate::shape::mesh::Mesh::depth`]).
    pub fn for_depths(a: usize, b: usize) -> MeshScratch {
        let mut scratch = MeshScratch::default();
        scratch.reserve(a, b);
        scratch
    }
    /// Number of entries that fit without allocating.
    pub fn capacity(&self) -> usize {
        self.stack.capacity() + self.heap.capacity()
    }
    /// Reserves space for two meshes of at most these depths.
    pub fn reserve(&mut self, a: usize, b: usize) {
        let need = (WIDTH - 1) * a.saturating_add(b).saturating_add(2) + 1;
        self.stack.reserve(need.saturating_sub(self.stack.len()));
        self.heap.reserve(HEAP_LIMIT.saturating_sub(self.heap.len()));
        self.nearest.reserve(a.max(b));
        if a.max(b) > 0 {
            self.fronts.reserve();
        }
    }
}
