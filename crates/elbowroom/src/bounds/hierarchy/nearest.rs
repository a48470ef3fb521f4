//! Best first through a wide tree: the leaves nearest to some bodies, in the order of their bounds.
//!
//! All bodies are searched for at once, so that the cutoff that one reaches ends the search for the others. A
//! node whose children were bounded waits in an open list, ordered by the least of the bounds it has left; so
//! the list is as long as the nodes looked into, not as their children. The child that is taken becomes the
//! node at hand, and stays that as long as nothing waits before it. When the list is full, what would have to
//! wait is searched to its end, depth first: the answer is the same, and memory does not grow. The search
//! ends when the least bound that is left is not below the cutoff.
//!
//! Bodies that belong together come as a tree of their own: while the boxes of the wide tree are much larger
//! than the one around all bodies, one bound does for all of them; then they are taken apart.

use super::gaps::{WideQuery, bound_eight, size_in};
use super::tree::Tree;
use super::wide::{WIDTH, WideTree};
use crate::bounds::tolerance::{BODIES_APART, OPEN_LIST};
use crate::numeric::heap::{Queued, pop, push, replace_first};
use crate::numeric::heap_bytes::heap_bytes;
use crate::numeric::math::round_up;
use crate::numeric::simd::{Kernel, Lanes, dispatch};
use crate::numeric::wide::LEAF;
use alloc::vec::Vec;

/// Removes lane `i` when the larger is taken.
static WITHOUT: [[f32; WIDTH]; WIDTH] = {
    let mut t = [[f32::NEG_INFINITY; WIDTH]; WIDTH];
    let mut i = 0;
    while i < WIDTH {
        t[i][i] = f32::INFINITY;
        i += 1;
    }
    t
};

/// Leaves only lane `i` when the larger is taken.
static ONLY: [[f32; WIDTH]; WIDTH] = {
    let mut t = [[f32::INFINITY; WIDTH]; WIDTH];
    let mut i = 0;
    while i < WIDTH {
        t[i][i] = f32::NEG_INFINITY;
        i += 1;
    }
    t
};

/// A node that waits with the bounds of those of its children that are left; infinite for the others.
#[derive(Clone, Copy, Debug)]
struct Open {
    lower: [f32; WIDTH],
    node: u32,
    query: u32,
}

/// The turn of a node of the open list.
#[derive(Clone, Copy, Debug)]
struct Turn {
    lower: f32,
    open: u32,
}

impl Queued for Turn {
    #[inline(always)]
    fn lower(&self) -> f32 {
        self.lower
    }
}

/// A child that waits in a search depth first.
#[derive(Clone, Copy, Debug)]
struct Deep {
    lower: f32,
    node: u32,
    lane: u32,
    query: u32,
}

/// Memory of a search, owned by the caller: it does not grow while searching.
#[derive(Clone, Debug)]
pub struct WideScratch {
    open: Vec<Open>,
    free: Vec<u32>,
    order: Vec<Turn>,
    most: usize,
    stack: Vec<Deep>,
}

impl WideScratch {
    /// For a tree and so many bodies. The open list holds [`OPEN_LIST`] nodes.
    pub fn new(tree: &WideTree, bodies: usize) -> WideScratch {
        WideScratch::with_open_list(tree, bodies, OPEN_LIST)
    }
    /// The same with an open list of another length; a short one is exact too.
    pub fn with_open_list(tree: &WideTree, bodies: usize, most: usize) -> WideScratch {
        WideScratch {
            open: Vec::with_capacity(most),
            free: Vec::with_capacity(most),
            order: Vec::with_capacity(most),
            most,
            stack: Vec::with_capacity(deepest(tree, bodies)),
        }
    }
    /// Memory it holds.
    pub fn bytes(&self) -> usize {
        heap_bytes(&self.open) + heap_bytes(&self.free) + heap_bytes(&self.order) + heap_bytes(&self.stack)
    }
}

/// Children that can wait in a search depth first: each step takes one and brings those of one node for two
/// halves of the bodies at most, and there are no more steps from top to bottom than levels and bodies.
fn deepest(tree: &WideTree, bodies: usize) -> usize {
    (2 * WIDTH - 1).saturating_mul(tree.depth().saturating_add(bodies)) + WIDTH
}

/// What a search did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visits {
    /// Nodes whose eight children were bounded.
    pub nodes: u64,
    /// Leaves that were handed out.
    pub leaves: u64,
    /// Nodes and leaves that found the open list full.
    pub overflows: u64,
    /// A lower bound on the signed distance of every pair that was not handed out (metres); infinite if all
    /// were.
    pub left: f32,
}

impl Visits {
    const NONE: Visits = Visits { nodes: 0, leaves: 0, overflows: 0, left: f32::INFINITY };
}

