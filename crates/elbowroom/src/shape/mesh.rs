//! Triangle meshes: closed solids or open surfaces, with a tree of boxes over their triangles.
//!
//! [`Mesh::new`] takes vertices and triangles, refuses what cannot be meant (indices out of range, numbers
//! that are not finite), keeps everything else (a degenerate triangle is a segment or a point, and counts),
//! finds out which parts of the surface enclose a volume (`closed`) and builds the tree (`tree`).
//! [`nearest`] finds the distance from a mesh to anything convex, [`inside`] whether a point lies in the
//! solid.

pub mod area;
mod build;
mod caps;
mod closed;
mod cracks;
mod cycles;
pub(crate) mod data;
pub mod inside;
pub mod nearest;
mod outward;
mod rooms;
mod sheets;
pub(crate) mod surface;
pub mod tree;
pub mod validate;
mod walls;

pub use data::{Mesh, MeshFault};
pub use surface::Shells;

#[cfg(all(test, feature = "std"))]
mod tests;
