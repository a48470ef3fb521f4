//! Joints of several values, planar and floating, whose poses messages give as transforms.

use crate::limits::PLANE_DEFECT;
use elbowroom::World;
use elbowroom::describe::JointKind;
use elbowroom::fault::Numeral;
use elbowroom::math::Vec3;
use elbowroom::tolerance::QUATERNION_DEFECT;
use elbowroom::world::{BodyId, Joint};
use std::ops::Range;

/// A joint with several values. A transform of it has the frame of the link that it moves, in the frame that
/// this link has where all its values are neutral.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeJoint {
    /// Its full name: `robot/joint`.
    pub name: String,
    /// The places of its values: x, y (metres) and an angle, or x, y, z (metres) and a quaternion w, x, y, z.
    pub values: Range<usize>,
    /// How a planar joint moves ([`Joint::plane`](elbowroom::world::Joint::plane)); `None` if it floats.
    pub plane: Option<[Vec3; 3]>,
    /// The links whose frames a message may say that its transforms are in: the root of its robot, which is
    /// what MoveIt writes, and the link that it hangs on.
    pub frames: [String; 2],
}

/// The joints of a world that have several values, for [`Joints::free`](super::Joints::free).
pub fn free_joints(world: &World) -> Vec<FreeJoint> {
    let is_free = |joint: &&Joint| matches!(joint.kind, JointKind::Planar | JointKind::Floating);
    let with_values = world.joints().iter().filter(is_free).filter(|joint| !joint.values.is_empty());
    let link_name = |link: BodyId| world.bodies()[link.index()].name.to_string();
    let free = with_values.map(|joint| FreeJoint {
        name: joint.name.clone(),
        values: joint.values.clone(),
        plane: joint.plane,
        frames: [root_of(world, joint.parent), joint.parent].map(link_name),
    });
    free.collect()
}

/// The link that no joint moves, up the chain from this one.
fn root_of(world: &World, mut link: BodyId) -> BodyId {
    // A chain has no more joints than the world.
    for _ in world.joints() {
        let Some(joint) = world.joints().iter().find(|joint| joint.child == link) else { break };
        link = joint.parent;
    }
    link
}

impl FreeJoint {
    /// Whether a message may say that its transforms are in this frame; links are named with their robot or
    /// without, and by old ROS with a slash before.
    pub(super) fn is_frame(&self, frame: &str) -> bool {
        let frame = frame.strip_prefix('/').unwrap_or(frame);
        let is_link =
            |link: &String| link == frame || link.split_once('/').is_some_and(|(_, own)| own == frame);
        frame.is_empty() || self.frames.iter().any(is_link)
    }

    /// Its values at a transform, from its position and quaternion (w, x, y, z). Otherwise what is wrong.
    pub(super) fn read_values(&self, xyz: [f64; 3], quat: [f64; 4]) -> Result<Vec<f64>, String> {
        let length = quat.iter().map(|q| q * q).sum::<f64>().sqrt();
        if !((length - 1.0).abs() <= QUATERNION_DEFECT) {
            let length = Numeral::computed(length);
            return Err(format!("turns by a quaternion of length {length}, which must have length 1"));
        }
        let Some([u, v, axis]) = self.plane else { return Ok([&xyz[..], &quat].concat()) };
        let [w, x, y, z] = quat.map(|q| q / length);
        let (place, turn) = (Vec3::from(xyz), Vec3 { x, y, z });
        let along = axis.dot(turn);
        let away = axis.dot(place).abs();
        // The axis of the plane is turned by twice the angle whose sine this is.
        let tilt = 2.0 * (turn - axis * along).norm().min(1.0).asin();
        match [(away, "m"), (tilt, "rad")].iter().find(|(far, _)| *far > PLANE_DEFECT) {
            Some((far, unit)) => Err(format!("leaves its plane by {} {unit}", Numeral::computed(*far))),
            // Two quaternions of opposite sign are the same rotation: the angle is at most half a turn.
            None => Ok(vec![u.dot(place), v.dot(place), 2.0 * (along * w.signum()).atan2(w.abs())]),
        }
    }

    /// The places of those of its values that are lengths.
    pub(super) fn place_values(&self) -> Range<usize> {
        let count = if self.plane.is_some() { 2 } else { 3 };
        self.values.start..self.values.start + count
    }

    /// How far it goes between two rows of its values: the longer one of its way and its turn (metres,
    /// radians).
    pub(super) fn find_change(&self, from: &[f64], to: &[f64]) -> f64 {
        let differences = from.iter().zip(to).map(|(from, to)| to - from);
        let way = differences.take(self.place_values().len()).map(|d| d * d).sum::<f64>().sqrt();
        way.max(self.find_turn(from, to))
    }

    /// The angle by which it turns between two rows of its values, along the shorter arc (radians).
    pub(super) fn find_turn(&self, from: &[f64], to: &[f64]) -> f64 {
        if self.plane.is_none() {
            return turn_between(&from[3..], &to[3..]);
        }
        let turn = 2.0 * (0.5 * (to[2] - from[2])).rem_euclid(std::f64::consts::PI);
        turn.min(std::f64::consts::TAU - turn)
    }
}

/// The angle from one orientation to another.
fn turn_between(from: &[f64], to: &[f64]) -> f64 {
    let cosine: f64 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    2.0 * cosine.abs().min(1.0).acos()
}
