//! What the parts of a world file's reading share.

use crate::session::Session;
use crate::tree::Reading;
use crate::tree::node::Node;
use crate::xml::shortened;
use elbowroom::describe::WorldDescription;
use std::path::{Path, PathBuf};

/// Keys of a pose.
pub(super) const POSE: [&str; 3] = ["xyz", "rpy", "quat_wxyz"];

/// A world in the making.
pub(super) struct Reader<'a, 'f> {
    pub session: &'a mut Session<'f>,
    pub file: &'a Path,
    pub world: WorldDescription,
    /// Robots that could not be read: what they are called, where that is known.
    pub faulty: Vec<Option<String>>,
}

impl Reader<'_, '_> {
    /// Takes values out of the tree.
    pub fn r(&mut self) -> Reading<'_> {
        Reading { file: self.file, log: &mut self.session.log }
    }

    /// A file that this world file names.
    pub fn file(&mut self, node: &Node, label: &str, key: &str) -> Option<PathBuf> {
        let reference = self.r().text(node, label, key, false)?.to_string();
        match self.session.resolve(&reference, self.file) {
            Ok(path) => Some(path),
            Err((what, help)) => {
                self.r().fault(node.get(key).unwrap_or(node), label, what, help);
                None
            }
        }
    }
}

/// `obstacle "table"`, or `obstacle 3` where there is no name.
pub(super) fn label(node: &Node, kind: &str, k: usize) -> String {
    match node.get("name").and_then(Node::text) {
        Some(name) => format!("{kind} {:?}", shortened(name)),
        None => format!("{kind} {}", k + 1),
    }
}
