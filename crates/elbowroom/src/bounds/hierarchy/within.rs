//! All leaves of a wide tree that are not proved farther than a distance from some bodies, in no order.
//!
//! Where every leaf near enough is wanted, the order of [`super::nearest`] saves nothing, and keeping it
//! costs most of the search. As there, bodies come as a tree of their own, and a group of them is split in
//! two where its box is large beside those of the wide tree, and before leaves.

use super::gaps::{WideQuery, bound_eight, size_in};
use super::nearest::max_stack_depth;
use super::tree::Tree;
use super::wide::WideTree;
use crate::bounds::tolerance::BODIES_APART;
use crate::numeric::work_list::WorkList;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use elbowroom_pair::numeric::wide::LEAF;

/// Scratch space, owned by the caller; it does not grow while searching.
#[derive(Clone, Debug)]
pub(crate) struct WithinScratch {
    /// Nodes of the wide tree, each with a node of the bodies' tree.
    stack: WorkList<[u32; 2]>,
}

impl WithinScratch {
    /// For wide trees with at most `levels` levels of nodes, and so many bodies.
    pub fn for_levels(levels: usize, bodies: usize) -> WithinScratch {
        WithinScratch { stack: WorkList::with_capacity(max_stack_depth(levels, bodies)) }
    }

    /// Begins a search.
    pub fn start_search(&mut self, tree: &WideTree, bodies: &Tree) {
        self.stack.clear();
        if let (Some(root), Some(all)) = (tree.root(), bodies.root()) {
            self.stack.push([root, all]);
        }
    }
}

impl WideTree {
    /// Goes on with a search: gives `on_leaf` the number of a body and of a leaf, for all that are not proved
    /// farther apart than `prune_above` (metres). `queries` has one query for each node of the bodies' tree.
    /// The search pauses after the children of a node, at most eight, if `on_leaf` returned true for one of
    /// them. True if it is at its end.
    pub(crate) fn within_of_tree<F: FnMut(u32, u32) -> bool>(
        &self,
        bodies: &Tree,
        queries: &[WideQuery],
        prune_above: f32,
        scratch: &mut WithinScratch,
        on_leaf: F,
    ) -> bool {
        dispatch_kernel(Within { tree: self, bodies, queries, prune_above, scratch, on_leaf })
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
fn iter_set_lanes(mut bits: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        lane
    })
}

struct Within<'a, F> {
    tree: &'a WideTree,
    bodies: &'a Tree,
    queries: &'a [WideQuery],
    prune_above: f32,
    scratch: &'a mut WithinScratch,
    on_leaf: F,
}

impl<F: FnMut(u32, u32) -> bool> Kernel for Within<'_, F> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> bool {
        let Within { tree, bodies, queries, prune_above, scratch, mut on_leaf } = self;
        let stack = &mut scratch.stack;
        let prune_above = l.splat8(prune_above);
        while let Some([at, query]) = stack.pop() {
            let (node, q) = (&tree.nodes[at as usize], &queries[query as usize]);
            let there = (1_u32 << node.count) - 1;
            // Not above it: false for no bound at all.
            let near = !l.above_mask8(bound_eight(l, node, q), prune_above) & there;
            if let (Some((left, right)), true) = (bodies.children(query), near != 0) {
                let first = near.trailing_zeros() as usize;
                let to_leaf = iter_set_lanes(near).any(|lane| node.child[lane] & LEAF != 0);
                if to_leaf || q.size * BODIES_APART > size_in(node, first) {
                    // Its halves look at this node again.
                    stack.extend([[at, left], [at, right]]);
                    continue;
                }
            }
            let mut pauses = false;
            for child in iter_set_lanes(near).map(|lane| node.child[lane]) {
                if child & LEAF == 0 {
                    stack.push([child, query]);
                } else {
                    pauses |= on_leaf(query, child & !LEAF);
                }
            }
            if pauses {
                return stack.is_empty();
            }
        }
        true
    }
}
