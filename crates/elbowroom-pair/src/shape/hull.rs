//! Points to a checked convex hull with adjacency.
//!
//! The hull of any finite point set: a single point, collinear points, coplanar points, or a solid. Exact
//! predicates (Shewchuk's adaptive arithmetic) decide which: a set is flat only if it is exactly flat, and a
//! needle or pancake of a few ulps is a solid. There is no tolerance, no merging and no joggling: the
//! vertices are exactly the extreme points, and every input point lies in their hull.
//!
//! `points` brings the set into the range of the exact predicates; `flat` decides the rank and makes the flat
//! hulls; `quick` is quickhull, and `small` the same for few points; `facet` joins coplanar triangles to
//! facets and drops vertices that are not extreme; `check` proves the result convex, independently; `graph`
//! lays it out for queries; `ball` bounds it; `store` keeps it.
//!
//! The result depends only on the set: vertices are sorted by (x, y, z), and facets start at their smallest
//! vertex.

mod ball;
mod block;
mod build;
mod cell;
mod check;
mod facet;
mod flat;
mod graph;
mod lists;
mod outline;
mod points;
mod polytope;
mod predicate;
mod quick;
mod rank;
mod scratch;
mod shuffle;
mod small;
mod store;
mod surface;
#[cfg(test)]
mod tests;

pub use block::Block;
pub use build::InBall;
pub(crate) use build::{Draft, Laid, extreme_points};
pub(crate) use cell::{AXES, CELL_ERROR, direction_cell};
pub(crate) use graph::Graph;
pub use lists::{Faces, Vertices};
pub use polytope::Hull;
pub use rank::Rank;
pub(crate) use scratch::HullScratch;
pub(crate) use store::{Filling, Store};
