//! How fast the points of a body move, at every configuration in some ranges and at every velocity in others.
//!
//! At the pose in the middle of the ranges and at the middle velocities, the velocity of the points of a ball
//! is that of a rigid motion: at most the velocity of its centre plus its turn times the radius. Against a
//! second body, the joints of its chain count with the opposite sign, and both velocities are those of the
//! same point. Where two bodies touch this is the speed of one against the other, sliding included; and it
//! bounds how fast their distance shrinks: the points nearest to each other lie along the normal, and a turn
//! moves no point of a line along that line.
//!
//! From there on, bounds are added. A velocity that differs adds its difference times the lever arm. A
//! configuration that differs adds, for each joint, its speed times two things: the lever arm times how much
//! the other joints can turn its axis against the rest, and how far they can carry the ball.

use super::lever::lever;
use super::motion_bounds::{Kind, MotionBounds, common};
use crate::model::id::BodyId;
use crate::model::step::Motion;
use crate::motion::tolerance::{MOTION_FACTOR, SWEEP_ROUNDING};
use crate::pose::frames::Pose;
use elbowroom_describe::math::Vec3;

/// The ranges around the pose.
#[derive(Clone, Copy)]
pub(super) struct Moving<'a> {
    /// How much each value differs from the pose, at most.
    pub change: &'a [f64],
    /// The lowest and the highest velocity of each value (1/s).
    pub velocities: [&'a [f64]; 2],
}

/// An upper bound on the speed (m/s) of the points of `of`, against the cell or another body. Infinite where
/// nothing is known, and for joints that turn about any axis. Of a link without shapes, the speed of its
/// frame's origin, as that of a tool's centre.
pub(super) fn speed(
    bounds: &MotionBounds,
    pose: &Pose,
    of: BodyId,
    against: Option<BodyId>,
    moving: Moving,
) -> f64 {
    let ball = pose.link_ball(of);
    let chain = |body| bounds.carried(pose, body);
    let (Some(mine), Some(other)) = (chain(of), against.map_or(Some(&[][..]), chain)) else {
        return f64::INFINITY;
    };
    let shared = common(mine, other);
    let signed =
        mine[shared..].iter().map(|dof| (dof, 1.0)).chain(other[shared..].iter().map(|dof| (dof, -1.0)));
    let (mut linear, mut turn) = (Vec3::ZERO, Vec3::ZERO);
    // Sums over the joints: what their ranges of velocity add, speed times arm, speed; turns and ways of all.
    let (mut spread, mut swept, mut fast, mut turns, mut ways) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (dof, sign) in signed {
        let dof = &bounds.dofs[*dof as usize];
        let step = &pose.world.kinematics.steps[dof.step.index()];
        let (low, high) =
            (moving.velocities[0][dof.value as usize], moving.velocities[1][dof.value as usize]);
        // NaN says nothing.
        if !(low <= high) {
            return f64::INFINITY;
        }
        let (middle, half) = (dof.scale * (0.5 * low + 0.5 * high), dof.scale * (0.5 * high - 0.5 * low));
        let (amount, most) = (dof.amount(moving.change), dof.scale * low.abs().max(high.abs()));
        let (frame, _) = pose.step_at(dof.step);
        // The velocity along the axis of the step, at the pose.
        let along = |axis: Vec3| frame.direction(axis) * (sign * middle * step.scale.signum());
        let (arm, known) = match (dof.kind, step.motion) {
            (Kind::Spin, _) => return f64::INFINITY,
            (Kind::Slide, Motion::Slide(axis)) => {
                linear += along(axis);
                (1.0, true)
            }
            // The axes of a planar or floating joint: the direction is not used.
            (Kind::Slide, _) => (1.0, false),
            (Kind::Turn(axis), _) => {
                let axis = along(axis);
                linear += axis.cross(ball.center - frame.translation);
                turn += axis;
                turns += amount;
                fast += most;
                (lever(dof, pose, &ball), true)
            }
        };
        ways += amount * arm;
        spread += if known { half } else { most } * arm;
        swept += most * arm;
    }
    let at_pose = linear.norm() + turn.norm() * ball.radius;
    let sum = at_pose + spread + swept * (turns + SWEEP_ROUNDING) + fast * ways;
    let sum = sum * MOTION_FACTOR;
    if sum.is_nan() { f64::INFINITY } else { sum }
}
