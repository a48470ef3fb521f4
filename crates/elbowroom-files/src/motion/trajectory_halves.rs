//! The two halves of a `RobotTrajectory`: joints of one value, and joints with transforms. The points of both
//! are the same instants.

use super::message_reader::{Messages, read_time};
use super::transforms::MovedJoint;
use crate::fault::counted_things;
use crate::limits::SAME_TIME;
use crate::tree::node::Node;
use elbowroom::fault::Numeral;

/// The halves of a trajectory; of one that is absent the lists are empty.
pub(super) struct Halves<'n, 'a> {
    /// The one that says where it begins: that of joints of one value, if it has points.
    pub lead: &'n Node,
    /// Joints of one value.
    pub names: Vec<String>,
    /// Their points.
    pub points: &'n [Node],
    /// Joints with transforms.
    pub moved: Vec<MovedJoint<'a>>,
    /// Their points.
    pub transforms: &'n [Node],
}

impl<'a> Messages<'a, '_> {
    /// Reads the names of both halves and finds their points; `None` where these were cut off, or are not the
    /// same instants.
    pub(super) fn read_halves<'n>(&mut self, node: &'n Node, label: &str) -> Option<Halves<'n, 'a>> {
        let [joints, moved] = find_halves(node);
        let points = self.read_points(joints, label)?;
        let transforms = self.read_points(moved, label)?;
        let lead = if points.is_empty() && !transforms.is_empty() { moved } else { joints.or(moved) };
        let names = joints.map(|half| self.tree_reader().read_texts(half, label, "joint_names"));
        let mut halves = Halves {
            lead: lead.unwrap_or(node),
            names: names.unwrap_or_default(),
            points,
            moved: Vec::new(),
            transforms,
        };
        if let Some(half) = moved.filter(|_| !transforms.is_empty()) {
            halves.moved = self.find_moved_joints(half, label);
            self.has_transforms = true;
            self.warn_unused_twists(transforms, label);
            if halves.moved.is_empty() {
                let what = "has points and no joint_names";
                self.tree_reader().add_fault(half, label, what, "name the joints of its transforms");
            }
        }
        self.has_same_instants(&halves, label).then_some(halves)
    }

    fn read_points<'n>(&mut self, half: Option<&'n Node>, label: &str) -> Option<&'n [Node]> {
        let Some(half) = half else { return Some(&[]) };
        self.read_whole_list(half, label, "joint_names")?;
        self.read_whole_list(half, label, "points")
    }

    /// Refuses halves with points at different times: between two points of one, it is not known where a
    /// controller has the joints of the other.
    fn has_same_instants(&mut self, halves: &Halves<'_, '_>, label: &str) -> bool {
        let Halves { points, transforms, .. } = *halves;
        let (Some(_), Some(found)) = (points.first(), transforms.first()) else { return true };
        let time = |point: &Node| point.get("time_from_start").and_then(read_time);
        let differs = |(_, (point, transform)): &(usize, (&Node, &Node))| match (time(point), time(transform))
        {
            (Some(a), Some(b)) => !((a - b).abs() <= SAME_TIME),
            // A time that is missing has a fault of its own.
            (Some(_), None) | (None, Some(_)) | (None, None) => false,
        };
        let what = if points.len() != transforms.len() {
            format!(
                "has {} in joint_trajectory and {} in multi_dof_joint_trajectory",
                counted_things(points.len(), "point"),
                transforms.len()
            )
        } else if let Some((k, (point, transform))) = points.iter().zip(transforms).enumerate().find(differs)
        {
            let times = [point, transform].map(|point| time(point).unwrap_or(f64::NAN));
            let [joints, moved] = Numeral::computed_apart(times);
            format!(
                "has point {k} at {joints} s in joint_trajectory and at {moved} s in \
                 multi_dof_joint_trajectory"
            )
        } else {
            return true;
        };
        self.tree_reader().add_fault(found, label, what, "give both halves points at the same times");
        false
    }
}

/// The half of joints of one value, and that of joints with transforms.
fn find_halves(node: &Node) -> [Option<&Node>; 2] {
    let [joints, moved] = ["joint_trajectory", "multi_dof_joint_trajectory"].map(|key| node.get(key));
    // One by itself.
    let points = node.get("points").and_then(Node::as_list).unwrap_or(&[]);
    let has_transforms = points.iter().any(|point| point.get("transforms").is_some());
    let own = Some(node).filter(|_| !points.is_empty());
    [joints.or(own.filter(|_| !has_transforms)), moved.or(own.filter(|_| has_transforms))]
}
