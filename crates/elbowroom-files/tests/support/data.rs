//! Where real data lies: where the engine's tests look.

#[path = "../../../elbowroom/tests/support/data.rs"]
mod engine;

pub use engine::data;
