//! How a world moves: joints, their values and limits, and the steps that carry one body by another.

use crate::model::describe::JointKind;
use crate::model::id::{BodyId, StepId};
use crate::model::step::{Parent, Step};
use crate::numeric::math::{Transform, Vec3};
use crate::numeric::padded::PaddedTransform;
use crate::numeric::pose_error::PoseError;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

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
    /// What a mimic joint follows; `None` for every other joint.
    pub follows: Option<Follows>,
}

/// The rule of a mimic joint, chains of mimics followed to their source: its value is `scale * value +
/// offset` (radians or metres).
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

/// Limits of a joint value: `lower <= scale * value + offset <= upper` (radians or metres). Scale 1 and
/// offset 0, unless a mimic's own limits bound the value that it follows.
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

/// What values are, for checks before they are used.
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
    pub value_names: Vec<String>,
    pub value_kinds: Vec<ValueKind>,
    pub limits: Vec<ValueLimits>,
    /// Parents before children.
    pub steps: Vec<Step>,
    /// What each step hangs on.
    pub parents: Vec<Parent>,
    /// What steps hang on that never moves, in the cell frame.
    pub roots: Vec<PaddedTransform>,
    /// By body, the step that moves it.
    pub step_of: Vec<Option<StepId>>,
    /// Poses of the bodies that never move, in the cell frame; the others start at the identity.
    pub start_in_cell: Vec<Transform>,
    /// Worst error of each body's pose while all values are within limits, or of fixed bodies only if not
    /// `bounded`.
    pub errors: Vec<PoseError>,
    /// True if limits bound every number that errors depend on.
    pub bounded: bool,
    /// Moving bodies with shapes, in the order of the steps.
    pub moving: Vec<BodyId>,
    pub origin_in_world: Vec3,
}

impl Kinematics {
    /// The step that moves a body.
    #[inline]
    pub fn step_of(&self, body: BodyId) -> Option<&Step> {
        self.step_of[body.index()].map(|step| &self.steps[step.index()])
    }
}
