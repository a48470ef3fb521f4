//! Best first through a wide tree: the leaves nearest to some bodies, in the order of their bounds.
//!
//! All bodies are searched for at once, so that the cutoff that one reaches ends the search for the others. What has to be looked
//! at waits in an open list ordered by its bound; the nearest child of a node goes on at once if nothing waits before it. When the
//! list is full, what comes is searched to its end, depth first, before going on: the answer is the same, and memory does not
//! grow. The search ends when the least bound that waits is not below the cutoff.

use super::gaps::{WideQuery, bound_eight, cutoff32};
use super::wide::{LEAF, Node, WIDTH, WideTree};
use crate::simd::{Kernel, Lanes, dispatch};
use crate::tolerance::OPEN_LIST;
use alloc::vec::Vec;

/// A node or leaf that waits: its bound, where it is, and whose search it is.
#[derive(Clone, Copy, Debug)]
struct Entry {
    lower: f32,
    child: u32,
    query: u32,
}

/// Memory of a search, owned by the caller: it does not grow while searching.
#[derive(Clone, Debug)]
pub struct WideScratch {
    open: Vec<Entry>,
    most: usize,
    stack: Vec<Entry>,
}

impl WideScratch {
    /// For a tree. The open list holds [`OPEN_LIST`] entries.
    pub fn new(tree: &WideTree) -> WideScratch {
        WideScratch::with_open_list(tree, OPEN_LIST)
    }
    /// For a tree, with an open list of another length; a short one is exact too.
    pub fn with_open_list(tree: &WideTree, most: usize) -> WideScratch {
        let deepest = (WIDTH - 1) * tree.depth() + WIDTH;
        WideScratch { open: Vec::with_capacity(most), most, stack: Vec::with_capacity(deepest) }
    }
    /// Memory it holds.
    pub fn bytes(&self) -> usize {
        (self.open.capacity() + self.stack.capacity()) * size_of::<Entry>()
    }
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visits {
    /// Nodes whose eight children were bounded.
    pub nodes: u64,
    /// Leaves that were handed out.
    pub leaves: u64,
    /// Nodes and leaves that found the open list full.
    pub overflows: u64,
}

impl WideTree {
    /// Hands out leaves near to any of the bodies asked about: `on_leaf(query, leaf, lower)` gets the number of the query, the leaf, and
    /// a lower bound on their signed distance (metres), and answers the cutoff from then on. Every pair of a query and a leaf that
    /// is not handed out has a bound that is not below the last cutoff. A larger cutoff than before is ignored; minus infinity ends
    /// the search. Leaves come in the order of their bounds unless the open list overflows, and in the same order every time.
    ///
    /// `scratch` made for a tree less deep may grow here; else nothing is allocated.
    pub fn nearest<F: FnMut(usize, u32, f64) -> f64>(
        &self,
        queries: &[WideQuery],
        cutoff: f64,
        scratch: &mut WideScratch,
        on_leaf: F,
    ) -> Visits {
        if self.is_empty() || queries.is_empty() {
            return Visits::default();
        }
        dispatch(Search { tree: self, queries, cutoff, scratch, on_leaf })
    }
}

struct Search<'a, F> {
    tree: &'a WideTree,
    queries: &'a [WideQuery],
    cutoff: f64,
    scratch: &'a mut WideScratch,
    on_leaf: F,
}

impl<F: FnMut(usize, u32, f64) -> f64> Kernel for Search<'_, F> {
    type Output = Visits;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Visits {
        let Search { tree, queries, mut cutoff, scratch, mut on_leaf } = self;
        let deepest = (WIDTH - 1) * tree.depth() + WIDTH;
        scratch.stack.clear();
        scratch.stack.reserve(deepest);
        let WideScratch { open, most, stack } = scratch;
        open.clear();
        let mut visits = Visits::default();
        // What is no number does not cut.
        if cutoff.is_nan() {
            cutoff = f64::INFINITY;
        }
        let mut limit = cutoff32(cutoff);
        // The roots of all queries are looked at before anything that waits, so that the order is that of the bounds.
        let mut roots = 0..queries.len() as u32;
        let mut next: Option<Entry> = None;
        loop {
            let entry = if let Some(entry) = next.take() {
                entry
            } else if let Some(entry) = stack.pop() {
                entry
            } else if let Some(query) = roots.next() {
                Entry { lower: f32::NEG_INFINITY, child: 0, query }
            } else if let Some(entry) = pop(open) {
                // What still waits is as far, or farther.
                if !(entry.lower < limit) {
                    break;
                }
                entry
            } else {
                break;
            };
            if !(entry.lower < limit) {
                continue;
            }
            if entry.child & LEAF != 0 {
                visits.leaves += 1;
                let answer = on_leaf(entry.query as usize, entry.child & !LEAF, f64::from(entry.lower));
                if answer < cutoff {
                    cutoff = answer;
                    limit = cutoff32(cutoff);
                }
                continue;
            }
            visits.nodes += 1;
            let node = &tree.nodes[entry.child as usize];
            let lower = bound_eight(l, node, &queries[entry.query as usize]);
            let mut near = l.less8(lower, l.splat8(limit)) & ((1 << node.count) - 1);
            if near == 0 {
                continue;
            }
            let lower = l.array8(lower);
            if !stack.is_empty() || open.len() + WIDTH > *most {
                visits.overflows += 1;
                stack_up(stack, node, &lower, near, entry.query);
                continue;
            }
            // The nearest child goes on at once if nothing waits before it; of equals the first.
            let mut best = near.trailing_zeros() as usize;
            near &= near - 1;
            while near != 0 {
                let lane = near.trailing_zeros() as usize;
                near &= near - 1;
                let other =
                    if lower[lane] < lower[best] { core::mem::replace(&mut best, lane) } else { lane };
                push(open, Entry { lower: lower[other], child: node.child[other], query: entry.query });
            }
            let e = Entry { lower: lower[best], child: node.child[best], query: entry.query };
            if roots.is_empty() && open.first().is_none_or(|first| e.lower <= first.lower) {
                next = Some(e);
            } else {
                push(open, e);
            }
        }
        visits
    }
}

/// Puts the children named by bits on the stack, the nearest last, of equals the first.
fn stack_up(stack: &mut Vec<Entry>, node: &Node, lower: &[f32; WIDTH], mut near: u32, query: u32) {
    let start = stack.len();
    while near != 0 {
        let lane = near.trailing_zeros() as usize;
        near &= near - 1;
        let e = Entry { lower: lower[lane], child: node.child[lane], query };
        stack.push(e);
        let mut at = stack.len() - 1;
        while at > start && stack[at - 1].lower <= e.lower {
            stack[at] = stack[at - 1];
            at -= 1;
        }
        stack[at] = e;
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
