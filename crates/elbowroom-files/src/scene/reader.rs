//! What the parts of a scene's reading share.

use crate::session::Session;
use crate::tree::Reading;
use crate::tree::node::Node;
use crate::xml::shortened;
use elbowroom::math::Transform;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A scene in the making.
pub(super) struct Reader<'a, 'f> {
    pub session: &'a mut Session<'f>,
    pub file: &'a Path,
    /// The frame all others are given in, once known.
    pub planning: Option<String>,
    /// Fixed frames in the planning frame.
    pub frames: BTreeMap<String, Transform>,
    pub odd_quaternions: usize,
}

impl Reader<'_, '_> {
    /// Takes values out of the tree.
    pub fn r(&mut self) -> Reading<'_> {
        Reading { file: self.file, log: &mut self.session.log }
    }

    /// Faults each name that comes more than once under a key.
    pub fn no_twins(&mut self, node: &Node, label: &str, key: &str, names: &[String]) {
        let (mut seen, mut told) = (BTreeSet::new(), BTreeSet::new());
        for name in names {
            if !seen.insert(name) && told.insert(name) {
                let what = format!("{key} holds {:?} more than once", shortened(name));
                self.r().fault(node, label, what, "keep one");
            }
        }
    }
}
