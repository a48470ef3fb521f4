//! A leaf of a wide tree that is near some boxes, though not always the nearest.
//!
//! For each box the child with the least bound is followed from the root down to a leaf. That costs a node a
//! level, and less where a child is no nearer than a leaf that was found. Nothing is proved by it: it serves
//! to name a pair.

use super::gaps::{WideQuery, bound_eight};
use super::nearest::WITHOUT;
use super::wide::WideTree;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use elbowroom_pair::numeric::wide::LEAF;

/// A leaf near a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearLeaf {
    /// The number of the box's query.
    pub query: usize,
    pub leaf: u32,
    /// A lower bound on their signed distance (metres).
    pub lower: f32,
}

impl WideTree {
    /// Of the leaves that are found for the queries, the one with the least bound, if that is less than
    /// `below`; of equals that of the first query. Where a node is reached whose children are leaves that are
    /// not wanted, nothing is found for the query.
    pub(crate) fn find_greedily<F: FnMut(usize, u32) -> bool>(
        &self,
        queries: &[WideQuery],
        below: f32,
        wanted: F,
    ) -> Option<NearLeaf> {
        dispatch_kernel(Greedy { tree: self, queries, below, wanted })
    }
}

struct Greedy<'a, F> {
    tree: &'a WideTree,
    queries: &'a [WideQuery],
    below: f32,
    wanted: F,
}

impl<F: FnMut(usize, u32) -> bool> Kernel for Greedy<'_, F> {
    type Output = Option<NearLeaf>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Option<NearLeaf> {
        let Greedy { tree, queries, mut below, mut wanted } = self;
        let root = tree.root()?;
        let mut found = None;
        for (number, query) in queries.iter().enumerate() {
            let mut node = &tree.nodes[root as usize];
            let mut bounds = bound_eight(l, node, query);
            loop {
                let (lower, lane) = l.least_lane8(bounds);
                // What is below a child is no nearer than the child.
                if !(lower < below) {
                    break;
                }
                let child = node.child[lane as usize];
                if child & LEAF == 0 {
                    node = &tree.nodes[child as usize];
                    bounds = bound_eight(l, node, query);
                } else if wanted(number, child & !LEAF) {
                    found = Some(NearLeaf { query: number, leaf: child & !LEAF, lower });
                    below = lower;
                    break;
                } else {
                    bounds = l.max8(bounds, l.load8(&WITHOUT[lane as usize]));
                }
            }
        }
        found
    }
}
