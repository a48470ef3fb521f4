//! What the parts of a scene's reading share.

use super::frames::ScenePlace;
use crate::session::Session;
use crate::tree::TreeReader;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::math::Transform;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A scene in the making.
pub(super) struct SceneReader<'a, 'f> {
    pub session: &'a mut Session<'f>,
    pub file: &'a Path,
    pub place: &'a ScenePlace,
    /// The frame all others are given in, once known.
    pub planning: Option<String>,
    /// Fixed frames in the planning frame.
    pub frames: BTreeMap<String, Transform>,
    pub odd_quaternions: usize,
}

impl SceneReader<'_, '_> {
    /// Takes values out of the tree.
    pub fn tree_reader(&mut self) -> TreeReader<'_> {
        TreeReader { file: self.file, log: &mut self.session.log }
    }

    /// Faults each name that comes more than once under a key.
    pub fn refuse_twins(&mut self, node: &Node, label: &str, key: &str, names: &[String]) {
        let (mut seen, mut told) = (BTreeSet::new(), BTreeSet::new());
        for name in names {
            if !seen.insert(name) && told.insert(name) {
                let what = format!("{key} holds {:?} more than once", short_text(name));
                self.tree_reader().add_fault(node, label, what, "keep one");
            }
        }
    }
}
