//! The configurations that a proof covers.

use super::ranges::{leader_ranges, ranges};
use crate::model::kinematics::ValueLimits;
use crate::model::world::World;
use alloc::vec;
use alloc::vec::Vec;

/// The configurations that a proof covers.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    /// By value, its range.
    pub ranges: Vec<[f64; 2]>,
    /// A configuration in it: joints that are not between two bodies keep these values.
    pub neutral: Vec<f64>,
    /// By value, the only number that its limits allow, where that is so without any rounding.
    points: Vec<Option<f64>>,
}

impl Domain {
    /// All limits count.
    pub fn all(world: &World) -> Domain {
        Domain::new(world, ranges(world), points(world, |_| true))
    }

    /// A mimic's own limits do not count.
    pub fn leaders(world: &World) -> Domain {
        let own = |limit: &ValueLimits| !world.kinematics.joints[limit.joint].values.is_empty();
        Domain::new(world, leader_ranges(world), points(world, own))
    }

    fn new(world: &World, ranges: Vec<[f64; 2]>, points: Vec<Option<f64>>) -> Domain {
        // Some number within limits: with mimics, the neutral value may be outside.
        let within = |(v, [low, high]): (f64, &[f64; 2])| match (low.is_finite(), high.is_finite()) {
            _ if *low <= v && v <= *high => v,
            (true, true) => 0.5 * (low + high),
            (true, false) => low + 1.0,
            _ => high - 1.0,
        };
        let neutral = world.neutral_values().into_iter().zip(&ranges).map(within).collect();
        Domain { ranges, neutral, points }
    }

    /// The only configuration, if these joint values can have only one; all others stay neutral.
    pub fn only(&self, joints: &[usize]) -> Option<Vec<f64>> {
        let mut values = self.neutral.clone();
        for joint in joints {
            values[*joint] = self.points[*joint]?;
        }
        Some(values)
    }
}

/// By value, the only number that the limits allow which `counts` selects. Limits that are computed with
/// rounding may meet in a point where the true limits leave a short range, so they are ignored: that can only
/// widen the range.
fn points(world: &World, counts: impl Fn(&ValueLimits) -> bool) -> Vec<Option<f64>> {
    let mut ranges = vec![[f64::NEG_INFINITY, f64::INFINITY]; world.kinematics.dof_names.len()];
    let exact = |l: &&ValueLimits| l.offset == 0.0 && l.scale.abs() == 1.0;
    for limit in world.kinematics.limits.iter().filter(exact).filter(|l| counts(l)) {
        let ([low, high], range) = (limit.value_range(0.0), &mut ranges[limit.value]);
        *range = [range[0].max(low), range[1].min(high)];
    }
    ranges.into_iter().map(|[low, high]| (low == high).then_some(low)).collect()
}
