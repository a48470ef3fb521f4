//! SRDFs of a world's robots: what those say that were read, and which ones lie near.

use crate::arguments::WorldArguments;
use crate::limits;
use elbowroom::describe::{LinkGroup, NamedState, RobotDescription};
use elbowroom_files::fault::counted_things;
use elbowroom_files::near;
use std::path::{Path, PathBuf};

/// Whether a file is called as URDFs are.
pub fn is_urdf(path: &Path) -> bool {
    path.extension().is_some_and(|e| ["urdf", "xml", "xacro"].iter().any(|end| e.eq_ignore_ascii_case(end)))
}

/// What a robot's SRDF says beside the reasons of pairs; nothing of it where there is none.
#[derive(Default)]
pub struct SrdfParts {
    /// Groups of links.
    pub groups: Vec<LinkGroup>,
    /// Named poses.
    pub states: Vec<NamedState>,
    /// Whether it disables any pair.
    pub disables: bool,
}

impl SrdfParts {
    /// Those of a robot that was read.
    pub fn from_robot(robot: &RobotDescription) -> SrdfParts {
        SrdfParts {
            groups: robot.groups.clone(),
            states: robot.states.clone(),
            disables: !robot.disabled_pairs.is_empty(),
        }
    }
}

/// The robots of a world, in order, and the files that were read for them.
#[derive(Clone, Copy)]
pub struct RobotSrdfs<'a> {
    /// The robots' own names.
    pub names: &'a [String],
    /// What their SRDFs say.
    pub parts: &'a [SrdfParts],
    /// The SRDFs that were read.
    pub srdfs: &'a [PathBuf],
    /// Every file that was read.
    pub files: &'a [PathBuf],
}

impl RobotSrdfs<'_> {
    /// Whether an SRDF of the robot was read. Where there are several robots, one that says something.
    fn has_srdf(&self, robot: usize) -> bool {
        let says = |parts: &SrdfParts| parts.disables || !parts.groups.is_empty() || !parts.states.is_empty();
        match self.srdfs.len() {
            0 => false,
            _ if self.names.len() == 1 => true,
            _ => self.parts.get(robot).is_some_and(says),
        }
    }

    /// The SRDFs of a robot that lie near the URDFs that were read.
    pub fn find_near(&self, robot: usize) -> Vec<PathBuf> {
        let Some(name) = self.names.get(robot) else { return Vec::new() };
        self.files.iter().filter(|path| is_urdf(path)).flat_map(|urdf| near::find_srdfs(urdf, name)).collect()
    }

    /// A line for each robot without an SRDF near which there are some; none where none is wanted.
    pub fn near_in_words(&self, arguments: &WorldArguments) -> Vec<String> {
        if arguments.no_srdf {
            return Vec::new();
        }
        let use_it =
            if is_urdf(&arguments.world) { "--srdf FILE" } else { "srdf = \"...\" in the world file" };
        let mut lines = Vec::new();
        for robot in (0..self.names.len()).filter(|robot| !self.has_srdf(*robot)) {
            let near = self.find_near(robot);
            let shown: Vec<String> =
                near.iter().take(limits::PAIRS_NAMED).map(|path| path.display().to_string()).collect();
            let more = near.len() - shown.len();
            let more =
                if more == 0 { String::new() } else { format!(" and {}", counted_things(more, "other")) };
            let (name, shown) = (&self.names[robot], shown.join(", "));
            let line = format!("SRDFs of {name} found nearby ({use_it}): {shown}{more}");
            if !near.is_empty() && !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }
}
