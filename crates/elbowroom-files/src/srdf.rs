//! SRDF: groups, pairs that need no check, and named configurations, resolved against a robot.
//!
//! Real SRDFs often name links that their robot has lost; such names are warned about and left out, which
//! can only leave more pairs to check, never fewer.

use crate::limits;
use crate::source::Session;
use crate::urdf::{expand_command, other_format, uses_xacro};
use crate::xml::{XmlText, named, number, shortened};
use elbowroom::describe::{DisabledPair, LinkGroup, NamedState, RobotDescription};
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Adds what an SRDF says to a robot.
pub(crate) fn read(session: &mut Session<'_>, path: &Path, robot: &mut RobotDescription) {
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("xacro")) {
        return session.log.fault(path, "", "is a xacro file, not an SRDF", expand_command(path));
    }
    let Some(bytes) = session.read(path, limits::DESCRIPTION_BYTES) else { return };
    let Some(text) = XmlText::new(path, &bytes, &mut session.log) else { return };
    let Some(document) = text.parse(&mut session.log) else { return };
    let root = document.root_element();
    if let Some((what, help)) = other_format(root, path, "robot", "an SRDF") {
        return session.log.fault(path, text.place(root), what, help);
    }
    if let Some(node) = uses_xacro(root) {
        return session.log.fault(
            path,
            text.place(node),
            "uses xacro, which must be expanded first",
            expand_command(path),
        );
    }
    if named(root, "link").any(|l| named(l, "collision").next().is_some()) {
        return session.log.fault(path, text.place(root), "is a URDF, not an SRDF", "give the robot's SRDF");
    }
    let name = root.attribute("name").unwrap_or("");
    if name != robot.name {
        let what =
            format!("is for the robot {:?}, but the URDF's is {:?}", shortened(name), shortened(&robot.name));
        session.log.warn(path, text.place(root), what, "check that they belong together");
    }
    let (groups, pairs, states) = {
        let links: BTreeSet<&str> = robot.links.iter().map(|l| l.name.as_str()).collect();
        let joints =
            robot.joints.iter().map(|j| (j.name.as_str(), (j.parent.as_str(), j.child.as_str()))).collect();
        let above = robot.joints.iter().map(|j| (j.child.as_str(), j.parent.as_str())).collect();
        let virtual_joints =
            named(root, "virtual_joint").filter_map(|v| v.attribute("name")).map(str::to_string).collect();
        let unknown_links = BTreeMap::new();
        let mut reader = Reader { session, text: &text, links, joints, above, virtual_joints, unknown_links };
        let found = (reader.groups(root), reader.pairs(root, robot), reader.states(root));
        reader.warn_of_unknown_links();
        found
    };
    robot.groups = groups;
    robot.disabled_pairs = pairs;
    robot.states = states;
}

struct Reader<'a, 's, 'f, 'r> {
    session: &'a mut Session<'f>,
    text: &'s XmlText,
    links: BTreeSet<&'r str>,
    /// Parent and child link of each joint.
    joints: BTreeMap<&'r str, (&'r str, &'r str)>,
    /// The link above each link.
    above: BTreeMap<&'r str, &'r str>,
    /// Joints that place the whole robot; they are none of its own.
    virtual_joints: BTreeSet<String>,
    /// Links that the robot has not: where each was named first, and how often.
    unknown_links: BTreeMap<String, (String, usize)>,
}

impl Reader<'_, '_, '_, '_> {
    fn warn(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: impl Into<String>) {
        self.session.log.warn(&self.text.path, self.text.place(node), what, help);
    }

    fn fault(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: impl Into<String>) {
        self.session.log.fault(&self.text.path, self.text.place(node), what, help);
    }

    fn attribute<'d>(&mut self, node: Node<'d, '_>, key: &str) -> Option<&'d str> {
        let value = node.attribute(key).filter(|v| !v.trim().is_empty());
        if value.is_none() {
            self.fault(node, format!("has no {key}"), format!("write {key}=\"...\""));
        }
        value
    }

