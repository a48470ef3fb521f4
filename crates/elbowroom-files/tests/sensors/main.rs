//! What sensors saw, from files: every format, and what no such file may be.

#[path = "../support/mod.rs"]
mod support;

use elbowroom_testkit::rng;

mod clouds;
mod heights;
mod octomaps;
mod write;
