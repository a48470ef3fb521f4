//! The guard: what it says of single states, and what arms do that obey it.

use elbowroom_testkit::{describe, rng};

mod attacked;
mod believed;
mod cell;
mod cells;
mod course;
mod joiner;
mod leave;
mod lie;
mod lying;
mod meant;
mod pads;
mod plant;
mod restart;
mod simulated;
mod single;
mod truth;

/// What the guards of single states are told.
const FACTS: cell::Facts = cell::Facts {
    period: 0.01,
    latency: [0.0, 0.01],
    brake: [5.0, 10.0],
    acceleration: 2.0,
    speed: 1.0,
    position_error: 1e-4,
    velocity_error: 1e-3,
};

/// A number from the environment: how much of a long run.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}
