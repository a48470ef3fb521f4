//! `distance` cases: two shapes and their poses, one JSON object a line.
//!
//! ```
//! use elbowroom_files::cases::parse_case;
//!
//! let line = r#"{"id": 7, "a": {"type": "sphere", "radius": 0.1}, "pose_a": {"xyz": [0, 0, 1]},
//!     "b": {"type": "box", "size": [1, 1, 1], "padding": 0.01}}"#;
//! let case = parse_case(line).expect("two shapes and a pose");
//! assert_eq!((case.id.as_str(), case.pose_a.translation.z, case.b.1), ("7", 1.0, 0.01));
//!
//! let (id, what) = parse_case(r#"{"id": 8, "a": 1, "pose_B": {}}"#).expect_err("several faults");
//! println!("{id}: {what}");
//! ```

use crate::fault::{Log, meant_key};
use crate::limits;
use crate::shape;
use crate::tree::TreeReader;
use crate::tree::node::{Node, Value};
use crate::xml::short_text;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Mat3, Transform};
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
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

/// The keys of a case.
const KEYS: [&str; 5] = ["id", "a", "b", "pose_a", "pose_b"];

/// Keys that a writer of cases might well take for known ones, and what would be.
const MISTAKEN: [(&str, &str); 25] = [
    ("a_pose", "pose_a"),
    ("b_pose", "pose_b"),
    ("pose", "pose_a or pose_b"),
    ("poses", "pose_a and pose_b"),
    ("pose_1", "pose_a"),
    ("pose_2", "pose_b"),
    ("b_in_a", "pose_b"),
    ("a_in_b", "pose_a"),
    ("a_to_b", "pose_b"),
    ("a_in_world", "pose_a"),
    ("b_in_world", "pose_b"),
    ("transform", "pose_a or pose_b"),
    ("transforms", "pose_a and pose_b"),
    ("transform_a", "pose_a"),
    ("transform_b", "pose_b"),
    ("a_transform", "pose_a"),
    ("b_transform", "pose_b"),
    ("origin_a", "pose_a"),
    ("origin_b", "pose_b"),
    ("shape_a", "a"),
    ("shape_b", "b"),
    ("xyz", "xyz in pose_a or pose_b"),
    ("quat_wxyz", "quat_wxyz in pose_a or pose_b"),
    ("rpy", "quat_wxyz in pose_a or pose_b"),
    ("padding", "padding in a or b"),
];

/// What an unknown key was most likely meant to be.
fn meant_case_key(key: &str) -> Option<&'static str> {
    let listed = MISTAKEN.iter().find(|(k, _)| k.eq_ignore_ascii_case(key)).map(|(_, meant)| *meant);
    listed.or_else(|| meant_key(key, &KEYS))
}

