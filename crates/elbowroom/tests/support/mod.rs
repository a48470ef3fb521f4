//! Shared by the tests: random numbers, shapes, cases, and the question put to the engine.
#![allow(dead_code, missing_docs)]

pub mod cases;
pub mod engine;
pub mod rng;
pub mod shapes;
pub mod slow;
