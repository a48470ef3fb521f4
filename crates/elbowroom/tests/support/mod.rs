//! What the tests share. `counting` and `cells` are not listed: who needs an allocator that counts, or robots
//! from files, says so.
// No suite uses everything.
#![allow(dead_code, missing_docs)]

pub mod ask;
pub mod bent;
pub mod cases;
pub mod data;
pub mod describe;
pub mod engine;
pub mod fits;
pub mod fitted;
pub mod rng;
pub mod shapes;
pub mod slopes;
pub mod slow;
pub mod straight;
pub mod threads;
pub mod turned;
pub mod worlds;

/// A number from the environment: how much of a long run.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}
