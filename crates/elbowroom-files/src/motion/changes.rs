//! Changes of movable bodies, as lines of motions and of a monitor's input write them.

use super::event::Change;
use crate::placed::ShapeReader;
use crate::session::Session;
use crate::tree::TreeReader;
use crate::tree::node::Node;
use elbowroom::math::{Mat3, Transform};
use std::path::Path;

/// Reads changes from a file.
pub(crate) struct Changes<'s, 'f> {
    pub session: &'s mut Session<'f>,
    pub file: &'s Path,
    /// Whether a body that is placed may be said to `teleport`; who reads it looks at the value.
    pub teleports: bool,
}

impl Changes<'_, '_> {
    fn tree_reader(&mut self) -> TreeReader<'_> {
        TreeReader { file: self.file, log: &mut self.session.log }
    }

    /// What an event changes; `None` after a fault.
    pub fn read_change(&mut self, line: &Node, event: &str, label: &str) -> Option<Change> {
        let node = line.get(event)?;
        let known: &[&str] = match event {
            "attach" => &["name", "attached_to", "touch"],
            "place" if self.teleports => &["name", "pose", "xyz", "rpy", "quat_wxyz", "teleport"],
            "place" => &["name", "pose", "xyz", "rpy", "quat_wxyz"],
            "open" => &["name", "value"],
            "fill" => &["name", "shape"],
            "allow" => &["a", "b", "reason"],
            "forbid" => &["a", "b"],
            _ => &["name"],
        };
        let before = self.session.log.fault_count();
        if !self.tree_reader().check_keys(node, label, known) {
            return None;
        }
        if event == "fill" {
            return self.read_fill(node, label, before);
        }
        let r = &mut self.tree_reader();
        let mut text = |key: &str| r.read_text(node, label, key, false).map(str::to_string);
        let change = match event {
            "allow" | "forbid" => {
                let (a, b) = (text("a"), text("b"));
                let (a, b) = (a?, b?);
                if event == "forbid" {
                    Change::Forbid { a, b }
                } else {
                    let reason = r.read_text(node, label, "reason", true).map(str::to_string);
                    Change::Allow { a, b, reason }
                }
            }
            "attach" => {
                let (name, attached_to) = (text("name"), text("attached_to"));
                let touch = r.read_texts(node, label, "touch");
                Change::Attach { name: name?, attached_to: attached_to?, touch }
            }
            "place" => {
                let name = text("name");
                let pose = read_change_pose(r, node, label);
                Change::Place { name: name?, pose: pose? }
            }
            "open" => {
                let name = text("name");
                let value = r.read_number(node, label, "value", None);
                Change::Open { name: name?, value: value? }
            }
            "close" => Change::Close { name: text("name")? },
            "detach" => Change::Detach { name: text("name")? },
            "hide" => Change::Hide { name: text("name")? },
            "empty" => Change::Empty { name: text("name")? },
            _ => Change::Show { name: text("name")? },
        };
        (self.session.log.fault_count() == before).then_some(change)
    }

    /// A spare place and its shape; `None` after a fault.
    fn read_fill(&mut self, node: &Node, label: &str, before: usize) -> Option<Change> {
        let name = self.tree_reader().read_text(node, label, "name", false).map(str::to_string);
        let Some(shape) = node.get("shape") else {
            let help =
                "give shape: {\"type\": \"box\", \"size\": [x, y, z]}, or another of those in world files";
            self.tree_reader().add_fault(node, label, "shape is missing", help);
            return None;
        };
        let mut placed = ShapeReader { session: &mut *self.session, file: self.file };
        let shape = Box::new(placed.read_shape(shape, &format!("{label}, shape"))?);
        (self.session.log.fault_count() == before).then_some(Change::Fill { name: name?, shape })
    }
}

/// Where a body is put: `pose` as seven numbers, or the words of world files.
fn read_change_pose(r: &mut TreeReader<'_>, node: &Node, label: &str) -> Option<Transform> {
    let words = ["xyz", "rpy", "quat_wxyz"];
    let by_words = words.iter().any(|key| node.get(key).is_some());
    match (node.get("pose"), by_words) {
        (Some(both), true) => {
            r.add_fault(both, label, "pose is given beside xyz, rpy or quat_wxyz", "keep one");
            None
        }
        (Some(_), false) => {
            let [x, y, z, w, i, j, k] = r.read_numbers::<7>(node, label, "pose", None)?;
            let Some(rotation) = Mat3::from_quat_wxyz([w, i, j, k]) else {
                let help = "pose is [x, y, z, qw, qx, qy, qz]; no rotation is [..., 1, 0, 0, 0]";
                r.add_fault(node, label, "the quaternion of pose is zero", help);
                return None;
            };
            Some(Transform::new(rotation, [x, y, z].into()))
        }
        (None, true) => r.read_pose(node, label),
        (None, false) => {
            let help = "give pose: [x, y, z, qw, qx, qy, qz], or xyz with rpy or quat_wxyz";
            r.add_fault(node, label, "has no pose", help);
            None
        }
    }
}
