//! The papers' own methods, rebuilt, and their experiments re-run beside the engine.
//!
//! These methods are baselines: they are written as their papers have them, with their gaps, and prove
//! nothing. Only the bounds between [`primitives`] are as sound as the engine's.

pub mod boyse;
pub mod cost;
pub mod coulombe20;
pub mod descend;
pub mod error;
pub mod figure;
pub mod haase10;
pub mod henrich92;
pub mod henrich97;
pub mod limits;
pub mod median;
pub mod parts;
pub mod polytope;
pub mod primitives;
pub mod puma;
pub mod rgjk;
pub mod simplex;
pub mod strategy;
pub mod structures;
pub mod tran91;
pub mod truth;

#[cfg(test)]
use elbowroom_testkit::rng;

// The programs of the library's page are compiled: only here both crates are at hand and nothing is packed.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
mod library_page {}
