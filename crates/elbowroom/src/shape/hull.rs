//! Points to a checked convex hull with adjacency.
//!
//! The hull of any finite point set: of a single point, of collinear points, of coplanar points, or a solid;
//! each is told apart by exact predicates (Shewchuk's adaptive arithmetic), so a set is flat only if it is
//! flat to the last bit, and a needle or pancake of a few ulps is a solid like any other. No tolerance, no
//! merging, no joggling: the vertices are exactly the extreme points, and every input point lies in their
//! hull.
//!
//! Way: `points` brings the set into the range of the exact predicates; `flat` decides the rank and does the
//! flat ones; `quick` is quickhull and `small` the same for few points; `facet` joins coplanar triangles to
//! facets and drops what is not a corner; `check` proves the result convex from scratch; `graph` lays it out
//! for queries; `ball` bounds it.
//!
//! The result depends only on the set: vertices are sorted by (x, y, z), facets start at their smallest
//! vertex.

mod ball;
mod block;
mod build;
mod cell;
mod check;
mod facet;
mod fault;
mod flat;
mod graph;
mod outline;
mod parts;
mod points;
mod polytope;
mod predicate;
mod quick;
mod rank;
mod room;
mod small;
#[cfg(test)]
mod tests;

pub use block::Block;
pub use fault::HullFault;
pub use parts::{Faces, Vertices};
pub use polytope::Hull;
pub use rank::Rank;
pub(crate) use room::HullScratch;
