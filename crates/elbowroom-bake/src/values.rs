//! Limits of joint values in f32: none is accepted that the engine refuses.

use crate::kinematics::rule_of;
use crate::limits::{LARGEST_ANGLE, LIMIT_STEPS};
use crate::refusal::Refusal;
use crate::round::{round_down, round_up};
use elbowroom::World;
use elbowroom::describe::JointKind;
use elbowroom::tolerance::LIMIT_ROUNDING;

/// Smallest and largest number of each value. Where nothing limits an angle, it is within 999.9 radians.
pub(crate) fn value_limits(world: &World, refusals: &mut Vec<Refusal>) -> Vec<[f32; 2]> {
    let ranges = world.value_ranges().into_iter().enumerate();
    ranges
        .map(|(value, range)| {
            let (mut lower, mut upper) = (range.lower - LIMIT_ROUNDING, range.upper + LIMIT_ROUNDING);
            for joint in world.joints().iter().filter(|joint| is_turning(joint.kind)) {
                let Some((of, scale, offset)) =
                    rule_of(joint).filter(|(of, scale, _)| *of == value && *scale != 0.0)
                else {
                    continue;
                };
                debug_assert_eq!(of, value);
                let ends = [-LARGEST_ANGLE - offset, LARGEST_ANGLE - offset].map(|end| end / scale);
                lower = lower.max(ends[0].min(ends[1]));
                upper = upper.min(ends[0].max(ends[1]));
            }
            let accepts = |v: f32| {
                world.limits().iter().filter(|limit| limit.value == value).all(|limit| {
                    let moved = limit.scale * f64::from(v) + limit.offset;
                    moved >= limit.lower - LIMIT_ROUNDING && moved <= limit.upper + LIMIT_ROUNDING
                })
            };
            let (mut low, mut high) = (round_up(lower), round_down(upper));
            for _ in 0..LIMIT_STEPS {
                low = if accepts(low) { low } else { low.next_up() };
                high = if accepts(high) { high } else { high.next_down() };
            }
            if !(low <= high && accepts(low) && accepts(high)) {
                let problem = "has limits between which there is no f32: widen them";
                refusals.push(Refusal::new(world.dof_names()[value].clone(), problem));
            }
            [low, high]
        })
        .collect()
}

fn is_turning(kind: JointKind) -> bool {
    matches!(kind, JointKind::Revolute | JointKind::Continuous)
}
