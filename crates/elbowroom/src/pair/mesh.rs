//! The proved distance of two meshes, and what two closed meshes share.
//!
//! [`distance()`] finds the distance by descending both trees, [`contact`] settles what touches, and
//! [`shared`] what two solids that touch have in common.

mod boxes;
pub(crate) mod contact;
pub mod distance;
pub(crate) mod gap;
pub(crate) mod point;
pub mod queue;
mod search;
mod shared;

pub use distance::distance;
pub use gap::{MeshAsk, MeshCounts, MeshGap, MeshWarm, Relation};
pub use queue::MeshScratch;
