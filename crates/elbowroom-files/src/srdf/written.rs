//! Groups and states as an SRDF writes them; what is malformed is left out, with a warning.

use crate::fault::{Log, meant_key};
use crate::limits;
use crate::xml::{XmlText, child_elements, is_own, named_children, parse_number, short_text};
use elbowroom::describe::NamedState;
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet};

/// A group of a robot's links and joints, as its file has it: no name is looked up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Name; no two groups of a file share one.
    pub name: String,
    /// Joints; each stands for the link that it moves.
    pub joints: Vec<String>,
    /// Links.
    pub links: Vec<String>,
    /// Base link and tip link of each chain.
    pub chains: Vec<[String; 2]>,
    /// Other groups, all of which belong to this one.
    pub groups: Vec<String>,
}

/// Something and where it was written.
pub(super) struct WithPlace<T> {
    pub what: T,
    pub place: String,
}

/// Groups and states in file order.
pub(super) struct Written {
    pub groups: Vec<WithPlace<Group>>,
    pub states: Vec<WithPlace<NamedState>>,
    /// Joints that place the whole robot; they are none of its own.
    pub virtual_joints: BTreeSet<String>,
}

struct SrdfReader<'a> {
    text: &'a XmlText,
    log: &'a mut Log,
}

pub(super) fn read(root: Node<'_, '_>, text: &XmlText, log: &mut Log) -> Written {
    let virtual_joints = named_children(root, "virtual_joint")
        .filter_map(|v| v.attribute("name"))
        .map(str::to_string)
        .collect();
    let mut reader = SrdfReader { text, log };
    reader.warn_of_slips(root, &ELEMENTS, "ignored");
    let states = named_children(root, "group_state").filter_map(|node| reader.read_state(node)).collect();
    Written { groups: reader.read_groups(root), states, virtual_joints }
}

/// The elements of an SRDF.
const ELEMENTS: [&str; 10] = [
    "group",
    "group_state",
    "virtual_joint",
    "passive_joint",
    "end_effector",
    "disable_collisions",
    "disable_default_collisions",
    "enable_collisions",
    "link_sphere_approximation",
    "joint_property",
];

/// What a group may hold.
const PARTS: [&str; 4] = ["joint", "link", "chain", "group"];

/// An attribute that is there and not blank.
fn filled_attribute(node: Node<'_, '_>, key: &str) -> Option<String> {
    node.attribute(key).filter(|v| !v.trim().is_empty()).map(str::to_string)
}

impl SrdfReader<'_> {
    fn add_warning(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: impl Into<String>) {
        self.log.add_warning(&self.text.path, self.text.node_place(node), what, help);
    }

    /// Warns of elements in a node that are not known and within two letters of known ones; whether there are
    /// any. What is farther from all of them is another program's.
    fn warn_of_slips(&mut self, node: Node<'_, '_>, known: &[&str], outcome: &str) -> bool {
        let (mut any, mut strange) = (false, BTreeMap::new());
        for part in child_elements(node).filter(|part| is_own(*part)) {
            let tag = part.tag_name().name();
            // Names are compared letter by letter, so no more of them than a file of any sense has.
            if known.contains(&tag) || (strange.len() >= limits::HINTS && !strange.contains_key(tag)) {
                continue;
            }
            if let Some(meant) = *strange.entry(tag).or_insert_with(|| meant_key(tag, known)) {
                let what = format!("<{}> is unknown: {outcome}", short_text(tag));
                self.add_warning(part, what, format!("did you mean <{meant}>?"));
                any = true;
            }
        }
        any
    }

    /// Groups; of several of one name none, for it is not known which is meant.
    fn read_groups(&mut self, root: Node<'_, '_>) -> Vec<WithPlace<Group>> {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for name in named_children(root, "group").filter_map(|node| node.attribute("name")) {
            *times.entry(name).or_default() += 1;
        }
        let mut out = Vec::new();
        for node in named_children(root, "group") {
            match node.attribute("name").and_then(|name| times.get_mut(name)) {
                Some(1) => out.extend(self.read_group(node)),
                Some(0) => {}
                Some(times) => {
                    let what = format!("{times} groups have this name: they are left out");
                    self.add_warning(node, what, "rename all but one");
                    *times = 0;
                }
                None => self.add_warning(node, "has no name: the group is left out", "write name=\"...\""),
            }
        }
        out
    }

    /// A group, if nothing in it is malformed: half of one would be another group.
    fn read_group(&mut self, node: Node<'_, '_>) -> Option<WithPlace<Group>> {
        let Some(name) = filled_attribute(node, "name") else {
            self.add_warning(node, "its name is empty: the group is left out", "give it one");
            return None;
        };
        if self.warn_of_slips(node, &PARTS, "the group is left out") {
            return None;
        }
        let mut group = Group { name, ..Group::default() };
        let mut good = true;
        let mut read = |part: &'static str, keys: &[&str], out: &mut dyn FnMut(Vec<String>)| {
            for inner in named_children(node, part) {
                match keys.iter().map(|key| filled_attribute(inner, key).ok_or(*key)).collect() {
                    Ok(names) => out(names),
                    Err(key) => {
                        let what = format!("has no {key}: the group is left out");
                        self.log.add_warning(
                            &self.text.path,
                            self.text.node_place(inner),
                            what,
                            format!("write {key}=\"...\""),
                        );
                        good = false;
                    }
                }
            }
        };
        read("joint", &["name"], &mut |names| group.joints.extend(names));
        read("link", &["name"], &mut |names| group.links.extend(names));
        read("group", &["name"], &mut |names| group.groups.extend(names));
        read("chain", &["base_link", "tip_link"], &mut |names| {
            group.chains.extend(<[String; 2]>::try_from(names))
        });
        good.then(|| WithPlace { what: group, place: self.text.node_place(node) })
    }

    /// A state, if all its values are: with a value left out it would be another pose.
    fn read_state(&mut self, node: Node<'_, '_>) -> Option<WithPlace<NamedState>> {
        let Some(name) = filled_attribute(node, "name") else {
            self.add_warning(node, "has no name: the state is left out", "write name=\"...\"");
            return None;
        };
        if self.warn_of_slips(node, &["joint"], "the state is left out") {
            return None;
        }
        let group = filled_attribute(node, "group");
        if group.is_none() {
            let what = "has no group: it counts as a state of the joints that it names";
            self.add_warning(node, what, "write group=\"...\"");
        }
        let (mut values, mut known) = (Vec::new(), BTreeSet::new());
        for joint in named_children(node, "joint") {
            let (joint_name, text) = (filled_attribute(joint, "name"), filled_attribute(joint, "value"));
            let (Some(joint_name), Some(text)) = (joint_name, text) else {
                let what = "has no name or no value: the state is left out";
                self.add_warning(joint, what, "write name=\"...\" value=\"...\"");
                return None;
            };
            let numbers: Option<Vec<f64>> = text.split_whitespace().map(parse_number).collect();
            let Some(numbers) = numbers else {
                let what =
                    format!("value={:?} is not finite numbers: the state is left out", short_text(&text));
                self.add_warning(joint, what, "correct the number");
                return None;
            };
            if !known.insert(joint_name.clone()) {
                self.add_warning(joint, "names a joint a second time: the state is left out", "keep one");
                return None;
            }
            values.push((joint_name, numbers));
        }
        let group = group.unwrap_or_default();
        Some(WithPlace { what: NamedState { name, group, values }, place: self.text.node_place(node) })
    }
}
