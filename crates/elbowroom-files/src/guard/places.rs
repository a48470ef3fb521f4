//! Where in a world file that is which a guard finds wrong: it knows numbers and bodies, and no lines.

use crate::tree::node::Node;
use elbowroom_monitor::Fault;
use elbowroom_monitor::fault::Place;

/// The node of a fault, as near as it is known: `[guard]` else.
pub(super) fn fault_node<'n>(fault: &Fault, [root, guard]: [&'n Node; 2]) -> &'n Node {
    let (table, path) = match fault.place {
        Place::Field("arms") | Place::Row { of: "arms", .. } => (guard, "arm"),
        Place::Field("zones") => (root, "zone"),
        Place::Field("speed_limits" | "speed_limit.most") => (guard, "speed_limit"),
        Place::Field(path) => (guard, path),
        Place::Whole | Place::At { .. } | Place::Row { .. } => (guard, ""),
    };
    let mut at = table;
    for key in path.split('.') {
        at = at.get(key).unwrap_or(at);
    }
    mentioned_node(at, &fault.what).unwrap_or(at)
}

/// What is wrong, with the place in words where it does not begin with that.
pub(super) fn fault_words(fault: &Fault) -> String {
    match fault.place {
        Place::Field(name) if !fault.what.starts_with(name) => format!("{name}: {}", fault.what),
        Place::Field(_) | Place::Row { .. } | Place::Whole | Place::At { .. } => fault.what.clone(),
    }
}

/// The node that holds the name of a body with which a message begins.
fn mentioned_node<'n>(node: &'n Node, what: &str) -> Option<&'n Node> {
    let begins = |name: &str| what.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '));
    if node.as_text().is_some_and(|name| begins(name) || begins(&format!("world/{name}"))) {
        return Some(node);
    }
    let entries = node.as_map().unwrap_or(&[]).iter().map(|(_, value)| value);
    let mut inner = entries.chain(node.as_list().unwrap_or(&[]));
    inner.find_map(|inner| mentioned_node(inner, what))
}
