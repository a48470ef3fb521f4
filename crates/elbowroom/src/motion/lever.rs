//! Lever arms at a pose, and how much nearer two bodies can come to each other from there. [`crate::motion`]
//! has the argument.

use super::motion_bounds::{Dof, Kind, MotionBounds, common};
use crate::bounds::Ball;
use crate::model::id::BodyId;
use crate::model::step::Motion;
use crate::motion::tolerance::{MOTION_FACTOR, SWEEP_ROUNDING};
use crate::pose::frames::Pose;
use crate::query::checker::Checker;
use elbowroom_describe::math::Vec3;
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::tolerance::ERROR_FACTOR;

/// The lever arm of a ball (cell frame) at a pose: the largest distance of its points from the axis of a dof.
#[inline]
pub(crate) fn lever(dof: &Dof, pose: &Pose, ball: &Ball) -> f64 {
    let (child, error) = pose.step_at(dof.step);
    let arm = ball.center - child.translation;
    let along = match dof.kind {
        Kind::Turn(axis) => child.direction(axis).cross(arm),
        Kind::Slide | Kind::Spin => arm,
    };
    // The error of the axis. The ball is already wider by the error of its centre.
    along.norm() + ball.radius + axis_error(&error, arm, ball)
}

/// What the error of an axis adds to the distance of a ball's points from it.
#[inline]
fn axis_error(error: &PoseError, arm: Vec3, ball: &Ball) -> f64 {
    let size = arm.x.abs() + arm.y.abs() + arm.z.abs() + ball.radius;
    ERROR_FACTOR * (error.shift + (error.rotation + SWEEP_ROUNDING) * size)
}

/// As [`walk`], along one direction: how much smaller the gap of two balls can become along a plane's normal,
/// if the plane may tilt with the joints. `normal` is a unit vector (cell frame), off by at most `tilt`.
///
/// At each joint either B moves, and the plane stays with A; or A moves, and the plane stays with B. In the
/// second case the plane is tilted for all further joints. A turn by `t` moves a point at `r` from a point of
/// the axis `a` by `sin t (a x r) + (1 - cos t) a x (a x r)`. Along `n` that is at most `sin t |(n x a) . r|`
/// plus `(1 - cos t) |n x a|` times the lever arm. A slide by `s` along `d` moves each point by `s n . d`
/// along `n`: nothing, where it goes along the plane.
pub(crate) fn walk_along(
    bounds: &MotionBounds,
    pose: &Pose,
    [(a, ball_a), (b, ball_b)]: [(BodyId, &Ball); 2],
    change: &[f64],
    normal: Vec3,
    mut tilt: f64,
    mut each: impl FnMut(u32, f64),
) -> f64 {
    let (Some(ca), Some(cb)) = (bounds.carried(pose, a), bounds.carried(pose, b)) else {
        return f64::INFINITY;
    };
    let common = common(ca, cb);
    #[cfg(test)]
    crate::tally::add(crate::tally::Work::Terms, ca.len() + cb.len() - 2 * common);
    let (mut sum, mut b_moved) = (0.0, 0.0);
    for &index in cb[common..].iter().rev().chain(&ca[common..]) {
        let dof = &bounds.dofs[index as usize];
        let amount = dof.amount(change);
        if amount <= 0.0 {
            continue;
        }
        let add = match dof.kind {
            Kind::Slide => {
                b_moved += amount;
                amount * steep(bounds, pose, dof, normal, tilt)
            }
            Kind::Spin => {
                let of_b = lever(dof, pose, ball_b) + b_moved;
                let add = amount * lever(dof, pose, ball_a).min(of_b);
                b_moved += amount * of_b;
                tilt += amount;
                add
            }
            Kind::Turn(axis) => {
                let (child, error) = pose.step_at(dof.step);
                let axis = child.direction(axis);
                let across = normal.cross(axis);
                let w = across.norm() + tilt;
                let (first, second) = (amount.min(1.0), 0.5 * amount * amount);
                // The lever arm, and what a turn adds along the normal: the whole motion or its two terms.
                let of = |ball: &Ball, moved: f64| {
                    let arm = ball.center - child.translation;
                    let off = axis_error(&error, arm, ball);
                    let lever = axis.cross(arm).norm() + ball.radius + off + moved;
                    let along = across.dot(arm).abs() + w * (ball.radius + moved) + tilt * lever + off;
                    (lever, (amount * lever).min(first * along + second * w * lever))
                };
                let ((_, of_a), (lever_b, of_b)) = (of(ball_a, 0.0), of(ball_b, b_moved));
                b_moved += amount * lever_b;
                if of_a < of_b {
                    tilt += amount;
                    of_a
                } else {
                    of_b
                }
            }
        };
        sum += add;
        each(index, add);
    }
    sum * MOTION_FACTOR
}

