//! What an edit does.

use alloc::string::String;
use elbowroom_describe::{AllowedPair, ObstacleDescription};

/// One change of a world.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Add(ObstacleDescription),
    Remove(String),
    Replace(ObstacleDescription),
    Allow(AllowedPair),
    /// Takes back what allows these two.
    Check([String; 2]),
    /// All shapes of a robot get this padding (metres).
    Pad(String, f64),
}
