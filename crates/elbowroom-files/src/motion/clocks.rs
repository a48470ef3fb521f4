//! Motions of several robots, each with times of its own, as one motion of the world.
//!
//! There is a row at each time of each part. Between two rows each robot is on a part of one of its
//! own ways, or stands still: where its motion begins, or where it ended.

use super::data::{Joints, Motion, mimic_rules, turning_values};
use super::free_joints::{FreeJoint, free_joints};
use super::ways::{MotionWays, RowRates};
use elbowroom::World;
use elbowroom::describe::JointKind;
use elbowroom::motion::SplineFault;
use elbowroom::world::Follows;
use std::ops::Range;

/// The joints of one robot alone, for a motion that moves no other.
#[derive(Clone, Debug)]
pub struct RobotJoints<'w> {
    world: &'w World,
    values: Range<usize>,
    mimics: Vec<(String, Follows)>,
    turning: Vec<usize>,
    free: Vec<FreeJoint>,
    elsewhere: Vec<String>,
}

impl<'w> RobotJoints<'w> {
    /// The joints of the robot of this name; `None` if there is none.
    pub fn find_robot(world: &'w World, robot: &str) -> Option<RobotJoints<'w>> {
        let values = world.robots().iter().find(|own| own.name == robot)?.values.clone();
        let is_own = |follows: &Follows| values.contains(&follows.value);
        let shifted = |follows: Follows| Follows { value: follows.value - values.start, ..follows };
        let mimics = mimic_rules(world).into_iter().filter(|(_, follows)| is_own(follows));
        let mimics = mimics.map(|(name, follows)| (name, shifted(follows))).collect();
        let turning = turning_values(world).into_iter().filter(|value| values.contains(value));
        let turning = turning.map(|value| value - values.start).collect();
        let free = free_joints(world).into_iter().filter(|joint| values.contains(&joint.values.start));
        let shift = |place: usize| place - values.start;
        let free = free
            .map(|joint| FreeJoint { values: shift(joint.values.start)..shift(joint.values.end), ..joint })
            .collect();
        let names = world.dof_names().iter().enumerate();
        let elsewhere = names.filter(|(k, _)| !values.contains(k)).map(|(_, name)| name.clone()).collect();
        Some(RobotJoints { world, values, mimics, turning, free, elsewhere })
    }

    /// As readers of motions take them.
    pub fn joints(&self) -> Joints<'_> {
        let names = &self.world.dof_names()[self.values.clone()];
        Joints {
            names,
            mimics: &self.mimics,
            turning: &self.turning,
            free: &self.free,
            elsewhere: &self.elsewhere,
        }
    }

    /// Its motion as one of the world, in which all others stand still.
    fn widen_to_world(&self, part: &Motion) -> Motion {
        let still = self.world.neutral_values();
        let widen = |own: &[f64], rest: &[f64]| {
            let mut all = rest.to_vec();
            all.iter_mut().skip(self.values.start).zip(own).for_each(|(slot, value)| *slot = *value);
            all
        };
        let rest = vec![0.0; still.len()];
        let ways = match &part.ways {
            MotionWays::Straight => MotionWays::Straight,
            MotionWays::Rates(rates) => MotionWays::Rates(
                rates
                    .iter()
                    .map(|own| {
                        let widen = |rates: &Vec<f64>| match rates.is_empty() {
                            true => Vec::new(),
                            false => widen(rates, &rest),
                        };
                        RowRates {
                            velocities: widen(&own.velocities),
                            accelerations: widen(&own.accelerations),
                        }
                    })
                    .collect(),
            ),
            MotionWays::Polynomials(pieces) => MotionWays::Polynomials(
                pieces
                    .iter()
                    .map(|own| {
                        let mut all = stand_still(self.world, &still);
                        all.iter_mut().skip(self.values.start).zip(own).for_each(|(slot, c)| *slot = *c);
                        all
                    })
                    .collect(),
            ),
        };
        let rows = part.rows.iter().map(|own| widen(own, &still)).collect();
        Motion { rows, ways, ..part.clone() }
    }
}

/// The coefficients of standing still.
fn stand_still(world: &World, values: &[f64]) -> Vec<[f64; 6]> {
    let mut rows: Vec<[f64; 6]> = values.iter().map(|value| [*value, 0.0, 0.0, 0.0, 0.0, 0.0]).collect();
    // The second coefficient of an orientation is its end.
    for joint in world.joints().iter().filter(|joint| joint.kind == JointKind::Floating) {
        rows.iter_mut().take(joint.values.end).skip(joint.values.start + 3).for_each(|row| row[1] = row[0]);
    }
    rows
}

/// One motion of the world from motions of some of its robots, by their times. Robots without one keep the
/// neutral values. Each part has the values of its robot, a time for each row, and no events.
///
/// # Errors
/// A way of a part cannot be used, or the robots are those of another world.
pub fn join_motions(world: &World, parts: &[(RobotJoints<'_>, Motion)]) -> Result<Motion, SplineFault> {
    if parts.iter().any(|(robot, _)| !std::ptr::eq(robot.world, world)) {
        return Err(SplineFault::OtherWorld);
    }
    let parts: Vec<(Range<usize>, Motion)> =
        parts.iter().map(|(robot, motion)| (robot.values.clone(), robot.widen_to_world(motion))).collect();
    let mut t: Vec<f64> = parts.iter().flat_map(|(_, part)| part.t.iter().flatten().copied()).collect();
    t.sort_by(f64::total_cmp);
    t.dedup();
    let neutral = world.neutral_values();
    let (mut rows, mut pieces) = (Vec::with_capacity(t.len()), Vec::with_capacity(t.len()));
    let mut places = vec![0; parts.len()];
    for (k, now) in t.iter().enumerate() {
        let next = t.get(k + 1).copied();
        let mut piece = stand_still(world, &neutral);
        for ((values, part), place) in parts.iter().zip(&mut places) {
            let times = part.t.as_deref().unwrap_or(&[]);
            // The last row of the part up to now.
            while times.get(*place + 1).is_some_and(|time| time <= now) {
                *place += 1;
            }
            let Some(row) = part.rows.get(*place) else { continue };
            let way = [times.get(*place), times.get(*place + 1)];
            let own = match (way, next) {
                ([Some(from), Some(to)], Some(next)) if from <= now => {
                    let part_of = |time: f64| ((time - from) / (to - from)).clamp(0.0, 1.0);
                    let spline = part.spline_to(world, *place + 1)?;
                    spline.part_coefficients([part_of(*now), part_of(next)])
                }
                _ => stand_still(world, row),
            };
            piece.splice(values.clone(), own[values.clone()].iter().copied());
        }
        // The first coefficients are the row; those of a quaternion are where its turn starts.
        rows.push(piece.iter().map(|row| row[0]).collect());
        if next.is_some() {
            pieces.push(piece);
        }
    }
    let mut tolerance = vec![0.0; neutral.len()];
    for (values, part) in &parts {
        tolerance.iter_mut().skip(values.start).zip(&part.tolerance).for_each(|(slot, own)| *slot = *own);
    }
    if tolerance.iter().all(|own| *own == 0.0) {
        tolerance.clear();
    }
    let ways = MotionWays::Polynomials(pieces);
    Ok(Motion { rows, t: Some(t), ways, tolerance, ..Motion::default() })
}
