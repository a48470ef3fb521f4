//! A tree over points that are replaced as a whole, many times a second: what a depth camera sees.
//!
//! The points are cut in two at the median of the longest edge of their box, again and again, until eight are
//! left: a k-d tree (Bentley, "Multidimensional binary search trees used for associative searching", 1975).
//! The cuts stand at multiples of eight times a power of two, so the shape of the tree follows from the
//! number of points alone and is never stored: only the order of the points is found. A median can be taken
//! however the points lie: duplicates, planes, lines, and points far away change neither depth nor time.
//! Sorted along a Morton curve the order costs half as much, but the boxes of eight are half as long again.
//!
//! Eight points are a [`PointBlock`](blocks::PointBlock), and eight boxes a node, so that eight are bounded
//! at once in f32. Coordinates are relative to an origin among the points. Their rounding errors are relative
//! to the distance from the query, and the query's radius includes them ([`PointQuery`]): a point far away
//! makes the bounds of the others no worse. The points themselves are kept as given.
//!
//! Memory is allocated once, for a capacity. Replacing the points, and asking about them, allocates nothing.
//!
//! A query is a capsule or a box around something that moves, and planes that are found during the search. To
//! measure a body against one point gives a plane that the body does not cross. From then on this plane
//! bounds the distances of all points in front of it ([`PointQuery::add_plane`]). The search is that of wide
//! trees ([`hierarchy`](super::hierarchy)): points come in the order of their bounds until a horizon.

mod blocks;
mod fault;
mod lanes;
mod order;
mod query;
mod search;
mod tree;

pub use fault::{PointFault, StaleQuery};
pub use query::PointQuery;
pub use tree::PointTree;

#[cfg(test)]
mod tests;
