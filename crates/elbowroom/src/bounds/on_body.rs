//! A shape in the frame of its body: bounds of bodies are made from these.

use elbowroom_describe::math::Transform;
use elbowroom_pair::numeric::tolerance::SHIFT_PER_OFFSET;
use elbowroom_pair::shape::solid::Shape;

/// A shape in a body's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnBody<'a> {
    pub shape: &'a Shape,
    pub shape_in_body: Transform,
    /// Bound on the distance of the shape's points from its frame's origin (metres).
    pub size: f64,
    /// Defect of the rotation of its frame in the body's.
    pub defect: f64,
    /// Distance of its frame's origin from the body's (metres).
    pub arm: f64,
}

impl OnBody<'_> {
    /// Error of its points in the body's frame (metres).
    pub fn point_error(&self) -> f64 {
        self.size * (self.defect + SHIFT_PER_OFFSET) + self.arm * SHIFT_PER_OFFSET
    }
}
