//! Best-first search of a wide tree: the leaves nearest to some bodies, in the order of their bounds.
//!
//! One search serves all bodies, so a cutoff from one of them prunes for the others too. An open list holds
//! the nodes whose children have bounds, ordered by the least bound of the children that are left. So it has
//! an entry for each expanded node, not for each child. The node that is expanded stays the current one,
//! outside the list, while no entry of the list has a lesser bound. When the list is full, a node that would
//! enter it is searched to its end, depth first: the answers are the same, and memory does not grow. The
//! search ends when the least bound that is left is not below the cutoff.
//!
//! Bodies of one group come as a tree of their own. While the boxes of the wide tree are much larger than the
//! box of the group, one bound serves the whole group; then the group is split in two.
//!
//! The searched tree says how its nodes are bounded ([`Searched`]). If a query has learned better bounds
//! since a node was bounded, the node is bounded again before it is opened.

use super::gaps::{WideQuery, bound_eight, size_in};
use super::searched::Searched;
use super::tree::Tree;
use super::wide::{WIDTH, WideTree};
use crate::bounds::tolerance::{BODIES_APART, OPEN_LIST};
use crate::numeric::work_list::WorkList;
use alloc::vec::Vec;
use elbowroom_describe::math::round_up;
use elbowroom_pair::numeric::heap::{Queued, pop, push, replace_first};
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use elbowroom_pair::numeric::wide::LEAF;

/// `max` with row `i` makes lane `i` infinite.
pub(super) static WITHOUT: [[f32; WIDTH]; WIDTH] = {
    let mut t = [[f32::NEG_INFINITY; WIDTH]; WIDTH];
    let mut i = 0;
    while i < WIDTH {
        t[i][i] = f32::INFINITY;
        i += 1;
    }
    t
};

/// `max` with row `i` makes all lanes but `i` infinite.
static ONLY: [[f32; WIDTH]; WIDTH] = {
    let mut t = [[f32::INFINITY; WIDTH]; WIDTH];
    let mut i = 0;
    while i < WIDTH {
        t[i][i] = f32::NEG_INFINITY;
        i += 1;
    }
    t
};

/// An expanded node: the bounds of the children that are left, infinite for the others.
#[derive(Clone, Copy, Debug)]
struct OpenNode {
    lower: [f32; WIDTH],
    node: u32,
    query: u32,
    version: u32,
}

/// An entry of the heap over the open list.
#[derive(Clone, Copy, Debug)]
struct OpenEntry {
    lower: f32,
    open: u32,
}

impl Queued for OpenEntry {
    type Bound = f32;
    #[inline(always)]
    fn lower_bound(&self) -> f32 {
        self.lower
    }
}

/// A child on the stack of the depth-first search.
#[derive(Clone, Copy, Debug)]
struct Deep {
    lower: f32,
    node: u32,
    lane: u32,
    query: u32,
}

/// Scratch space of a search, owned by the caller; it does not grow while searching.
#[derive(Clone, Debug)]
pub struct WideScratch {
    open: WorkList<OpenNode>,
    free: WorkList<u32>,
    order: WorkList<OpenEntry>,
    most: usize,
    stack: WorkList<Deep>,
}

impl WideScratch {
    /// Scratch space for a tree and a number of bodies. The open list holds [`OPEN_LIST`] nodes.
    pub fn new(tree: &WideTree, bodies: usize) -> WideScratch {
        WideScratch::with_open_list(tree, bodies, OPEN_LIST)
    }
    /// Scratch space for a tree and a number of bodies. The open list holds `most` nodes; the answers do not
    /// depend on that.
    pub fn with_open_list(tree: &WideTree, bodies: usize, most: usize) -> WideScratch {
        WideScratch::for_levels(tree.depth(), bodies, most)
    }
    /// Scratch space for trees with at most `levels` levels of nodes and for a number of bodies. The open
    /// list holds `most` nodes.
    pub(crate) fn for_levels(levels: usize, bodies: usize, most: usize) -> WideScratch {
        WideScratch {
            open: WorkList::with_capacity(most),
            free: WorkList::with_capacity(most),
            order: WorkList::with_capacity(most),
            most,
            stack: WorkList::with_capacity(max_stack_depth(levels, bodies)),
        }
    }
}