/// How much a slide moves what it carries along a plane's normal (cell frame), off by at most `tilt`, per
/// metre of the slide; at most 1. What has not been moved yet is at the pose, so its axis is.
fn steep(bounds: &MotionBounds, pose: &Pose, dof: &Dof, normal: Vec3, tilt: f64) -> f64 {
    // The axes of a planar or floating joint are not those of its child.
    let Motion::Slide(axis) = bounds.world.kinematics.steps[dof.step.index()].motion else { return 1.0 };
    let (child, error) = pose.step_at(dof.step);
    let off = tilt + ERROR_FACTOR * (error.rotation + SWEEP_ROUNDING);
    // NaN is not less.
    let along = child.direction(axis).dot(normal).abs() + off;
    if along < 1.0 { along } else { 1.0 }
}

impl MotionBounds<'_> {
    /// How much nearer to each other two bodies can come from a checker's pose, while the joint values change
    /// by at most `change` (metres). Unlike for [`MotionBounds::approach`], values may leave their limits.
    /// All smaller changes are covered too. NaN counts as a change without end. Infinite for a checker of
    /// another world, and for a number that this world does not have.
    pub fn approach_from(&self, checker: &Checker, [a, b]: [BodyId; 2], change: &[f64]) -> f64 {
        let pose = &checker.space.pose;
        let known = self.world.has_body(a) && self.world.has_body(b);
        if !core::ptr::eq(self.world, pose.world)
            || !known
            || change.len() != self.world.kinematics.dof_names.len()
        {
            return f64::INFINITY;
        }
        let [ball_a, ball_b] = [a, b].map(|id| pose.body_ball(id));
        walk(self, pose, [(a, &ball_a), (b, &ball_b)], change, |_, _| {})
    }
}

/// How much nearer to each other two balls (cell frame) come that two bodies carry (metres). `each` is given
/// the number of each dof and the metres that it adds. `change` must have the world's length.
#[inline]
pub(crate) fn walk(
    bounds: &MotionBounds,
    pose: &Pose,
    [(a, ball_a), (b, ball_b)]: [(BodyId, &Ball); 2],
    change: &[f64],
    mut each: impl FnMut(u32, f64),
) -> f64 {
    let (Some(ca), Some(cb)) = (bounds.carried(pose, a), bounds.carried(pose, b)) else {
        return f64::INFINITY;
    };
    let common = common(ca, cb);
    #[cfg(test)]
    crate::tally::add(crate::tally::Work::Terms, ca.len() + cb.len() - 2 * common);
    let (mut sum, mut b_moved) = (0.0, 0.0);
    for &index in cb[common..].iter().rev().chain(&ca[common..]) {
        let dof = &bounds.dofs[index as usize];
        let amount = dof.amount(change);
        if amount <= 0.0 {
            continue;
        }
        let (add, moves_b) = if matches!(dof.kind, Kind::Slide) {
            (amount, amount)
        } else {
            let of_b = lever(dof, pose, ball_b) + b_moved;
            (amount * lever(dof, pose, ball_a).min(of_b), amount * of_b)
        };
        sum += add;
        b_moved += moves_b;
        each(index, add);
    }
    sum * MOTION_FACTOR
}