/// Reads one line. Inside shapes and poses an unknown key is a fault, as it would change the answer. Beside
/// them it is ignored, whatever it holds, unless it looks like a misspelling of a known one or like another
/// name for it: `pose_B` and `b_pose` would silently be the identity. No key may come twice. A pose or a part
/// of it that is missing is the identity.
///
/// # Errors
/// The id as far as it could be read, and all faults in words.
pub fn parse_case(line: &str) -> Result<Case, (String, String)> {
    let nameless = |what: String| ("null".to_string(), what);
    if line.len() > limits::TREE_BYTES {
        return Err(nameless(format!("longer than {} bytes", limits::TREE_BYTES)));
    }
    let mut log = Log::default();
    let mut reading = TreeReader { file: Path::new(""), log: &mut log };
    let mut entries = Vec::new();
    let read = read_case_entries(line, &mut entries);
    let mut known: BTreeMap<&str, Node> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let nothing = Node { line: 0, value: Value::Null };
    for (key, text) in &entries {
        if !seen.insert(key) {
            reading.add_fault(&nothing, "", format!("the key {:?} comes twice", short_text(key)), "keep one");
        } else if let Some(key) = KEYS.iter().find(|k| *k == key) {
            match serde_json::from_str(text) {
                Ok(node) => _ = known.insert(key, node),
                Err(e) => {
                    let column = text.as_ptr() as usize - line.as_ptr() as usize + e.column();
                    reading.add_fault(
                        &nothing,
                        key,
                        format!("{} at column {column}", json_error_words(&e)),
                        "correct it",
                    );
                }
            }
        } else if let Some(meant) = meant_case_key(key) {
            let help = format!("did you mean {meant:?}?");
            reading.add_fault(&nothing, "", format!("the key {:?} is unknown", short_text(key)), help);
        }
    }
    let id = match entries.iter().find(|(key, _)| key == "id") {
        Some((_, text)) if known.contains_key("id") => text.to_string(),
        _ => "null".to_string(),
    };
    match read {
        Ok(None) => {}
        Ok(Some(kind)) => {
            let help = "write {\"id\":..., \"a\":shape, \"b\":shape, \"pose_a\":{...}, \"pose_b\":{...}}";
            return Err(nameless(format!("is {kind}, not a JSON object; {help}")));
        }
        Err(e) => {
            return Err((id, format!("is not JSON: {} at column {}", json_error_words(&e), e.column())));
        }
    }
    let a = read_case_shape(&mut reading, known.get("a"), &seen, "a");
    let b = read_case_shape(&mut reading, known.get("b"), &seen, "b");
    let pose_a = read_case_pose(&mut reading, known.get("pose_a"), "pose_a");
    let pose_b = read_case_pose(&mut reading, known.get("pose_b"), "pose_b");
    match (a, b, pose_a, pose_b) {
        (Some(a), Some(b), Some(pose_a), Some(pose_b)) if log.fault_count() == 0 => {
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

/// The reader's words without its place.
fn json_error_words(e: &serde_json::Error) -> String {
    let text = e.to_string();
    let place = format!(" at line {} column {}", e.line(), e.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    match text {
        "number out of range" => format!("a number is out of range (the largest is {:e})", f64::MAX),
        _ => text.to_string(),
    }
}

/// The entries of a JSON object in their order, their values as they are written: what is ignored is not
/// looked into, and an id keeps every digit. (A number in an id must still lie in a float's range, below
/// 1.8e308, or readers of the answer would fail.) What was read before a fault is kept. `Some` is what the
/// line is instead.
fn read_case_entries<'t>(
    line: &'t str,
    entries: &mut Vec<(String, &'t str)>,
) -> Result<Option<&'static str>, serde_json::Error> {
    struct Object<'t, 'e>(&'e mut Vec<(String, &'t str)>);
    impl<'t> Visitor<'t> for Object<'t, '_> {
        type Value = Option<&'static str>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a case")
        }
        fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while let Some((key, value)) = map.next_entry::<String, &'t RawValue>()? {
                self.0.push((key, value.get()));
            }
            Ok(None)
        }
        fn visit_seq<A: SeqAccess<'t>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Some("a list"))
        }
        fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
            Ok(Some("text"))
        }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok(Some("a number"))
        }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok(Some("a number"))
        }
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok(Some("a number"))
        }
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok(Some("a single word"))
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Some("a single word"))
        }
    }
    let mut json = serde_json::Deserializer::from_str(line);
    let kind = json.deserialize_any(Object(entries))?;
    json.end()?;
    Ok(kind)
}

fn read_case_shape(
    reading: &mut TreeReader<'_>,
    node: Option<&Node>,
    given: &BTreeSet<&String>,
    key: &str,
) -> Option<(ShapeDescription, f64)> {
    match node.filter(|n| !n.is_null()) {
        Some(shape) => {
            let kind = shape.get("type").and_then(Node::as_text).unwrap_or("");
            // With an unknown type every other key would look wrong too.
            let known = shape::keys_of(kind);
            if !known.is_empty() {
                reading.check_keys(shape, key, &[&["type", "padding"], known].concat());
            }
            shape::read(reading, shape, key)
        }
        // Its own fault is told where it is there but could not be read.
        None if node.is_none() && given.iter().any(|k| *k == key) => None,
        None => {
            let nothing = Node { line: 0, value: Value::Null };
            reading.add_fault(&nothing, key, "the shape is missing", "give a shape");
            None
        }
    }
}

fn read_case_pose(reading: &mut TreeReader<'_>, node: Option<&Node>, key: &str) -> Option<Transform> {
    let Some(pose) = node.filter(|n| !n.is_null()) else { return Some(Transform::IDENTITY) };
    if pose.as_map().is_none() {
        reading.add_fault(pose, key, "is not a pose", "write {\"xyz\":[x,y,z],\"quat_wxyz\":[w,x,y,z]}");
        return None;
    }
    reading.check_keys(pose, key, &["xyz", "quat_wxyz"]);
    let xyz = reading.read_numbers::<3>(pose, key, "xyz", Some([0.0; 3]));
    let quat = reading.read_numbers::<4>(pose, key, "quat_wxyz", Some([1.0, 0.0, 0.0, 0.0]));
    let Some(rotation) = Mat3::from_quat_wxyz(quat?) else {
        reading.add_fault(pose, key, "quat_wxyz is zero", "the identity is [1, 0, 0, 0]");
        return None;
    };
    Some(Transform::new(rotation, xyz?.into()))
}
