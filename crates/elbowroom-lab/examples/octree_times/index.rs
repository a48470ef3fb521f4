//! The contenders of the race: they find the boxes near other boxes.

use crate::scene::Scene;

/// A contender.
pub trait Index {
    /// Brings it to where the boxes are.
    fn update(&mut self, scene: &Scene);
    /// How many others a body meets.
    fn near(&mut self, scene: &Scene, body: u32) -> u64;
    /// The least signed distance of the boxes of a body and another.
    fn nearest(&mut self, scene: &Scene, body: u32) -> f64;
    /// How many pairs meet.
    fn pairs(&mut self, scene: &Scene) -> u64;
}
