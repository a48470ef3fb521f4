//! Boxes around the movable bodies of a pose, and the tree over them ([`MovingTree`]). A body that moved only
//! marks its box; the next question brings the tree up to date.

use crate::bounds::AlignedBox;
use crate::bounds::hierarchy::{LeafOrder, MovingTree, WideTree};
use crate::numeric::work_list::WorkList;
use crate::pose::tolerance::REFIT_SHARE;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;
use elbowroom_pair::numeric::wide::Box32;

/// The boxes, in the cell frame. Everything is allocated when they are made.
#[derive(Clone, Debug)]
pub(crate) struct MovableBoxes {
    /// Whether a body moved since the tree was brought up to date, and the numbers of those that did.
    is_stale: Vec<bool>,
    stale: WorkList<u32>,
    tree: MovingTree,
    /// Whether the tree is to be built again.
    is_old: bool,
}

impl MovableBoxes {
    /// For so many bodies, all of which moved. `None` for more than a tree can number.
    pub fn new(count: usize) -> Option<MovableBoxes> {
        let tree = MovingTree::new(&vec![AlignedBox::EMPTY; count])?;
        Some(MovableBoxes {
            is_stale: vec![true; count],
            stale: (0..count as u32).collect::<Vec<_>>().into(),
            tree,
            is_old: true,
        })
    }

    /// The tree, as of the last [`MovableBoxes::refresh_tree`].
    pub fn tree(&self) -> &WideTree {
        self.tree.tree()
    }

    /// The point that boxes are relative to.
    pub fn origin(&self) -> &Vec3 {
        self.tree.origin()
    }

    /// Gives a body another box.
    #[inline]
    pub fn set_box(&mut self, movable: u32, around: Box32) {
        self.tree.write()[movable as usize] = around;
        if !core::mem::replace(&mut self.is_stale[movable as usize], true) {
            self.stale.push(movable);
        }
    }

    /// The next refresh builds the tree again: then it depends on nothing but the boxes.
    pub fn mark_old(&mut self) {
        self.is_old = true;
    }

    /// Brings the tree up to date.
    pub fn refresh_tree(&mut self) {
        if self.stale.is_empty() && !self.is_old {
            return;
        }
        let MovableBoxes { is_stale, stale, tree, is_old } = self;
        stale.iter().for_each(|movable| is_stale[*movable as usize] = false);
        if core::mem::take(is_old) {
            tree.rebuild_tree(LeafOrder::ByHalves);
        } else if stale.len() * REFIT_SHARE > is_stale.len() {
            tree.refit_all();
        } else {
            stale.iter().for_each(|movable| tree.update_leaf(*movable));
            if tree.is_worn() {
                tree.rebuild_tree(LeafOrder::ByHalves);
            }
        }
        stale.clear();
    }
}
