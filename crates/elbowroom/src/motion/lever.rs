//! Levers at a pose: how much nearer two bodies can come to each other from there. See [`crate::motion`] for the argument.

use super::reach::{Kind, Part, Reach, common};
use crate::bounds::Ball;
use crate::id::BodyId;
use crate::pose::Pose;
use crate::tolerance::{ERROR_FACTOR, MOTION_FACTOR, SWEEP_ROUNDING};

/// The largest distance of a ball's points (cell frame) from the axis of a part, at a pose.
#[inline]
pub(crate) fn lever(part: &Part, pose: &Pose, ball: &Ball) -> f64 {
    let (child, error) = pose.body_at(part.child);
    let arm = ball.center - child.translation;
    let along = match part.kind {
        Kind::Turn(axis) => child.direction(axis).cross(arm),
        Kind::Slide | Kind::Spin => arm,
    };
    // What the axis itself may be off by; what the centre is off by is in the ball.
    let off = error.shift + (error.turn + SWEEP_ROUNDING) * (arm.x.abs() + arm.y.abs() + arm.z.abs());
    along.norm() + ball.radius + ERROR_FACTOR * off
}

/// How much nearer to each other two bodies can come from a pose, while the joint values change by at most `change`
/// (absolute, by value; radians and metres) and, other than for [`Reach::approach`], whether within limits or not (metres).
/// Every point of the way is covered: what changes less comes less near.
pub fn approach_at(reach: &Reach, pose: &Pose, a: BodyId, b: BodyId, change: &[f64]) -> f64 {
    if !reach.fits(pose.fingerprint, change) {
        return f64::INFINITY;
    }
    match [a, b].map(|id| pose.body_balls.get(id.index())) {
        [Some(ball_a), Some(ball_b)] => walk(reach, pose, [(a, ball_a), (b, ball_b)], change, |_, _| {}),
        _ => f64::INFINITY,
    }
}

/// The same for balls (cell frame) that two bodies carry, telling what each part adds: its number and the metres. The change
/// must be of the world's length.
#[inline]
pub(crate) fn walk(
    reach: &Reach,
    pose: &Pose,
    [(a, ball_a), (b, ball_b)]: [(BodyId, &Ball); 2],
    change: &[f64],
    mut each: impl FnMut(u32, f64),
) -> f64 {
    let (Some(ca), Some(cb)) = (reach.chain(a), reach.chain(b)) else { return f64::INFINITY };
    let common = common(ca, cb);
    let (mut sum, mut b_moved) = (0.0, 0.0);
    for &index in cb[common..].iter().rev().chain(&ca[common..]) {
        let part = &reach.parts[index as usize];
        let amount = part.amount(change);
        if amount <= 0.0 {
            continue;
        }
        let (add, moves_b) = if matches!(part.kind, Kind::Slide) {
            (amount, amount)
        } else {
            let of_b = lever(part, pose, ball_b) + b_moved;
            (amount * lever(part, pose, ball_a).min(of_b), amount * of_b)
        };
        sum += add;
        b_moved += moves_b;
        each(index, add);
    }
    sum * MOTION_FACTOR
}
