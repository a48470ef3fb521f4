//! Radii of bounds of bodies whose poses have an error.

use crate::bounds::ball::Ball;
use crate::bounds::capsule::Capsule;
use crate::bounds::lanes::CapsuleRecord;
use crate::numeric::pose_error::PoseError;
use crate::numeric::tolerance::NORM_ROUNDING;

/// The radius of a ball in a body's frame, grown by the error of the body's pose.
pub(crate) fn ball_radius(ball: &Ball, error: &PoseError) -> f64 {
    let arm = ball.center.x.abs() + ball.center.y.abs() + ball.center.z.abs();
    (ball.radius + error.of_point(arm)) * (1.0 + NORM_ROUNDING)
}

/// The same for a capsule, as the radius of its [`CapsuleRecord`].
pub(crate) fn capsule_radius(capsule: &Capsule, error: &PoseError) -> f64 {
    let arm = capsule.a.norm().max(capsule.b.norm()) + capsule.radius;
    CapsuleRecord::posed_radius(capsule, error.distance, error.of_point(arm))
}
