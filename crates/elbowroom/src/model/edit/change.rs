//! What an edit does.

use crate::model::describe::{AllowedPair, ObstacleDescription};
use alloc::string::String;

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
