//! The proved distance of two meshes, and what two closed meshes share.
//!
//! [`distance()`] finds the distance by descending both trees, [`contact`] settles what touches, [`shared`]
//! what two solids that touch have in common, and [`mod@reference`] does the first of these slowly.

mod boxes;
pub(crate) mod contact;
pub mod distance;
pub(crate) mod gap;
pub(crate) mod point;
pub mod queue;
pub mod reference;
mod search;
mod shared;

pub use distance::distance;
pub use gap::{MeshAsk, MeshCounts, MeshGap, MeshWarm, Relation};
pub use queue::MeshScratch;
