//! The margin of questions between poses.

use crate::model::world::World;

/// The margin that a question asks for, or that of the world (metres). A negative one counts as zero; NaN
/// stays NaN.
pub(super) fn margin_in(world: &World, asked: Option<f64>) -> f64 {
    let margin = asked.unwrap_or(world.margin);
    if margin < 0.0 { 0.0 } else { margin }
}
