//! Motions as messages of ROS and MoveIt, in YAML or JSON: a trajectory, the start and the goal of a planning
//! request, or joint states.
//!
//! | message | poses |
//! |---|---|
//! | `JointTrajectory`, `RobotTrajectory` | its points |
//! | `DisplayTrajectory`, `MotionPlanResponse` | the points of its trajectories, each behind the last |
//! | `MotionPlanRequest` | its start, and its first goal that is given by joints |
//! | `RobotState`, `JointState` | one |
//!
//! A file may hold several, one behind the other: YAML documents (`---`), JSON objects, one a line, or a
//! list.
//!
//! Values are found by joint names, never by place. A trajectory names the joints of a group; the others keep
//! the values of the start that the message gives, and a joint without a value is a fault. So is a state that
//! carries objects, because their shapes would be missing, and a virtual joint that moves the robot, because
//! it would stand elsewhere. A goal is its positions, without their tolerances.

use super::between::{Between, RowRates};
use super::data::{Joints, Motion};
use super::documents::split_messages;
use super::mimic::mimic_contradiction;
use super::time_order::{complete_times, warn_backward_time};
use super::trajectory::read_time;
use super::values::{UnknownJoint, ValuesReader};
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::scene::read_vector;
use crate::source::Options;
use crate::tree::TreeReader;
use crate::tree::node::Node;
use crate::xml::short_text;
use std::path::Path;

/// Keys under which others write a message in a file, and actions have theirs.
const WRAPPERS: [&str; 6] =
    ["motion_plan_request", "motion_plan_response", "request", "display_trajectory", "goal", "state"];

/// Keys that only messages about motions have.
const PLANS: [&str; 4] = ["goal_constraints", "workspace_parameters", "joint_trajectory", "trajectory_start"];

/// What to write where joints have no value.
const START: &str = "give the others too: trajectory_start: {joint_state: {name: [...], position: [...]}} \
                     (start_state in a request)";

/// Whether a text that has these keys, of which `has` knows, is one of the messages.
pub(super) fn is_message(has: impl Fn(&str) -> bool) -> bool {
    has_plan(&has)
        || has("joint_state")
        || has("joint_names") && (has("points") || has("pieces"))
        || has("name") && has("position")
}

/// Whether it has a request or a trajectory, which may have scenes in it.
pub(super) fn has_plan(has: impl Fn(&str) -> bool) -> bool {
    PLANS.into_iter().any(has)
}

/// Reads into an empty motion; `None` after at least one fault.
pub(super) fn read_message_motion(
    path: &Path,
    text: &str,
    joints: Joints<'_>,
    options: &Options,
    motion: &mut Motion,
    log: &mut Log,
) -> Option<()> {
    let before = log.fault_count();
    let documents = split_messages(text, path, log)?;
    let unknown = if options.ignore_unknown_columns {
        UnknownJoint::Ignored
    } else {
        UnknownJoint::Refused("remove it, or pass --ignore-unknown-columns")
    };
    let values = ValuesReader::new(joints, unknown);
    let mut messages = Messages::new_empty(values, motion, path, log);
    for document in &documents {
        messages.read_message(document);
        if messages.log.fault_count() - before > limits::FAULTS {
            break;
        }
    }
    let Messages { times, rates, pieces, motion, log, .. } = messages;
    if !pieces.is_empty() {
        motion.between = Between::Polynomials(pieces);
    } else if rates.iter().any(|own| !own.velocities.is_empty()) {
        motion.between = Between::Rates(rates);
    }
    if motion.rows.is_empty() && log.fault_count() == before {
        log.add_fault(path, "", "has no pose", "give a trajectory with points, or a request with a start");
    }
    motion.t = complete_times(path, "time", times, &motion.lines, log);
    if log.fault_count() > before {
        return None;
    }
    if let Some(t) = &motion.t {
        warn_backward_time(path, t, &motion.lines, log);
    }
    Some(())
}

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
    /// Whether the last state is a change of another one (`is_diff`), which the message does not give.
    is_change: bool,
    file: &'l Path,
    pub log: &'l mut Log,
}

impl<'a, 'l> Messages<'a, 'l> {
    fn new_empty(
        values: ValuesReader<'a>,
        motion: &'l mut Motion,
        file: &'l Path,
        log: &'l mut Log,
    ) -> Messages<'a, 'l> {
        let (times, rates, pieces) = (Vec::new(), Vec::new(), Vec::new());
        let start_velocities = Vec::new();
        Messages { values, motion, times, rates, pieces, start_velocities, is_change: false, file, log }
    }
}