    /// The value if it names a link; a warning if it does not.
    fn link(&mut self, node: Node<'_, '_>, key: &str) -> Option<String> {
        let name = self.attribute(node, key)?;
        if self.links.contains(name) {
            return Some(name.to_string());
        }
        let place = self.text.place(node);
        self.unknown_links.entry(name.to_string()).or_insert((place, 0)).1 += 1;
        None
    }

    fn warn_of_unknown_links(&mut self) {
        for (name, (place, times)) in std::mem::take(&mut self.unknown_links) {
            let times = if times == 1 { "once".into() } else { format!("{times} times") };
            let what = format!("the robot has no link {:?}, named {times}: ignored", shortened(&name));
            let help = self.session.log.did_you_mean(&name, self.links.iter().copied());
            self.session.log.warn(&self.text.path, place, what, help);
        }
    }

    fn groups(&mut self, root: Node<'_, '_>) -> Vec<LinkGroup> {
        let mut own: Vec<(String, Vec<String>)> = Vec::new();
        let mut inside: Vec<Vec<String>> = Vec::new();
        let mut index: BTreeMap<String, usize> = BTreeMap::new();
        for node in named(root, "group") {
            let Some(name) = self.attribute(node, "name").map(str::to_string) else { continue };
            if index.contains_key(&name) {
                self.fault(
                    node,
                    format!("the group name {:?} is used twice", shortened(&name)),
                    "rename one",
                );
                continue;
            }
            let mut links = Vec::new();
            for link in named(node, "link") {
                links.extend(self.link(link, "name"));
            }
            for joint in named(node, "joint") {
                let Some(name) = self.attribute(joint, "name") else { continue };
                match self.joints.get(name) {
                    Some((_, child)) => links.push(child.to_string()),
                    // The virtual joint places the robot; it moves no link of its own.
                    None if self.virtual_joints.contains(name) => {}
                    None => {
                        let help = self.session.log.did_you_mean(name, self.joints.keys().copied());
                        self.warn(
                            joint,
                            format!("the robot has no joint {:?}: ignored", shortened(name)),
                            help,
                        );
                    }
                }
            }
            for chain in named(node, "chain") {
                let (base, tip) = (self.link(chain, "base_link"), self.link(chain, "tip_link"));
                let (Some(base), Some(tip)) = (base, tip) else { continue };
                match self.chain(&base, &tip) {
                    Some(found) => links.extend(found),
                    None => {
                        self.warn(chain, "its ends are not connected: ignored", "name two links of one tree")
                    }
                }
            }
            let mut parts = Vec::new();
            for part in named(node, "group") {
                parts.extend(self.attribute(part, "name").map(str::to_string));
            }
            index.insert(name.clone(), own.len());
            own.push((name, links));
            inside.push(parts);
        }
        for (k, parts) in inside.iter().enumerate() {
            for part in parts {
                if !index.contains_key(part) {
                    let help = self.session.log.did_you_mean(part, index.keys().map(String::as_str));
                    let what = format!(
                        "the group {:?} names a group {:?} that is not there: ignored",
                        shortened(&own[k].0),
                        shortened(part)
                    );
                    self.session.log.warn(&self.text.path, "", what, help);
                }
            }
        }
        // All groups reachable from each; circles do no harm.
        let mut out = Vec::new();
        let mut left = limits::PAIRS;
        for (k, (name, _)) in own.iter().enumerate() {
            let (mut seen, mut open, mut links) = (BTreeSet::from([k]), vec![k], Vec::new());
            let mut have = BTreeSet::new();
            while let Some(g) = open.pop() {
                for link in &own[g].1 {
                    if have.insert(link.as_str()) {
                        links.push(link.clone());
                    }
                }
                for part in inside[g].iter().rev() {
                    if let Some(&i) = index.get(part)
                        && seen.insert(i)
                    {
                        open.push(i);
                    }
                }
                left = left.saturating_sub(1 + own[g].1.len() + inside[g].len());
            }
            if left == 0 {
                self.fault(root, "its groups hold too many links", "this looks like a broken file");
                return out;
            }
            out.push(LinkGroup { name: name.clone(), links });
        }
        out
    }

