//! Best first through a wide tree: the leaves nearest to some bodies, in the order of their bounds.
//!
//! All bodies are searched for at once, so that the cutoff that one reaches ends the search for the others. A node whose children were
//! bounded waits in an open list, ordered by the least of the bounds it has left; so the list is as long as the nodes looked into, not as
//! their children. The child that is taken becomes the node at hand, and stays that as long as nothing waits before it. When
//! the list is full, what would have to wait is searched to its end, depth first: the answer is the same, and memory does not grow.
//! The search ends when the least bound that is left is not below the cutoff.

use super::gaps::{WideQuery, bound_eight, cutoff32};
use super::wide::{LEAF, Node, WIDTH, WideTree};
use crate::simd::{Kernel, Lanes, dispatch};
use crate::tolerance::OPEN_LIST;
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

/// A node that waits with the bounds of those of its children that are left; infinite for the others.
#[derive(Clone, Copy, Debug)]
struct Open {
    lower: [f32; WIDTH],
    node: u32,
    query: u32,
}

/// Its place in the order.
#[derive(Clone, Copy, Debug)]
struct Turn {
    lower: f32,
    open: u32,
}

/// A child that waits in a search depth first.
#[derive(Clone, Copy, Debug)]
struct Deep {
    lower: f32,
    child: u32,
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
    /// For a tree. The open list holds [`OPEN_LIST`] nodes.
    pub fn new(tree: &WideTree) -> WideScratch {
        WideScratch::with_open_list(tree, OPEN_LIST)
    }
    /// For a tree, with an open list of another length; a short one is exact too.
    pub fn with_open_list(tree: &WideTree, most: usize) -> WideScratch {
        WideScratch {
            open: Vec::with_capacity(most),
            free: Vec::with_capacity(most),
            order: Vec::with_capacity(most),
            most,
            stack: Vec::with_capacity(deepest(tree)),
        }
    }
    /// Memory it holds.
    pub fn bytes(&self) -> usize {
        self.open.capacity() * size_of::<Open>()
            + self.free.capacity() * size_of::<u32>()
            + self.order.capacity() * size_of::<Turn>()
            + self.stack.capacity() * size_of::<Deep>()
    }
}

/// Children that can wait in a search depth first.
fn deepest(tree: &WideTree) -> usize {
    (WIDTH - 1) * tree.depth() + WIDTH
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
        let Search { tree, queries, cutoff, scratch, on_leaf } = self;
        scratch.open.clear();
        scratch.free.clear();
        scratch.order.clear();
        scratch.stack.clear();
        scratch.stack.reserve(deepest(tree));
        // What is no number does not cut.
        let cutoff = if cutoff.is_nan() { f64::INFINITY } else { cutoff };
        let mut s =
            State { tree, queries, cutoff, limit: cutoff32(cutoff), visits: Visits::default(), on_leaf };
        let mut at =
            Hand { lower: l.splat8(f32::INFINITY), least: f32::INFINITY, lane: 0, node: 0, query: 0 };
        for query in 0..queries.len() as u32 {
            let root = s.look(l, 0, query);
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
                    put(&mut scratch.order, Turn { lower: at.least, open: first.open });
                } else {
                    scratch.free.push(first.open);
                    if let Some(last) = scratch.order.pop()
                        && !scratch.order.is_empty()
                    {
                        put(&mut scratch.order, last);
                    }
                }
                let lower = l.load8(&open.lower);
                let (least, lane) = l.least8(lower);
                at = Hand { lower, least, lane, node: open.node, query: open.query };
            }
            if !(at.least < s.limit) {
                break;
            }
            let (child, query, lower) =
                (tree.nodes[at.node as usize].child[at.lane as usize], at.query, at.least);
            at.lower = l.max8(at.lower, l.load8(&WITHOUT[at.lane as usize]));
            (at.least, at.lane) = l.least8(at.lower);
            if child & LEAF != 0 {
                s.leaf(query, child & !LEAF, lower);
                continue;
            }
            let below = s.look(l, child, query);
            let later = nearer_first(&mut at, below);
            s.wait(l, scratch, later);
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

struct State<'a, F> {
    tree: &'a WideTree,
    queries: &'a [WideQuery],
    cutoff: f64,
    limit: f32,
    visits: Visits,
    on_leaf: F,
}

impl<F: FnMut(usize, u32, f64) -> f64> State<'_, F> {
    /// Bounds the children of a node.
    #[inline(always)]
    fn look<L: Lanes>(&mut self, l: L, node: u32, query: u32) -> Hand<L::E> {
        self.visits.nodes += 1;
        let n = &self.tree.nodes[node as usize];
        let lower = bound_eight(l, n, &self.queries[query as usize]);
        let (least, lane) = l.least8(lower);
        Hand { lower, least, lane, node, query }
    }

    /// Hands out a leaf.
    #[inline(always)]
    fn leaf(&mut self, query: u32, leaf: u32, lower: f32) {
        self.visits.leaves += 1;
        let answer = (self.on_leaf)(query as usize, leaf, f64::from(lower));
        if answer < self.cutoff {
            self.cutoff = answer;
            self.limit = cutoff32(answer);
        }
    }

    /// Lets a node wait, or searches it to its end where the open list is full.
    #[inline(always)]
    fn wait<L: Lanes>(&mut self, l: L, scratch: &mut WideScratch, hand: Hand<L::E>) {
        if !(hand.least < self.limit) {
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
            self.to_the_end(l, &mut scratch.stack, &open);
        }
    }

    /// Searches what is left of a node depth first, nearer children first.
    #[inline(always)]
    fn to_the_end<L: Lanes>(&mut self, l: L, stack: &mut Vec<Deep>, open: &Open) {
        self.visits.overflows += 1;
        stack_up(stack, &self.tree.nodes[open.node as usize], &open.lower, open.query);
        while let Some(Deep { lower, child, query }) = stack.pop() {
            if !(lower < self.limit) {
                continue;
            }
            if child & LEAF != 0 {
                self.leaf(query, child & !LEAF, lower);
                continue;
            }
            let below = self.look(l, child, query);
            stack_up(stack, &self.tree.nodes[child as usize], &l.array8(below.lower), query);
        }
    }
}

/// Puts the children that are left on the stack, the nearest last, of equals the first.
fn stack_up(stack: &mut Vec<Deep>, node: &Node, lower: &[f32; WIDTH], query: u32) {
    let start = stack.len();
    for (&lower, &child) in lower.iter().zip(&node.child) {
        if lower == f32::INFINITY {
            continue;
        }
        let e = Deep { lower, child, query };
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
fn push(heap: &mut Vec<Turn>, turn: Turn) {
    let mut at = heap.len();
    heap.push(turn);
    while at > 0 {
        let up = (at - 1) / 2;
        if heap[up].lower <= turn.lower {
            break;
        }
        heap[at] = heap[up];
        at = up;
    }
    heap[at] = turn;
}

/// Puts an entry in the place of the first of a heap that is not empty.
#[inline(always)]
fn put(heap: &mut [Turn], turn: Turn) {
    let mut at = 0;
    loop {
        let mut down = 2 * at + 1;
        if down >= heap.len() {
            break;
        }
        if down + 1 < heap.len() && heap[down + 1].lower < heap[down].lower {
            down += 1;
        }
        if heap[down].lower >= turn.lower {
            break;
        }
        heap[at] = heap[down];
        at = down;
    }
    heap[at] = turn;
}
