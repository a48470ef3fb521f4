//! The proved distance of two meshes.
//!
//! [`distance()`] descends both trees. [`contact`] decides whether solids overlap whose surfaces touch or are
//! apart; [`shared`] searches a ball that two touching solids have in common.

mod boxes;
pub(crate) mod contact;
pub mod distance;
mod front;
pub(crate) mod gap;
pub mod hulls;
pub(crate) mod point;
pub mod queue;
mod search;
mod shared;

pub use distance::distance;
pub use gap::{MeshCounts, MeshGap, MeshQuery, MeshWarm, Relation};
pub use queue::MeshScratch;