/// Bound on the depth of the stack. Each step removes one child and adds those of one node, for at most two
/// halves of the bodies; from top to bottom there are at most as many steps as levels and bodies together.
pub(super) fn max_stack_depth(levels: usize, bodies: usize) -> usize {
    (2 * WIDTH - 1).saturating_mul(levels.saturating_add(bodies)) + WIDTH
}

/// What a search did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visits {
    /// Nodes that were expanded.
    pub nodes: u64,
    /// Leaves that were reported.
    pub leaves: u64,
    /// How often the open list was full.
    pub overflows: u64,
    /// A lower bound on the signed distance of every pair that was not reported (metres); infinite if all
    /// were.
    pub left: f32,
}

impl Visits {
    const NONE: Visits = Visits { nodes: 0, leaves: 0, overflows: 0, left: f32::INFINITY };
}

impl WideTree {
    /// Reports the leaves near any of the queries. `on_leaf(query, leaf, lower)` gets the number of the
    /// query, the leaf, and a lower bound on their signed distance (metres), and returns the cutoff from then
    /// on. Every pair of a query and a leaf that is not reported has a bound that is not below the last
    /// cutoff. A cutoff larger than before is ignored; minus infinity ends the search. The order is
    /// deterministic, and that of the bounds unless the open list overflows.
    ///
    /// Allocates only where `scratch` was made for a less deep tree.
    pub fn visit_nearest<F: FnMut(usize, u32, f64) -> f64>(
        &self,
        queries: &[WideQuery],
        cutoff: f64,
        scratch: &mut WideScratch,
        on_leaf: F,
    ) -> Visits {
        search_nearest(self, queries, None, cutoff, scratch, on_leaf)
    }

    /// Reports the leaves near any leaf of a tree of bodies, as [`WideTree::visit_nearest`] does for queries.
    /// Each node of that tree has a query; `on_leaf` gets the number of its leaf in the place of that of a
    /// query. `None` if there are not as many queries as nodes.
    pub fn nearest_of_tree<F: FnMut(usize, u32, f64) -> f64>(
        &self,
        bodies: &Tree,
        queries: &[WideQuery],
        cutoff: f64,
        scratch: &mut WideScratch,
        on_leaf: F,
    ) -> Option<Visits> {
        if queries.len() != bodies.len() {
            return None;
        }
        Some(search_nearest(self, queries, Some(bodies), cutoff, scratch, on_leaf))
    }
}

impl Searched for WideTree {
    type Query = WideQuery;

    #[inline(always)]
    fn level_bound(&self) -> usize {
        self.depth()
    }
    #[inline(always)]
    fn root_node(&self) -> Option<u32> {
        WideTree::root(self)
    }
    #[inline(always)]
    fn bound_children<L: Lanes>(&self, l: L, node: u32, query: &WideQuery) -> L::E {
        bound_eight(l, &self.nodes[node as usize], query)
    }
    #[inline(always)]
    fn child_at(&self, node: u32, lane: u32) -> u32 {
        self.nodes[node as usize].child[lane as usize]
    }
    #[inline(always)]
    fn parts_bodies(&self, node: u32, lane: u32, query: &WideQuery) -> bool {
        query.size * BODIES_APART > size_in(&self.nodes[node as usize], lane as usize)
    }
    #[inline(always)]
    fn query_version(_query: &WideQuery) -> u32 {
        0
    }
}

/// The search of [`WideTree::nearest_of_tree`] for anything that is searched like a wide tree. `bodies` has
/// as many nodes as there are queries.
pub(crate) fn search_nearest<T: Searched, F: FnMut(usize, u32, f64) -> f64>(
    tree: &T,
    queries: &[T::Query],
    bodies: Option<&Tree>,
    cutoff: f64,
    scratch: &mut WideScratch,
    on_leaf: F,
) -> Visits {
    dispatch_kernel(NearestSearch { tree, queries, bodies, cutoff, scratch, on_leaf })
}

struct NearestSearch<'a, T: Searched, F> {
    tree: &'a T,
    queries: &'a [T::Query],
    bodies: Option<&'a Tree>,
    cutoff: f64,
    scratch: &'a mut WideScratch,
    on_leaf: F,
}

