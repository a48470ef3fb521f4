//! The shapes that never move, in a tree of boxes. Crowds ([`crate::model::checked_pairs`]) and movable
//! bodies that are carried are searched through it.

use crate::bounds::Ball;
use crate::bounds::hierarchy::WideTree;
use alloc::vec::Vec;

/// The shapes of the fixed bodies, by leaf.
#[derive(Clone, Debug)]
pub(crate) struct FixedShapes {
    /// The number of the shape.
    pub shapes: Vec<u32>,
    /// The index of its body among the fixed ones.
    pub fixed_index: Vec<u32>,
    /// True if some body has several shapes.
    pub shared: bool,
    /// Balls around them in the cell frame.
    pub balls: Vec<Ball>,
    /// The first leaf with an equal shape at an equal pose, or the leaf itself; empty if there are no twins.
    pub twins: Vec<u32>,
    /// Their boxes in the cell frame.
    pub tree: WideTree,
}

impl FixedShapes {
    /// No shapes.
    pub fn none() -> FixedShapes {
        let tree = WideTree::build(&[]).unwrap_or_else(|| unreachable!("an empty tree fits"));
        let (shapes, fixed_index, balls, twins) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        FixedShapes { shapes, fixed_index, shared: false, balls, twins, tree }
    }
}
