//! Lower bounds on the signed distances of a body's box to the eight boxes of a node, in f32.
//!
//! The signed distance of two boxes that overlap is minus the least translation along an axis that separates
//! them. The boxes were rounded outwards, and differences of f32 are correctly rounded. What remains is a few
//! relative roundings of the gap itself, which are taken off. So each result is a lower bound on the signed
//! distance of the boxes' contents.

use super::rounded::round_outwards_fast;
use super::wide::{Node, WIDTH, WideTree};
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::GAP_ROUNDING_F32;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use elbowroom_pair::numeric::tolerance::UNDERFLOW_F32;
use elbowroom_pair::numeric::wide::{Box32, LEAF};

/// The box that is searched with, in the tree's frame.
#[derive(Clone, Copy, Debug)]
pub struct WideQuery {
    low: [f32; 3],
    high: [f32; 3],
    /// Longest edge of the box.
    pub(super) size: f32,
}

impl WideQuery {
    /// A box in the tree's frame.
    #[inline(always)]
    pub(crate) fn new(low: [f32; 3], high: [f32; 3]) -> WideQuery {
        WideQuery { low, high, size: longest_edge(low, high) }
    }

    /// The query of a box that was rounded already.
    #[inline(always)]
    pub(crate) fn from_rounded(b: &Box32) -> WideQuery {
        WideQuery::new([b.low[0], b.low[1], b.low[2]], [b.high[0], b.high[1], b.high[2]])
    }

    /// The query of the smallest box around both. Rounding keeps the order of numbers, so it is that of the
    /// box around both before they were rounded.
    #[inline(always)]
    pub(crate) fn join(&self, other: &WideQuery) -> WideQuery {
        let least = |a: f32, b: f32| if a < b { a } else { b };
        let greatest = |a: f32, b: f32| if a > b { a } else { b };
        let low = [0, 1, 2].map(|k| least(self.low[k], other.low[k]));
        WideQuery::new(low, [0, 1, 2].map(|k| greatest(self.high[k], other.high[k])))
    }
}

/// A child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Another node.
    Node(u32),
    /// A leaf: the number of a box that the tree was built over.
    Leaf(u32),
}

/// The children of a node and lower bounds on the signed distance to each (metres).
#[derive(Clone, Copy, Debug)]
pub struct Gaps {
    /// Lower bounds; infinite in the lanes from `count` on.
    pub lower: [f32; WIDTH],
    /// Number of children.
    pub count: usize,
    child: [u32; WIDTH],
}

impl Gaps {
    /// The child in a lane below `count`.
    #[inline(always)]
    pub fn child_at(&self, lane: usize) -> Child {
        let c = self.child[lane];
        if c & LEAF != 0 { Child::Leaf(c & !LEAF) } else { Child::Node(c) }
    }
}

impl WideTree {
    /// Prepares a search with a box, given in the frame of the boxes that the tree was built over.
    #[inline]
    pub fn prepare_query(&self, around: &AlignedBox) -> WideQuery {
        WideQuery::from_rounded(&round_outwards_fast(around, self.origin))
    }

    /// The children of a node with their bounds; no children if there is no such node. For a caller's own
    /// search; [`WideTree::nearest_of_tree`] is faster where many nodes are visited.
    pub fn children_gaps(&self, node: u32, query: &WideQuery) -> Gaps {
        if node as usize >= self.nodes.len() {
            return Gaps { lower: [0.0; WIDTH], count: 0, child: [LEAF; WIDTH] };
        }
        dispatch_kernel(One { tree: self, node, query })
    }
}

struct One<'a> {
    tree: &'a WideTree,
    node: u32,
    query: &'a WideQuery,
}

impl Kernel for One<'_> {
    type Output = Gaps;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Gaps {
        let node = &self.tree.nodes[self.node as usize];
        Gaps {
            lower: l.to_array8(bound_eight(l, node, self.query)),
            count: node.count as usize,
            child: node.child,
        }
    }
}

/// The longest edge of a box.
#[inline(always)]
fn longest_edge(low: [f32; 3], high: [f32; 3]) -> f32 {
    (high[0] - low[0]).max(high[1] - low[1]).max(high[2] - low[2])
}

/// The longest edge of the box in a lane.
#[inline(always)]
pub(super) fn size_in(node: &Node, lane: usize) -> f32 {
    let at = |of: &[[f32; WIDTH]; 3]| [of[0][lane], of[1][lane], of[2][lane]];
    longest_edge(at(&node.boxes.low), at(&node.boxes.high))
}

/// Infinity in the lanes from a node's count on, else minus infinity: `max` with this fills the empty lanes,
/// and turns NaN into minus infinity.
static EMPTY_LANES: [[f32; WIDTH]; 16] = {
    let mut t = [[f32::NEG_INFINITY; WIDTH]; 16];
    let mut count = 0;
    while count < WIDTH {
        let mut lane = count;
        while lane < WIDTH {
            t[count][lane] = f32::INFINITY;
            lane += 1;
        }
        count += 1;
    }
    t
};

/// The gaps between the eight boxes of a node and the box of a query along an axis.
#[inline(always)]
fn axis_gaps<L: Lanes>(l: L, node: &Node, query: &WideQuery, k: usize) -> L::E {
    let above = l.sub8(l.load8(&node.boxes.low[k]), l.splat8(query.high[k]));
    let below = l.sub8(l.splat8(query.low[k]), l.load8(&node.boxes.high[k]));
    l.max8(above, below)
}

/// The bounds of the eight boxes of a node.
#[inline(always)]
pub(super) fn bound_eight<L: Lanes>(l: L, node: &Node, query: &WideQuery) -> L::E {
    let (x, y, z) =
        (axis_gaps(l, node, query, 0), axis_gaps(l, node, query, 1), axis_gaps(l, node, query, 2));
    let least = l.max8(l.max8(x, y), z);
    let zero = l.splat8(0.0);
    let (x, y, z) = (l.max8(x, zero), l.max8(y, zero), l.max8(z, zero));
    let square = l.add8(l.add8(l.mul8(x, x), l.mul8(y, y)), l.mul8(z, z));
    let slack = l.splat8(UNDERFLOW_F32 as f32);
    let distance = l.sub8(l.mul8(l.sqrt8(square), l.splat8(1.0 - GAP_ROUNDING_F32)), slack);
    let gap = l.positive8(least, distance, l.mul8(least, l.splat8(1.0 + GAP_ROUNDING_F32)));
    l.max8(gap, l.load8(&EMPTY_LANES[node.count as usize & 15]))
}
