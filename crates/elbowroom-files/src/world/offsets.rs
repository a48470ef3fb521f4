//! `offsets`: joints whose encoders are off. What stands there is added to what a joint reads.
//!
//! A world is asked with readings: its joint values, limits and motions are what encoders say. So the frame
//! of such a joint is turned about its axis, or moved along it, by the offset. Its limits are those of the
//! joint itself, and as readings they lie lower by the offset. A joint that follows another follows its true
//! value, and not its reading.
//!
//! The table stands in the world file, or in a file of its own, as `elbowroom calibrate --out` writes it:
//!
//! ```toml
//! "hand/phi_0" = 0.0251     # radians, metres
//! ```

use super::format::{WorldFormat, detect_world_format};
use super::reader::{WorldReader, read_tree};
use crate::fault::{Faults, Loaded, did_you_mean};
use crate::limits;
use crate::motion::names::{Named, ValueNames};
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use crate::tree::TreeReader;
use crate::tree::formats::from_toml;
use crate::tree::node::{Node, Value};
use crate::xml::short_text;
use elbowroom::World;
use elbowroom::describe::{JointKind, PlacedRobot, RobotDescription};
use elbowroom::math::{Mat3, Transform, Vec3};
use std::path::{Path, PathBuf};

/// The offset of one joint, and its line in the file.
struct OffsetEntry {
    name: String,
    offset: f64,
    line: usize,
}

/// The offsets of a world file by joint value, in the order of [`World::dof_names`] (radians, metres). They
/// are zero where the file has none, and for a robot's own file. For programs that find further offsets.
///
/// # Errors
/// All faults of the table.
pub fn load_offsets(path: &Path, world: &World, options: &Options) -> Result<Loaded<Vec<f64>>, Faults> {
    load_offsets_from(&Disk, path, world, options)
}

/// [`load_offsets`] from any [`Files`].
///
/// # Errors
/// See [`load_offsets`].
pub fn load_offsets_from(
    files: &dyn Files,
    path: &Path,
    world: &World,
    options: &Options,
) -> Result<Loaded<Vec<f64>>, Faults> {
    let mut session = Session::new(files, options);
    let mut offsets = vec![0.0; world.dof_names().len()];
    if matches!(detect_world_format(&session, path), WorldFormat::World)
        && let Some(root) = read_tree(&mut session, path)
        && let Some((_, entries)) = read_entries(&mut session, path, &root)
    {
        let names = ValueNames::new(world.dof_names().iter().map(String::as_str));
        for entry in entries {
            if let Named::One(value) = names.find_value(&entry.name) {
                offsets[value] = entry.offset;
            }
        }
    }
    session.finish(Some(offsets))
}

/// The entries, and the file that has them. `None` if there is no table, or its file cannot be read.
fn read_entries(session: &mut Session<'_>, file: &Path, root: &Node) -> Option<(PathBuf, Vec<OffsetEntry>)> {
    let node = root.get("offsets")?;
    if node.as_text().is_none() {
        return Some((file.to_path_buf(), read_table(session, file, node)));
    }
    let path = session.named_file(file, root, "", "offsets")?;
    let text = session.read_text(&path, limits::OFFSET_BYTES, "give a table of offsets (.toml)")?;
    let table = from_toml(&text, &path, &mut session.log)?;
    let entries = read_table(session, &path, &table);
    Some((path, entries))
}

fn read_table(session: &mut Session<'_>, file: &Path, table: &Node) -> Vec<OffsetEntry> {
    let mut reader = TreeReader { file, log: &mut session.log };
    let help = "write \"robot/joint\" = 0.01, in radians or metres: what is added to what the joint reads";
    let Value::Map(entries) = &table.value else {
        reader.add_fault(table, "offsets", "is neither a table nor the name of a file", help);
        return Vec::new();
    };
    let mut found = Vec::new();
    for (name, node) in entries {
        let most = limits::MOST_OFFSET;
        match node.as_number() {
            Some(offset) if offset.abs() <= most => {
                found.push(OffsetEntry { name: name.clone(), offset, line: node.line });
            }
            Some(offset) => {
                let what = format!("{}: the offset {offset} is beyond {most}", short_text(name));
                reader.add_fault(node, "offsets", what, "give it in radians or metres");
            }
            None => {
                let what = format!("{} is not a finite number", short_text(name));
                reader.add_fault(node, "offsets", what, help);
            }
        }
    }
    found
}

