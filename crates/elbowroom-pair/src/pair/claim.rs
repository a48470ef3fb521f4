//! The result of a closed form, to be certified.

use elbowroom_describe::math::Vec3;

/// Points of two cores and a direction, all in A's frame.
#[derive(Clone, Copy)]
pub(crate) struct Claim {
    pub a: Vec3,
    pub b: Vec3,
    /// From B to A, any length; where they overlap, the direction in which A escapes.
    pub v: Vec3,
    /// Depth of the overlap by the formula, without its rounding (metres); zero if separated.
    pub depth: f64,
    /// How much smaller than `depth` the true depth may be (metres), besides rounding.
    pub error: f64,
}
