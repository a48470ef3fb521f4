//! The box that joint values come from.

use crate::model::kinematics::ValueKind;
use crate::model::step::Motion;
use crate::model::tolerance::LIMIT_ROUNDING;
use crate::model::world::World;
use crate::numeric::tolerance::ROUNDOFF;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::PI;

/// Smallest and largest of each joint value (radians or metres) that a pose may be set to, the tolerance of
/// limits included. A joint without limits that turns, alone or with mimics that turn with it a whole number
/// of times, comes round: its range is one turn. What nothing bounds is infinite. A mimic's own limits count.
///
/// What is proved over all poses is proved over these. As people write limits: [`World::value_ranges`].
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::World;
/// use elbowroom::motion::ranges;
///
/// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// let [lower, upper] = ranges(&world)[0];
/// assert!(-2.001 < lower && lower <= -2.0 && 2.0 <= upper && upper < 2.001, "radians");
/// # Ok::<(), elbowroom::Faults>(())
/// ```
pub fn ranges(world: &World) -> Vec<[f64; 2]> {
    ranges_of(world, true)
}

/// The same where a mimic's own limits do not count, as in tools that enforce those of the joint that it
/// follows alone: each range holds that of [`ranges`] where this has configurations.
pub fn leader_ranges(world: &World) -> Vec<[f64; 2]> {
    ranges_of(world, false)
}

fn ranges_of(world: &World, mimics: bool) -> Vec<[f64; 2]> {
    let mut ranges = vec![[f64::NEG_INFINITY, f64::INFINITY]; world.kinematics.value_names.len()];
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
    // A mimic has no value of its own.
    for limit in world
        .kinematics
        .limits
        .iter()
        .filter(|l| mimics || !world.kinematics.joints[l.joint].values.is_empty())
    {
        // To within the tolerance and the rounding of computing it.
        let size = limit.lower.abs().max(limit.upper.abs()) + limit.offset.abs();
        let [low, high] = limit.range(LIMIT_ROUNDING + 8.0 * ROUNDOFF * size);
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
            // Pi is rounded down: the two ends must meet.
            *range = [-PI * (1.0 + 2.0 * ROUNDOFF), PI * (1.0 + 2.0 * ROUNDOFF)];
        } else if range[0] > range[1] {
            // Limits that leave nothing: a point, so that nothing that follows meets an empty range.
            let middle = 0.5 * (range[0] + range[1]);
            *range = [middle, middle];
        }
    }
    ranges
}