impl WideTree {
    /// Hands out leaves near to any of the bodies asked about: `on_leaf(query, leaf, lower)` gets the number
    /// of the query, the leaf, and a lower bound on their signed distance (metres), and answers the cutoff
    /// from then on. Every pair of a query and a leaf that is not handed out has a bound that is not below
    /// the last cutoff. A larger cutoff than before is ignored; minus infinity ends the search. Leaves come
    /// in the order of their bounds unless the open list overflows, and in the same order every time.
    ///
    /// `scratch` made for a tree less deep may grow here; else nothing is allocated.
    pub fn nearest<F: FnMut(usize, u32, f64) -> f64>(
        &self,
        queries: &[WideQuery],
        cutoff: f64,
        scratch: &mut WideScratch,
        on_leaf: F,
    ) -> Visits {
        dispatch(Search { tree: self, queries, bodies: None, cutoff, scratch, on_leaf })
    }

    /// The same for bodies in a tree, `queries` being one for each of its nodes; the numbers handed out are
    /// those of its leaves. `None` if there are not as many queries as nodes.
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
        Some(dispatch(Search { tree: self, queries, bodies: Some(bodies), cutoff, scratch, on_leaf }))
    }
}

struct Search<'a, F> {
    tree: &'a WideTree,
    queries: &'a [WideQuery],
    bodies: Option<&'a Tree>,
    cutoff: f64,
    scratch: &'a mut WideScratch,
    on_leaf: F,
}

impl<F: FnMut(usize, u32, f64) -> f64> Kernel for Search<'_, F> {
    type Output = Visits;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Visits {
        let Search { tree, queries, bodies, cutoff, scratch, on_leaf } = self;
        if tree.is_empty() || queries.is_empty() {
            return Visits::NONE;
        }
        scratch.open.clear();
        scratch.free.clear();
        scratch.order.clear();
        scratch.stack.clear();
        scratch.stack.reserve(deepest(tree, bodies.map_or(1, Tree::leaves)));
        // What is NaN does not cut.
        let cutoff = if cutoff.is_nan() { f64::INFINITY } else { cutoff };
        let limit = round_up(cutoff);
        let mut s = State { tree, queries, bodies, cutoff, limit, visits: Visits::NONE, on_leaf };
        let mut at =
            Hand { lower: l.splat8(f32::INFINITY), least: f32::INFINITY, lane: 0, node: 0, query: 0 };
        // All queries, or the root of their tree, which is the last.
        let first = if bodies.is_some() { queries.len() - 1 } else { 0 };
        for query in first..queries.len() {
            let root = s.look(l, 0, query as u32);
            let later = nearer_first(&mut at, root);
            s.wait(l, scratch, later);
        }
        loop {
            // Whatever waits before the node at hand comes first.
            if let Some(&first) = scratch.order.first()
                && first.lower < at.least
            {
                let open = scratch.open[first.open as usize];
                if at.least < s.limit {
                    scratch.open[first.open as usize] =
                        Open { lower: l.array8(at.lower), node: at.node, query: at.query };
                    replace_first(&mut scratch.order, Turn { lower: at.least, open: first.open });
                } else {
                    s.leave(at.least);
                    scratch.free.push(first.open);
                    pop(&mut scratch.order);
                }
                let lower = l.load8(&open.lower);
                let (least, lane) = l.least8(lower);
                at = Hand { lower, least, lane, node: open.node, query: open.query };
            }
            if !(at.least < s.limit) {
                // What waits is no nearer.
                s.leave(at.least);
                break;
            }
            let Hand { node, lane, query, least, .. } = at;
            at.lower = l.max8(at.lower, l.load8(&WITHOUT[lane as usize]));
            (at.least, at.lane) = l.least8(at.lower);
            let Some(step) = s.step(node, lane, query) else {
                s.leaf(query, node, lane, least);
                continue;
            };
            let mut query = Some(step.query);
            let mut other = step.other;
            while let Some(q) = query {
                let below = s.take(l, &step, q);
                let later = nearer_first(&mut at, below);
                s.wait(l, scratch, later);
                query = other.take();
            }
        }
        s.visits
    }
}

/// A node at hand: the bounds of the children that are left, and the least of them.
#[derive(Clone, Copy)]
struct Hand<E> {
    lower: E,
    least: f32,
    lane: u32,
    node: u32,
    query: u32,
}

/// Leaves the nearer of two at hand, of equals the newer, and returns the other.
#[inline(always)]
fn nearer_first<E: Copy>(at: &mut Hand<E>, new: Hand<E>) -> Hand<E> {
    if new.least <= at.least { core::mem::replace(at, new) } else { new }
}

