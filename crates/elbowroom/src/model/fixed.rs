//! The shapes that never move, in a tree of boxes: what a crowd ([`crate::model::checked`]) is searched
//! through.

use crate::bounds::Ball;
use crate::bounds::hierarchy::WideTree;
use alloc::vec::Vec;

/// The shapes of the fixed bodies of the checked pairs, by leaf.
#[derive(Clone, Debug)]
pub(crate) struct FixedShapes {
    /// The number of each shape.
    pub shapes: Vec<u32>,
    /// The index of its body among the fixed ones.
    pub fixed_index: Vec<u32>,
    /// Whether a body has several.
    pub shared: bool,
    /// Balls around them in the cell frame.
    pub balls: Vec<Ball>,
    /// The first leaf that is the same shape in the same pose; empty if there are no such twins.
    pub twins: Vec<u32>,
    /// Their boxes in the cell frame.
    pub tree: WideTree,
}

impl FixedShapes {
    /// None.
    pub fn none() -> FixedShapes {
        let tree = WideTree::build(&[]).unwrap_or_else(|| unreachable!("nothing is not too much"));
        let (shapes, fixed_index, balls, twins) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        FixedShapes { shapes, fixed_index, shared: false, balls, twins, tree }
    }
}
