//! Names that a world file refers to: each must be that of a body, a robot or a group.

use super::reader::{WorldReader, entry_label};
use crate::fault::counted_things;
use crate::tree::node::Node;
use crate::xml::short_text;
use std::collections::{BTreeMap, BTreeSet};

impl WorldReader<'_, '_> {
    /// Faults every name of a body, robot or group that nothing here has.
    pub(super) fn check_references(&mut self, root: &Node, scenes_are_good: bool) {
        let items = |key: &str| root.get(key).and_then(Node::as_list).unwrap_or(&[]);
        let text = |node: &Node, key: &str| node.get(key).and_then(Node::as_text).map(str::to_string);
        let mut known: BTreeSet<String> = ["*", "world"].map(str::to_string).into();
        for placed in &self.world.robots {
            let robot = &placed.robot;
            let parts = robot.links.iter().map(|l| &l.name).chain(robot.groups.iter().map(|g| &g.name));
            known.extend(parts.map(|part| format!("{}/{part}", placed.name)));
            known.insert(placed.name.clone());
        }
        known.extend(self.world.obstacles.iter().map(|o| format!("world/{}", o.name)));
        let in_cell = || ["obstacle", "spare", "cloud", "zone"].into_iter().flat_map(items);
        known.extend(in_cell().filter_map(|o| Some(format!("world/{}", text(o, "name")?))));
        known.extend(items("group").iter().filter_map(|g| text(g, "name")));
        // Names of a robot that could not be read are not judged. If even its own name is unknown, all names
        // are judged, and the help mentions it.
        let nameless = self.faulty.contains(&None);
        let may_be = |name: &str| {
            let faulty = |robot: &str| self.faulty.iter().flatten().any(|f| f == robot);
            match name.split_once('/') {
                Some(("world", _)) => !scenes_are_good,
                Some((robot, _)) => faulty(robot),
                None => faulty(name),
            }
        };
        // What is called like a link and like a group of the SRDF is the link, as the engine takes it. Where
        // that would leave out others of the group from what is checked, the name is not taken.
        let shadowed: BTreeMap<String, usize> = self.shadowed_groups();
        let judged = |name: &str| !known.contains(name) && !may_be(name);

        let mut wanted: Vec<(String, &str, &Node)> = Vec::new();
        for (k, node) in items("obstacle").iter().enumerate() {
            let label = entry_label(node, "obstacle", k);
            wanted.extend(node.get("attached_to").map(|n| (label.clone(), "attached_to", n)));
            let touch = node.get("touch").and_then(Node::as_list).unwrap_or(&[]);
            wanted.extend(touch.iter().map(|n| (label.clone(), "touch", n)));
        }
        for (k, node) in items("spare").iter().enumerate() {
            let touch = node.get("touch").and_then(Node::as_list).unwrap_or(&[]);
            wanted.extend(touch.iter().map(|n| (entry_label(node, "spare", k), "touch", n)));
        }
        for (k, node) in items("group").iter().enumerate() {
            let members = node.get("members").and_then(Node::as_list).unwrap_or(&[]);
            wanted.extend(members.iter().map(|n| (entry_label(node, "group", k), "members", n)));
        }
        for (k, node) in items("zone").iter().enumerate() {
            let bodies = node.get("bodies").and_then(Node::as_list).unwrap_or(&[]);
            wanted.extend(bodies.iter().map(|n| (entry_label(node, "zone", k), "bodies", n)));
        }
        for (k, node) in items("pad").iter().enumerate() {
            wanted.extend(node.get("link").map(|n| (entry_label(node, "pad", k), "link", n)));
        }
        for (k, node) in items("allow").iter().enumerate() {
            let ends = ["a", "b"].into_iter().filter_map(|key| Some((key, node.get(key)?)));
            wanted.extend(ends.map(|(key, n)| (format!("allow {}", k + 1), key, n)));
        }
        for (k, node) in items("checks").iter().enumerate() {
            let ends = node.as_list().unwrap_or(&[]).iter();
            wanted.extend(ends.map(|n| (format!("check {}", k + 1), "", n)));
        }
        let counts =
            |label: &str, key: &str| label.starts_with("check ") || matches!(key, "members" | "bodies");
        let double: Vec<(String, &Node, String)> = wanted
            .iter()
            .filter(|(label, key, _)| counts(label, key))
            .filter_map(|(label, _, node)| {
                let name = node.as_text()?;
                let others = counted_things(*shadowed.get(name)?, "other link");
                let what =
                    format!("{:?} is both a link and an SRDF's group that has {others}", short_text(name));
                Some((label.clone(), *node, what))
            })
            .collect();
        let wrong: Vec<(String, &str, &Node, &str)> = wanted
            .into_iter()
            .filter_map(|(label, key, node)| Some((label, key, node, node.as_text().filter(|n| judged(n))?)))
            .collect();
        for (label, key, node, name) in wrong {
            let mut help = self.session.log.did_you_mean(name, known.iter().map(String::as_str));
            if help.is_empty() && nameless {
                help = "if it means the robot that could not be read, give that one a name here".into();
            } else if help.is_empty() {
                help = "bodies are called robot/link or world/obstacle".into();
            }
            let refers = if key.is_empty() { "refers" } else { " refers" };
            let what =
                format!("{key}{refers} to {:?}, but no body, group or robot has that name", short_text(name));
            self.tree_reader().add_fault(node, &label, what, help);
        }
        for (label, node, what) in double {
            let help = "rename the group in the SRDF, or name the group's links one by one";
            self.tree_reader().add_fault(node, &label, what, help);
        }
        self.check_carriers(items("obstacle"));
        self.refuse_touched_zones(root);
    }

