//! What is left of a shape.

use elbowroom_describe::ShapeDescription;
use elbowroom_describe::math::Vec3;

/// A shape drawn back.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnBack {
    /// The shape; with [`PAD_SLACK`](crate::shape::tolerance::PAD_SLACK) around it, it contains the rigid
    /// core.
    pub shape: ShapeDescription,
    /// Where its frame's origin is in the frame of the declared shape; the axes are the same.
    pub offset: Vec3,
}
