//! `door`: the joint by which a movable obstacle moves on what carries it.

use super::reader::WorldReader;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::describe::limits::MAX_COORDINATE;
use elbowroom::describe::{DoorDescription, JointKind, JointLimits};
use elbowroom::math::Vec3;

/// The joints that a door may have.
const JOINTS: [&str; 2] = ["revolute", "prismatic"];

impl WorldReader<'_, '_> {
    /// The door of an obstacle; `None` where it has none, and after a fault.
    pub(super) fn read_door(&mut self, obstacle: &Node, label: &str, name: &str) -> Option<DoorDescription> {
        let node = obstacle.get("door")?;
        let label = &format!("{label}, door");
        let before = self.session.log.fault_count();
        if !self.tree_reader().check_keys(node, label, &["joint", "axis", "limits"]) {
            return None;
        }
        if obstacle.get("movable").is_none_or(|movable| movable.as_bool() == Some(false)) {
            self.tree_reader().add_fault(
                node,
                label,
                "is of an obstacle that is not movable",
                "write movable = true",
            );
        }
        if obstacle.get("attached_to").is_none() {
            let help = "give attached_to: what it hangs on, world/NAME of a movable obstacle, or robot/link";
            self.tree_reader().add_fault(node, label, "is of an obstacle that hangs on nothing", help);
        }
        let kind = match self.tree_reader().read_text(node, label, "joint", false) {
            Some("revolute") => Some(JointKind::Revolute),
            Some("prismatic") => Some(JointKind::Prismatic),
            Some(other) => {
                let meant = self.session.log.did_you_mean(other, JOINTS);
                let help = if meant.is_empty() { "write revolute or prismatic".into() } else { meant };
                let what = format!("the joint {:?} is unknown", short_text(other));
                self.tree_reader().add_fault(node, label, what, help);
                None
            }
            None => None,
        };
        let axis = self.tree_reader().read_numbers::<3>(node, label, "axis", None).map(Vec3::from);
        if axis.is_some_and(|axis| axis.normalized().is_none()) {
            let place = node.get("axis").unwrap_or(node);
            self.tree_reader().add_fault(
                place,
                label,
                "axis has no direction",
                "give a vector of about unit length",
            );
        }
        let limits = self.tree_reader().read_numbers::<2>(node, label, "limits", None);
        let within = |value: f64| value.abs() <= MAX_COORDINATE;
        if limits.is_some_and(|[lower, upper]| !(within(lower) && within(upper) && lower <= upper)) {
            let place = node.get("limits").unwrap_or(node);
            let help = "give [least, most] in radians or metres, up to 1e9";
            self.tree_reader().add_fault(place, label, "limits are no range", help);
        }
        let ([lower, upper], kind, axis) = (limits?, kind?, axis?);
        let (body, limits) = (format!("world/{name}"), JointLimits { lower, upper });
        (self.session.log.fault_count() == before).then_some(DoorDescription { body, kind, axis, limits })
    }
}
