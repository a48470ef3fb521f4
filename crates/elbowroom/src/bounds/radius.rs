//! Radii of bounds of bodies that are placed with an error.

use crate::bounds::ball::Ball;
use crate::bounds::capsule::Capsule;
use crate::bounds::lanes::CapsuleRecord;
use crate::numeric::pose_error::PoseError;
use crate::numeric::tolerance::NORM_ROUNDING;

/// The radius of a ball of a body, in its frame, where the body is placed with such an error.
pub(crate) fn ball_radius(ball: &Ball, error: &PoseError) -> f64 {
    let arm = ball.center.x.abs() + ball.center.y.abs() + ball.center.z.abs();
    (ball.radius + error.of_point(arm)) * (1.0 + NORM_ROUNDING)
}

/// The same of a capsule, made ready.
pub(crate) fn capsule_radius(capsule: &Capsule, error: &PoseError) -> f64 {
    let arm = capsule.a.norm().max(capsule.b.norm()) + capsule.radius;
    CapsuleRecord::radius_placed(capsule, error.distance, error.of_point(arm))
}
