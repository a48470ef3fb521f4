//! The radius of a ball on a body whose pose has an error.

use crate::bounds::ball::Ball;
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::tolerance::NORM_ROUNDING;

/// The radius of a ball in a body's frame, grown by the error of the body's pose.
pub(crate) fn ball_radius(ball: &Ball, error: &PoseError) -> f64 {
    let arm = ball.center.x.abs() + ball.center.y.abs() + ball.center.z.abs();
    (ball.radius + error.of_point(arm)) * (1.0 + NORM_ROUNDING)
}
