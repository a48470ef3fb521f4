//! What the parts of a DAE's reading share: its elements by id, its faults, and the mesh in the making.

use crate::fault::Log;
use crate::limits;
use crate::mesh::builder::Builder;
use crate::xml::{XmlText, elements, is_own, shortened};
use roxmltree::Node;
use std::collections::BTreeMap;
use std::rc::Rc;

/// One geometry, in its own frame.
pub(super) struct Geometry {
    pub points: Vec<[f64; 3]>,
    /// Corners of all polygons, one after the other.
    pub corners: Vec<u32>,
    /// Where each polygon ends in `corners`.
    pub ends: Vec<usize>,
}

impl Geometry {
    /// Adds a polygon by its corners.
    pub fn push(&mut self, polygon: &[u32]) {
        self.corners.extend_from_slice(polygon);
        self.ends.push(self.corners.len());
    }
}

/// A DAE file while it is read.
pub(super) struct Reader<'a, 'd> {
    pub text: &'a XmlText,
    pub log: &'a mut Log,
    pub before: usize,
    /// Elements by tag and id.
    pub ids: BTreeMap<(&'d str, &'d str), Node<'d, 'd>>,
    pub geometries: BTreeMap<usize, Option<Rc<Geometry>>>,
    pub builder: Builder,
    pub lines: usize,
    pub visits: usize,
}

impl<'d> Reader<'_, 'd> {
    /// A fault at a node.
    pub fn fault(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: &str) {
        self.log.fault(&self.text.path, self.text.place(node), what, help);
    }

    /// Enough faults of this file are listed, or the mesh is too large.
    pub fn must_stop(&self) -> bool {
        self.log.count() - self.before >= limits::MESH_FAULTS
    }

    /// The element of a kind that a reference such as `#part` means.
    pub fn target(
        &mut self,
        from: Node<'d, 'd>,
        kind: &'static str,
        attribute: &str,
    ) -> Option<Node<'d, 'd>> {
        let url = from.attribute(attribute).unwrap_or("");
        let found = self.ids.get(&(kind, url.strip_prefix('#').unwrap_or(url))).copied();
        if found.is_none() {
            let what = format!("its {attribute} {:?} does not name a <{kind}> of this file", shortened(url));
            self.fault(from, what, "export the mesh again, as one file");
        }
        found
    }

    /// Refuses an element of the document's own namespace that has no meaning where it stands: it may be
    /// geometry.
    pub fn unknown(&mut self, part: Node<'d, 'd>, within: Node<'d, 'd>) {
        if is_own(part) {
            let what =
                format!("is unknown in <{}>, and may be geometry", shortened(within.tag_name().name()));
            self.fault(part, what, "export the mesh again, or put it into an <extra>");
        }
    }
}

/// The first child element of a name.
pub(super) fn child<'d>(node: Node<'d, 'd>, name: &str) -> Option<Node<'d, 'd>> {
    elements(node).find(|n| n.tag_name().name() == name)
}
