//! What the parts of a world file's reading share.

use crate::placed::Placed;
use crate::session::Session;
use crate::tree::Reading;
use crate::tree::node::Node;
use crate::xml::shortened;
use elbowroom::describe::WorldDescription;
use std::path::{Path, PathBuf};

/// A world in the making.
pub(super) struct Reader<'a, 'f> {
    pub session: &'a mut Session<'f>,
    pub file: &'a Path,
    pub world: WorldDescription,
    /// Robots that could not be read: what they are called, where that is known.
    pub faulty: Vec<Option<String>>,
}

impl<'f> Reader<'_, 'f> {
    /// Takes values out of the tree.
    pub fn r(&mut self) -> Reading<'_> {
        Reading { file: self.file, log: &mut self.session.log }
    }

    /// A file that this world file names.
    pub fn file(&mut self, node: &Node, label: &str, key: &str) -> Option<PathBuf> {
        self.session.named_file(self.file, node, label, key)
    }

    /// Reads shapes at their places on bodies.
    pub fn placed(&mut self) -> Placed<'_, 'f> {
        Placed { session: self.session, file: self.file }
    }
}

/// `obstacle "table"`, or `obstacle 3` where there is no name.
pub(super) fn label(node: &Node, kind: &str, k: usize) -> String {
    match node.get("name").and_then(Node::text) {
        Some(name) => format!("{kind} {:?}", shortened(name)),
        None => format!("{kind} {}", k + 1),
    }
}
