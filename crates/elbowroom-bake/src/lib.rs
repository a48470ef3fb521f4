//! A world made into constants for a microcontroller.
//!
//! [`bake_world`] takes a compiled world and the description that it was compiled from, and gives a
//! [`Baked`], or every reason why this world cannot be baked, by name. [`project_files`] writes it out: the
//! constants as Rust, a C header, an example in C, and all that a compiler needs to make a static library of
//! them. `elbowroom-baked` answers with it, and proves nothing that the engine would not.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod baked;
mod bodies;
mod header;
mod kinematics;
mod limits;
mod pairs;
mod project;
mod refusal;
mod round;
mod source;
mod values;

pub use baked::{Baked, bake_world};
pub use limits::{MAX_CORNERS, MAX_ERROR};
pub use project::{ProjectFile, project_files};
pub use refusal::Refusal;
