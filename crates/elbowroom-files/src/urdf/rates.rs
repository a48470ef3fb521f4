//! How fast a joint may go: `velocity` of its `<limit>`, and `acceleration` and `jerk` where it has them,
//! also in a namespace as Drake writes them. 0 and infinity are no limits.
//!
//! Only `check --limits` needs these. So their faults do not refuse the robot: they are kept, and refuse the
//! limits.

use super::reader::UrdfReader;
use super::spelling::LIMIT;
use crate::fault::{Fault, meant_key};
use crate::limits;
use crate::xml::{named_children, parse_number, short_text};
use elbowroom::describe::JointKind;
use roxmltree::Node;

const KEYS: [&str; 3] = ["velocity", "acceleration", "jerk"];

impl UrdfReader<'_, '_, '_> {
    /// Keeps the limits of a joint that turns or slides.
    pub(super) fn read_rates(&mut self, joint: Node<'_, '_>, name: &str, kind: Option<JointKind>) {
        let moves = matches!(kind, Some(JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic));
        let Some(limit) = named_children(joint, "limit").next().filter(|_| moves) else { return };
        for attribute in limit.attributes().filter(|a| a.namespace().is_none()) {
            let key = attribute.name();
            let is_known = LIMIT.attributes.contains(&key) || LIMIT.other_attributes.contains(&key);
            if let Some(meant) = meant_key(key, &KEYS).filter(|_| !is_known) {
                let what = format!("its {}=\"...\" is unknown", short_text(key));
                self.add_rate_fault(limit, name, what, format!("did you mean {meant}=\"...\"?"));
            }
        }
        let rates = KEYS.map(|key| self.read_rate(limit, name, key));
        if rates.iter().any(Option::is_some) {
            self.session.robot_rates.insert(name.to_string(), rates.into());
        }
    }

    fn read_rate(&mut self, limit: Node<'_, '_>, name: &str, key: &str) -> Option<f64> {
        let attributes = limit.attributes().filter(|a| a.name() == key);
        let text = attributes.min_by_key(|a| a.namespace().is_some())?.value();
        let endless = text.trim().parse::<f64>().is_ok_and(|most| most == f64::INFINITY);
        match parse_number(text) {
            _ if endless => None,
            Some(most) if most >= 0.0 => Some(most).filter(|most| *most > 0.0),
            found => {
                let wrong = if found.is_some() { "is below 0" } else { "is not a number" };
                let what = format!("{key}={:?} {wrong}", short_text(text));
                let help = "give radians or metres, by seconds; 0 says that there is no limit";
                self.add_rate_fault(limit, name, what, help.into());
                None
            }
        }
    }

    fn add_rate_fault(&mut self, limit: Node<'_, '_>, name: &str, what: String, help: String) {
        if self.session.rate_faults.len() < limits::FAULTS {
            let place = format!("{} of the joint {:?}", self.text.node_place(limit), short_text(name));
            let file = self.text.path.clone();
            self.session.rate_faults.push(Fault { file, place, what, help });
        }
    }
}
