//! What sensors saw, from files: every format, and what no such file may be.

#[path = "../support/mod.rs"]
mod support;

#[path = "../../../elbowroom/tests/support/rng.rs"]
mod rng;

mod clouds;
mod heights;
mod octomaps;
mod write;
