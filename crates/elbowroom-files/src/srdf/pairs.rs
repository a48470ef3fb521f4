//! Pairs of links that an SRDF disables: here nothing malformed is let pass.

use super::neighbours::Clusters;
use super::resolve::Resolver;
use crate::limits;
use crate::xml::{XmlText, named_children};
use elbowroom::describe::DisabledPair;
use roxmltree::Node;
use std::collections::BTreeSet;

/// The pairs that need no check, with their reasons.
pub(super) fn read_disabled_pairs(
    root: Node<'_, '_>,
    text: &XmlText,
    resolver: &mut Resolver<'_>,
    clusters: &Clusters,
) -> Vec<DisabledPair> {
    let mut out: Vec<DisabledPair> = Vec::new();
    let order = |a: &str, b: &str| {
        if a <= b { (a.to_string(), b.to_string()) } else { (b.to_string(), a.to_string()) }
    };
    let mut enabled = BTreeSet::new();
    for node in named_children(root, "enable_collisions") {
        if let Some([a, b]) = read_ends(node, text, resolver) {
            if let Some(why) = clusters.why_unchecked(&a, &b) {
                let what = format!("enables links that {why}: they are not checked for that");
                let help = "name both in the checks of a world file, beside [\"*\", \"*\"]";
                resolver.log.add_warning(&text.path, text.node_place(node), what, help);
            }
            enabled.insert(order(&a, &b));
        }
    }
    let mut named_pairs = BTreeSet::new();
    for node in named_children(root, "disable_collisions") {
        let Some([link_a, link_b]) = read_ends(node, text, resolver) else { continue };
        if link_a == link_b {
            let what = "disables a link against itself: ignored";
            resolver.log.add_warning(&text.path, text.node_place(node), what, "");
            continue;
        }
        if enabled.contains(&order(&link_a, &link_b)) {
            let what = "disables a pair that the file enables too: it is checked";
            resolver.log.add_warning(&text.path, text.node_place(node), what, "keep one of the two");
            continue;
        }
        // A pair that the file names twice is in the list twice.
        named_pairs.insert(order(&link_a, &link_b));
        let reason = node.attribute("reason").unwrap_or("").to_string();
        out.push(DisabledPair { link_a, link_b, reason });
    }
    for node in named_children(root, "disable_default_collisions") {
        let Some(link_a) = read_link(node, "link", text, resolver) else { continue };
        if out.len() + resolver.links.len() > limits::PAIRS {
            let (what, help) = ("disables too many pairs", "this looks like a broken file");
            resolver.log.add_fault(&text.path, text.node_place(node), what, help);
            return out;
        }
        for other in &resolver.links {
            let pair = order(&link_a, other);
            if *other != link_a && !enabled.contains(&pair) && named_pairs.insert(pair) {
                let reason = "disabled by default".to_string();
                out.push(DisabledPair { link_a: link_a.clone(), link_b: other.clone(), reason });
            }
        }
    }
    out
}

/// Both links of an element, if the robot has them.
fn read_ends(node: Node<'_, '_>, text: &XmlText, resolver: &mut Resolver<'_>) -> Option<[String; 2]> {
    let (a, b) = (read_link(node, "link1", text, resolver), read_link(node, "link2", text, resolver));
    Some([a?, b?])
}

/// The value if it names a link; a fault if there is none, and noted if the robot has no such link.
fn read_link(node: Node<'_, '_>, key: &str, text: &XmlText, resolver: &mut Resolver<'_>) -> Option<String> {
    let Some(name) = node.attribute(key).filter(|v| !v.trim().is_empty()) else {
        let (what, help) = (format!("has no {key}"), format!("write {key}=\"...\""));
        resolver.log.add_fault(&text.path, text.node_place(node), what, help);
        return None;
    };
    resolver.has_link(name, || text.node_place(node)).then(|| name.to_string())
}
