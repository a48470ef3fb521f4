//! Poses and vectors, in both ways of writing them, and the frames that poses refer to.

use super::reader::SceneReader;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::math::{Mat3, Transform};

impl SceneReader<'_, '_> {
    /// MoveIt writes each fixed frame as `header.frame_id`, posed in the planning frame `child_frame_id`.
    pub(super) fn read_fixed_frames(&mut self, root: &Node) {
        for item in self.tree_reader().read_list(root, "", "fixed_frame_transforms") {
            let label = "fixed_frame_transforms";
            let Some(planning) =
                self.tree_reader().read_text(item, label, "child_frame_id", false).map(bare_frame)
            else {
                continue;
            };
            let frame = item
                .get("header")
                .and_then(|h| h.get("frame_id"))
                .and_then(Node::as_text)
                .map(bare_frame)
                .unwrap_or("");
            let pose = item.get("transform").map_or(Some(Transform::IDENTITY), |t| self.read_pose(t, label));
            let Some(pose) = pose else { continue };
            match &self.planning {
                Some(known) if known != planning => {
                    let what = format!("leads to the frame {planning:?}, but others lead to {known:?}");
                    self.tree_reader().add_fault(
                        item,
                        label,
                        what,
                        "give all fixed frames in one planning frame",
                    );
                    continue;
                }
                _ => self.planning = Some(planning.to_string()),
            }
            if !frame.is_empty() && frame != planning {
                let known = self.frames.insert(frame.to_string(), pose);
                if known.is_some() {
                    let what = format!("the frame {:?} is given twice", short_text(frame));
                    self.tree_reader().add_fault(item, label, what, "keep one");
                }
            }
        }
    }

    /// The frame of a message in the planning frame.
    pub(super) fn find_frame(&mut self, node: &Node, label: &str) -> Option<Transform> {
        let name = node
            .get("header")
            .and_then(|h| h.get("frame_id"))
            .and_then(Node::as_text)
            .map(bare_frame)
            .unwrap_or("");
        if name.is_empty() || self.planning.as_deref() == Some(name) {
            return Some(Transform::IDENTITY);
        }
        if let Some(pose) = self.frames.get(name) {
            return Some(*pose);
        }
        let place = self.place;
        if let Some(joint) = place.robot.find_mover(name) {
            let what = format!(
                "its frame {:?} is a link that moves: the joint {:?} moves it",
                short_text(name),
                short_text(joint)
            );
            let help = "give the pose in the root link's frame, or in that of a link that is fixed to it; \
                        what a link holds belongs to attached_collision_objects";
            self.tree_reader().add_fault(node, label, what, help);
            return None;
        }
        let Some(planning) = &self.planning else {
            // The file does not say: the first frame it uses must serve.
            self.planning = Some(name.to_string());
            return Some(Transform::IDENTITY);
        };
        if let Some(frame) = place.find_in_planning(planning, name) {
            return Some(frame);
        }
        if place.is_open {
            return None;
        }
        let known: Vec<&str> = self
            .frames
            .keys()
            .map(String::as_str)
            .chain(self.planning.as_deref())
            .chain(place.robot.link_names())
            .collect();
        let mut help = self.session.log.did_you_mean(name, known.iter().copied());
        if help.is_empty() {
            help = "give the pose in the planning frame, or add the frame to fixed_frame_transforms; of \
                    several robots, robot = \"...\" of the [[scene]] says whose links are meant"
                .into();
        }
        let what = format!(
            "its frame {:?} is not a fixed frame of this scene, and no link of its robot",
            short_text(name)
        );
        self.tree_reader().add_fault(node, label, what, help);
        None
    }

    pub(super) fn read_pose(&mut self, node: &Node, label: &str) -> Option<Transform> {
        let (xyz, quat) = self.read_pose_parts(node, label)?;
        let rotation = Mat3::from_quat_wxyz(quat)?;
        Some(Transform::new(rotation, xyz.into()))
    }

    /// Position and quaternion (w, x, y, z) of a geometry_msgs Pose or Transform; either may be missing.
    pub(super) fn read_pose_parts(&mut self, node: &Node, label: &str) -> Option<([f64; 3], [f64; 4])> {
        if node.as_map().is_none() {
            self.tree_reader().add_fault(node, label, "is not a pose", "give position and orientation");
            return None;
        }
        let xyz = match node.get("position").or_else(|| node.get("translation")) {
            None => [0.0; 3],
            Some(found) => match read_vector(found, ["x", "y", "z"]) {
                Some(v) => v,
                None => {
                    self.tree_reader().add_fault(
                        found,
                        label,
                        "a position is not three finite numbers",
                        "correct it",
                    );
                    return None;
                }
            },
        };
        let quat = match node.get("orientation").or_else(|| node.get("rotation")) {
            None => [1.0, 0.0, 0.0, 0.0],
            Some(found) => match read_vector(found, ["x", "y", "z", "w"]) {
                Some([x, y, z, w]) => [w, x, y, z],
                None => {
                    self.tree_reader().add_fault(
                        found,
                        label,
                        "an orientation is not four finite numbers x, y, z, w",
                        "correct it",
                    );
                    return None;
                }
            },
        };
        if quat == [0.0; 4] {
            self.odd_quaternions += 1;
            return Some((xyz, [1.0, 0.0, 0.0, 0.0]));
        }
        Some((xyz, quat))
    }
}

/// A vector as a list or as a map of named parts.
pub(crate) fn read_vector<const N: usize>(node: &Node, parts: [&str; N]) -> Option<[f64; N]> {
    if node.as_list().is_some() {
        return node.as_numbers::<N>();
    }
    node.as_map()?;
    let mut out = [0.0; N];
    for (slot, part) in out.iter_mut().zip(parts) {
        *slot = node.get(part)?.as_number()?;
    }
    Some(out)
}

/// Old ROS writes frames with a leading slash.
pub(super) fn bare_frame(frame: &str) -> &str {
    frame.strip_prefix('/').unwrap_or(frame)
}
