//! Triangle meshes: closed solids or open surfaces, with a tree of boxes over their triangles.
//!
//! [`Mesh::new`] takes vertices and triangles. It refuses indices out of range and numbers that are not
//! finite, and keeps everything else: a degenerate triangle is a segment or a point, and counts. It decides
//! which pieces of the surface enclose a volume (`closed`) and builds the tree (`tree`). [`nearest`]
//! bounds the distance from a mesh to anything convex; [`inside`] decides whether a point lies in the solid;
//! `grow` finds convex parts of the solid.

pub mod area;
mod build;
mod caps;
mod cavities;
mod closed;
mod cracks;
mod cuts;
mod cycles;
pub(crate) mod data;
pub(crate) mod grow;
pub mod inside;
pub mod nearest;
pub mod node_hulls;
mod on_demand;
mod outward;
mod sectors;
mod sheets;
pub(crate) mod surface;
pub mod tree;
pub mod validate;
mod walls;

pub use data::Mesh;
pub use surface::Shells;

#[cfg(all(test, feature = "std"))]
mod tests;
