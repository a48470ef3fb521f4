//! Bounding volume hierarchies (BVHs) of boxes. Leaves are numbers; the hierarchy does not know what they
//! stand for.
//!
//! There are two kinds. A binary [`Tree`] is for a group that moves: its boxes are refitted for every pose,
//! from the leaves upwards. They are not part of the tree, so that threads share it. [`agglomerate_boxes`]
//! builds it. A [`WideTree`] is for thousands to millions of boxes that do not move: eight children a node,
//! built once. [`WideTree::nearest_of_tree`] searches it for a whole group. A `MovingTree` is one whose boxes
//! can be moved.

mod agglomerative;
mod gaps;
mod greedy;
mod moving;
mod nearest;
mod order;
mod rounded;
mod searched;
mod tree;
mod wide;
mod within;

pub use agglomerative::{agglomerate_boxes, squared_diagonal};
pub use gaps::{Child, Gaps, WideQuery};
pub(crate) use moving::{LeafOrder, MovingTree};
pub(crate) use nearest::search_nearest;
pub use nearest::{Visits, WideScratch};
pub(crate) use rounded::about_lanes;
pub(crate) use searched::Searched;
pub use tree::Tree;
pub use wide::{WIDTH, WideTree};
pub(crate) use within::WithinScratch;

#[cfg(test)]
mod tests;
