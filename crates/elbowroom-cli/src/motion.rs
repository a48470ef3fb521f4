//! The samples that are asked: a motion, poses from the command line, or the neutral pose; all refused faults together.

use crate::limits;
use crate::load::warn;
use crate::out::say;
use anyhow::{Result, bail};
use elbowroom::pose::{Pose, PoseFault, SetOptions, ValueProblem};
use elbowroom::world::World;
use elbowroom_files::fault::counted;
use elbowroom_files::motion::{Joints, Motion, mimics, read_motion};
use std::collections::BTreeMap;
use std::path::Path;

/// Where samples come from, for messages.
pub enum Source<'a> {
    /// A file.
    File(&'a Path),
    /// Values on the command line.
    Values(&'a [String]),
    /// The neutral pose.
    Neutral,
}

/// Reads the samples and checks each against the world.
pub fn load(
    world: &World,
    source: &Source<'_>,
    options: &elbowroom_files::Options,
    set: SetOptions,
) -> Result<Motion> {
    // Of what could not be read as a whole, the rest is looked at too, so that all faults are told at once.
    let (motion, whole) = match source {
        Source::File(path) => {
            let joints = Joints { names: world.value_names(), mimics: &mimics(world) };
            match read_motion(path, joints, options) {
                Ok(loaded) => {
                    warn(&loaded.warnings);
                    (loaded.value, true)
                }
                Err((faults, motion)) => {
                    say(&faults.to_string());
                    (motion, false)
                }
            }
        }
        Source::Values(poses) => {
            let (rows, whole) = values(world, poses);
            (Motion { rows, ..Motion::default() }, whole)
        }
        Source::Neutral => {
            say("note: no --motion and no --at: asked at each joint's zero, or at the limit nearest to it");
            (Motion { rows: vec![world.neutral_values()], ..Motion::default() }, true)
        }
    };
    let name = match source {
        Source::File(path) => path.display().to_string(),
        Source::Values(_) => "--at".into(),
        Source::Neutral => "the neutral pose (each joint at zero, or at the limit nearest to it)".into(),
    };
    let bad = tell_bad(world, &motion, &name, set, whole);
    match (whole, bad) {
        (true, 0) => Ok(motion),
        (false, _) => bail!("{name} is refused"),
        (true, bad) => {
            bail!(
                "{name} is refused: no pose of this world at {bad} of {}",
                counted(motion.rows.len(), "sample")
            )
        }
    }
}

/// Poses from the command line, and whether all of them could be read; what could not is NaN.
fn values(world: &World, poses: &[String]) -> (Vec<Vec<f64>>, bool) {
    let (mut rows, mut faults) = (Vec::new(), 0);
    for (k, text) in poses.iter().enumerate() {
        let fields: Vec<&str> = text.split(',').map(str::trim).filter(|f| !f.is_empty()).collect();
        let mut row = Vec::new();
        for field in &fields {
            match field.parse::<f64>() {
                Ok(value) if value.is_finite() => row.push(value),
                other => {
                    let number = if other.is_ok() { "finite number" } else { "number" };
                    say(&format!("--at, pose {}: `{field}` is not a {number}", k + 1));
                    faults += 1;
                    row.push(f64::NAN);
                }
            }
        }
        if fields.len() != world.value_names().len() {
            say(&format!(
                "--at, pose {}: {} given, but the world has {}: {}",
                k + 1,
                counted(fields.len(), "value"),
                world.value_names().len(),
                world.value_names().join(", ")
            ));
            faults += 1;
        }
        rows.push(row);
    }
    (rows, faults == 0)
}

/// Tells all values that the world refuses, grouped by joint and problem, and returns in how many samples. Where not the
/// whole was read, what is wrong with its numbers as such was told already.
fn tell_bad(world: &World, motion: &Motion, name: &str, set: SetOptions, whole: bool) -> usize {
    struct Group {
        first: usize,
        count: usize,
        worst: String,
        excess: f64,
        limits: bool,
    }
    let mut pose = Pose::new(world);
    let mut groups: BTreeMap<(String, u8), Group> = BTreeMap::new();
    let mut samples = 0;
    for (sample, row) in motion.rows.iter().enumerate() {
        let Err(fault) = pose.set_with(world, row, set) else { continue };
        let PoseFault::Values(mut faults) = fault else {
            if whole {
                say(&format!("{name}: sample {sample}: {fault}"));
                samples += 1;
            }
            continue;
        };
        if !whole {
            faults.retain(|fault| fault.problem != ValueProblem::NotFinite);
        }
        samples += usize::from(!faults.is_empty());
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
            say(&format!("{name}: {}: {worst}", place(*first)));
        } else {
            say(&format!("{name}: {count} samples from {} on, at the worst: {worst}", place(*first)));
        }
    }
    if groups.len() > limits::JOINT_FAULTS {
        say(&format!("{} at fault", counted(groups.len() - limits::JOINT_FAULTS, "more joint")));
    }
    if groups.values().any(|g| g.limits) {
        say("mend the motion, or pass --ignore-limits to ask all the same");
    }
    samples
}
