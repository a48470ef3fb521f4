//! What a motion is, and the joints that it may name.

use super::event::Event;
use super::free_joints::FreeJoint;
use super::ways::MotionWays;
use elbowroom::World;
use elbowroom::describe::JointKind;
use elbowroom::world::Follows;

/// Poses of a model, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// One row a pose: values in the model's order (radians, metres; quaternions as in the model).
    pub rows: Vec<Vec<f64>>,
    /// Time of each row (seconds), if the file has it.
    pub t: Option<Vec<f64>>,
    /// When it is to begin by the clock of its trajectory's header, whose times count from there (seconds).
    pub stamp: Option<f64>,
    /// Line of each row in its file, from 1; empty where the file has no lines.
    pub lines: Vec<u64>,
    /// How it goes from each row to the next.
    pub ways: MotionWays,
    /// How far an execution may be from it, by value ([`SplinePiece::with_tolerance`]); empty where the file
    /// does not say.
    ///
    /// [`SplinePiece::with_tolerance`]: elbowroom::motion::SplinePiece::with_tolerance
    pub tolerance: Vec<f64>,
    /// Events between samples, in order. Only JSON lines have them.
    pub events: Vec<Event>,
}

/// The joints that a motion may name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Joints<'a> {
    /// The names of the values: `robot/joint`, or `robot/joint/x` for one of several values of a joint.
    pub names: &'a [String],
    /// Mimic joints, whose values follow from those.
    pub mimics: &'a [(String, Follows)],
    /// The values of joints that turn without end, by place.
    pub turning: &'a [usize],
    /// The joints of several values, for messages that give these as transforms ([`super::free_joints()`]).
    pub free: &'a [FreeJoint],
    /// The names of values that are in the world and may not be named: those of other robots. Faults tell
    /// of them.
    pub elsewhere: &'a [String],
}

/// The mimic joints of a world, for [`Joints::mimics`].
pub fn mimic_rules(world: &World) -> Vec<(String, Follows)> {
    world.joints().iter().filter_map(|joint| Some((joint.name.clone(), joint.follows?))).collect()
}

/// The values of a world that belong to joints which turn without end, for [`Joints::turning`].
pub fn turning_values(world: &World) -> Vec<usize> {
    let turning = world.joints().iter().filter(|joint| joint.kind == JointKind::Continuous);
    turning.flat_map(|joint| joint.values.clone()).collect()
}
