//! YAML, TOML and JSON as one kind of tree with line numbers, and reading it without stopping at the first
//! fault.

pub(crate) mod formats;
pub(crate) mod node;

use crate::fault::Log;
use crate::xml::short_text;
use elbowroom::fault::Numeral;
use elbowroom::math::{Mat3, Transform};
use node::Node;
use std::collections::BTreeSet;
use std::path::Path;

/// Keys of a pose.
pub(crate) const POSE: [&str; 3] = ["xyz", "rpy", "quat_wxyz"];

/// Takes values out of a tree and logs what is wrong with them.
pub(crate) struct TreeReader<'l> {
    pub file: &'l Path,
    pub log: &'l mut Log,
}

impl TreeReader<'_> {
    /// `label` says in the file's own words what is being read, e.g. `obstacle "table"`.
    pub fn add_fault(&mut self, node: &Node, label: &str, what: impl Into<String>, help: impl Into<String>) {
        let place = node_place(node, label);
        self.log.add_fault(self.file, place, what, help);
    }

    pub fn add_warning(
        &mut self,
        node: &Node,
        label: &str,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        let place = node_place(node, label);
        self.log.add_warning(self.file, place, what, help);
    }

    /// Faults every key that is not known here, or comes twice; true if the node is a map.
    pub fn check_keys(&mut self, node: &Node, label: &str, known: &[&str]) -> bool {
        let Some(entries) = node.as_map() else {
            self.add_fault(node, label, "is not a table of keys and values", "write keys and values");
            return false;
        };
        let mut seen = BTreeSet::new();
        for (key, value) in entries {
            if !seen.insert(key) {
                self.add_fault(
                    value,
                    label,
                    format!("the key {:?} comes twice", short_text(key)),
                    "keep one",
                );
            } else if !known.contains(&key.as_str()) {
                let mut help = self.log.did_you_mean(key, known.iter().copied());
                help.push_str(if help.is_empty() { "" } else { " " });
                help.push_str(&format!("known keys: {}", known.join(", ")));
                self.add_fault(value, label, format!("the key {:?} is unknown here", short_text(key)), help);
            }
        }
        true
    }

    /// A finite number under a key; the default where it is missing.
    pub fn read_number(&mut self, node: &Node, label: &str, key: &str, default: Option<f64>) -> Option<f64> {
        let Some(found) = node.get(key) else {
            if default.is_none() {
                self.add_fault(node, label, format!("{key} is missing"), format!("give {key} as a number"));
            }
            return default;
        };
        let value = found.as_number();
        if value.is_none() {
            let what = format!("{key} is not a finite number, but {}", found.value_words());
            self.add_fault(found, label, what, "write a number, without quotes");
        }
        value
    }

    /// A number that is zero or more.
    pub fn read_size(&mut self, node: &Node, label: &str, key: &str, default: Option<f64>) -> Option<f64> {
        let value = self.read_number(node, label, key, default)?;
        if value < 0.0 {
            let found = node.get(key).unwrap_or(node);
            self.add_fault(
                found,
                label,
                format!("{key} is {}, below zero", Numeral(value)),
                "give zero or more",
            );
            return None;
        }
        Some(value)
    }

    pub fn read_numbers<const N: usize>(
        &mut self,
        node: &Node,
        label: &str,
        key: &str,
        default: Option<[f64; N]>,
    ) -> Option<[f64; N]> {
        let Some(found) = node.get(key) else {
            if default.is_none() {
                self.add_fault(
                    node,
                    label,
                    format!("{key} is missing"),
                    format!("give {key} as {N} numbers"),
                );
            }
            return default;
        };
        let value = found.as_numbers::<N>();
        if value.is_none() {
            self.add_fault(
                found,
                label,
                format!("{key} is not {N} finite numbers, but {}", found.value_words()),
                format!("give {key} as {N} numbers, in brackets and without quotes"),
            );
        }
        value
    }

    /// Text under a key, or `None`; a fault if it is something else or missing without `optional`.
    pub fn read_text<'n>(
        &mut self,
        node: &'n Node,
        label: &str,
        key: &str,
        optional: bool,
    ) -> Option<&'n str> {
        let Some(found) = node.get(key) else {
            if !optional {
                self.add_fault(node, label, format!("{key} is missing"), format!("give {key} as text"));
            }
            return None;
        };
        let text = found.as_text();
        match text {
            None => {
                let what = format!("{key} is not text, but {}", found.value_words());
                self.add_fault(found, label, what, "put it in quotes");
            }
            Some("") if !optional => {
                self.add_fault(found, label, format!("{key} is empty"), format!("give {key}"));
                return None;
            }
            _ => {}
        }
        text
    }

    /// True or false under a key; the default where it is missing. `None` after a fault.
    pub fn read_flag(&mut self, node: &Node, label: &str, key: &str, default: bool) -> Option<bool> {
        let Some(found) = node.get(key) else { return Some(default) };
        let value = found.as_bool();
        if value.is_none() {
            let what = format!("{key} is not true or false, but {}", found.value_words());
            self.add_fault(found, label, what, "write true or false, without quotes");
        }
        value
    }

    /// The items of a list under a key; none where it is missing.
    pub fn read_list<'n>(&mut self, node: &'n Node, label: &str, key: &str) -> &'n [Node] {
        match node.get(key) {
            None => &[],
            Some(found) => match found.as_list() {
                Some(items) => items,
                None => {
                    let what = format!("{key} is not a list, but {}", found.value_words());
                    let help = match found.as_map() {
                        Some(_) => "write its name in double brackets, [[...]], or a list",
                        None => "write a list, in brackets",
                    };
                    self.add_fault(found, label, what, help);
                    &[]
                }
            },
        }
    }

    /// A list of texts under a key; none where it is missing.
    pub fn read_texts(&mut self, node: &Node, label: &str, key: &str) -> Vec<String> {
        let mut out = Vec::new();
        for item in self.read_list(node, label, key) {
            match item.as_text() {
                Some(text) => out.push(text.to_string()),
                None => self.add_fault(
                    item,
                    label,
                    format!("{key} holds something that is not text"),
                    "put it in quotes",
                ),
            }
        }
        out
    }

    /// `xyz` with `rpy` or `quat_wxyz`, all optional.
    pub fn read_pose(&mut self, node: &Node, label: &str) -> Option<Transform> {
        let xyz = self.read_numbers::<3>(node, label, "xyz", Some([0.0; 3]));
        if let (Some(_), Some(second)) = (node.get("rpy"), node.get("quat_wxyz")) {
            self.add_fault(second, label, "both rpy and quat_wxyz are given", "keep one");
            return None;
        }
        if node.get("quat_wxyz").is_some() {
            let quat = self.read_numbers::<4>(node, label, "quat_wxyz", None)?;
            let Some(rotation) = Mat3::from_quat_wxyz(quat) else {
                self.add_fault(node, label, "quat_wxyz is zero", "the identity is [1, 0, 0, 0]");
                return None;
            };
            return Some(Transform::new(rotation, xyz?.into()));
        }
        let rpy = self.read_numbers::<3>(node, label, "rpy", Some([0.0; 3]));
        Some(Transform::from_xyz_rpy(xyz?, rpy?))
    }
}

pub(crate) fn node_place(node: &Node, label: &str) -> String {
    match (node.line, label) {
        (0, label) => label.to_string(),
        (line, "") => format!("line {line}"),
        (line, label) => format!("line {line}, {label}"),
    }
}