/// A joint that may have an offset, or why it has none.
struct Target {
    robot: usize,
    joint: usize,
    refusal: Option<String>,
}

impl WorldReader<'_, '_> {
    /// Moves the joints of robots that have been read.
    pub(super) fn read_offsets(&mut self, root: &Node) {
        let Some((file, entries)) = read_entries(self.session, self.file, root) else { return };
        let (names, targets): (Vec<String>, Vec<Target>) =
            list_targets(&self.world.robots).into_iter().unzip();
        let index = ValueNames::new(names.iter().map(String::as_str));
        let mut moved = vec![false; targets.len()];
        for OffsetEntry { name, offset, line } in entries {
            let place = Node { line, value: Value::Number(offset) };
            let mut reader = TreeReader { file: &file, log: &mut self.session.log };
            let mut refuse = |what: String, help: &str| reader.add_fault(&place, "offsets", what, help);
            let shown = short_text(&name);
            let number = match index.find_value(&name) {
                Named::One(number) => number,
                Named::Several => {
                    refuse(format!("{shown} is a joint of several robots"), "write \"robot/joint\"");
                    continue;
                }
                // A robot that could not be read may have it.
                Named::Nothing if !self.faulty.is_empty() => continue,
                Named::Nothing => {
                    let meant = did_you_mean(&name, index.known_names());
                    let help = if meant.is_empty() {
                        "`elbowroom info` lists all joint values".into()
                    } else {
                        meant
                    };
                    refuse(format!("there is no joint value {shown:?}"), &help);
                    continue;
                }
            };
            let target = &targets[number];
            if let Some(why) = &target.refusal {
                refuse(format!("{shown} {why}"), "leave it out");
            } else if std::mem::replace(&mut moved[number], true) {
                refuse(format!("{shown} stands there twice"), "leave one out");
            } else {
                move_joint(&mut self.world.robots[target.robot].robot, target.joint, offset);
            }
        }
    }
}

/// All joints by their full names.
fn list_targets(robots: &[PlacedRobot]) -> Vec<(String, Target)> {
    let mut targets = Vec::new();
    for (robot, placed) in robots.iter().enumerate() {
        for (joint, of_robot) in placed.robot.joints.iter().enumerate() {
            let refusal = match (of_robot.kind, &of_robot.mimic) {
                (JointKind::Fixed, _) => continue,
                (_, Some(mimic)) => Some(format!("follows {}, whose offset it takes over", mimic.joint)),
                (JointKind::Planar | JointKind::Floating, None) => Some("has more than one value".into()),
                (JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic, None) => None,
            };
            targets.push((format!("{}/{}", placed.name, of_robot.name), Target { robot, joint, refusal }));
        }
    }
    targets
}

/// Moves a joint's frame by its offset, and its limits by as much the other way.
fn move_joint(robot: &mut RobotDescription, number: usize, offset: f64) {
    let joint = &mut robot.joints[number];
    // A joint without an axis is refused later.
    let Some(axis) = joint.axis.normalized() else { return };
    let further = match joint.kind {
        JointKind::Prismatic => Transform::from_translation(axis * offset),
        _ => Transform::new(Mat3::from_axis_angle(axis, offset), Vec3::ZERO),
    };
    joint.joint_in_parent = joint.joint_in_parent * further;
    if let Some(limits) = &mut joint.limits {
        limits.lower -= offset;
        limits.upper -= offset;
    }
    let name = joint.name.clone();
    let mimics = robot.joints.iter_mut().filter_map(|follower| follower.mimic.as_mut());
    for mimic in mimics.filter(|mimic| mimic.joint == name) {
        mimic.offset += mimic.multiplier * offset;
    }
}
