//! What a best-first search over eight children a node needs to know of a tree.

use elbowroom_pair::numeric::simd::Lanes;

/// A tree of nodes with up to eight children, which are nodes or leaves.
pub(crate) trait Searched {
    /// A query.
    type Query;

    /// A bound on the levels of nodes.
    fn level_bound(&self) -> usize;
    /// The root node; `None` without a leaf.
    fn root_node(&self) -> Option<u32>;
    /// Lower bounds on the signed distances to the children (metres), infinite in lanes without a child. None
    /// is NaN.
    fn bound_children<L: Lanes>(&self, l: L, node: u32, query: &Self::Query) -> L::E;
    /// The child in a lane: a node, or the number of a leaf with the bit
    /// [`LEAF`](elbowroom_pair::numeric::wide::LEAF).
    fn child_at(&self, node: u32, lane: u32) -> u32;
    /// Whether the query of a group of bodies is large beside a child, so that its halves are searched by
    /// themselves.
    fn parts_bodies(&self, node: u32, lane: u32, query: &Self::Query) -> bool;
    /// A number that changes when a query has learned better bounds.
    fn query_version(query: &Self::Query) -> u32;
}
