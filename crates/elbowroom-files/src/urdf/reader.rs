//! Attributes and poses of URDF elements: what cannot be read is a fault at its line.

use crate::session::Session;
use crate::shape::{Zero, size_problem};
use crate::xml::{XmlText, named, number, numbers, shortened};
use elbowroom::fault::Numeral;
use elbowroom::math::{Mat3, Transform};
use roxmltree::Node;

/// A robot's file while it is read.
pub(super) struct Reader<'a, 's, 'f> {
    pub session: &'a mut Session<'f>,
    pub text: &'s XmlText,
}

impl Reader<'_, '_, '_> {
    pub fn fault(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: impl Into<String>) {
        self.session.log.fault(&self.text.path, self.text.place(node), what, help);
    }

    pub fn warn(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: impl Into<String>) {
        self.session.log.warn(&self.text.path, self.text.place(node), what, help);
    }

    /// A name that must be there.
    pub fn name(&mut self, node: Node<'_, '_>, key: &str) -> Option<String> {
        match node.attribute(key) {
            Some(name) if !name.trim().is_empty() => Some(name.to_string()),
            Some(_) => {
                self.fault(node, format!("its {key} is empty"), "give it one");
                None
            }
            None => {
                self.fault(node, format!("has no {key}"), format!("write {key}=\"...\""));
                None
            }
        }
    }

    /// A finite number; the default where the attribute is missing and there is one.
    pub fn number(&mut self, node: Node<'_, '_>, key: &str, default: Option<f64>) -> Option<f64> {
        match (node.attribute(key), default) {
            (Some(text), _) => {
                let value = number(text);
                if value.is_none() {
                    self.fault(
                        node,
                        format!("{key}={:?} is not a finite number", shortened(text)),
                        number_help(text),
                    );
                }
                value
            }
            (None, Some(default)) => Some(default),
            (None, None) => {
                self.fault(node, format!("has no {key}"), format!("write {key}=\"...\""));
                None
            }
        }
    }

    /// A size that a shape can have (metres).
    pub fn size(&mut self, node: Node<'_, '_>, key: &str, zero: Zero) -> Option<f64> {
        let value = self.number(node, key, None)?;
        if let Some((problem, help)) = size_problem(value, zero) {
            self.fault(node, format!("{key}=\"{}\" is {problem}", Numeral(value)), help);
            return None;
        }
        Some(value)
    }

    /// Three of them.
    pub fn sizes(&mut self, node: Node<'_, '_>, key: &str, zero: Zero) -> Option<[f64; 3]> {
        let values = self.triple(node, key, None)?;
        for value in values {
            if let Some((problem, help)) = size_problem(value, zero) {
                let what = format!("{key} {values:?} holds {}, {problem}", Numeral(value));
                self.fault(node, what, help);
                return None;
            }
        }
        Some(values)
    }

    pub fn triple(&mut self, node: Node<'_, '_>, key: &str, default: Option<[f64; 3]>) -> Option<[f64; 3]> {
        match (node.attribute(key), default) {
            (Some(text), _) => {
                let value = numbers::<3>(text);
                if value.is_none() {
                    let what = format!("{key}={:?} is not three finite numbers", shortened(text));
                    self.fault(node, what, number_help(text));
                }
                value
            }
            (None, Some(default)) => Some(default),
            (None, None) => {
                self.fault(node, format!("has no {key}"), format!("write {key}=\"x y z\""));
                None
            }
        }
    }

    /// Refuses attributes of a pose or an axis that are not read: each of them would move something. One
    /// whose numbers are all zero says no more than one that is missing.
    pub fn only(&mut self, node: Node<'_, '_>, known: &[&str]) {
        for attribute in node.attributes().filter(|a| a.namespace().is_none()) {
            let key = attribute.name();
            if known.contains(&key) {
                continue;
            }
            let what = format!("its {}={:?} is not supported", shortened(key), shortened(attribute.value()));
            let help = format!("write {}", known.join(", "));
            if known.len() > 1 && attribute.value().split_whitespace().all(|w| number(w) == Some(0.0)) {
                self.warn(node, what, help);
            } else {
                self.fault(node, what, help);
            }
        }
    }

    /// Warns of attributes beside the one that says all.
    pub fn warn_of_others(&mut self, node: Node<'_, '_>, key: &str) {
        for other in node.attributes().filter(|a| a.namespace().is_none() && a.name() != key) {
            let (name, value) = (shortened(other.name()), shortened(other.value()));
            self.warn(node, format!("its {name}={value:?} has no effect beside {key}"), "remove it");
        }
    }

    /// The pose of the `<origin>` in an element; the identity where there is none.
    pub fn origin(&mut self, node: Node<'_, '_>) -> Option<Transform> {
        let mut all = named(node, "origin");
        let Some(origin) = all.next() else { return Some(Transform::IDENTITY) };
        if let Some(second) = all.next() {
            self.fault(second, "is the second origin here", "keep one");
        }
        self.only(origin, &["xyz", "rpy", "quat_xyzw"]);
        let xyz = self.triple(origin, "xyz", Some([0.0; 3]));
        if let Some(text) = origin.attribute("quat_xyzw") {
            if origin.has_attribute("rpy") {
                self.fault(origin, "has both rpy and quat_xyzw", "keep one");
                return None;
            }
            let rotation = numbers::<4>(text).and_then(|[x, y, z, w]| Mat3::from_quat_wxyz([w, x, y, z]));
            let Some(rotation) = rotation else {
                let what =
                    format!("quat_xyzw={:?} is not four finite numbers with a direction", shortened(text));
                self.fault(origin, what, number_help(text));
                return None;
            };
            return Some(Transform::new(rotation, xyz?.into()));
        }
        let rpy = self.triple(origin, "rpy", Some([0.0; 3]));
        Some(Transform::from_xyz_rpy(xyz?, rpy?))
    }
}

/// Names for a message, the first eight of them.
pub(super) fn list(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|n| format!("{:?}", shortened(n))).collect();
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
