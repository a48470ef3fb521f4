//! A binary tree over numbered leaves, as one flat array.

use crate::bounds::aligned_box::AlignedBox;
use alloc::vec;
use alloc::vec::Vec;

/// Largest number of leaves: node numbers have 32 bits.
pub(super) const LEAF_LIMIT: usize = 1 << 30;

/// A binary tree. The leaves are the nodes `0..n`; each later node joins two nodes before it; the last node
/// is the root. The boxes are an array apart, one box a node, so that many poses share one tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    leaves: u32,
    joins: Vec<[u32; 2]>,
}

impl Tree {
    /// A tree from the pairs of nodes to join, in order; `None` if they do not make a tree over so many
    /// leaves.
    pub fn from_joins(leaves: usize, joins: Vec<[u32; 2]>) -> Option<Tree> {
        if leaves > LEAF_LIMIT {
            return None;
        }
        let tree = Tree { leaves: leaves as u32, joins };
        tree.is_tree().then_some(tree)
    }

    /// A tree from joins that are known to make one.
    pub(super) fn from_valid_joins(leaves: usize, joins: Vec<[u32; 2]>) -> Tree {
        let tree = Tree { leaves: leaves as u32, joins };
        debug_assert!(tree.is_tree());
        tree
    }

    /// The balanced tree over the leaves in their order, for leaves whose boxes are not known yet. `None` for
    /// more leaves than can be numbered.
    pub fn build_balanced(leaves: usize) -> Option<Tree> {
        if leaves > LEAF_LIMIT {
            return None;
        }
        // Neighbours are joined until one node is left, `ceil(log2 n)` levels above the leaves.
        let mut list: Vec<u32> = (0..leaves as u32).collect();
        let mut joins = Vec::with_capacity(leaves.saturating_sub(1));
        while list.len() > 1 {
            let mut next = Vec::with_capacity(list.len().div_ceil(2));
            for pair in list.chunks(2) {
                match *pair {
                    [a, b] => {
                        next.push((leaves + joins.len()) as u32);
                        joins.push([a, b]);
                    }
                    _ => next.push(pair[0]),
                }
            }
            list = next;
        }
        Some(Tree::from_valid_joins(leaves, joins))
    }

    /// Number of leaves.
    #[inline(always)]
    pub fn leaf_count(&self) -> usize {
        self.leaves as usize
    }

    /// Number of nodes, and of boxes: twice the leaves less one.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.leaves as usize + self.joins.len()
    }

    /// Whether there is no leaf.
    pub fn is_empty(&self) -> bool {
        self.leaves == 0
    }

    /// The root; `None` without a leaf.
    #[inline(always)]
    pub fn root(&self) -> Option<u32> {
        (self.len() as u32).checked_sub(1)
    }

    /// The two nodes that a node joins; `None` for a leaf.
    #[inline(always)]
    pub fn children(&self, node: u32) -> Option<(u32, u32)> {
        let join = node.checked_sub(self.leaves)?;
        self.joins.get(join as usize).map(|&[l, r]| (l, r))
    }

    /// The number of a leaf; `None` for a node that joins two.
    #[inline(always)]
    pub fn leaf_number(&self, node: u32) -> Option<u32> {
        (node < self.leaves).then_some(node)
    }

    /// The pairs of joined nodes, in the order of the nodes after the leaves.
    #[inline(always)]
    pub fn joins(&self) -> &[[u32; 2]] {
        &self.joins
    }

    /// Computes the boxes of all nodes from those of the leaves. The arrays have `Tree::leaves` and
    /// [`Tree::len`] boxes; no coordinate is NaN. Does not allocate.
    ///
    /// # Panics
    /// If the lengths differ from the tree's: an error of the caller, never of input.
    #[inline]
    pub fn refit_boxes(&self, leaf_boxes: &[AlignedBox], boxes: &mut [AlignedBox]) {
        assert!(leaf_boxes.len() == self.leaf_count() && boxes.len() == self.len(), "boxes of another tree");
        boxes[..leaf_boxes.len()].copy_from_slice(leaf_boxes);
        self.refit_above(boxes);
    }

    /// Computes the boxes of all inner nodes, where those of the leaves are already the first in the array.
    /// It has [`Tree::len`] boxes; no coordinate is NaN. Does not allocate.
    ///
    /// # Panics
    /// If its length differs from the tree's: an error of the caller, never of input.
    #[inline]
    pub fn refit_above(&self, boxes: &mut [AlignedBox]) {
        assert!(boxes.len() == self.len(), "boxes of another tree");
        let first = self.leaf_count();
        for (k, &[l, r]) in self.joins.iter().enumerate() {
            boxes[first + k] = boxes[l as usize].join(&boxes[r as usize]);
        }
        debug_assert!(self.has_valid_boxes(boxes));
    }

    /// Whether each box contains those of the two nodes it joins. Debug builds check this after every refit.
    pub fn has_valid_boxes(&self, boxes: &[AlignedBox]) -> bool {
        let holds = |k: usize, [l, r]: [u32; 2]| {
            let around = &boxes[self.leaf_count() + k];
            let within =
                |i: u32| boxes[i as usize] == AlignedBox::EMPTY || around.contains(&boxes[i as usize]);
            within(l) && within(r)
        };
        boxes.len() == self.len() && self.joins.iter().enumerate().all(|(k, &join)| holds(k, join))
    }

    /// Whether every node but the root is joined exactly once, and only with nodes before the join.
    fn is_tree(&self) -> bool {
        let n = self.leaf_count();
        if self.joins.len() != n.saturating_sub(1) {
            return false;
        }
        let mut joined = vec![false; self.len()];
        for (k, join) in self.joins.iter().enumerate() {
            for &child in join {
                if child as usize >= n + k || core::mem::replace(&mut joined[child as usize], true) {
                    return false;
                }
            }
        }
        true
    }
}
