//! Shared by the tests: random numbers, shapes, cases.
#![allow(dead_code, missing_docs)]

pub mod cases;
pub mod rng;
pub mod shapes;
