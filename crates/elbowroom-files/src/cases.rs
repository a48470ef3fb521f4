//! `distance` cases: two shapes and their poses, one JSON object a line.

use crate::fault::Log;
use crate::limits;
use crate::shape;
use crate::tree::{Node, Reading, from_json};
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Mat3, Transform};
use std::path::Path;

/// A pair of shapes to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Whatever the case calls itself; null if nothing.
    pub id: serde_json::Value,
    /// Shape A and its padding (metres).
    pub a: (ShapeDescription, f64),
    /// Shape B and its padding (metres).
    pub b: (ShapeDescription, f64),
    /// A's frame in the world.
    pub pose_a: Transform,
    /// B's frame in the world.
    pub pose_b: Transform,
}

/// Reads one line. Unknown keys are ignored; a pose or a part of it that is missing is the identity.
///
/// # Errors
/// The id as far as it could be read, and all faults in words.
pub fn parse_case(line: &str) -> Result<Case, (serde_json::Value, String)> {
    if line.len() > limits::TREE_BYTES {
        let what = format!("longer than {} bytes", limits::TREE_BYTES);
        return Err((serde_json::Value::Null, what));
    }
    let json: serde_json::Value = serde_json::from_str(line)
        .map_err(|e| (serde_json::Value::Null, format!("not a JSON object: {e}")))?;
    let id = json.get("id").cloned().unwrap_or_default();
    let node = from_json(&json);
    drop(json);
    let mut log = Log::default();
    let mut reading = Reading { file: Path::new(""), log: &mut log };
    let a = part(&mut reading, &node, "a");
    let b = part(&mut reading, &node, "b");
    let pose_a = pose(&mut reading, &node, "pose_a");
    let pose_b = pose(&mut reading, &node, "pose_b");
    match (a, b, pose_a, pose_b) {
        (Some(a), Some(b), Some(pose_a), Some(pose_b)) if log.count() == 0 => {
            Ok(Case { id, a, b, pose_a, pose_b })
        }
        _ => match log.finish::<()>(None) {
            Ok(_) => Err((id, "could not be read".into())),
            Err(faults) => {
                let words: Vec<String> = faults.0.iter().map(ToString::to_string).collect();
                Err((id, words.join(" | ")))
            }
        },
    }
}

fn part(reading: &mut Reading<'_>, node: &Node, key: &str) -> Option<(ShapeDescription, f64)> {
    match node.get(key) {
        Some(shape) => shape::read(reading, shape, key),
        None => {
            reading.fault(node, key, "the shape is missing", "give a shape");
            None
        }
    }
}

fn pose(reading: &mut Reading<'_>, node: &Node, key: &str) -> Option<Transform> {
    let Some(pose) = node.get(key) else { return Some(Transform::IDENTITY) };
    if pose.map().is_none() {
        reading.fault(pose, key, "is not a pose", "write {\"xyz\":[x,y,z],\"quat_wxyz\":[w,x,y,z]}");
        return None;
    }
    let xyz = reading.numbers::<3>(pose, key, "xyz", Some([0.0; 3]));
    let quat = reading.numbers::<4>(pose, key, "quat_wxyz", Some([1.0, 0.0, 0.0, 0.0]));
    let Some(rotation) = Mat3::from_quat_wxyz(quat?) else {
        reading.fault(pose, key, "quat_wxyz is zero", "the identity is [1, 0, 0, 0]");
        return None;
    };
    Some(Transform::new(rotation, xyz?.into()))
}
