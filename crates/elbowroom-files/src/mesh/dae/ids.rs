//! What the ids of a DAE file name.
//!
//! An id should name one element of its file. Some exporters (of trimesh and scikit-robot, for two) write
//! each geometry with sources of the same ids, and mean those of the geometry that asks. So an id is looked
//! up in the asking geometry first and then in the whole document. What is there more than once is not
//! guessed.
//!
//! The kind of element is known wherever an id is looked up, so elements of two kinds may share one.

use roxmltree::Node;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The kinds of elements that are looked up.
const KINDS: [&str; 8] =
    ["visual_scene", "node", "controller", "geometry", "vertices", "source", "float_array", "int_array"];

/// What an id names.
#[derive(Clone, Copy)]
pub(super) enum NamedElement<'d> {
    Nothing,
    One(Node<'d, 'd>),
    /// More than one, these first.
    Several([Node<'d, 'd>; 2]),
}

/// The elements of a document by their ids.
pub(super) struct Ids<'d> {
    /// By where the geometry begins that they stand in (`None`: in the whole document), tag and id.
    known: BTreeMap<(Option<usize>, &'d str, &'d str), NamedElement<'d>>,
}

impl<'d> Ids<'d> {
    /// All ids below a node.
    pub fn collect_below(root: Node<'d, 'd>) -> Ids<'d> {
        let mut ids = Ids { known: BTreeMap::new() };
        for node in root.descendants().filter(Node::is_element) {
            let tag = node.tag_name().name();
            if let Some(id) = node.attribute("id").filter(|_| KINDS.contains(&tag)) {
                ids.add((None, tag, id), node);
                if let Some(home) = geometry_of(node) {
                    ids.add((Some(home), tag, id), node);
                }
            }
        }
        ids
    }

    fn add(&mut self, key: (Option<usize>, &'d str, &'d str), node: Node<'d, 'd>) {
        match self.known.entry(key) {
            Entry::Vacant(free) => _ = free.insert(NamedElement::One(node)),
            Entry::Occupied(mut taken) => {
                if let NamedElement::One(first) = *taken.get() {
                    taken.insert(NamedElement::Several([first, node]));
                }
            }
        }
    }

    /// What an id means that stands in `from`.
    pub fn find_element(&self, from: Node<'d, 'd>, kind: &'static str, id: &'d str) -> NamedElement<'d> {
        let home = geometry_of(from);
        let near = home.and_then(|home| self.known.get(&(Some(home), kind, id)));
        near.or_else(|| self.known.get(&(None, kind, id))).copied().unwrap_or(NamedElement::Nothing)
    }

    /// How many elements of a kind have an id.
    pub fn count_kind(&self, kind: &str) -> usize {
        self.known.keys().filter(|(home, tag, _)| home.is_none() && *tag == kind).count()
    }
}

/// Where the geometry begins that a node stands in.
fn geometry_of(node: Node<'_, '_>) -> Option<usize> {
    node.ancestors().skip(1).find(|n| n.tag_name().name() == "geometry").map(|n| n.range().start)
}
