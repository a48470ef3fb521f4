//! A change of bodies of the world, and when it is made.

use elbowroom::Checker;
use elbowroom::describe::JointKind;
use elbowroom::math::Transform;
use elbowroom::pose::{ChangeFault, SetOptions, SpareShape};
use elbowroom::world::BodyId;
use std::sync::Arc;

/// A change of bodies of the world.
#[derive(Clone, Debug)]
pub enum ResolvedChange {
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

impl ResolvedChange {
    /// The body that changes; `None` for a change of a pair.
    pub fn changed_body(&self) -> Option<BodyId> {
        match self {
            ResolvedChange::Place(body, _) | ResolvedChange::Attach(body, ..) => Some(*body),
            ResolvedChange::Open(body, ..) | ResolvedChange::Close(body, _) => Some(*body),
            ResolvedChange::Fill(body, ..) | ResolvedChange::Empty(body) => Some(*body),
            ResolvedChange::Detach(body)
            | ResolvedChange::Hide(body)
            | ResolvedChange::Show(body)
            | ResolvedChange::See(body, _) => Some(*body),
            ResolvedChange::Allow(..) | ResolvedChange::Forbid(_) => None,
        }
    }

    fn apply_change(&self, checker: &mut Checker) -> Result<(), ChangeFault> {
        match self {
            ResolvedChange::Place(body, pose) => checker.place(*body, pose),
            ResolvedChange::Attach(body, carrier, touch) => checker.attach(*body, *carrier, touch),
            ResolvedChange::Open(body, value, _) | ResolvedChange::Close(body, value) => {
                checker.set_door(*body, *value)
            }
            ResolvedChange::Detach(body) => checker.detach(*body),
            ResolvedChange::Hide(body) => checker.hide(*body),
            ResolvedChange::Show(body) => checker.show(*body),
            ResolvedChange::Fill(body, _, shape) => checker.insert_obstacle(*body, shape),
            ResolvedChange::Empty(body) => checker.remove_obstacle(*body),
            ResolvedChange::Allow([a, b], _) => checker.allow_contact(*a, *b),
            ResolvedChange::Forbid([a, b]) => checker.check_again(*a, *b),
            ResolvedChange::See(cloud, points) => checker.update_cloud(*cloud, points),
        }
    }
}

/// A change, and the first sample that is asked with it.
#[derive(Clone, Debug)]
pub struct TimedChange {
    /// What changes.
    pub what: ResolvedChange,
    /// The sample's number. A change behind the last sample has the number of samples here: nothing is asked
    /// with it.
    pub sample: usize,
}

impl TimedChange {
    /// Makes the change at the pose of the sample before; ahead of the first sample, at the pose of the
    /// first.
    pub fn make_change(
        &self,
        checker: &mut Checker,
        rows: &[Vec<f64>],
        set: SetOptions,
    ) -> Result<(), ChangeFault> {
        if let Some(row) = rows.get(self.sample.saturating_sub(1)) {
            // A row that is refused here is told of with the motion's other faults.
            let _ = checker.set_with(row, set);
        }
        self.what.apply_change(checker)
    }
}
