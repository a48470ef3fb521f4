//! The samples that are asked: a motion, poses from the command line, or the neutral pose; all refused faults
//! together.

mod read;
mod source;

pub use source::{MotionSource, motion_inputs};

use crate::load::LoadedWorld;
use crate::out::{say_line, say_remark};
use crate::units::doubted_angles;
use crate::{at, limits};
use anyhow::{Result, bail};
use elbowroom::describe::JointKind;
use elbowroom::math::Random;
use elbowroom::pose::{PoseFault, SetOptions, ValueProblem};
use elbowroom::world::Joint;
use elbowroom::{Checker, World};
use elbowroom_files::fault::counted_things;
use elbowroom_files::motion::{Joints, Motion, free_joints, mimic_rules, turning_values};
use read::{join_files, read_file};
use std::collections::BTreeMap;

/// Reads the samples and checks each against the world; with the warnings, already on standard error.
pub fn load_motion(
    loaded_world: &LoadedWorld,
    source: &MotionSource<'_>,
    options: &elbowroom_files::Options,
    set: SetOptions,
) -> Result<(Motion, Vec<String>)> {
    let world = &loaded_world.world;
    let mut warnings = Vec::new();
    // If a part could not be read, the rest is looked at too, so that all faults are told at once.
    let (motion, whole) = match source {
        MotionSource::File(path) => {
            let (mimics, turning, free) = (&mimic_rules(world), &turning_values(world), &free_joints(world));
            let joints = Joints { names: world.dof_names(), mimics, turning, free, ..Joints::default() };
            read_file(path, joints, options, &mut warnings)?
        }
        MotionSource::Robots(parts) => join_files(world, parts, options, &mut warnings)?,
        MotionSource::Values(poses) => {
            let (rows, whole) = at::read_poses(loaded_world, poses);
            (Motion { rows, ..Motion::default() }, whole)
        }
        MotionSource::Random { count, seed } => {
            (Motion { rows: random_poses(world, *count as usize, *seed)?, ..Motion::default() }, true)
        }
        MotionSource::Neutral => {
            say_remark(
                "note: no --motion, --at or --random: checked at the zero pose (each joint at zero, or at \
                 the limit nearest to it)",
            );
            (Motion { rows: vec![world.neutral_values()], ..Motion::default() }, true)
        }
    };
    let name = source.name();
    let (bad, limits_alone) = tell_bad(world, &motion, &name, set, whole);
    if whole && bad == 0 {
        warnings.extend(warn_of_degrees(world, &motion));
        return Ok((motion, warnings));
    }
    if !whole {
        bail!("{name} is refused");
    }
    let what = match (limits_alone, bad) {
        (true, 1) => "is outside the joint limits",
        (true, _) => "are outside the joint limits",
        (false, 1) => "is not a pose of this world",
        (false, _) => "are not poses of this world",
    };
    bail!("{name} is refused: {bad} of {} samples {what}", motion.rows.len());
}

/// Joints that turn without end take any angle, degrees as well: many turns are asked about.
fn warn_of_degrees(world: &World, motion: &Motion) -> Vec<String> {
    let mut warnings = Vec::new();
    for joint in world.joints().iter().filter(|joint| joint.kind == JointKind::Continuous) {
        let Some(value) = joint.values.clone().next() else { continue };
        let most = motion.rows.iter().map(|row| row[value].abs()).fold(0.0, f64::max);
        if most > limits::TURNS_EXPECTED {
            let turns = most / std::f64::consts::TAU;
            let words = "joint values are radians, not degrees";
            warnings.push(format!("`{}` reaches {most:.1} rad, {turns:.0} turns: {words}", joint.name));
        }
    }
    for line in &warnings {
        say_remark(&format!("warning: {line}"));
    }
    warnings
}

