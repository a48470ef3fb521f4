//! YAML, TOML and JSON as one kind of tree with line numbers, and reading it without stopping at the first
//! fault.

pub(crate) mod formats;
pub(crate) mod node;

use crate::fault::Log;
use crate::xml::shortened;
use elbowroom::fault::Numeral;
use elbowroom::math::{Mat3, Transform};
use node::Node;
use std::collections::BTreeSet;
use std::path::Path;

/// Keys of a pose.
pub(crate) const POSE: [&str; 3] = ["xyz", "rpy", "quat_wxyz"];

/// Takes values out of a tree and logs what is wrong with them.
pub(crate) struct Reading<'l> {
    pub file: &'l Path,
    pub log: &'l mut Log,
}

impl Reading<'_> {
    /// `label` says in the file's own words what is being read, e.g. `obstacle "table"`.
    pub fn fault(&mut self, node: &Node, label: &str, what: impl Into<String>, help: impl Into<String>) {
        let place = place(node, label);
        self.log.fault(self.file, place, what, help);
    }

    pub fn warn(&mut self, node: &Node, label: &str, what: impl Into<String>, help: impl Into<String>) {
        let place = place(node, label);
        self.log.warn(self.file, place, what, help);
    }

    /// Faults every key that is not known here, or comes twice; true if the node is a map.
    pub fn keys(&mut self, node: &Node, label: &str, known: &[&str]) -> bool {
        let Some(entries) = node.map() else {
            self.fault(node, label, "is not a table of keys and values", "write keys and values");
            return false;
        };
        let mut seen = BTreeSet::new();
        for (key, value) in entries {
            if !seen.insert(key) {
                self.fault(value, label, format!("the key {:?} comes twice", shortened(key)), "keep one");
            } else if !known.contains(&key.as_str()) {
                let mut help = self.log.did_you_mean(key, known.iter().copied());
                help.push_str(if help.is_empty() { "" } else { " " });
                help.push_str(&format!("known keys: {}", known.join(", ")));
                self.fault(value, label, format!("the key {:?} is unknown here", shortened(key)), help);
            }
        }
        true
    }

    /// A finite number under a key; the default where it is missing.
    pub fn number(&mut self, node: &Node, label: &str, key: &str, default: Option<f64>) -> Option<f64> {
        let Some(found) = node.get(key) else {
            if default.is_none() {
                self.fault(node, label, format!("{key} is missing"), format!("give {key} as a number"));
            }
            return default;
        };
        let value = found.number();
        if value.is_none() {
            let what = format!("{key} is not a finite number, but {}", found.told());
            self.fault(found, label, what, "write a number, without quotes");
        }
        value
    }

    /// A number that is zero or more.
    pub fn size(&mut self, node: &Node, label: &str, key: &str, default: Option<f64>) -> Option<f64> {
        let value = self.number(node, label, key, default)?;
        if value < 0.0 {
            let found = node.get(key).unwrap_or(node);
            self.fault(found, label, format!("{key} is {}, below zero", Numeral(value)), "give zero or more");
            return None;
        }
        Some(value)
    }

    pub fn numbers<const N: usize>(
        &mut self,
        node: &Node,
        label: &str,
        key: &str,
        default: Option<[f64; N]>,
    ) -> Option<[f64; N]> {
        let Some(found) = node.get(key) else {
            if default.is_none() {
                self.fault(node, label, format!("{key} is missing"), format!("give {key} as {N} numbers"));
            }
            return default;
        };
        let value = found.numbers::<N>();
        if value.is_none() {
            self.fault(
                found,
                label,
                format!("{key} is not {N} finite numbers, but {}", found.told()),
                format!("give {key} as {N} numbers, in brackets and without quotes"),
            );
        }
        value
    }

    /// Text under a key, or `None`; a fault if it is something else or missing without `optional`.
    pub fn text<'n>(&mut self, node: &'n Node, label: &str, key: &str, optional: bool) -> Option<&'n str> {
        let Some(found) = node.get(key) else {
            if !optional {
                self.fault(node, label, format!("{key} is missing"), format!("give {key} as text"));
            }
            return None;
        };
        let text = found.text();
        match text {
            None => {
                let what = format!("{key} is not text, but {}", found.told());
                self.fault(found, label, what, "put it in quotes");
            }
            Some("") if !optional => {
                self.fault(found, label, format!("{key} is empty"), format!("give {key}"));
                return None;
            }
            _ => {}
        }
        text
    }

    /// True or false under a key; the default where it is missing. `None` after a fault.
    pub fn flag(&mut self, node: &Node, label: &str, key: &str, default: bool) -> Option<bool> {
        let Some(found) = node.get(key) else { return Some(default) };
        let value = found.bool();
        if value.is_none() {
            let what = format!("{key} is not true or false, but {}", found.told());
            self.fault(found, label, what, "write true or false, without quotes");
        }
        value
    }

    /// The items of a list under a key; none where it is missing.
    pub fn list<'n>(&mut self, node: &'n Node, label: &str, key: &str) -> &'n [Node] {
        match node.get(key) {
            None => &[],
            Some(found) => match found.list() {
                Some(items) => items,
                None => {
                    let what = format!("{key} is not a list, but {}", found.told());
                    let help = match found.map() {
                        Some(_) => "write its name in double brackets, [[...]], or a list",
                        None => "write a list, in brackets",
                    };
                    self.fault(found, label, what, help);
                    &[]
                }
            },
        }
    }

    /// A list of texts under a key; none where it is missing.
    pub fn texts(&mut self, node: &Node, label: &str, key: &str) -> Vec<String> {
        let mut out = Vec::new();
        for item in self.list(node, label, key) {
            match item.text() {
                Some(text) => out.push(text.to_string()),
                None => self.fault(
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
    pub fn pose(&mut self, node: &Node, label: &str) -> Option<Transform> {
        let xyz = self.numbers::<3>(node, label, "xyz", Some([0.0; 3]));
        if let (Some(_), Some(second)) = (node.get("rpy"), node.get("quat_wxyz")) {
            self.fault(second, label, "both rpy and quat_wxyz are given", "keep one");
            return None;
        }
        if node.get("quat_wxyz").is_some() {
            let quat = self.numbers::<4>(node, label, "quat_wxyz", None)?;
            let Some(rotation) = Mat3::from_quat_wxyz(quat) else {
                self.fault(node, label, "quat_wxyz is zero", "the identity is [1, 0, 0, 0]");
                return None;
            };
            return Some(Transform::new(rotation, xyz?.into()));
        }
        let rpy = self.numbers::<3>(node, label, "rpy", Some([0.0; 3]));
        Some(Transform::from_xyz_rpy(xyz?, rpy?))
    }
}

pub(crate) fn place(node: &Node, label: &str) -> String {
    match (node.line, label) {
        (0, label) => label.to_string(),
        (line, "") => format!("line {line}"),
        (line, label) => format!("line {line}, {label}"),
    }
}
