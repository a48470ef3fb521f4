//! A shape where it is on its body: what bounds of bodies are made from.

use crate::numeric::math::Transform;
use crate::numeric::tolerance::SHIFT_PER_OFFSET;
use crate::shape::solid::Shape;

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
    /// How far its points may be from where its frame puts them in the body's (metres).
    pub fn misplaced(&self) -> f64 {
        self.size * (self.defect + SHIFT_PER_OFFSET) + self.arm * SHIFT_PER_OFFSET
    }
}
