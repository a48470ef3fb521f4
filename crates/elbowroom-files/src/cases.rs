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
    /// Whatever the case calls itself, as the JSON it was written in; `null` if nothing.
    pub id: String,
    /// Shape A and its padding (metres).
    pub a: (ShapeDescription, f64),
    /// Shape B and its padding (metres).
    pub b: (ShapeDescription, f64),
    /// A's frame in the world.
    pub pose_a: Transform,
    /// B's frame in the world.
    pub pose_b: Transform,
}

/// Reads one line. Unknown keys beside the shapes and poses are ignored, inside them they are faults: a misspelt one
/// would change the answer. A pose or a part of it that is missing is the identity.
///
/// # Errors
/// The id as far as it could be read, and all faults in words.
pub fn parse_case(line: &str) -> Result<Case, (String, String)> {
    let nameless = |what: String| ("null".to_string(), what);
    if line.len() > limits::TREE_BYTES {
        return Err(nameless(format!("longer than {} bytes", limits::TREE_BYTES)));
    }
    let json: serde_json::Value = serde_json::from_str(line).map_err(|e| nameless(not_json(&e)))?;
    let kind = match &json {
        serde_json::Value::Object(_) => None,
        serde_json::Value::Array(_) => Some("a list"),
        serde_json::Value::String(_) => Some("text"),
        serde_json::Value::Number(_) => Some("a number"),
        serde_json::Value::Bool(_) | serde_json::Value::Null => Some("a single word"),
    };
    if let Some(kind) = kind {
        let help = "write {\"id\":..., \"a\":shape, \"b\":shape, \"pose_a\":{...}, \"pose_b\":{...}}";
        return Err(nameless(format!("is {kind}, not a JSON object; {help}")));
    }
    let id = literal(line, "id").unwrap_or("null").to_string();
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

/// Why a line is not JSON, and where in it.
fn not_json(e: &serde_json::Error) -> String {
    let text = e.to_string();
    let text = text.strip_suffix(&format!(" at line {} column {}", e.line(), e.column())).unwrap_or(&text);
    format!("is not JSON: {text} at column {}", e.column())
}

/// What is written under a key of an object, to the letter: numbers of an id may be longer than a float can hold. The
/// last one counts, as everywhere in JSON. The text must be an object that was read without a fault.
fn literal<'t>(object: &'t str, wanted: &str) -> Option<&'t str> {
    let bytes = object.as_bytes();
    let is_wanted = |key: &str| serde_json::from_str::<String>(key).is_ok_and(|key| key == wanted);
    let (mut depth, mut key, mut start, mut found) = (0_usize, None, 0, None);
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'"' => {
                let from = i;
                i += 1;
                while bytes.get(i).is_some_and(|b| *b != b'"') {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
                if depth == 1 && key.is_none() {
                    key = object.get(from..=i);
                }
            }
            b'{' | b'[' => depth += 1,
            b':' if depth == 1 => start = i + 1,
            b',' | b'}' | b']' => {
                // An entry of the object itself ends here.
                if depth == 1 && key.take().is_some_and(is_wanted) {
                    found = object.get(start..i).map(str::trim);
                }
                depth = depth.saturating_sub(usize::from(byte != b','));
            }
            _ => {}
        }
        i += 1;
    }
    found
}

fn part(reading: &mut Reading<'_>, node: &Node, key: &str) -> Option<(ShapeDescription, f64)> {
    match node.get(key) {
        Some(shape) => {
            let kind = shape.get("type").and_then(Node::text).unwrap_or("");
            // With an unknown type every other key would look wrong too.
            let known = shape::keys_of(kind);
            if !known.is_empty() {
                reading.keys(shape, key, &[&["type", "padding"], known].concat());
            }
            shape::read(reading, shape, key)
        }
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
    reading.keys(pose, key, &["xyz", "quat_wxyz"]);
    let xyz = reading.numbers::<3>(pose, key, "xyz", Some([0.0; 3]));
    let quat = reading.numbers::<4>(pose, key, "quat_wxyz", Some([1.0, 0.0, 0.0, 0.0]));
    let Some(rotation) = Mat3::from_quat_wxyz(quat?) else {
        reading.fault(pose, key, "quat_wxyz is zero", "the identity is [1, 0, 0, 0]");
        return None;
    };
    Some(Transform::new(rotation, xyz?.into()))
}
