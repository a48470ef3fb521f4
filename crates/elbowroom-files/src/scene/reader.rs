//! What the parts of a scene's reading share.

use crate::session::Session;
use crate::tree::Reading;
use elbowroom::math::Transform;
use std::collections::BTreeMap;
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
}