    /// The full names of SRDFs' groups that are names of links too, and how many other links such a group
    /// has.
    fn shadowed_groups(&self) -> BTreeMap<String, usize> {
        let mut found = BTreeMap::new();
        for placed in &self.world.robots {
            let links: BTreeSet<&str> = placed.robot.links.iter().map(|l| &*l.name).collect();
            for group in placed.robot.groups.iter().filter(|group| links.contains(&*group.name)) {
                let others = group.links.iter().filter(|link| **link != group.name).count();
                if others > 0 {
                    found.insert(format!("{}/{}", placed.name, group.name), others);
                }
            }
        }
        found
    }

    /// Adds a fault for each obstacle or spare place that may touch a zone: nothing is there to touch, and to
    /// be allowed in is another thing.
    fn refuse_touched_zones(&mut self, root: &Node) {
        for kind in ["obstacle", "spare"] {
            for (k, node) in root.get(kind).and_then(Node::as_list).unwrap_or(&[]).iter().enumerate() {
                for touched in node.get("touch").and_then(Node::as_list).unwrap_or(&[]) {
                    let Some(name) = touched.as_text().filter(|name| self.session.zones.contains_key(*name))
                    else {
                        continue;
                    };
                    let what = format!("touch names the zone {:?}, where nothing is", short_text(name));
                    let help = "take it out of touch; a body may enter unless the zone is for it, so leave \
                                it out of the zone's bodies, or allow the pair in [[allow]]";
                    self.tree_reader().add_fault(touched, &entry_label(node, kind, k), what, help);
                }
            }
        }
    }

    /// Adds a fault for each obstacle that is attached to an obstacle, unless both are movable and the
    /// carrier comes first.
    fn check_carriers(&mut self, obstacles: &[Node]) {
        let name = |node: &Node| node.get("name").and_then(Node::as_text).map(str::to_string);
        let is_movable = |node: &Node| node.get("movable").and_then(Node::as_bool) == Some(true);
        let mut before: BTreeMap<String, bool> = BTreeMap::new();
        let all: BTreeSet<String> = obstacles.iter().filter_map(name).collect();
        for (k, node) in obstacles.iter().enumerate() {
            let carrier =
                node.get("attached_to").and_then(|n| Some((n, n.as_text()?.strip_prefix("world/")?)));
            if let Some((place, carrier)) = carrier.filter(|(_, carrier)| all.contains(*carrier)) {
                let wrong = match before.get(carrier) {
                    _ if !is_movable(node) => {
                        Some(("but is not movable", "write movable = true here, or name a link, robot/link"))
                    }
                    Some(true) => None,
                    Some(false) => Some((
                        "which is not movable",
                        "write movable = true there, or name a link, robot/link",
                    )),
                    None => Some(("which does not come before it", "put the one that carries first")),
                };
                if let Some((why, help)) = wrong {
                    let label = entry_label(node, "obstacle", k);
                    let what = format!("is attached to the obstacle {:?}, {why}", short_text(carrier));
                    self.tree_reader().add_fault(place, &label, what, help);
                }
            }
            if let Some(name) = name(node) {
                before.insert(name, is_movable(node));
            }
        }
    }
}
