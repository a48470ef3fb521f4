//! Reading what all messages about motions have in common: joints by name, states, and poses.

use super::data::{Joints, Motion};
use super::mimic::mimic_contradiction;
use super::values::ValuesReader;
use super::ways::RowRates;
use crate::fault::{Log, counted_things};
use crate::source::TransformWays;
use crate::tree::TreeReader;
use crate::tree::node::Node;
use crate::xml::short_text;
use std::path::Path;

/// What to write where joints have no value.
pub(super) const START: &str = "give the others too: trajectory_start: {joint_state: {name: [...], position: \
                                [...]}} (start_state in a request)";

/// A value for each value of the model, and behind them for each mimic joint.
pub(super) type Given = Vec<Option<f64>>;

/// A motion in the making.
pub(super) struct Messages<'a, 'l> {
    pub values: ValuesReader<'a>,
    pub motion: &'l mut Motion,
    /// The time of each pose (s).
    pub times: Vec<Option<f64>>,
    /// How fast its values change.
    pub rates: Vec<RowRates>,
    /// The coefficients of the ways, if the message gives polynomials.
    pub pieces: Vec<Vec<[f64; 6]>>,
    /// The velocities of the last state that was read; none where it gives none.
    pub start_velocities: Given,
    /// How a floating or planar joint moves between two points of a trajectory.
    pub transforms: TransformWays,
    /// Whether a trajectory has such joints.
    pub has_transforms: bool,
    /// Whether the last state is a change of another one (`is_diff`), which the message does not give.
    pub is_change: bool,
    file: &'l Path,
    pub log: &'l mut Log,
}

impl<'a, 'l> Messages<'a, 'l> {
    pub fn new_empty(
        values: ValuesReader<'a>,
        transforms: TransformWays,
        motion: &'l mut Motion,
        file: &'l Path,
        log: &'l mut Log,
    ) -> Messages<'a, 'l> {
        Messages {
            values,
            motion,
            times: Vec::new(),
            rates: Vec::new(),
            pieces: Vec::new(),
            start_velocities: Vec::new(),
            transforms,
            has_transforms: false,
            is_change: false,
            file,
            log,
        }
    }
}