impl<T: Searched, F: FnMut(usize, u32, f64) -> f64> Kernel for NearestSearch<'_, T, F> {
    type Output = Visits;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Visits {
        let NearestSearch { tree, queries, bodies, cutoff, scratch, on_leaf } = self;
        let Some(root) = tree.root_node() else { return Visits::NONE };
        if queries.is_empty() {
            return Visits::NONE;
        }
        scratch.open.clear();
        scratch.free.clear();
        scratch.order.clear();
        scratch.stack.clear();
        scratch.stack.reserve(max_stack_depth(tree.level_bound(), bodies.map_or(1, Tree::leaf_count)));
        // NaN means no cutoff.
        let cutoff = if cutoff.is_nan() { f64::INFINITY } else { cutoff };
        let limit = round_up(cutoff);
        let mut s = NearestState { tree, queries, bodies, cutoff, limit, visits: Visits::NONE, on_leaf };
        let mut at = Current {
            lower: l.splat8(f32::INFINITY),
            least: f32::INFINITY,
            lane: 0,
            node: 0,
            query: 0,
            version: 0,
        };
        // All queries, or the root of their tree, which is the last.
        let first = if bodies.is_some() { queries.len() - 1 } else { 0 };
        for query in first..queries.len() {
            let top = s.expand_node(l, root, query as u32);
            let later = nearer_first(&mut at, top);
            s.defer_node(l, scratch, later);
        }
        loop {
            // An entry of the open list with a lesser bound becomes the current node.
            if let Some(&first) = scratch.order.first()
                && first.lower < at.least
            {
                let open = scratch.open[first.open as usize];
                if at.least < s.limit {
                    scratch.open[first.open as usize] = OpenNode {
                        lower: l.to_array8(at.lower),
                        node: at.node,
                        query: at.query,
                        version: at.version,
                    };
                    replace_first(&mut scratch.order, OpenEntry { lower: at.least, open: first.open });
                } else {
                    s.record_unsearched(at.least);
                    scratch.free.push(first.open);
                    pop(&mut scratch.order);
                }
                let lower = l.load8(&open.lower);
                let (least, lane) = l.least_lane8(lower);
                at =
                    Current { lower, least, lane, node: open.node, query: open.query, version: open.version };
            }
            if !(at.least < s.limit) {
                // The rest is no nearer.
                s.record_unsearched(at.least);
                break;
            }
            if at.version != T::query_version(&queries[at.query as usize]) {
                s.expand_again(l, &mut at);
                continue;
            }
            let Current { node, lane, query, least, .. } = at;
            at.lower = l.max8(at.lower, l.load8(&WITHOUT[lane as usize]));
            (at.least, at.lane) = l.least_lane8(at.lower);
            let Some(step) = s.next_step(node, lane, query) else {
                s.report_leaf(query, node, lane, least);
                continue;
            };
            let mut query = Some(step.query);
            let mut other = step.other;
            while let Some(q) = query {
                let below = s.take_step(l, &step, q);
                let later = nearer_first(&mut at, below);
                s.defer_node(l, scratch, later);
                query = other.take();
            }
        }
        s.visits
    }
}

/// The node that is expanded: the bounds of the children that are left, and the least of them.
#[derive(Clone, Copy)]
struct Current<E> {
    lower: E,
    least: f32,
    lane: u32,
    node: u32,
    query: u32,
    version: u32,
}

/// Makes the nearer of two nodes the current one, of equals the newer, and returns the other.
#[inline(always)]
fn nearer_first<E: Copy>(at: &mut Current<E>, new: Current<E>) -> Current<E> {
    if new.least <= at.least { core::mem::replace(at, new) } else { new }
}

/// The next step from a child: the node to expand, all lanes or one only, for one query or for the two that a
/// group is split into.
struct NearestStep {
    node: u32,
    only: Option<u32>,
    query: u32,
    other: Option<u32>,
}

struct NearestState<'a, T: Searched, F> {
    tree: &'a T,
    queries: &'a [T::Query],
    bodies: Option<&'a Tree>,
    cutoff: f64,
    limit: f32,
    visits: Visits,
    on_leaf: F,
}

