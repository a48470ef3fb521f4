//! Transforms in messages: poses of joints with several values, in a `multi_dof_joint_state` or the points of
//! a `multi_dof_joint_trajectory`.
//!
//! A transform is that of the joint itself, as in MoveIt: how the link that it moves has moved from where it
//! is at the neutral values. MoveIt writes the robot's root as its frame. MoveIt fixes a robot to the world
//! by a virtual joint, which the robot's file does not have: one that stays at the identity is left out.

use super::free_joints::FreeJoint;
use super::knots;
use super::message_reader::{Given, Messages};
use super::names::{Named, ValueNames};
use crate::fault::counted_things;
use crate::limits;
use crate::scene::read_vector;
use crate::source::TransformWays;
use crate::tree::node::{Node, Value};
use crate::xml::short_text;
use elbowroom::fault::Numeral;

/// A joint that a message gives transforms for.
#[derive(Debug)]
pub(super) struct MovedJoint<'a> {
    name: String,
    /// Which it is; `None` if the robot has no such joint.
    pub joint: Option<&'a FreeJoint>,
    /// Whether it has a fault of its own.
    is_faulty: bool,
}

impl<'a> Messages<'a, '_> {
    /// The joints under `joint_names`, with the faults of their names and of the frame of the message.
    pub fn find_moved_joints(&mut self, message: &Node, label: &str) -> Vec<MovedJoint<'a>> {
        let all = self.values.joints.free;
        let known = ValueNames::new(all.iter().map(|joint| joint.name.as_str()));
        let mut moved: Vec<MovedJoint<'a>> = Vec::new();
        for name in self.tree_reader().read_texts(message, label, "joint_names") {
            let shown = short_text(&name);
            let found = known.find_value(&name);
            let joint = if let Named::One(k) = found { all.get(k) } else { None };
            let has_one_value = joint.is_none() && self.values.has_value(&name);
            let is_second = moved
                .iter()
                .any(|other| other.name == name || joint.is_some_and(|own| other.joint == Some(own)));
            let fault = if is_second {
                Some((format!("gives {shown:?} a second time"), "keep one"))
            } else if found == Named::Several {
                Some((format!("{shown:?} is a joint of several robots"), "write robot/joint"))
            } else if has_one_value {
                Some((format!("gives a transform for {shown:?}, which has one value"), "give its position"))
            } else {
                None
            };
            let is_faulty = fault.is_some();
            if let Some((what, help)) = fault {
                self.tree_reader().add_fault(message, label, what, help);
            }
            moved.push(MovedJoint { joint: joint.filter(|_| !is_second), is_faulty, name });
        }
        self.refuse_other_frame(message, label, &moved);
        moved
    }

    /// Refuses a message whose transforms are in the frame of something else than the robot.
    fn refuse_other_frame(&mut self, message: &Node, label: &str, moved: &[MovedJoint<'_>]) {
        let header = message.get("header");
        let Some(found) = header.and_then(|header| header.get("frame_id")) else { return };
        let frame = found.as_text().unwrap_or("");
        let other = moved.iter().filter_map(|own| own.joint).find(|joint| !joint.is_frame(frame));
        if let Some(joint) = other {
            let what = format!(
                "its transforms are in the frame {:?}, not in that of {:?}, the root of its robot",
                short_text(frame),
                short_text(&joint.frames[0])
            );
            let help = "give the transform of the joint itself, from the link that it hangs on, and that \
                        link or the root as frame_id";
            self.tree_reader().add_fault(found, label, what, help);
        }
    }

    /// Refuses joints with transforms of which a value is given by itself too.
    pub fn refuse_twice_given(
        &mut self,
        message: &Node,
        label: &str,
        moved: &[MovedJoint<'_>],
        is_given: impl Fn(usize) -> bool,
    ) {
        for own in moved {
            if own.joint.is_some_and(|joint| joint.values.clone().any(&is_given)) {
                let what = format!("gives {:?} a second time", short_text(&own.name));
                self.tree_reader().add_fault(message, label, what, "keep one");
            }
        }
    }

    /// Puts the values of joints with transforms among the others. Those that have faults are NaN.
    pub fn put_transforms(
        &mut self,
        message: &Node,
        label: &str,
        moved: &mut [MovedJoint<'_>],
        given: &mut Given,
    ) {
        let Some(transforms) = self.read_whole_list(message, label, "transforms") else { return };
        if transforms.len() != moved.len() {
            let what = format!(
                "has {} for {}",
                counted_things(transforms.len(), "transform"),
                counted_things(moved.len(), "joint")
            );
            self.tree_reader().add_fault(message, label, what, "give one for each of joint_names");
            return;
        }
        for (own, transform) in moved.iter_mut().zip(transforms) {
            let Some(joint) = own.joint else {
                self.refuse_unknown(own, transform, label);
                continue;
            };
            let read = read_parts(transform).and_then(|(xyz, quat)| joint.read_values(xyz, quat));
            if let Err(what) = &read {
                let label = format!("{label}, {:?}", short_text(&own.name));
                self.tree_reader().add_fault(transform, &label, what, "correct the transform");
            }
            let values = read.unwrap_or_else(|_| vec![f64::NAN; joint.values.len()]);
            given.iter_mut().skip(joint.values.start).zip(values).for_each(|(slot, v)| *slot = Some(v));
        }
    }

    /// Refuses a transform of no joint, once, unless it moves nothing.
    fn refuse_unknown(&mut self, own: &mut MovedJoint<'_>, transform: &Node, label: &str) {
        let stays = read_parts(transform)
            .is_ok_and(|(xyz, [_, x, y, z])| [xyz, [x, y, z]].iter().all(|part| *part == [0.0; 3]));
        if stays || std::mem::replace(&mut own.is_faulty, true) {
            return;
        }
        let shown = short_text(&own.name);
        let known = self.values.joints.free.iter().map(|joint| joint.name.as_str());
        let meant = self.log.did_you_mean(&own.name, known);
        let (what, help) = if meant.is_empty() {
            let what = format!("{shown:?}, which is no joint of this model, moves the robot");
            let help = "if it is a virtual joint of MoveIt, place the robot in a world file ([[robot]] xyz, \
                        rpy), and take this transform out";
            (what, help.to_string())
        } else {
            (format!("{shown:?} is not a joint of this model"), meant)
        };
        self.tree_reader().add_fault(transform, label, what, help);
    }

    /// Warns of velocities and accelerations beside the transforms of points, which are not used.
    pub fn warn_unused_twists(&mut self, points: &[Node], label: &str) {
        let moves = |point: &&Node| {
            ["velocities", "accelerations"].iter().any(|key| point.get(key).is_some_and(has_numbers))
        };
        if let Some(point) = points.iter().find(moves) {
            let what = "gives velocities or accelerations of joints with several values, which are not used";
            let help = match self.transforms {
                TransformWays::Straight => "they go straight from point to point and turn by the shorter arc",
                TransformWays::Cubic => "they go by cubics through their points and turn by the shorter arc",
            };
            self.tree_reader().add_warning(point, label, what, help);
        }
    }
}

impl Messages<'_, '_> {
    /// Whether joints of a trajectory go by cubics.
    pub fn goes_by_cubics(&self, moved: &[MovedJoint<'_>]) -> bool {
        self.transforms == TransformWays::Cubic && !moved.is_empty()
    }

    /// Gives the rows of a trajectory, from `first` on, the velocities and accelerations with which joints
    /// with transforms go by cubics from rest to rest. Others keep theirs, or go straight.
    pub fn make_cubic(&mut self, (trajectory, label): (&Node, &str), first: usize, moved: &[MovedJoint<'_>]) {
        let times: Option<Vec<f64>> = self.times.iter().skip(first).copied().collect();
        // Times that are missing or do not grow are faults.
        let Some(times) = times.filter(|times| times.windows(2).all(|t| t[0] < t[1])) else { return };
        let count = self.values.joints.names.len();
        for own in self.rates.iter_mut().skip(first) {
            own.velocities.resize(count, f64::NAN);
        }
        for joint in moved.iter().filter_map(|own| own.joint) {
            let rows = || self.motion.rows.iter().skip(first);
            let turns = rows()
                .zip(rows().skip(1))
                .map(|(from, to)| joint.find_turn(&from[joint.values.clone()], &to[joint.values.clone()]));
            // All its turns in a row, as one angle.
            let angles: Vec<f64> = std::iter::once(0.0)
                .chain(turns)
                .scan(0.0, |angle, turn| {
                    *angle += turn;
                    Some(*angle)
                })
                .collect();
            let bulge = knots::find_bulge(&times, &angles, &knots::find_velocities(&times, &angles));
            for value in joint.place_values() {
                let places: Vec<f64> = rows().map(|row| row[value]).collect();
                let velocities = knots::find_velocities(&times, &places);
                let accelerations = knots::find_accelerations(&times, &places, &velocities);
                let found = velocities.into_iter().zip(accelerations);
                for (own, (velocity, acceleration)) in self.rates.iter_mut().skip(first).zip(found) {
                    if let Some(rate) = own.velocities.get_mut(value) {
                        *rate = velocity;
                    }
                    if let Some(rate) = own.accelerations.get_mut(value) {
                        *rate = acceleration;
                    }
                }
            }
            if bulge > limits::TURN_BULGE {
                let turn = joint.place_values().end;
                let name = self.values.joints.names.get(turn).map_or("", String::as_str);
                let bulge = Numeral::computed(bulge);
                let what = format!(
                    "{:?} turns at constant speed from point to point; if its turns go by a cubic too, they \
                     are up to {bulge} rad from that",
                    short_text(&joint.name)
                );
                let help = format!("to prove both, give --tolerance {name}={bulge}");
                self.tree_reader().add_warning(trajectory, label, what, help);
            }
        }
    }
}

/// Position and quaternion (w, x, y, z) of a transform; either may be missing. Otherwise what is wrong.
fn read_parts(transform: &Node) -> Result<([f64; 3], [f64; 4]), String> {
    let xyz = transform.get("translation").map_or(Some([0.0; 3]), |node| read_vector(node, ["x", "y", "z"]));
    let quat = transform
        .get("rotation")
        .map_or(Some([0.0, 0.0, 0.0, 1.0]), |node| read_vector(node, ["x", "y", "z", "w"]));
    match (xyz, quat) {
        _ if transform.as_map().is_none() => Err("is no transform with translation and rotation".into()),
        (None, _) => Err("has a translation that is not three finite numbers x, y, z".into()),
        (_, None) => Err("has a rotation that is not four finite numbers x, y, z, w".into()),
        (Some(xyz), Some([x, y, z, w])) => Ok((xyz, [w, x, y, z])),
    }
}

/// Whether it has a number that is not zero.
fn has_numbers(node: &Node) -> bool {
    match &node.value {
        Value::List(items) => items.iter().any(has_numbers),
        Value::Map(entries) => entries.iter().any(|(_, value)| has_numbers(value)),
        Value::Null | Value::Bool(_) => false,
        Value::Number(_) | Value::Text(_) | Value::Plain(_) => node.as_number() != Some(0.0),
    }
}
