//! The joint values of a line: a list in the order of the model, or an object by names.

use super::data::Joints;
use super::mimic::{mimic_contradiction, mimic_rate_contradiction};
use super::names::{Named, ValueNames};
use super::other_robot::tell_other_robot;
use crate::fault::{Log, counted_things};
use crate::tree::TreeReader;
use crate::tree::node::Node;
use crate::xml::short_text;
use std::path::Path;

/// What is done with a name that is no joint.
#[derive(Clone, Copy)]
pub(crate) enum UnknownJoint {
    /// Its value is not used.
    Ignored,
    /// It is a fault, with this help.
    Refused(&'static str),
}

/// Reads `q` of lines.
pub(crate) struct ValuesReader<'a> {
    pub joints: Joints<'a>,
    /// Values, and mimic joints behind them.
    index: ValueNames<'a>,
    unknown: UnknownJoint,
}

impl<'a> ValuesReader<'a> {
    pub fn new(joints: Joints<'a>, unknown: UnknownJoint) -> ValuesReader<'a> {
        let all = joints.names.iter().chain(joints.mimics.iter().map(|(name, _)| name)).map(String::as_str);
        ValuesReader { joints, index: ValueNames::new(all), unknown }
    }

    /// Reads the numbers of a row under a key: `q` has values, any other key rates. Those that could not be
    /// read are NaN.
    pub fn read_values(
        &self,
        (key, node): (&str, &Node),
        label: &str,
        row: &mut [f64],
        file: &Path,
        log: &mut Log,
    ) {
        row.fill(f64::NAN);
        let tree = &mut TreeReader { file, log };
        match (node.as_list(), node.as_map()) {
            (Some(items), _) => self.read_ordered_values((key, node), items, label, row, tree),
            (None, Some(entries)) => self.read_named_values((key, node), entries, label, row, tree),
            (None, None) => {
                let help = "write [...] in the order of the joints, or {\"joint\": ...}";
                tree.add_fault(node, label, format!("{key} is neither a list nor an object"), help);
            }
        }
    }

    /// The place of a joint among values and, behind them, mimic joints; `None` if there is none, which is a
    /// fault unless such joints are ignored.
    pub fn find_place(&self, node: &Node, label: &str, name: &str, tree: &mut TreeReader) -> Option<usize> {
        let shown = short_text(name);
        match self.index.find_value(name) {
            Named::One(place) => return Some(place),
            Named::Several => {
                tree.add_fault(
                    node,
                    label,
                    format!("{shown:?} is a joint of several robots"),
                    "write robot/joint",
                );
            }
            Named::Nothing => {
                let UnknownJoint::Refused(other) = self.unknown else { return None };
                let meant = tree.log.did_you_mean(name, self.index.known_names());
                let help = if meant.is_empty() { other.into() } else { format!("{meant} If not, {other}") };
                tree.add_fault(node, label, format!("{shown:?} is not a joint of this model"), help);
            }
        }
        None
    }

    /// Faults the values that were not given; `what` has them is said before.
    pub fn refuse_missing(
        &self,
        node: &Node,
        label: &str,
        what: &str,
        is_given: impl Fn(usize) -> bool,
        help: &str,
        tree: &mut TreeReader,
    ) {
        let names = self.joints.names.iter().enumerate().filter(|(k, _)| !is_given(*k));
        let missing: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
        if missing.is_empty() {
            return;
        }
        let more = missing.len().saturating_sub(50);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown = missing.iter().take(50).copied().collect::<Vec<_>>().join(", ");
        tree.add_fault(node, label, format!("{what}has no value for {shown}{more}"), help);
    }

    /// What is wrong with names that are all those of another robot, unless unknown joints are ignored.
    pub fn tell_other_robot<'n>(
        &self,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Option<(String, String)> {
        match self.unknown {
            UnknownJoint::Ignored => None,
            UnknownJoint::Refused(_) => tell_other_robot(names, self.joints),
        }
    }

    /// Whether there is a value of this name, or a mimic joint.
    pub fn has_value(&self, name: &str) -> bool {
        !matches!(self.index.find_value(name), Named::Nothing)
    }

    fn read_ordered_values(
        &self,
        (key, q): (&str, &Node),
        items: &[Node],
        label: &str,
        row: &mut [f64],
        tree: &mut TreeReader,
    ) {
        let names = self.joints.names;
        if items.len() != names.len() {
            let order = names.iter().take(50).map(String::as_str).collect::<Vec<_>>().join(", ");
            let what =
                format!("{key} has {}, the model has {}", counted_things(items.len(), "value"), names.len());
            return tree.add_fault(q, label, what, format!("the order is {order}"));
        }
        for ((item, name), slot) in items.iter().zip(names).zip(row) {
            match item.as_number() {
                Some(value) => *slot = value,
                None => {
                    let what = format!("{key}: the value of {:?} is not a finite number", short_text(name));
                    tree.add_fault(item, label, what, "correct the number");
                }
            }
        }
    }

    fn read_named_values(
        &self,
        (key, q): (&str, &Node),
        entries: &[(String, Node)],
        label: &str,
        row: &mut [f64],
        tree: &mut TreeReader,
    ) {
        let Joints { names, mimics, .. } = self.joints;
        let before = tree.log.fault_count();
        if let Some((what, help)) = self.tell_other_robot(entries.iter().map(|(name, _)| name.as_str())) {
            return tree.add_fault(q, label, what, help);
        }
        let mut given: Vec<Option<f64>> = vec![None; names.len() + mimics.len()];
        let mut named = vec![false; given.len()];
        for (name, item) in entries {
            let shown = short_text(name);
            let Some(place) = self.find_place(item, label, name, tree) else { continue };
            if std::mem::replace(&mut named[place], true) {
                tree.add_fault(item, label, format!("{shown:?} is given a second time"), "keep one");
            }
            given[place] = item.as_number();
            if given[place].is_none() {
                let what = format!("{shown:?} is not a finite number");
                tree.add_fault(item, label, what, "correct the number");
            }
        }
        self.refuse_missing(
            q,
            label,
            &format!("{key} "),
            |k| named[k],
            "give every joint in every line",
            tree,
        );
        row.iter_mut().zip(&given).for_each(|(slot, value)| *slot = value.unwrap_or(f64::NAN));
        if tree.log.fault_count() > before {
            return;
        }
        for ((name, follows), value) in mimics.iter().zip(&given[names.len()..]) {
            let wrong = value.and_then(|value| match key {
                "q" => mimic_contradiction(name, follows, value, names, row),
                _ => mimic_rate_contradiction(key, (name, follows), value, names, row),
            });
            if let Some(what) = wrong {
                tree.add_fault(q, label, what, "correct the number, or leave the joint out");
            }
        }
    }
}

/// The parser's message with the column alone. The parser gets one line at a time, so it always says line 1.
pub(crate) fn line_error_words(e: &serde_json::Error) -> String {
    let text = e.to_string();
    let place = format!(" at line {} column {}", e.line(), e.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    let number = "a number is out of range";
    format!("{} at column {}", if text == "number out of range" { number } else { text }, e.column())
}
