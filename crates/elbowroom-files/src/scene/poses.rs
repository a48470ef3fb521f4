//! Poses and vectors, in both ways of writing them.

use super::Reader;
use crate::tree::Node;
use elbowroom::math::{Mat3, Transform};

impl Reader<'_, '_> {
    pub(super) fn pose(&mut self, node: &Node, label: &str) -> Option<Transform> {
        let (xyz, quat) = self.pose_parts(node, label)?;
        let rotation = Mat3::from_quat_wxyz(quat)?;
        Some(Transform::new(rotation, xyz.into()))
    }

    /// Position and quaternion (w, x, y, z) of a geometry_msgs Pose or Transform; either may be missing.
    pub(super) fn pose_parts(&mut self, node: &Node, label: &str) -> Option<([f64; 3], [f64; 4])> {
        if node.map().is_none() {
            self.r().fault(node, label, "is not a pose", "give position and orientation");
            return None;
        }
        let xyz = match node.get("position").or_else(|| node.get("translation")) {
            None => [0.0; 3],
            Some(found) => match vector(found, ["x", "y", "z"]) {
                Some(v) => v,
                None => {
                    self.r().fault(found, label, "a position is not three finite numbers", "correct it");
                    return None;
                }
            },
        };
        let quat = match node.get("orientation").or_else(|| node.get("rotation")) {
            None => [1.0, 0.0, 0.0, 0.0],
            Some(found) => match vector(found, ["x", "y", "z", "w"]) {
                Some([x, y, z, w]) => [w, x, y, z],
                None => {
                    self.r().fault(
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
pub(super) fn vector<const N: usize>(node: &Node, parts: [&str; N]) -> Option<[f64; N]> {
    if node.list().is_some() {
        return node.numbers::<N>();
    }
    node.map()?;
    let mut out = [0.0; N];
    for (slot, part) in out.iter_mut().zip(parts) {
        *slot = node.get(part)?.number()?;
    }
    Some(out)
}
