//! The shapes that never move, in trees of boxes. Crowds ([`crate::model::checked_pairs`]) and movable
//! bodies that are carried are searched through them.
//!
//! The fixed shapes of the compiled world have one tree. Edits of that world share it. An edit that adds
//! obstacles puts them into a second, small tree of its own. Both trees have the same origin, so one query
//! serves both.

use crate::bounds::hierarchy::{WideQuery, WideTree};
use crate::bounds::{AlignedBox, Ball};
use crate::numeric::layered::Layered;
use alloc::sync::Arc;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// The shapes of the fixed bodies, by leaf.
#[derive(Clone, Debug)]
pub(crate) struct FixedShapes {
    pub leaves: Layered<FixedLeaf>,
    /// True if some body has several shapes.
    pub shared: bool,
    /// The first leaf with an equal shape at an equal pose, or the leaf itself; empty if there are no twins.
    /// Shapes that edits added have no twins.
    pub twins: Arc<Vec<u32>>,
    /// The tree over the leaves of the compiled world; edits share it.
    base: Arc<WideTree>,
    /// The boxes of the leaves that edits added, and the tree over them.
    added: Vec<AlignedBox>,
    later: WideTree,
}

/// A shape of a fixed body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedLeaf {
    /// The number of the shape.
    pub shape: u32,
    /// The index of its body among the fixed ones.
    pub fixed_index: u32,
    /// A ball around it in the cell frame.
    pub ball: Ball,
}

impl FixedShapes {
    /// From leaves, and the tree over their boxes in the cell frame.
    pub fn new(leaves: Vec<FixedLeaf>, shared: bool, twins: Vec<u32>, base: WideTree) -> FixedShapes {
        let later = WideTree::with_origin(&[], base.origin()).unwrap_or_else(|| unreachable!("no leaf"));
        let (leaves, twins, base) = (leaves.into(), Arc::new(twins), Arc::new(base));
        FixedShapes { leaves, shared, twins, base, added: Vec::new(), later }
    }

    /// No shapes.
    pub fn without_shapes() -> FixedShapes {
        let tree = WideTree::build(&[]).unwrap_or_else(|| unreachable!("an empty tree fits"));
        FixedShapes::new(Vec::new(), false, Vec::new(), tree)
    }

    /// Adds leaves. `None` if there are more than a tree can number.
    pub fn with_leaves(self, more: &[(FixedLeaf, AlignedBox)], shared: bool) -> Option<FixedShapes> {
        let FixedShapes { mut leaves, mut added, base, .. } = self;
        more.iter().for_each(|(leaf, _)| leaves.push(*leaf));
        added.extend(more.iter().map(|(_, around)| *around));
        let later = WideTree::with_origin(&added, base.origin())?;
        Some(FixedShapes { leaves, shared: self.shared || shared, twins: self.twins, base, added, later })
    }

    /// The trees, each with the number of its first leaf. The small tree is left out while it is empty.
    pub fn trees(&self) -> impl Iterator<Item = (u32, &WideTree)> {
        let later = (!self.later.is_empty()).then_some((self.leaves.shared_count() as u32, &self.later));
        core::iter::once((0, &*self.base)).chain(later)
    }

    /// The point that all trees and queries are relative to, in the cell frame.
    pub fn origin(&self) -> Vec3 {
        self.base.origin()
    }

    /// A query for all trees.
    #[inline]
    pub fn prepare_query(&self, around: &AlignedBox) -> WideQuery {
        self.base.prepare_query(around)
    }

    /// Levels of the deepest tree.
    pub fn max_levels(&self) -> usize {
        self.base.depth().max(self.later.depth())
    }
}