impl Messages<'_, '_> {
    pub(super) fn tree_reader(&mut self) -> TreeReader<'_> {
        TreeReader { file: self.file, log: self.log }
    }

    /// A list under a key, or an empty one. `None` after a fault where `ros2 topic echo` cut it off.
    pub(super) fn read_whole_list<'n>(
        &mut self,
        node: &'n Node,
        label: &str,
        key: &str,
    ) -> Option<&'n [Node]> {
        let items = self.tree_reader().read_list(node, label, key);
        let Some(cut) = items.iter().find(|item| item.as_text() == Some("...")) else { return Some(items) };
        let what = format!("{key} is cut off: \"...\" stands for the rest");
        self.tree_reader().add_fault(cut, label, what, "record it again: ros2 topic echo --full-length");
        None
    }

    fn read_message(&mut self, document: &Node) {
        self.is_change = false;
        let mut message = document;
        loop {
            let inside: Vec<&Node> = WRAPPERS.iter().filter_map(|key| message.get(key)).collect();
            match inside[..] {
                [] => break,
                [one] => message = one,
                [_, second, ..] => {
                    let what = "holds several messages, such as a request and its response";
                    return self.tree_reader().add_fault(second, "", what, "give each a file of its own");
                }
            }
        }
        if message.get("goal_constraints").is_some() || message.get("workspace_parameters").is_some() {
            return self.read_request(message);
        }
        self.warn_failed_plan(message);
        if message.get("path_tolerance").is_some() {
            self.read_path_tolerance(message);
        }
        let find = |keys: [&str; 2]| keys.into_iter().find_map(|key| message.get(key));
        let mut start = match find(["trajectory_start", "start_state"]) {
            Some(state) => self.read_robot_state(state, "trajectory_start"),
            None => self.empty_values(),
        };
        self.forget_mimics(&mut start);
        if let Some(found) = find(["trajectory", "planned_trajectory"]) {
            self.read_trajectories(message, found, start);
        } else if message.get("pieces").is_some() {
            self.read_pieces(message, &start);
        } else if find(["joint_trajectory", "points"]).is_some() {
            self.read_robot_trajectory(message, "joint_trajectory", &start);
        } else if message.get("joint_state").is_some() {
            let given = self.read_robot_state(message, "joint_state");
            self.add_pose(message, "joint_state", &given, None);
        } else if message.get("name").is_some() && message.get("position").is_some() {
            let mut given = self.empty_values();
            self.read_joint_state(message, "joint state", &mut given);
            let stamp = message.get("header").and_then(|header| header.get("stamp")).and_then(read_time);
            self.add_pose(message, "joint state", &given, stamp);
        } else {
            let keys = message.as_map().unwrap_or(&[]).iter().take(10).map(|(key, _)| short_text(key));
            let what = format!(
                "holds no message that is read; its keys are {}",
                keys.collect::<Vec<_>>().join(", ")
            );
            let help = "give a trajectory, a planning request or a joint state by itself";
            self.tree_reader().add_fault(message, "", what, help);
        }
    }

    /// Warns of a response that says that it is none.
    fn warn_failed_plan(&mut self, message: &Node) {
        let Some(code) = message.get("error_code") else { return };
        let value = code.get("val").unwrap_or(code).as_number();
        if value.is_some_and(|value| value != 1.0) {
            let what = format!("MoveIt says that planning failed (error_code {})", value.unwrap_or(0.0));
            self.tree_reader().add_warning(code, "error_code", what, "");
        }
    }

    /// Adds the start of a planning request, and its first goal that is given by joints.
    fn read_request(&mut self, request: &Node) {
        let Some(state) = request.get("start_state") else {
            let what = "is a planning request without start_state: where the robot stands is not known";
            return self.tree_reader().add_fault(request, "", what, START);
        };
        let start = self.read_robot_state(state, "start_state");
        self.add_pose(state, "start_state", &start, None);
        let goals = self.tree_reader().read_list(request, "", "goal_constraints");
        let is_by_joints = |goal: &&Node| {
            goal.get("joint_constraints").and_then(Node::as_list).is_some_and(|list| !list.is_empty())
        };
        let Some(goal) = goals.iter().find(is_by_joints) else {
            let what = "gives no goal by joints: only its start is a pose";
            return self.tree_reader().add_warning(request, "goal_constraints", what, "");
        };
        let others = goals.iter().filter(is_by_joints).count() - 1;
        if others > 0 {
            let what = format!("the first goal is taken, {} left out", counted_things(others, "other one"));
            self.tree_reader().add_warning(goal, "goal_constraints", what, "give each a file of its own");
        }
        let label = "goal_constraints";
        let mut given = self.empty_values();
        for constraint in self.tree_reader().read_list(goal, label, "joint_constraints") {
            let name = self.tree_reader().read_text(constraint, label, "joint_name", false);
            let position = self.tree_reader().read_number(constraint, label, "position", None);
            let (Some(name), Some(position)) = (name, position) else { continue };
            let place = self.find_place(constraint, label, name);
            self.put_value(constraint, label, name, place, Some(position), &mut given);
        }
        let mut rest = start;
        self.forget_mimics(&mut rest);
        let given: Given = given.iter().zip(&rest).map(|(goal, start)| goal.or(*start)).collect();
        self.add_pose(goal, label, &given, None);
    }

    /// The values of a `RobotState`.
    fn read_robot_state(&mut self, state: &Node, label: &str) -> Given {
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
        if let Some(bodies) = state.get("multi_dof_joint_state") {
            self.refuse_bodies(bodies, label);
        }
        given
    }

    /// Refuses poses that are not read: of joints that the model has, and of a virtual joint that moves the
    /// robot. MoveIt fixes a robot to the world by a virtual joint that does not.
    fn refuse_bodies(&mut self, bodies: &Node, label: &str) {
        let names = self.tree_reader().read_texts(bodies, label, "joint_names");
        let transforms = self.tree_reader().read_list(bodies, label, "transforms");
        for (k, name) in names.iter().enumerate() {
            let shown = short_text(name);
            if self.values.has_joint(name) {
                let what = format!("gives the pose of {shown:?}, which is not read");
                self.tree_reader().add_fault(bodies, label, what, "give the poses as CSV");
            } else if !transforms.get(k).is_none_or(is_identity) {
                let what = format!("the virtual joint {shown:?} moves the robot, which is not read");
                let help =
                    "place the robot in a world file ([[robot]] xyz, rpy), and take this transform out";
                self.tree_reader().add_fault(bodies, label, what, help);
            }
        }
    }

    /// Puts the values of a `JointState` among the others.
    fn read_joint_state(&mut self, state: &Node, label: &str, given: &mut Given) {
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
        if !names.is_empty() && names.iter().all(|name| !self.values.has_joint(name)) {
            let some = names.iter().take(4).map(|name| short_text(name)).collect::<Vec<_>>().join(", ");
            let more = if names.len() > 4 { ", ..." } else { "" };
            let what = format!("names no joint of this model: {some}{more}");
            let known: Vec<&str> = self.values.joints.names.iter().take(4).map(String::as_str).collect();
            let help = format!("its joints are {}, ...: is it another robot's state?", known.join(", "));
            self.tree_reader().add_fault(state, label, what, help);
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

    pub(super) fn empty_values(&self) -> Given {
        vec![None; self.values.joints.names.len() + self.values.joints.mimics.len()]
    }

    /// Mimic joints of a start do not bind the poses behind it.
    fn forget_mimics(&self, given: &mut Given) {
        given[self.values.joints.names.len()..].fill(None);
    }

    pub(super) fn find_place(&mut self, node: &Node, label: &str, name: &str) -> Option<usize> {
        self.values.find_place(node, label, name, &mut TreeReader { file: self.file, log: self.log })
    }

    pub(super) fn put_value(
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
    pub(super) fn read_item(&mut self, node: &Node, label: &str, what: &str, name: &str) -> Option<f64> {
        let value = node.as_number();
        if value.is_none() {
            let what = format!("the {what} of {:?} is not a finite number", short_text(name));
            self.tree_reader().add_fault(node, label, what, "correct it");
        }
        value
    }

    /// Faults the values that nothing gives.
    pub(super) fn require_all(&mut self, node: &Node, label: &str, given: &Given) {
        let tree = &mut TreeReader { file: self.file, log: self.log };
        let what = if self.is_change { "changes a state that it does not give (is_diff), and " } else { "" };
        self.values.refuse_missing(node, label, what, |k| given[k].is_some(), START, tree);
    }

    /// Adds a pose, in which nothing may be missing.
    fn add_pose(&mut self, node: &Node, label: &str, given: &Given, time: Option<f64>) {
        self.require_all(node, label, given);
        self.push_pose(node, label, given, time, RowRates::default());
    }

    pub(super) fn push_pose(
        &mut self,
        node: &Node,
        label: &str,
        given: &Given,
        time: Option<f64>,
        rates: RowRates,
    ) {
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

/// Whether a transform moves nothing; what is no transform might.
fn is_identity(transform: &Node) -> bool {
    let translation = transform.get("translation").map(|node| read_vector(node, ["x", "y", "z"]));
    let rotation = transform.get("rotation").map(|node| read_vector(node, ["x", "y", "z", "w"]));
    let stays = translation.is_none_or(|found| found == Some([0.0; 3]));
    stays && rotation.is_none_or(|found| matches!(found, Some([0.0, 0.0, 0.0, _])))
}
