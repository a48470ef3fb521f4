//! What the parts of a world file's reading share.

use crate::limits;
use crate::placed::ShapeReader;
use crate::session::Session;
use crate::tree::TreeReader;
use crate::tree::formats::from_toml;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::describe::WorldDescription;
use std::path::{Path, PathBuf};

/// The tree of a world file.
pub(crate) fn read_tree(session: &mut Session<'_>, path: &Path) -> Option<Node> {
    let text = session.read_text(path, limits::TREE_BYTES as u64, "give a world file (.toml) or a URDF")?;
    from_toml(&text, path, &mut session.log)
}

/// A world in the making.
pub(super) struct WorldReader<'a, 'f> {
    pub session: &'a mut Session<'f>,
    pub file: &'a Path,
    pub world: WorldDescription,
    /// Robots that could not be read: what they are called, where that is known.
    pub faulty: Vec<Option<String>>,
}

impl<'f> WorldReader<'_, 'f> {
    /// Takes values out of the tree.
    pub fn tree_reader(&mut self) -> TreeReader<'_> {
        TreeReader { file: self.file, log: &mut self.session.log }
    }

    /// A file that this world file names.
    pub fn find_file(&mut self, node: &Node, label: &str, key: &str) -> Option<PathBuf> {
        self.session.named_file(self.file, node, label, key)
    }

    /// Reads shapes at their places on bodies.
    pub fn shape_reader(&mut self) -> ShapeReader<'_, 'f> {
        ShapeReader { session: self.session, file: self.file }
    }
}

/// `obstacle "table"`, or `obstacle 3` where there is no name.
pub(super) fn entry_label(node: &Node, kind: &str, k: usize) -> String {
    match node.get("name").and_then(Node::as_text) {
        Some(name) => format!("{kind} {:?}", short_text(name)),
        None => format!("{kind} {}", k + 1),
    }
}
