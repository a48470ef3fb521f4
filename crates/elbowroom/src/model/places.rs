//! Where each body starts, which step moves it, and how wrong its pose can be.
//!
//! Cells have many bodies and few orientations: bodies that are turned alike share their rotation, and the
//! error of a body that no step moves follows from where it is.

use crate::model::id::{BodyId, StepId};
use crate::numeric::layered::Layered;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use elbowroom_describe::math::{Mat3, Transform, Vec3};
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::rigid::rotation_defect;

/// The places of all bodies.
#[derive(Clone, Debug)]
pub(crate) struct BodyPlace {
    of_body: Layered<Place>,
    turns: Layered<Turn>,
    /// By step, the error of its child's pose.
    of_step: Vec<PoseError>,
}

/// The place of a body.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Where it starts in the cell frame (metres).
    translation: Vec3,
    /// Which of the rotations it has.
    turn: u32,
    /// The number of the step that moves it, or [`STILL`].
    step: u32,
}

/// No step.
const STILL: u32 = u32::MAX;

/// A rotation, and its defect.
#[derive(Clone, Copy, Debug)]
struct Turn {
    rotation: Mat3,
    defect: f64,
}

impl BodyPlace {
    /// From the poses of all bodies in the cell frame; no step moves any of them yet.
    pub fn new(start_in_cell: impl Iterator<Item = Transform>) -> BodyPlace {
        let mut numbers: BTreeMap<[[u64; 3]; 3], u32> = BTreeMap::new();
        let mut turns: Vec<Turn> = Vec::new();
        let mut known: Option<(Mat3, u32)> = None;
        let place = |pose: Transform| {
            // Most bodies are turned like the one before.
            let bits = |r: &Mat3| r.cols.map(|c| c.to_array().map(f64::to_bits));
            let turn = match known {
                Some((rotation, turn)) if bits(&rotation) == bits(&pose.rotation) => turn,
                _ => *numbers.entry(bits(&pose.rotation)).or_insert_with(|| {
                    let defect = rotation_defect(&pose.rotation).unwrap_or(0.0);
                    turns.push(Turn { rotation: pose.rotation, defect });
                    turns.len() as u32 - 1
                }),
            };
            known = Some((pose.rotation, turn));
            Place { translation: pose.translation, turn, step: STILL }
        };
        let of_body = start_in_cell.map(place).collect();
        turns.shrink_to_fit();
        BodyPlace { of_body, turns: turns.into(), of_step: Vec::new() }
    }

    /// These places where step `k` moves the `k`-th of `children`, whose pose has the `k`-th error of
    /// `of_step`.
    pub fn moved_by(mut self, children: impl Iterator<Item = BodyId>, of_step: Vec<PoseError>) -> BodyPlace {
        let of_body = self.of_body.base_mut();
        for (step, child) in (0..).zip(children) {
            of_body[child.index()].step = step;
        }
        BodyPlace { of_step, ..self }
    }

    /// Adds a body that never moves, at a pose in the cell frame.
    pub fn add(&mut self, start_in_cell: &Transform) {
        let turn = self.turns.len() as u32;
        let defect = rotation_defect(&start_in_cell.rotation).unwrap_or(0.0);
        self.turns.push(Turn { rotation: start_in_cell.rotation, defect });
        self.of_body.push(Place { translation: start_in_cell.translation, turn, step: STILL });
    }

    /// These places with each of their lists in one layer ([`Layered::fold_into_base`]).
    pub fn fold_layers(self) -> BodyPlace {
        BodyPlace { of_body: self.of_body.fold_into_base(), turns: self.turns.fold_into_base(), ..self }
    }

    /// The step that moves a body. The numbers of movable bodies follow those of the steps.
    #[inline]
    pub fn moving_step(&self, body: BodyId) -> Option<StepId> {
        let step = self.of_body[body.index()].step;
        (step != STILL).then_some(StepId(step))
    }

    /// The pose of a body in the cell frame; it means nothing for a body that a step moves.
    #[inline]
    pub fn fixed_pose(&self, body: BodyId) -> Transform {
        let place = &self.of_body[body.index()];
        Transform::new(self.turns[place.turn as usize].rotation, place.translation)
    }

    /// The error of a body's pose. If a step moves the body, it is the largest one while all values are
    /// within limits. If limits do not bound it, it means nothing.
    #[inline]
    pub fn pose_error(&self, body: BodyId) -> PoseError {
        let place = &self.of_body[body.index()];
        if place.step != STILL {
            return self.of_step[place.step as usize];
        }
        PoseError::of_placement(place.translation.norm(), self.turns[place.turn as usize].defect)
    }
}
