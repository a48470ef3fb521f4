//! Capsules: segments swept by a ball. The papers call them cylinders, and r-cylinders.

use crate::bounds::ball::Ball;
use crate::bounds::tolerance::GAP_ROUNDING;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::numeric::tolerance::{NORM_ROUNDING, ROUNDOFF, SHIFT_PER_OFFSET};

/// All points no farther than `radius` from the segment from `a` to `b` (metres). The segment may have no
/// length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// One end of the axis.
    pub a: Vec3,
    /// The other end.
    pub b: Vec3,
    /// Radius.
    pub radius: f64,
}

impl Capsule {
    /// Everything: its gaps are minus infinity and prune nothing.
    pub const UNBOUNDED: Capsule = Capsule { a: Vec3::ZERO, b: Vec3::ZERO, radius: f64::INFINITY };

    /// How far its points are from the origin of its frame, at most (metres).
    pub(crate) fn reach_from_origin(&self) -> f64 {
        self.a.norm().max(self.b.norm()) + self.radius
    }

    /// Middle of the axis.
    #[inline(always)]
    pub fn center(&self) -> Vec3 {
        (self.a + self.b) * 0.5
    }

    /// Volume (cubic metres), as computed.
    pub fn volume(&self) -> f64 {
        let (r, length) = (self.radius, (self.b - self.a).norm());
        core::f64::consts::PI * r * r * (length + r * (4.0 / 3.0))
    }

    /// A capsule around this one in another frame. `slack` (metres) is how far a point of its contents may
    /// lie from its computed image.
    #[inline]
    pub fn transform_by(&self, at: &Transform, slack: f64) -> Capsule {
        let far = self.a.norm().max(self.b.norm()) + at.translation.norm();
        let radius = (self.radius + slack + far * SHIFT_PER_OFFSET) * (1.0 + 4.0 * ROUNDOFF);
        Capsule { a: at.point(self.a), b: at.point(self.b), radius }
    }

    /// The radius that the capsule needs to contain a ball (metres): the distance of the farthest point of
    /// the ball from the axis, rounded up.
    pub fn radius_for(&self, ball: &Ball) -> f64 {
        let along = self.b - self.a;
        let length = along.norm_squared();
        let s = (ball.center - self.a).dot(along) / length;
        // NaN where the segment has no length: then one end is as good as any.
        let s = if s > 0.0 { s.min(1.0) } else { 0.0 };
        let near = self.a + along * s;
        // The rounding of the nearest point.
        let error = GAP_ROUNDING * (self.a.norm() + self.b.norm());
        ((ball.center - near).norm() * (1.0 + NORM_ROUNDING) + error + ball.radius) * (1.0 + 4.0 * ROUNDOFF)
    }
}