    /// The links from base to tip, both included, through their common ancestor if neither is above the
    /// other.
    fn chain(&self, base: &str, tip: &str) -> Option<Vec<String>> {
        let up = |from: &str| {
            let mut path = vec![*self.links.get(from)?];
            while let Some(above) = path.last().and_then(|l| self.above.get(l)) {
                path.push(above);
                if path.len() > self.links.len() {
                    return None;
                }
            }
            Some(path)
        };
        let (from_base, from_tip) = (up(base)?, up(tip)?);
        let place_of_base: BTreeMap<&str, usize> =
            from_base.iter().enumerate().map(|(i, l)| (*l, i)).collect();
        let meet = from_tip.iter().position(|l| place_of_base.contains_key(l))?;
        let at_base = *place_of_base.get(from_tip[meet])?;
        let down = from_tip[..meet].iter().rev();
        Some(from_base[..=at_base].iter().chain(down).map(|l| l.to_string()).collect())
    }

    fn pairs(&mut self, root: Node<'_, '_>, robot: &RobotDescription) -> Vec<DisabledPair> {
        let mut out: Vec<DisabledPair> = Vec::new();
        let order = |a: &str, b: &str| {
            if a <= b { (a.to_string(), b.to_string()) } else { (b.to_string(), a.to_string()) }
        };
        let mut enabled = BTreeSet::new();
        for node in named(root, "enable_collisions") {
            if let (Some(a), Some(b)) = (self.link(node, "link1"), self.link(node, "link2")) {
                enabled.insert(order(&a, &b));
            }
        }
        let mut named_pairs = BTreeSet::new();
        for node in named(root, "disable_collisions") {
            let (link_a, link_b) = (self.link(node, "link1"), self.link(node, "link2"));
            let (Some(link_a), Some(link_b)) = (link_a, link_b) else { continue };
            if link_a == link_b {
                self.warn(node, "disables a link against itself: ignored", "");
                continue;
            }
            named_pairs.insert(order(&link_a, &link_b));
            let reason = node.attribute("reason").unwrap_or("").to_string();
            out.push(DisabledPair { link_a, link_b, reason });
        }
        for node in named(root, "disable_default_collisions") {
            let Some(link_a) = self.link(node, "link") else { continue };
            if out.len() + robot.links.len() > limits::PAIRS {
                self.fault(node, "disables too many pairs", "this looks like a broken file");
                return out;
            }
            for other in &robot.links {
                let pair = order(&link_a, &other.name);
                if other.name != link_a && !enabled.contains(&pair) && named_pairs.insert(pair) {
                    let reason = "disabled by default".to_string();
                    out.push(DisabledPair { link_a: link_a.clone(), link_b: other.name.clone(), reason });
                }
            }
        }
        out
    }

    fn states(&mut self, root: Node<'_, '_>) -> Vec<NamedState> {
        let mut out = Vec::new();
        for node in named(root, "group_state") {
            let (Some(name), Some(group)) = (self.attribute(node, "name"), self.attribute(node, "group"))
            else {
                continue;
            };
            let (name, group) = (name.to_string(), group.to_string());
            let mut values = Vec::new();
            for joint in named(node, "joint") {
                let (Some(joint_name), Some(text)) =
                    (self.attribute(joint, "name"), self.attribute(joint, "value"))
                else {
                    continue;
                };
                let numbers: Option<Vec<f64>> = text.split_whitespace().map(number).collect();
                let Some(numbers) = numbers.filter(|n| !n.is_empty()) else {
                    let what = format!("value={:?} is not finite numbers", shortened(text));
                    self.fault(joint, what, "mend the number");
                    continue;
                };
                if !self.joints.contains_key(joint_name) {
                    if !self.virtual_joints.contains(joint_name) {
                        let help = self.session.log.did_you_mean(joint_name, self.joints.keys().copied());
                        self.warn(
                            joint,
                            format!("the robot has no joint {:?}: ignored", shortened(joint_name)),
                            help,
                        );
                    }
                    continue;
                }
                values.push((joint_name.to_string(), numbers));
            }
            out.push(NamedState { name, group, values });
        }
        out
    }
}
