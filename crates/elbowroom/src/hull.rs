//! Points to a checked convex hull with adjacency.

/// A convex polytope.
#[derive(Clone, Debug)]
pub struct Hull {}
