//! Where samples come from: a motion of all robots, one of each robot that moves by times of its own, poses
//! from the command line, random ones, or the neutral pose.

use super::read::STDIN;
use anyhow::{Result, bail};
use elbowroom::World;
use std::path::{Path, PathBuf};

/// Where samples come from, for messages.
pub enum MotionSource<'a> {
    /// A file.
    File(&'a Path),
    /// A file for each of these robots, with times of its own.
    Robots(Vec<(&'a str, &'a Path)>),
    /// Poses on the command line.
    Values(&'a [String]),
    /// Drawn within limits.
    Random {
        /// How many.
        count: u32,
        /// The number of the sequence.
        seed: u64,
    },
    /// The neutral pose.
    Neutral,
}

/// The paths that options may mean: `FILE`, and `FILE` of `ROBOT=FILE`.
pub fn motion_inputs(motions: &[PathBuf]) -> Vec<(&'static str, Option<&Path>)> {
    let paths =
        motions.iter().flat_map(|path| [Some(path.as_path()), split_robot(path).map(|(_, file)| file)]);
    paths.map(|path| ("the motion", path)).collect()
}

/// The two parts of `ROBOT=FILE`.
fn split_robot(path: &Path) -> Option<(&str, &Path)> {
    path.to_str()?.split_once('=').map(|(robot, file)| (robot, Path::new(file)))
}

impl<'a> MotionSource<'a> {
    /// One file, or one of each robot that moves by times of its own; `None` without files.
    pub fn from_files(world: &World, motions: &'a [PathBuf]) -> Result<Option<MotionSource<'a>>> {
        let is_robot = |name: &str| world.robots().iter().any(|robot| robot.name == name);
        let split =
            |path: &'a PathBuf| split_robot(path).filter(|(robot, _)| is_robot(robot) || !path.exists());
        if let [path] = motions
            && split(path).is_none()
        {
            return Ok(Some(MotionSource::File(path)));
        }
        let mut robots: Vec<(&str, &Path)> = Vec::new();
        for path in motions {
            let shown = path.display();
            let Some((robot, file)) = split(path) else {
                bail!("--motion {shown}: of several motions each says whose it is: ROBOT=FILE");
            };
            if !is_robot(robot) {
                let names: Vec<&str> = world.robots().iter().map(|robot| &*robot.name).collect();
                let are = if names.len() == 1 { "is" } else { "are" };
                bail!("--motion {shown}: no robot is called `{robot}`; there {are} {}", names.join(", "));
            }
            if robots.iter().any(|(other, _)| *other == robot) {
                bail!("--motion {shown}: {robot} has a motion already");
            }
            robots.push((robot, file));
        }
        Ok((!robots.is_empty()).then_some(MotionSource::Robots(robots)))
    }

    /// The name of its file.
    pub fn name(&self) -> String {
        match self {
            MotionSource::File(path) if *path == Path::new("-") => STDIN.into(),
            MotionSource::File(path) => path.display().to_string(),
            MotionSource::Robots(parts) => {
                let words = parts.iter().map(|(robot, path)| format!("{robot}={}", path.display()));
                words.collect::<Vec<_>>().join(", ")
            }
            MotionSource::Values(_) => "--at".into(),
            MotionSource::Random { .. } => "--random".into(),
            MotionSource::Neutral => "the zero pose".into(),
        }
    }
}
