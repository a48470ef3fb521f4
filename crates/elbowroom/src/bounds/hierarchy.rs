//! Hierarchies of boxes over whatever has boxes: what they contain is numbered, and not known.
//!
//! Two kinds. A binary [`Tree`] is for groups that move: its boxes are refitted from below for every pose,
//! and are kept apart from the tree, so that threads share it. [`agglomerate`] builds it. A [`WideTree`] is
//! for thousands to millions of boxes that stay where they are: eight to a node, built once;
//! [`WideTree::nearest_of_tree`] searches it for a whole group.

mod agglomerative;
mod gaps;
mod nearest;
mod rounded;
mod tree;
mod wide;

pub use agglomerative::{agglomerate, diagonal};
pub use gaps::{Child, Gaps, WideQuery};
pub use nearest::{Visits, WideScratch};
pub use tree::Tree;
pub use wide::{WIDTH, WideTree};

#[cfg(test)]
mod tests;