impl Messages<'_, '_> {
    pub fn tree_reader(&mut self) -> TreeReader<'_> {
        TreeReader { file: self.file, log: self.log }
    }

    /// A list under a key, or an empty one. `None` after a fault where `ros2 topic echo` cut it off.
    pub fn read_whole_list<'n>(&mut self, node: &'n Node, label: &str, key: &str) -> Option<&'n [Node]> {
        let items = self.tree_reader().read_list(node, label, key);
        let Some(cut) = items.iter().find(|item| item.as_text() == Some("...")) else { return Some(items) };
        let what = format!("{key} is cut off: \"...\" stands for the rest");
        self.tree_reader().add_fault(cut, label, what, "record it again: ros2 topic echo --full-length");
        None
    }

    /// The values of a `RobotState`.
    pub fn read_robot_state(&mut self, state: &Node, label: &str) -> Given {
        self.is_change = state.get("is_diff").and_then(Node::as_bool) == Some(true);
        let mut given = self.empty_values();
        if let Some(joints) = state.get("joint_state") {
            self.read_joint_state(joints, label, &mut given);
        }
        let carried = self.tree_reader().read_list(state, label, "attached_collision_objects");
        if let Some(first) = carried.first() {
            let what = format!(
                "carries {}, whose shapes a motion cannot give",
                counted_things(carried.len(), "object")
            );
            let help = "put the state into a scene (robot_state) and name that in a world file: [[scene]]";
            self.tree_reader().add_fault(first, label, what, help);
        }
        if let Some(state) = state.get("multi_dof_joint_state") {
            let mut moved = self.find_moved_joints(state, label);
            self.refuse_twice_given(state, label, &moved, |value| given[value].is_some());
            self.put_transforms(state, label, &mut moved, &mut given);
        }
        given
    }

    /// Puts the values of a `JointState` among the others.
    pub fn read_joint_state(&mut self, state: &Node, label: &str, given: &mut Given) {
        let columns = self.read_whole_list(state, label, "name");
        let positions = self.read_whole_list(state, label, "position");
        let (Some(_), Some(positions)) = (columns, positions) else { return };
        let names = self.tree_reader().read_texts(state, label, "name");
        if names.len() != positions.len() {
            let what = format!(
                "has {} and {}",
                counted_things(names.len(), "name"),
                counted_things(positions.len(), "position")
            );
            self.tree_reader().add_fault(state, label, what, "give one position for each name");
        }
        if self.refuse_other_robot(state, label, &names) {
            given.fill(Some(f64::NAN));
            return;
        }
        let velocities = self.tree_reader().read_list(state, label, "velocity");
        let velocities = if velocities.len() == names.len() { velocities } else { &[] };
        self.start_velocities = self.empty_values();
        for (k, (name, position)) in names.iter().zip(positions).enumerate() {
            let place = self.find_place(position, label, name);
            let value = self.read_item(position, label, "position", name);
            self.put_value(position, label, name, place, value, given);
            if let (Some(place), Some(velocity)) = (place, velocities.get(k)) {
                self.start_velocities[place] = velocity.as_number();
            }
        }
    }

    /// Refuses names that are all those of another robot.
    pub fn refuse_other_robot(&mut self, node: &Node, label: &str, names: &[String]) -> bool {
        let told = self.values.tell_other_robot(names.iter().map(String::as_str));
        let is_other = told.is_some();
        if let Some((what, help)) = told {
            self.tree_reader().add_fault(node, label, what, help);
        }
        is_other
    }

    pub fn empty_values(&self) -> Given {
        vec![None; self.values.joints.names.len() + self.values.joints.mimics.len()]
    }

    /// Mimic joints of a start do not bind the poses behind it.
    pub fn forget_mimics(&self, given: &mut Given) {
        given[self.values.joints.names.len()..].fill(None);
    }

    pub fn find_place(&mut self, node: &Node, label: &str, name: &str) -> Option<usize> {
        self.values.find_place(node, label, name, &mut TreeReader { file: self.file, log: self.log })
    }

    pub fn put_value(
        &mut self,
        node: &Node,
        label: &str,
        name: &str,
        place: Option<usize>,
        value: Option<f64>,
        given: &mut Given,
    ) {
        let Some(place) = place else { return };
        if given[place].replace(value.unwrap_or(f64::NAN)).is_some() {
            let what = format!("gives {:?} a second time", short_text(name));
            self.tree_reader().add_fault(node, label, what, "keep one");
        }
    }

    /// A number of a joint; `what` it is.
    pub fn read_item(&mut self, node: &Node, label: &str, what: &str, name: &str) -> Option<f64> {
        let value = node.as_number();
        if value.is_none() {
            let what = format!("the {what} of {:?} is not a finite number", short_text(name));
            self.tree_reader().add_fault(node, label, what, "correct it");
        }
        value
    }

    /// Faults the values that nothing gives.
    pub fn require_all(&mut self, node: &Node, label: &str, given: &Given) {
        let tree = &mut TreeReader { file: self.file, log: self.log };
        let what = if self.is_change { "changes a state that it does not give (is_diff), and " } else { "" };
        self.values.refuse_missing(node, label, what, |k| given[k].is_some(), START, tree);
    }

    /// Adds a pose, in which nothing may be missing.
    pub fn add_pose(&mut self, node: &Node, label: &str, given: &Given, time: Option<f64>) {
        self.require_all(node, label, given);
        self.push_pose(node, label, given, time, RowRates::default());
    }

    pub fn push_pose(&mut self, node: &Node, label: &str, given: &Given, time: Option<f64>, rates: RowRates) {
        let Joints { names, mimics, .. } = self.values.joints;
        let row: Vec<f64> = given[..names.len()].iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        for ((name, follows), value) in mimics.iter().zip(&given[names.len()..]) {
            // A value that is no number has its own fault.
            let is_number = |x: &f64| !x.is_nan();
            let value =
                value.filter(|value| is_number(value) && row.get(follows.value).is_some_and(is_number));
            let wrong = value.and_then(|value| mimic_contradiction(name, follows, value, names, &row));
            if let Some(what) = wrong {
                self.tree_reader().add_fault(node, label, what, "correct the number, or leave the joint out");
            }
        }
        self.times.push(time);
        self.rates.push(rates);
        self.motion.lines.push(u64::try_from(node.line).unwrap_or(0));
        self.motion.rows.push(row);
    }
}

/// Seconds: a number, or `{sec, nanosec}` of ROS 2, or `{secs, nsecs}` of ROS 1.
pub(super) fn read_time(node: &Node) -> Option<f64> {
    let Some(parts) = node.as_map() else { return node.as_number() };
    let mut time = 0.0;
    for (key, part) in parts {
        let unit = match key.as_str() {
            "sec" | "secs" | "seconds" => 1.0,
            "nanosec" | "nsecs" | "nsec" | "nanoseconds" => 1e-9,
            // What it says is not known, so neither is the time.
            _ => return None,
        };
        time += unit * part.as_number()?;
    }
    (!parts.is_empty()).then_some(time)
}