/// What follows a lane: the node to look into, for one query or for the two it is taken apart to; or one lane
/// of it only.
struct Step {
    node: u32,
    only: Option<u32>,
    query: u32,
    other: Option<u32>,
}

struct State<'a, F> {
    tree: &'a WideTree,
    queries: &'a [WideQuery],
    bodies: Option<&'a Tree>,
    cutoff: f64,
    limit: f32,
    visits: Visits,
    on_leaf: F,
}

impl<F: FnMut(usize, u32, f64) -> f64> State<'_, F> {
    /// Something is not looked into.
    #[inline(always)]
    fn leave(&mut self, lower: f32) {
        self.visits.left = if lower < self.visits.left { lower } else { self.visits.left };
    }

    /// Bounds the children of a node.
    #[inline(always)]
    fn look<L: Lanes>(&mut self, l: L, node: u32, query: u32) -> Hand<L::E> {
        self.visits.nodes += 1;
        let n = &self.tree.nodes[node as usize];
        let lower = bound_eight(l, n, &self.queries[query as usize]);
        let (least, lane) = l.least8(lower);
        Hand { lower, least, lane, node, query }
    }

    /// What follows a lane; nothing for a leaf and a single body.
    #[inline(always)]
    fn step(&self, node: u32, lane: u32, query: u32) -> Option<Step> {
        let n = &self.tree.nodes[node as usize];
        let child = n.child[lane as usize];
        let leaf = child & LEAF != 0;
        let (next, only) = if leaf { (node, Some(lane)) } else { (child, None) };
        if let Some(bodies) = self.bodies
            && let Some((l, r)) = bodies.children(query)
            && (leaf || self.queries[query as usize].size * BODIES_APART > size_in(n, lane as usize))
        {
            return Some(Step { node: next, only, query: l, other: Some(r) });
        }
        if leaf { None } else { Some(Step { node: next, only, query, other: None }) }
    }

    /// Takes a step for one of its queries.
    #[inline(always)]
    fn take<L: Lanes>(&mut self, l: L, step: &Step, query: u32) -> Hand<L::E> {
        let mut hand = self.look(l, step.node, query);
        if let Some(lane) = step.only {
            hand.lower = l.max8(hand.lower, l.load8(&ONLY[lane as usize]));
            (hand.least, hand.lane) = l.least8(hand.lower);
        }
        hand
    }

    /// Hands out a leaf.
    #[inline(always)]
    fn leaf(&mut self, query: u32, node: u32, lane: u32, lower: f32) {
        self.visits.leaves += 1;
        let leaf = self.tree.nodes[node as usize].child[lane as usize] & !LEAF;
        let answer = (self.on_leaf)(query as usize, leaf, f64::from(lower));
        if answer < self.cutoff {
            self.cutoff = answer;
            self.limit = round_up(answer);
        }
    }

    /// Lets a node wait, or searches it to its end where the open list is full.
    #[inline(always)]
    fn wait<L: Lanes>(&mut self, l: L, scratch: &mut WideScratch, hand: Hand<L::E>) {
        if !(hand.least < self.limit) {
            self.leave(hand.least);
            return;
        }
        let open = Open { lower: l.array8(hand.lower), node: hand.node, query: hand.query };
        if let Some(place) = scratch.free.pop() {
            scratch.open[place as usize] = open;
            push(&mut scratch.order, Turn { lower: hand.least, open: place });
        } else if scratch.open.len() < scratch.most {
            scratch.open.push(open);
            push(&mut scratch.order, Turn { lower: hand.least, open: scratch.open.len() as u32 - 1 });
        } else {
            self.deepen(l, &mut scratch.stack, &open);
        }
    }

    /// Searches what is left of a node depth first, nearer children first.
    #[inline(always)]
    fn deepen<L: Lanes>(&mut self, l: L, stack: &mut Vec<Deep>, open: &Open) {
        self.visits.overflows += 1;
        stack_up(stack, open.node, &open.lower, open.query);
        while let Some(Deep { lower, node, lane, query }) = stack.pop() {
            if !(lower < self.limit) {
                self.leave(lower);
                continue;
            }
            let Some(step) = self.step(node, lane, query) else {
                self.leaf(query, node, lane, lower);
                continue;
            };
            let mut query = Some(step.query);
            let mut other = step.other;
            while let Some(q) = query {
                let below = self.take(l, &step, q);
                stack_up(stack, step.node, &l.array8(below.lower), q);
                query = other.take();
            }
        }
    }
}

/// Puts the children that are left on the stack, the nearest last, of equals the first.
fn stack_up(stack: &mut Vec<Deep>, node: u32, lower: &[f32; WIDTH], query: u32) {
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
