//! Attributes and poses of URDF elements: what cannot be read is a fault at its line.

use crate::session::Session;
use crate::shape::{Zero, size_problem};
use crate::xml::{XmlText, parse_number, parse_numbers, short_text};
use elbowroom::fault::Numeral;
use elbowroom::math::{Mat3, Transform};
use roxmltree::Node;

/// A robot's file while it is read.
pub(super) struct UrdfReader<'a, 's, 'f> {
    pub session: &'a mut Session<'f>,
    pub text: &'s XmlText,
}

impl UrdfReader<'_, '_, '_> {
    pub fn add_fault(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: impl Into<String>) {
        self.session.log.add_fault(&self.text.path, self.text.node_place(node), what, help);
    }

    pub fn add_warning(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: impl Into<String>) {
        self.session.log.add_warning(&self.text.path, self.text.node_place(node), what, help);
    }

    /// A name that must be there.
    pub fn read_name(&mut self, node: Node<'_, '_>, key: &str) -> Option<String> {
        match node.attribute(key) {
            Some(name) if !name.trim().is_empty() => Some(name.to_string()),
            Some(_) => {
                self.add_fault(node, format!("its {key} is empty"), "give it one");
                None
            }
            None => {
                self.add_fault(node, format!("has no {key}"), format!("write {key}=\"...\""));
                None
            }
        }
    }

    /// A finite number; the default where the attribute is missing and there is one.
    pub fn read_number(&mut self, node: Node<'_, '_>, key: &str, default: Option<f64>) -> Option<f64> {
        match (node.attribute(key), default) {
            (Some(text), _) => {
                let value = parse_number(text);
                if value.is_none() {
                    self.add_fault(
                        node,
                        format!("{key}={:?} is not a finite number", short_text(text)),
                        number_help(text),
                    );
                }
                value
            }
            (None, Some(default)) => Some(default),
            (None, None) => {
                self.add_fault(node, format!("has no {key}"), format!("write {key}=\"...\""));
                None
            }
        }
    }

    /// A size that a shape can have (metres).
    pub fn read_size(&mut self, node: Node<'_, '_>, key: &str, zero: Zero) -> Option<f64> {
        let value = self.read_number(node, key, None)?;
        if let Some((problem, help)) = size_problem(value, zero) {
            self.add_fault(node, format!("{key}=\"{}\" is {problem}", Numeral(value)), help);
            return None;
        }
        Some(value)
    }

    /// Three of them.
    pub fn read_sizes(&mut self, node: Node<'_, '_>, key: &str, zero: Zero) -> Option<[f64; 3]> {
        let values = self.read_triple(node, key, None)?;
        for value in values {
            if let Some((problem, help)) = size_problem(value, zero) {
                let what = format!("{key} {values:?} holds {}, {problem}", Numeral(value));
                self.add_fault(node, what, help);
                return None;
            }
        }
        Some(values)
    }

    pub fn read_triple(
        &mut self,
        node: Node<'_, '_>,
        key: &str,
        default: Option<[f64; 3]>,
    ) -> Option<[f64; 3]> {
        match (node.attribute(key), default) {
            (Some(text), _) => {
                let value = parse_numbers::<3>(text);
                if value.is_none() {
                    let what = format!("{key}={:?} is not three finite numbers", short_text(text));
                    self.add_fault(node, what, number_help(text));
                }
                value
            }
            (None, Some(default)) => Some(default),
            (None, None) => {
                self.add_fault(node, format!("has no {key}"), format!("write {key}=\"x y z\""));
                None
            }
        }
    }

    /// Refuses attributes of a pose or an axis that are not read: each of them would move something. One
    /// whose numbers are all zero says no more than one that is missing.
    pub fn refuse_others(&mut self, node: Node<'_, '_>, known: &[&str]) {
        for attribute in node.attributes().filter(|a| a.namespace().is_none()) {
            let key = attribute.name();
            if known.contains(&key) {
                continue;
            }
            let what =
                format!("its {}={:?} is not supported", short_text(key), short_text(attribute.value()));
            let help = format!("write {}", known.join(", "));
            if known.len() > 1 && attribute.value().split_whitespace().all(|w| parse_number(w) == Some(0.0)) {
                self.add_warning(node, what, help);
            } else {
                self.add_fault(node, what, help);
            }
        }
    }

    /// Warns of attributes beside the one that says all.
    pub fn warn_of_others(&mut self, node: Node<'_, '_>, key: &str) {
        for other in node.attributes().filter(|a| a.namespace().is_none() && a.name() != key) {
            let (name, value) = (short_text(other.name()), short_text(other.value()));
            self.add_warning(node, format!("its {name}={value:?} has no effect beside {key}"), "remove it");
        }
    }

    /// The pose of the `<origin>` in an element; the identity where there is none.
    pub fn read_origin(&mut self, node: Node<'_, '_>) -> Option<Transform> {
        let Some(origin) = self.find_only(node, "origin", "here", "keep one") else {
            return Some(Transform::IDENTITY);
        };
        self.refuse_others(origin, &["xyz", "rpy", "quat_xyzw"]);
        let xyz = self.read_triple(origin, "xyz", Some([0.0; 3]));
        if let Some(text) = origin.attribute("quat_xyzw") {
            if origin.has_attribute("rpy") {
                self.add_fault(origin, "has both rpy and quat_xyzw", "keep one");
                return None;
            }
            let rotation =
                parse_numbers::<4>(text).and_then(|[x, y, z, w]| Mat3::from_quat_wxyz([w, x, y, z]));
            let Some(rotation) = rotation else {
                let what =
                    format!("quat_xyzw={:?} is not four finite numbers with a direction", short_text(text));
                self.add_fault(origin, what, number_help(text));
                return None;
            };
            return Some(Transform::new(rotation, xyz?.into()));
        }
        let rpy = self.read_triple(origin, "rpy", Some([0.0; 3]));
        Some(Transform::from_xyz_rpy(xyz?, rpy?))
    }
}

/// Names for a message, the first eight of them.
pub(super) fn name_list(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|n| format!("{:?}", short_text(n))).collect();
    let more = if names.len() > 8 { format!(" and {} more", names.len() - 8) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

fn number_help(text: &str) -> &'static str {
    if text.contains(',') {
        "write decimals with a point and put white space between numbers"
    } else {
        "correct the number"
    }
}