impl<T: Searched, F: FnMut(usize, u32, f64) -> f64> NearestState<'_, T, F> {
    /// Records the bound of what is not searched.
    #[inline(always)]
    fn record_unsearched(&mut self, lower: f32) {
        self.visits.left = if lower < self.visits.left { lower } else { self.visits.left };
    }

    /// Expands a node: bounds its children.
    #[inline(always)]
    fn expand_node<L: Lanes>(&mut self, l: L, node: u32, query: u32) -> Current<L::E> {
        self.visits.nodes += 1;
        let q = &self.queries[query as usize];
        let lower = self.tree.bound_children(l, node, q);
        let (least, lane) = l.least_lane8(lower);
        Current { lower, least, lane, node, query, version: T::query_version(q) }
    }

    /// Bounds the children that are left once more.
    #[inline(always)]
    fn expand_again<L: Lanes>(&mut self, l: L, at: &mut Current<L::E>) {
        let now = self.expand_node(l, at.node, at.query);
        at.lower = l.max8(at.lower, now.lower);
        (at.least, at.lane) = l.least_lane8(at.lower);
        at.version = now.version;
    }

    /// The next step from a child; `None` for a leaf and a single body.
    #[inline(always)]
    fn next_step(&self, node: u32, lane: u32, query: u32) -> Option<NearestStep> {
        let child = self.tree.child_at(node, lane);
        let leaf = child & LEAF != 0;
        let (next, only) = if leaf { (node, Some(lane)) } else { (child, None) };
        if let Some(bodies) = self.bodies
            && let Some((l, r)) = bodies.children(query)
            && (leaf || self.tree.parts_bodies(node, lane, &self.queries[query as usize]))
        {
            return Some(NearestStep { node: next, only, query: l, other: Some(r) });
        }
        if leaf { None } else { Some(NearestStep { node: next, only, query, other: None }) }
    }

    /// Makes a step for one of its queries.
    #[inline(always)]
    fn take_step<L: Lanes>(&mut self, l: L, step: &NearestStep, query: u32) -> Current<L::E> {
        let mut current = self.expand_node(l, step.node, query);
        if let Some(lane) = step.only {
            current.lower = l.max8(current.lower, l.load8(&ONLY[lane as usize]));
            (current.least, current.lane) = l.least_lane8(current.lower);
        }
        current
    }

    /// Reports a leaf.
    #[inline(always)]
    fn report_leaf(&mut self, query: u32, node: u32, lane: u32, lower: f32) {
        self.visits.leaves += 1;
        let leaf = self.tree.child_at(node, lane) & !LEAF;
        let answer = (self.on_leaf)(query as usize, leaf, f64::from(lower));
        if answer < self.cutoff {
            self.cutoff = answer;
            self.limit = round_up(answer);
        }
    }

    /// Adds a node to the open list, or searches it to its end where the list is full.
    #[inline(always)]
    fn defer_node<L: Lanes>(&mut self, l: L, scratch: &mut WideScratch, current: Current<L::E>) {
        if !(current.least < self.limit) {
            self.record_unsearched(current.least);
            return;
        }
        let Current { node, query, version, .. } = current;
        let open = OpenNode { lower: l.to_array8(current.lower), node, query, version };
        if let Some(slot) = scratch.free.pop() {
            scratch.open[slot as usize] = open;
            push(&mut scratch.order, OpenEntry { lower: current.least, open: slot });
        } else if scratch.open.len() < scratch.most {
            scratch.open.push(open);
            push(&mut scratch.order, OpenEntry { lower: current.least, open: scratch.open.len() as u32 - 1 });
        } else {
            self.depth_first(l, &mut scratch.stack, &open);
        }
    }

    /// Searches the rest of a node depth first, nearer children first.
    #[inline(always)]
    fn depth_first<L: Lanes>(&mut self, l: L, stack: &mut Vec<Deep>, open: &OpenNode) {
        self.visits.overflows += 1;
        push_children(stack, open.node, &open.lower, open.query);
        while let Some(Deep { lower, node, lane, query }) = stack.pop() {
            if !(lower < self.limit) {
                self.record_unsearched(lower);
                continue;
            }
            let Some(step) = self.next_step(node, lane, query) else {
                self.report_leaf(query, node, lane, lower);
                continue;
            };
            let mut query = Some(step.query);
            let mut other = step.other;
            while let Some(q) = query {
                let below = self.take_step(l, &step, q);
                push_children(stack, step.node, &l.to_array8(below.lower), q);
                query = other.take();
            }
        }
    }
}

/// Pushes the children that are left, the nearest last; of equals the first.
fn push_children(stack: &mut Vec<Deep>, node: u32, lower: &[f32; WIDTH], query: u32) {
    let start = stack.len();
    for (&lower, lane) in lower.iter().zip(0..) {
        if lower == f32::INFINITY {
            continue;
        }
        let e = Deep { lower, node, lane, query };
        stack.push(e);
        let mut at = stack.len() - 1;
        while at > start && stack[at - 1].lower <= e.lower {
            stack[at] = stack[at - 1];
            at -= 1;
        }
        stack[at] = e;
    }
}
