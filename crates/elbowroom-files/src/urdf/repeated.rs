//! Elements that may be there once, and are there several times.
//!
//! Some loaders take the first, some the last. If all say the same, it does not matter: merged files have
//! such elements. If not, nobody knows which is meant, and the file is refused.

use super::reader::UrdfReader;
use crate::xml::{child_elements, named_children, parse_number};
use roxmltree::Node;

impl UrdfReader<'_, '_, '_> {
    /// The first element of a name. A later one that says something else is refused.
    pub(super) fn find_only<'d, 'i>(
        &mut self,
        node: Node<'d, 'i>,
        tag: &'static str,
        within: &str,
        help: &str,
    ) -> Option<Node<'d, 'i>> {
        let mut all = named_children(node, tag);
        let first = all.next()?;
        for other in all {
            self.judge_repeated(first, other, || format!("is the second {tag} {within}"), help);
        }
        Some(first)
    }

    /// Warns of an element that repeats the first one, and refuses another.
    pub(super) fn judge_repeated(
        &mut self,
        first: Node<'_, '_>,
        other: Node<'_, '_>,
        refusal: impl FnOnce() -> String,
        help: &str,
    ) {
        if says_same(first, other) {
            let what = "is there a second time, with the same words: it counts once";
            self.add_warning(other, what, "remove it");
        } else {
            self.add_fault(other, refusal(), help);
        }
    }
}

/// Whether two elements have the same names, attributes and elements in them, and equal numbers.
fn says_same(a: Node<'_, '_>, b: Node<'_, '_>) -> bool {
    let has_same = |key: roxmltree::Attribute<'_, '_>| {
        let other = b.attributes().find(|o| o.name() == key.name() && o.namespace() == key.namespace());
        other.is_some_and(|other| is_same_value(key.value(), other.value()))
    };
    a.tag_name() == b.tag_name()
        && a.attributes().len() == b.attributes().len()
        && a.attributes().all(has_same)
        && child_elements(a).count() == child_elements(b).count()
        && child_elements(a).zip(child_elements(b)).all(|(a, b)| says_same(a, b))
}

/// Whether two texts are equal, or lists of equal numbers.
fn is_same_value(a: &str, b: &str) -> bool {
    let numbers = |text: &str| text.split_whitespace().map(parse_number).collect::<Option<Vec<f64>>>();
    a == b || numbers(a).zip(numbers(b)).is_some_and(|(a, b)| a == b)
}
