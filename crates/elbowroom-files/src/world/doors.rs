//! `door`: the joint by which a movable obstacle moves on what carries it.

use super::reader::Reader;
use crate::tree::node::Node;
use crate::xml::shortened;
use elbowroom::describe::limits::MAX_COORDINATE;
use elbowroom::describe::{DoorDescription, JointKind, JointLimits};
use elbowroom::math::Vec3;

/// The joints that a door may have.
const JOINTS: [&str; 2] = ["revolute", "prismatic"];

impl Reader<'_, '_> {
    /// The door of an obstacle; `None` where it has none, and after a fault.
    pub(super) fn door(&mut self, obstacle: &Node, label: &str, name: &str) -> Option<DoorDescription> {
        let node = obstacle.get("door")?;
        let label = &format!("{label}, door");
        let before = self.session.log.count();
        if !self.r().keys(node, label, &["joint", "axis", "limits"]) {
            return None;
        }
        if obstacle.get("movable").is_none_or(|movable| movable.bool() == Some(false)) {
            self.r().fault(node, label, "is of an obstacle that is not movable", "write movable = true");
        }
        if obstacle.get("attached_to").is_none() {
            let help = "give attached_to: what it hangs on, world/NAME of a movable obstacle, or robot/link";
            self.r().fault(node, label, "is of an obstacle that hangs on nothing", help);
        }
        let kind = match self.r().text(node, label, "joint", false) {
            Some("revolute") => Some(JointKind::Revolute),
            Some("prismatic") => Some(JointKind::Prismatic),
            Some(other) => {
                let meant = self.session.log.did_you_mean(other, JOINTS);
                let help = if meant.is_empty() { "write revolute or prismatic".into() } else { meant };
                let what = format!("the joint {:?} is unknown", shortened(other));
                self.r().fault(node, label, what, help);
                None
            }
            None => None,
        };
        let axis = self.r().numbers::<3>(node, label, "axis", None).map(Vec3::from);
        if axis.is_some_and(|axis| axis.normalized().is_none()) {
            let place = node.get("axis").unwrap_or(node);
            self.r().fault(place, label, "axis has no direction", "give a vector of about unit length");
        }
        let limits = self.r().numbers::<2>(node, label, "limits", None);
        let within = |value: f64| value.abs() <= MAX_COORDINATE;
        if limits.is_some_and(|[lower, upper]| !(within(lower) && within(upper) && lower <= upper)) {
            let place = node.get("limits").unwrap_or(node);
            let help = "give [least, most] in radians or metres, up to 1e9";
            self.r().fault(place, label, "limits are no range", help);
        }
        let ([lower, upper], kind, axis) = (limits?, kind?, axis?);
        let (body, limits) = (format!("world/{name}"), JointLimits { lower, upper });
        (self.session.log.count() == before).then_some(DoorDescription { body, kind, axis, limits })
    }
}
