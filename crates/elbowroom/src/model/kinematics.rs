//! How the bodies of a world move: joints, their values and limits, and the steps from parent to child.

use crate::model::id::BodyId;
use crate::model::places::BodyPlace;
use crate::model::step::{KinematicStep, Parent};
use crate::numeric::padded::PaddedTransform;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use elbowroom_describe::JointKind;
use elbowroom_describe::math::{Transform, Vec3};

/// A joint, as described, for people and messages.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Full name: `robot/joint`.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// The link it hangs on.
    pub parent: BodyId,
    /// The link it moves.
    pub child: BodyId,
    /// Its values in the flat vector; empty for fixed and mimic joints.
    pub values: Range<usize>,
    /// How a planar joint moves: along the first two of these unit vectors by its x and y, about the third by
    /// its angle, in the joint's frame. `None` for every other joint.
    pub plane: Option<[Vec3; 3]>,
    /// What a mimic joint follows; `None` for every other joint.
    pub follows: Option<Follows>,
}

/// The rule of a mimic joint: its value is `scale * value + offset` (radians or metres). A chain of mimics is
/// followed to the joint that has a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follows {
    /// Index into the flat vector.
    pub value: usize,
    /// Factor.
    pub scale: f64,
    /// Offset.
    pub offset: f64,
}

/// A robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Robot {
    /// Name within the world.
    pub name: String,
    /// Its links: a range of body numbers.
    pub links: Range<u32>,
    /// Its joint values in the flat vector.
    pub values: Range<usize>,
    /// Its base in the world.
    pub base_in_world: Transform,
}

/// Limits of a joint value: `lower <= scale * value + offset <= upper` (radians or metres). Scale is 1 and
/// offset 0, except where the limits are a mimic's own and bound the value that it follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueLimits {
    /// Index into the flat vector.
    pub value: usize,
    /// Index of the joint whose limits these are.
    pub joint: usize,
    /// Factor.
    pub scale: f64,
    /// Offset.
    pub offset: f64,
    /// Smallest allowed.
    pub lower: f64,
    /// Largest allowed.
    pub upper: f64,
}

/// What a joint value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// An angle.
    Angle,
    /// A length.
    Length,
    /// First of the four numbers of a quaternion.
    Quaternion,
    /// One of the other three.
    QuaternionRest,
}

/// Joints, values, limits and steps.
#[derive(Clone, Debug)]
pub(crate) struct Kinematics {
    pub robots: Vec<Robot>,
    pub joints: Vec<Joint>,
    pub dof_names: Vec<String>,
    pub value_kinds: Vec<ValueKind>,
    pub limits: Vec<ValueLimits>,
    /// Parents before children.
    pub steps: Vec<KinematicStep>,
    /// What each step hangs on.
    pub parents: Vec<Parent>,
    /// Frames that never move and that steps hang on, in the cell frame.
    pub roots: Vec<PaddedTransform>,
    /// Where each body starts, and what moves it. Where not `bounded`, the errors of moving bodies mean
    /// nothing.
    pub places: BodyPlace,
    /// True if limits bound every number that errors depend on.
    pub bounded: bool,
    /// Moving bodies with shapes, in the order of the steps.
    pub moving: Vec<BodyId>,
    /// Origin of the cell frame.
    pub origin_in_world: Vec3,
}

impl Kinematics {
    /// The step by which joints move a body, or carry it for ever.
    #[inline]
    pub fn step_of(&self, body: BodyId) -> Option<&KinematicStep> {
        self.places.moving_step(body).and_then(|step| self.steps.get(step.index()))
    }
}
