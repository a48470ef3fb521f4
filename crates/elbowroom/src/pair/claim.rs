//! What a closed form claims of two cores, to be certified.

use crate::numeric::math::Vec3;

/// Points of two cores and a direction, all in A's frame.
#[derive(Clone, Copy)]
pub(crate) struct Claim {
    pub a: Vec3,
    pub b: Vec3,
    /// From B to A, any length; the way A escapes where they overlap.
    pub v: Vec3,
    /// The cores overlap at least this deep (formula, before rounding); zero if separated.
    pub depth: f64,
    /// How much smaller than `depth` the true depth may be (metres), besides rounding.
    pub error: f64,
}