/// Random poses within limits; the same for the same seed, on every machine.
pub fn random_poses(world: &World, count: usize, seed: u64) -> Result<Vec<Vec<f64>>> {
    let mut random = Random(seed);
    let draw = |_| world.draw_configuration(|| random.unit());
    let poses: Option<Vec<Vec<f64>>> = (0..count).map(draw).collect();
    let Some(poses) = poses else {
        let empty = world.dof_names().iter().zip(world.value_ranges()).find(|(_, r)| r.lower > r.upper);
        let name = empty.map_or("", |(name, _)| name);
        bail!(
            "no pose is within all limits: those of `{name}` and of the mimic joints that follow it \
             contradict each other"
        );
    };
    let still = |joint: &&Joint| matches!(joint.kind, JointKind::Planar | JointKind::Floating);
    let still: Vec<&str> = world.joints().iter().filter(still).map(|joint| &*joint.name).collect();
    if !still.is_empty() {
        say_remark(&format!(
            "note: planar and floating joints have no limits to draw from and stay where they are: {}",
            still.join(", ")
        ));
    }
    Ok(poses)
}

/// Tells all values that the world refuses, grouped by joint and problem, and returns in how many samples,
/// and whether for their limits alone. Where not the whole was read, what is wrong with its numbers as such
/// was told already.
fn tell_bad(world: &World, motion: &Motion, name: &str, set: SetOptions, whole: bool) -> (usize, bool) {
    struct Group {
        first: usize,
        count: usize,
        worst: String,
        excess: f64,
        limits: bool,
    }
    let checker = Checker::new(world);
    let mut groups: BTreeMap<(String, u8), Group> = BTreeMap::new();
    let (mut samples, mut limits_alone) = (0, true);
    for (sample, row) in motion.rows.iter().enumerate() {
        let Err(fault) = checker.accepts(row, set) else { continue };
        let PoseFault::Values(mut faults) = fault else {
            if whole {
                say_line(&format!("{name}: sample {sample}: {fault}"));
                (samples, limits_alone) = (samples + 1, false);
            }
            continue;
        };
        if !whole {
            faults.retain(|fault| fault.problem != ValueProblem::NotFinite);
        }
        samples += usize::from(!faults.is_empty());
        let of_limits =
            |p: ValueProblem| matches!(p, ValueProblem::OutOfLimits { .. } | ValueProblem::TooLarge);
        limits_alone &= faults.iter().all(|f| of_limits(f.problem));
        for fault in faults {
            let (kind, excess) = match fault.problem {
                ValueProblem::OutOfLimits { lower, upper } => {
                    (0, (lower - fault.value).max(fault.value - upper))
                }
                ValueProblem::NotFinite => (1, 0.0),
                ValueProblem::TooLarge => (2, fault.value.abs()),
                ValueProblem::NotAUnitQuaternion { length } => (3, (length - 1.0).abs()),
            };
            let text = fault.to_string();
            let group = groups.entry((fault.name, kind)).or_insert(Group {
                first: sample,
                count: 0,
                worst: text.clone(),
                excess,
                limits: kind == 0,
            });
            group.count += 1;
            if excess > group.excess {
                (group.worst, group.excess) = (text, excess);
            }
        }
    }
    // The words that the reader of motions has for a place.
    let place = |sample: usize| match motion.lines.get(sample) {
        Some(line) => format!("line {line}, sample {sample}"),
        None => format!("sample {sample}"),
    };
    for group in groups.values().take(limits::JOINT_FAULTS) {
        let Group { first, count, worst, .. } = group;
        if *count == 1 {
            say_line(&format!("{name}: {}: {worst}", place(*first)));
        } else {
            say_line(&format!("{name}: {count} samples, the first at {}; the worst: {worst}", place(*first)));
        }
    }
    if groups.len() > limits::JOINT_FAULTS {
        say_line(&format!("and {}", counted_things(groups.len() - limits::JOINT_FAULTS, "more joint")));
    }
    if groups.values().any(|g| g.limits) {
        let excess = groups.values().filter(|g| g.limits).map(|g| g.excess).fold(0.0, f64::max);
        match doubted_angles(world, &motion.rows, excess).filter(|_| whole && limits_alone) {
            Some(question) => {
                say_line(&format!("{question}. If not, fix the values, or use --ignore-limits"))
            }
            None => say_line("Fix the values, or use --ignore-limits"),
        }
    }
    (samples, limits_alone)
}
