//! A change of bodies of the world, and when it is made.

use elbowroom::Checker;
use elbowroom::describe::JointKind;
use elbowroom::math::Transform;
use elbowroom::pose::{ChangeFault, SetOptions, SpareShape};
use elbowroom::world::BodyId;
use std::sync::Arc;

/// A change of bodies of the world.
#[derive(Clone, Debug)]
pub enum What {
    /// A body is put somewhere.
    Place(BodyId, Transform),
    /// Another body carries a body.
    Attach(BodyId, BodyId, Vec<BodyId>),
    /// A body is moved along its joint on what carries it, to a value (radians or metres, by its kind).
    Open(BodyId, f64, JointKind),
    /// It is moved back to where that joint began.
    Close(BodyId, f64),
    /// A body is let go.
    Detach(BodyId),
    /// A body is taken out of the cell.
    Hide(BodyId),
    /// A hidden body is put back.
    Show(BodyId),
    /// A spare place gets a shape, which is of this type.
    Fill(BodyId, &'static str, SpareShape),
    /// A spare place is empty again.
    Empty(BodyId),
    /// A pair is not checked, for a reason if one is given.
    Allow([BodyId; 2], Option<String>),
    /// An allowed pair is checked again.
    Forbid([BodyId; 2]),
    /// A cloud has these points (metres, world frame).
    See(BodyId, Arc<Vec<[f64; 3]>>),
}

impl What {
    /// The body that changes; `None` for a change of a pair.
    pub fn body(&self) -> Option<BodyId> {
        match self {
            What::Place(body, _) | What::Attach(body, ..) => Some(*body),
            What::Open(body, ..) | What::Close(body, _) => Some(*body),
            What::Fill(body, ..) | What::Empty(body) => Some(*body),
            What::Detach(body) | What::Hide(body) | What::Show(body) | What::See(body, _) => Some(*body),
            What::Allow(..) | What::Forbid(_) => None,
        }
    }

    fn apply(&self, checker: &mut Checker) -> Result<(), ChangeFault> {
        match self {
            What::Place(body, pose) => checker.place(*body, pose),
            What::Attach(body, carrier, touch) => checker.attach(*body, *carrier, touch),
            What::Open(body, value, _) | What::Close(body, value) => checker.set_door(*body, *value),
            What::Detach(body) => checker.detach(*body),
            What::Hide(body) => checker.hide(*body),
            What::Show(body) => checker.show(*body),
            What::Fill(body, _, shape) => checker.insert_obstacle(*body, shape),
            What::Empty(body) => checker.remove_obstacle(*body),
            What::Allow([a, b], _) => checker.allow_contact(*a, *b),
            What::Forbid([a, b]) => checker.check_again(*a, *b),
            What::See(cloud, points) => checker.update_cloud(*cloud, points),
        }
    }
}

/// A change, and the first sample that is asked with it.
#[derive(Clone, Debug)]
pub struct Timed {
    /// What changes.
    pub what: What,
    /// The sample's number. A change behind the last sample has the number of samples here: nothing is asked
    /// with it.
    pub sample: usize,
}

impl Timed {
    /// Makes the change at the pose of the sample before; ahead of the first sample, at the pose of the
    /// first.
    pub fn make(&self, checker: &mut Checker, rows: &[Vec<f64>], set: SetOptions) -> Result<(), ChangeFault> {
        if let Some(row) = rows.get(self.sample.saturating_sub(1)) {
            // A row that is refused here is told of with the motion's other faults.
            let _ = checker.set_with(row, set);
        }
        self.what.apply(checker)
    }
}
