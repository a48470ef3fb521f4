//! Bounds around the bodies of a world: capsules and boxes that move with them, and the tree over the shapes
//! that never move.

use crate::bounds::hierarchy::Tree;
use crate::bounds::lanes::{CapsuleId, CapsuleRecord};
use crate::bounds::{AlignedBox, BodyBox, Capsule};
use crate::model::fixed::FixedShapes;
use crate::model::id::{BodyId, StepId};
use alloc::vec::Vec;
use elbowroom_describe::math::Transform;
use elbowroom_pair::numeric::pose_error::PoseError;

/// A capsule around a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyCapsule {
    pub body: BodyId,
    /// The step that moves the body.
    pub step: Option<StepId>,
    /// In the body's frame.
    pub capsule: Capsule,
    /// How far its points are from the origin of the body's frame, at most (metres).
    pub arm: f64,
    /// `capsule`, prepared for bounds in lanes.
    pub record: CapsuleRecord,
    /// A box around the body; it is smaller than the capsule where the body is not long.
    pub body_box: BodyBox,
}

impl BodyCapsule {
    /// The radius of the capsule's record where the body's pose has this error.
    #[inline]
    pub fn radius_with(&self, error: &PoseError) -> f64 {
        let slack = error.of_point(self.arm);
        CapsuleRecord::posed_radius(self.capsule.radius, self.arm, error.distance, slack)
    }

    /// A box around the body, in the cell frame; `record` is the capsule at the body's pose.
    #[inline]
    pub fn box_around(&self, body_in_cell: &Transform, record: &CapsuleRecord) -> AlignedBox {
        // How far rounding may have moved the body's points.
        let slack = record.radius() - self.capsule.radius;
        let (own, round) = (self.body_box.aligned_box_at(body_in_cell, slack), record.bounding_box());
        AlignedBox { low: own.low.max(round.low), high: own.high.min(round.high) }
    }
}

/// The bounds of bodies that queries prune with.
#[derive(Clone, Debug)]
pub(crate) struct BodyBounds {
    /// Capsules around bodies, in their frames: the moving bodies in their order, then the movable ones, then
    /// the fixed bodies of listed pairs.
    pub capsules: Vec<BodyCapsule>,
    /// Their radii in the cell frame, which hold at every pose within limits.
    pub radii: Vec<f64>,
    /// The capsules of each listed pair.
    pub listed: Vec<[CapsuleId; 2]>,
    /// The shapes of the fixed bodies of the crowds, or of all where bodies are movable.
    pub fixed: FixedShapes,
    /// The capsule of each crowd's body.
    pub crowds: Vec<CapsuleId>,
    /// A tree of the crowds' moving bodies: those near each other at the neutral pose are joined first.
    pub crowd_tree: Tree,
}
