//! Motions as messages of ROS and MoveIt, in YAML or JSON: a trajectory, the start and the goal of a planning
//! request, or joint states.
//!
//! | message | poses |
//! |---|---|
//! | `JointTrajectory`, `MultiDOFJointTrajectory`, `RobotTrajectory` | its points |
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
//! it would stand elsewhere. Planar and floating joints have transforms. A goal is its positions, without
//! their tolerances.

use super::data::{Joints, Motion};
use super::documents::split_messages;
use super::message_reader::{Given, Messages, START, read_time};
use super::time_order::{complete_times, warn_backward_time};
use super::values::{UnknownJoint, ValuesReader};
use super::ways::MotionWays;
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::source::Options;
use crate::tree::node::Node;
use crate::xml::short_text;
use std::path::Path;

/// Keys under which others write a message in a file, and actions have theirs.
const WRAPPERS: [&str; 6] =
    ["motion_plan_request", "motion_plan_response", "request", "display_trajectory", "goal", "state"];

/// Keys that only messages about motions have.
const PLANS: [&str; 5] = [
    "goal_constraints",
    "workspace_parameters",
    "joint_trajectory",
    "multi_dof_joint_trajectory",
    "trajectory_start",
];

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

/// Reads into an empty motion, and tells whether a trajectory has joints with transforms; `None` after at
/// least one fault.
pub(super) fn read_message_motion(
    path: &Path,
    text: &str,
    joints: Joints<'_>,
    options: &Options,
    motion: &mut Motion,
    log: &mut Log,
) -> Option<bool> {
    let before = log.fault_count();
    let documents = split_messages(text, path, log)?;
    let unknown = if options.ignore_unknown_columns {
        UnknownJoint::Ignored
    } else {
        UnknownJoint::Refused("remove it, or pass --ignore-unknown-columns")
    };
    let values = ValuesReader::new(joints, unknown);
    let mut messages = Messages::new_empty(values, options.transforms, motion, path, log);
    for document in &documents {
        messages.read_message(document);
        if messages.log.fault_count() - before > limits::FAULTS {
            break;
        }
    }
    let Messages { times, rates, pieces, has_transforms, motion, log, .. } = messages;
    if !pieces.is_empty() {
        motion.ways = MotionWays::Polynomials(pieces);
    } else if rates.iter().any(|own| !own.velocities.is_empty()) {
        motion.ways = MotionWays::Rates(rates);
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
    Some(has_transforms)
}

impl Messages<'_, '_> {
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
        let own = message.get("component_path_tolerance");
        if let Some(found) = own.filter(|list| list.as_list().is_some_and(|items| !items.is_empty())) {
            let what = "component_path_tolerance is not read";
            self.tree_reader().add_warning(found, "", what, "give --tolerance joint=value");
        }
        let find = |keys: &[&str]| keys.iter().find_map(|key| message.get(key));
        let mut start = match find(&["trajectory_start", "start_state"]) {
            Some(state) => self.read_robot_state(state, "trajectory_start"),
            None => self.empty_values(),
        };
        self.forget_mimics(&mut start);
        if let Some(found) = find(&["trajectory", "planned_trajectory"]) {
            self.read_trajectories(message, found, start);
        } else if message.get("pieces").is_some() {
            self.read_pieces(message, &start);
        } else if find(&["joint_trajectory", "multi_dof_joint_trajectory", "points"]).is_some() {
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
}
