//! Boxes around the movable bodies of a pose, and the tree over them ([`MovingTree`]). A body that moved only
//! marks its box; the next question brings the tree up to date.

use crate::bounds::AlignedBox;
use crate::bounds::hierarchy::{MovingTree, WideTree};
use crate::numeric::heap_bytes::heap_bytes;
use crate::pose::tolerance::REFIT_SHARE;
use alloc::vec;
use alloc::vec::Vec;

/// The boxes, in the cell frame. Everything is allocated when they are made.
#[derive(Debug)]
pub(crate) struct MovableBoxes {
    boxes: Vec<AlignedBox>,
    /// Whether a body moved since the tree was brought up to date, and the numbers of those that did.
    is_stale: Vec<bool>,
    stale: Vec<u32>,
    tree: MovingTree,
    /// Whether the tree is to be built anew.
    is_old: bool,
}

impl Clone for MovableBoxes {
    fn clone(&self) -> MovableBoxes {
        let mut stale = Vec::with_capacity(self.boxes.len());
        stale.extend_from_slice(&self.stale);
        let (boxes, is_stale, tree) = (self.boxes.clone(), self.is_stale.clone(), self.tree.clone());
        MovableBoxes { boxes, is_stale, stale, tree, is_old: self.is_old }
    }
}

impl MovableBoxes {
    /// For so many bodies, all of which moved. `None` for more than a tree can number.
    pub fn new(count: usize) -> Option<MovableBoxes> {
        let boxes = vec![AlignedBox::EMPTY; count];
        let tree = MovingTree::new(&boxes)?;
        let stale = (0..count as u32).collect();
        Some(MovableBoxes { boxes, is_stale: vec![true; count], stale, tree, is_old: false })
    }

    /// The tree, as of the last [`MovableBoxes::refresh`].
    pub fn tree(&self) -> &WideTree {
        self.tree.tree()
    }

    /// Notes that a body moved, or was hidden or shown.
    pub fn touch(&mut self, movable: u32) {
        if !core::mem::replace(&mut self.is_stale[movable as usize], true) {
            self.stale.push(movable);
        }
    }

    /// The next refresh builds the tree anew: then it depends on nothing but the boxes.
    pub fn forget(&mut self) {
        self.is_old = true;
    }

    /// Brings the tree up to date; `around` gives the box of a body.
    pub fn refresh(&mut self, around: impl Fn(u32) -> AlignedBox) {
        if self.stale.is_empty() && !self.is_old {
            return;
        }
        let MovableBoxes { boxes, is_stale, stale, tree, is_old } = self;
        for &movable in stale.iter() {
            boxes[movable as usize] = around(movable);
            is_stale[movable as usize] = false;
        }
        if core::mem::take(is_old) {
            tree.rebuild(boxes);
        } else if stale.len() * REFIT_SHARE > boxes.len() {
            tree.refit(boxes);
        } else {
            stale.iter().for_each(|movable| tree.set(*movable, &boxes[*movable as usize]));
            if tree.is_worn() {
                tree.rebuild(boxes);
            }
        }
        stale.clear();
    }

    /// Bytes that they allocated.
    pub fn heap_bytes(&self) -> usize {
        heap_bytes(&self.boxes)
            + heap_bytes(&self.is_stale)
            + heap_bytes(&self.stale)
            + self.tree.heap_bytes()
    }
}
