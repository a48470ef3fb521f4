//! Boxes with axes of their own.

use elbowroom::bounds::{AlignedBox, Ball};
use elbowroom::math::{Mat3, Transform, Vec3};
use elbowroom::pair::numeric::tolerance::{ROUNDOFF, SHIFT_PER_OFFSET};
use elbowroom::tolerance::GAP_ROUNDING;

/// All points `center + axes * s` with `|s| <= half` in every coordinate (metres). The axes are orthonormal
/// to rounding; what they are not does not matter for bounds, which take the columns as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// Its middle.
    pub center: Vec3,
    /// Its axes as columns: a rotation from the box's frame to the frame that it is in.
    pub axes: Mat3,
    /// Half extents along them.
    pub half: Vec3,
}

impl OrientedBox {
    /// A box parallel to the axes, as one that need not be.
    pub fn from_aligned(b: &AlignedBox) -> OrientedBox {
        let center = b.center();
        // The middle is rounded: the farther side counts, and its own rounding.
        let half = (b.high - center).max(center - b.low);
        OrientedBox { center, axes: Mat3::IDENTITY, half: half * (1.0 + 2.0 * ROUNDOFF) }
    }

    /// Volume (cubic metres), as computed.
    pub fn volume(&self) -> f64 {
        8.0 * self.half.x * self.half.y * self.half.z
    }

    /// A box around this one seen from another frame; `slack` (metres) is how far a point of what it contains
    /// may lie from its computed image.
    #[inline]
    pub fn transformed_by(&self, at: &Transform, slack: f64) -> OrientedBox {
        let far = self.center.norm() + self.half.norm() + at.translation.norm();
        let more = (slack + far * (2.0 * SHIFT_PER_OFFSET)) * SKEW;
        OrientedBox {
            center: at.point(self.center),
            axes: at.rotation * self.axes,
            half: (self.half + Vec3 { x: more, y: more, z: more }) * (1.0 + 2.0 * ROUNDOFF),
        }
    }

    /// Half extents that the box must have to contain a ball (metres), rounded up.
    pub fn reach_of(&self, ball: &Ball) -> Vec3 {
        let from = ball.center - self.center;
        // The rounding of the difference, of the products, and of axes that are only nearly orthonormal.
        let off = GAP_ROUNDING * (from.abs().x + from.abs().y + from.abs().z);
        let more = ball.radius * SKEW + off;
        (self.axes.transpose_mul(from).abs() + Vec3 { x: more, y: more, z: more }) * (1.0 + 2.0 * ROUNDOFF)
    }
}

/// A ball of radius 1 fits between planes this far from its centre that are perpendicular to axes off a right
/// angle by a few roundings: far less would do.
const SKEW: f64 = 1.0 + 1e-12;
