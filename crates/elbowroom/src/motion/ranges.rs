//! The ranges of joint values that proofs cover.

use crate::model::kinematics::ValueKind;
use crate::model::step::Motion;
use crate::model::tolerance::LIMIT_ROUNDING;
use crate::model::world::World;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::PI;
use elbowroom_pair::numeric::tolerance::ROUNDOFF;

/// The smallest and the largest number that each joint value may be (radians or metres), with the tolerance
/// of limits. A mimic's own limits count. A turning joint without limits has a range of one full turn, if a
/// full turn brings every joint that follows it back. Any other value without limits has an infinite range.
///
/// Proofs over all poses cover these ranges. [`World::value_ranges`] has limits without the tolerance.
///
/// ```
/// use elbowroom::World;
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::motion::ranges;
///
/// let world = World::compile(&rod_and_post())?;
/// let [lower, upper] = ranges(&world)[0];
/// assert!(-2.001 < lower && lower <= -2.0 && 2.0 <= upper && upper < 2.001, "radians");
/// # Ok::<(), elbowroom::Faults>(())
/// ```
pub fn ranges(world: &World) -> Vec<[f64; 2]> {
    ranges_of(world, MimicLimits::Count)
}

/// The smallest and the largest number that each joint value may be (radians or metres), as in [`ranges`],
/// where a mimic's own limits do not count: some tools enforce only the limits of the joint that it follows.
/// Each range contains that of [`ranges`], if there are configurations at all.
pub fn leader_ranges(world: &World) -> Vec<[f64; 2]> {
    ranges_of(world, MimicLimits::Ignore)
}

/// Whether the limits count that a mimic joint has of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MimicLimits {
    Count,
    Ignore,
}

fn ranges_of(world: &World, mimics: MimicLimits) -> Vec<[f64; 2]> {
    let mut ranges = vec![[f64::NEG_INFINITY, f64::INFINITY]; world.kinematics.dof_names.len()];
    // Whether a full turn brings back everything that the value moves.
    let comes_round = |value: usize| {
        let whole = |scale: f64| scale.abs() <= 1e6 && f64::from(scale as i32) == scale;
        world.kinematics.value_kinds[value] == ValueKind::Angle
            && world.kinematics.steps.iter().all(|step| match step.motion {
                Motion::TurnX | Motion::TurnY | Motion::TurnZ | Motion::Turn(_) => {
                    step.value != value || whole(step.scale)
                }
                Motion::Slide(_) => step.value != value,
                Motion::Planar { .. } | Motion::Floating | Motion::Fixed => true,
            })
    };
    let counts = |joint: usize| {
        // A mimic has no value of its own.
        mimics == MimicLimits::Count || !world.kinematics.joints[joint].values.is_empty()
    };
    for limit in world.kinematics.limits.iter().filter(|limit| counts(limit.joint)) {
        // With the tolerance, and the rounding of computing with it.
        let size = limit.lower.abs().max(limit.upper.abs()) + limit.offset.abs();
        let [low, high] = limit.value_range(LIMIT_ROUNDING + 8.0 * ROUNDOFF * size);
        if low == f64::NEG_INFINITY {
            continue;
        }
        let wide = 4.0 * ROUNDOFF * (low.abs() + high.abs());
        let range = &mut ranges[limit.value];
        range[0] = range[0].max(low - wide);
        range[1] = range[1].min(high + wide);
    }
    for (value, range) in ranges.iter_mut().enumerate() {
        if *range == [f64::NEG_INFINITY, f64::INFINITY] && comes_round(value) {
            // The constant pi is rounded down, but the two ends must meet.
            *range = [-PI * (1.0 + 2.0 * ROUNDOFF), PI * (1.0 + 2.0 * ROUNDOFF)];
        } else if range[0] > range[1] {
            // Limits contradict each other. The range becomes a point, so that no range is empty.
            let middle = 0.5 * (range[0] + range[1]);
            *range = [middle, middle];
        }
    }
    ranges
}
