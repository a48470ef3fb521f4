//! What the parts of a DAE's reading share: its elements by id, its faults, and the mesh in the making.

use super::ids::{Ids, NamedElement};
use crate::fault::Log;
use crate::limits;
use crate::mesh::builder::Builder;
use crate::xml::{XmlText, child_elements, is_own, short_text};
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
pub(super) struct DaeReader<'a, 'd> {
    pub text: &'a XmlText,
    pub log: &'a mut Log,
    pub before: usize,
    pub ids: Ids<'d>,
    pub geometries: BTreeMap<usize, Option<Rc<Geometry>>>,
    pub builder: Builder,
    pub lines: usize,
    pub visits: usize,
}

impl<'d> DaeReader<'_, 'd> {
    /// A fault at a node.
    pub fn add_fault(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: &str) {
        self.log.add_fault(&self.text.path, self.text.node_place(node), what, help);
    }

    /// Enough faults of this file are listed, or the mesh is too large.
    pub fn must_stop(&self) -> bool {
        self.log.fault_count() - self.before >= limits::MESH_FAULTS
    }

    /// The element of a kind that a reference such as `#part` means.
    pub fn find_target(
        &mut self,
        from: Node<'d, 'd>,
        kind: &'static str,
        attribute: &str,
    ) -> Option<Node<'d, 'd>> {
        let url = from.attribute(attribute).unwrap_or("");
        match self.ids.find_element(from, kind, url.strip_prefix('#').unwrap_or(url)) {
            NamedElement::One(node) => Some(node),
            NamedElement::Nothing => {
                let what =
                    format!("its {attribute} {:?} does not name a <{kind}> of this file", short_text(url));
                self.add_fault(from, what, "export the mesh again, as one file");
                None
            }
            NamedElement::Several([first, second]) => {
                let [first, second] = [first, second].map(|node| self.text.line_at(node.range().start));
                let what = format!(
                    "its {attribute} {:?} names more than one <{kind}>, at lines {first} and {second}",
                    short_text(url)
                );
                self.add_fault(from, what, "give each an id of its own, or export the mesh again");
                None
            }
        }
    }

    /// The child element of a name. A second one is refused: it is not known which of them is meant.
    pub fn find_child(&mut self, node: Node<'d, 'd>, name: &str) -> Option<Node<'d, 'd>> {
        let mut all = child_elements(node).filter(|n| n.tag_name().name() == name);
        let first = all.next();
        if let Some(second) = all.next() {
            let within = short_text(node.tag_name().name()).into_owned();
            self.add_fault(second, format!("is the second <{name}> of this <{within}>"), "keep one");
        }
        first
    }

    /// Refuses an element of the document's own namespace that has no meaning where it stands: it may be
    /// geometry.
    pub fn refuse_unknown(&mut self, part: Node<'d, 'd>, within: Node<'d, 'd>) {
        if is_own(part) {
            let what =
                format!("is unknown in <{}>, and may be geometry", short_text(within.tag_name().name()));
            self.add_fault(part, what, "export the mesh again, or put it into an <extra>");
        }
    }
}
