//! Reading the files of motions. All their faults are printed together.

use crate::out::{say_line, say_remark, say_warnings};
use anyhow::{Result, bail};
use elbowroom::World;
use elbowroom_files::Options;
use elbowroom_files::fault;
use elbowroom_files::motion::{Joints, Motion, RobotJoints, join_motions, read_motion, read_motion_from};
use elbowroom_files::source::InMemory;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The name of standard input in messages.
pub const STDIN: &str = "standard input";

/// The motion of a file, and whether all of it could be read. Warnings are printed, and added to `warnings`.
pub fn read_file(
    path: &Path,
    joints: Joints<'_>,
    options: &Options,
    warnings: &mut Vec<String>,
) -> Result<(Motion, bool)> {
    let read = match path == Path::new("-") {
        true => read_motion_from(&standard_input(options)?, Path::new(STDIN), joints, options),
        false => read_motion(path, joints, options),
    };
    Ok(match read {
        Ok(loaded) => {
            say_warnings(&loaded.warnings);
            warnings.extend(fault::warning_lines(&loaded.warnings));
            (loaded.value, true)
        }
        Err((faults, motion)) => {
            say_line(&faults.to_string());
            (*motion, false)
        }
    })
}

/// All that standard input has, as a file; not more than a file may have.
fn standard_input(options: &Options) -> Result<InMemory> {
    let (most, mut bytes) = (options.max_file_bytes, Vec::new());
    std::io::stdin().lock().take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        bail!("--motion -: standard input has more than {most} bytes");
    }
    Ok(InMemory([(PathBuf::from(STDIN), bytes)].into()))
}

/// The motion of the world from one of each of these robots, by their times.
pub fn join_files(
    world: &World,
    parts: &[(&str, &Path)],
    options: &Options,
    warnings: &mut Vec<String>,
) -> Result<(Motion, bool)> {
    let (mut motions, mut whole) = (Vec::new(), true);
    for (robot, path) in parts {
        let Some(joints) = RobotJoints::find_robot(world, robot) else { continue };
        let (motion, read) = read_file(path, joints.joints(), options, warnings)?;
        let times = motion.t.as_deref().unwrap_or(&[]);
        let fault = if !motion.events.is_empty() {
            Some("has events, which have no place between two clocks: give one motion of all robots")
        } else if read && times.is_empty() {
            Some("has no times: motions of several files go by their times")
        } else if times.windows(2).any(|t| t[1] <= t[0]) {
            Some("has times that do not grow from row to row")
        } else {
            None
        };
        whole &= read && fault.is_none();
        if let Some(fault) = fault {
            say_line(&format!("{}: {fault}", path.display()));
        }
        motions.push((joints, motion));
    }
    if !whole {
        return Ok((Motion::default(), false));
    }
    for robot in world.robots().iter().filter(|robot| !robot.values.is_empty()) {
        if parts.iter().all(|(name, _)| *name != robot.name) {
            say_remark(&format!("note: {} has no motion and stays at its zero pose", robot.name));
        }
    }
    // Times count from the stamps of the headers, where they have some.
    let stamps: Vec<Option<f64>> = motions.iter().map(|(_, motion)| motion.stamp).collect();
    let earliest = stamps.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    if stamps.iter().any(Option::is_some) && stamps.iter().any(Option::is_none) {
        say_line(
            "one motion has a stamp in its header and another has none: how their clocks stand to each other \
             is not known; give both a stamp, or none",
        );
        return Ok((Motion::default(), false));
    }
    for (_, motion) in &mut motions {
        let later = motion.stamp.map_or(0.0, |stamp| stamp - earliest);
        motion.t.iter_mut().flatten().for_each(|t| *t += later);
    }
    let joined = join_motions(world, &motions);
    joined.as_ref().err().iter().for_each(|fault| say_line(&fault.to_string()));
    let whole = joined.is_ok();
    Ok((joined.unwrap_or_default(), whole))
}
