//! What tests share: shapes, worlds and robots to ask about, random numbers, an allocator that counts.
//!
//! Tests of the engine's units take single files of it by `#[path]`: they have an engine of their own, whose
//! types are not those that this crate links.
#![allow(missing_docs)]
// A shared part of tests fails as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod ask;
pub mod bent;
pub mod cases;
#[cfg(feature = "files")]
pub mod cells;
pub mod counting;
pub mod data;
pub mod describe;
pub mod engine;
pub mod fits;
pub mod fitted;
pub mod golden;
pub mod numpy;
#[cfg(unix)]
pub mod program;
pub mod rng;
pub mod robots;
pub mod shapes;
pub mod slopes;
pub mod star;
pub mod straight;
pub mod threads;
pub mod turned;
pub mod worlds;

pub use elbowroom_reference::engine as slow;

/// A number from the environment: how much of a long run.
pub fn number_from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}
