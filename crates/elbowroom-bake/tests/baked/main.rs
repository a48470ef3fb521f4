//! Baked worlds against the engine: what a baked world proves, the engine proves.
//!
//! `ELBOWROOM_BAKED` sets how many poses each race has (4,000 by default), `ELBOWROOM_RACE_FROM` the first
//! seed. A pose that fails is named by its seed and values.

use elbowroom_testkit as support;

mod edge;
mod hand;
mod outside;
mod random;
mod refused;
mod tally;
mod worlds;

fn pose_count() -> u64 {
    support::number_from_environment("ELBOWROOM_BAKED", 4_000)
}

fn first_seed() -> u64 {
    support::number_from_environment("ELBOWROOM_RACE_FROM", 0)
}
