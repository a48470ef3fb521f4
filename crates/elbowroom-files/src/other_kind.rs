//! Files that a reader of lines is given by mistake: what they are, told from how they begin, and what reads
//! them.
//!
//! ```
//! use elbowroom_files::other_kind::recognize_other_kind;
//!
//! let record = recognize_other_kind(b"{\"elbowroom_record\":2}\n{\"in\":\"{}\"}\n").expect("a record");
//! assert_eq!(record.help, "elbowroom replay FILE repeats it");
//! assert_eq!(recognize_other_kind(b"t,elbow\n0,0.5\n"), None);
//! ```

use crate::limits;
use crate::tree::node::Node;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherKind {
    /// What it is.
    pub what: &'static str,
    /// What reads it.
    pub help: &'static str,
}

/// How bags of ROS begin: those of ROS 1, of SQLite and of MCAP.
const BAGS: [&[u8]; 3] = [b"#ROSBAG V", b"SQLite format 3\0", b"\x89MCAP0\r"];

/// The kind of a file that begins so, by its first line: a record of the monitor, input of it, a bag of ROS,
/// or XML. `None` for all that may be a list of poses, cases or contacts.
pub fn recognize_other_kind(beginning: &[u8]) -> Option<OtherKind> {
    let kind = |what, help| Some(OtherKind { what, help });
    if BAGS.iter().any(|magic| beginning.starts_with(magic)) {
        return kind(
            "a bag of ROS",
            "print its trajectory or joint states as YAML, as with ros2 topic echo: that is a motion",
        );
    }
    let line = beginning.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty())?;
    if line.trim_ascii_start().starts_with(b"<") {
        return kind("XML, as robots are", "give a URDF in the place of the world: elbowroom check URDF");
    }
    let first = serde_json::from_slice::<Node>(line.get(..limits::TREE_BYTES).unwrap_or(line)).ok()?;
    let has = |key: &str| first.get(key).is_some();
    if has("elbowroom_record") {
        return kind("a record of the monitor", "elbowroom replay FILE repeats it");
    }
    // No other list of lines has such keys.
    if has("robot") && has("q") || has("intent") {
        return kind("input of the monitor", "elbowroom monitor WORLD --input FILE answers it");
    }
    None
}
