//! Frames of bodies at the neutral configuration. The compiler needs them, and has no pose yet.

use crate::bounds::AlignedBox;
use crate::model::body_bounds::BodyCapsule;
use crate::model::id::BodyId;
use crate::model::kinematics::Kinematics;
use crate::model::places::BodyPlace;
use crate::model::solids::BodyShape;
use alloc::vec::Vec;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::shape::solid::Shape;
use elbowroom_pair::shape_pair::ShapePair;

/// The frames of the bodies that steps move; the others are where they start.
pub(super) struct Neutral<'k> {
    places: &'k BodyPlace,
    /// By step, the frame of its child in the cell and the error of that.
    moved: Vec<(Transform, PoseError)>,
}

impl<'k> Neutral<'k> {
    /// From complete kinematics.
    pub fn new(kinematics: &'k Kinematics) -> Neutral<'k> {
        let values = kinematics.neutral_values();
        let moved = Vec::with_capacity(kinematics.steps.len());
        let mut neutral = Neutral { places: &kinematics.places, moved };
        // A parent's step comes before its child's.
        for step in &kinematics.steps {
            let (parent, error) = neutral.frame_with_error(step.parent);
            let error = step.child_pose_error(error, |i| values[i].abs());
            neutral.moved.push((step.child_frame(&parent, &values), error));
        }
        neutral
    }

    /// The frame of a body in the cell, and the error of that.
    fn frame_with_error(&self, body: BodyId) -> (Transform, PoseError) {
        match self.places.moving_step(body) {
            Some(step) => self.moved[step.index()],
            None => (self.places.fixed_pose(body), self.places.pose_error(body)),
        }
    }

    /// Two shapes at their poses; points are in the cell frame.
    pub fn shape_pair<'w>(&self, [a, b]: [&BodyShape; 2], shapes: [&'w Shape; 2]) -> ShapePair<'w> {
        let placed = [a, b].map(|s| {
            let (at, error) = self.frame_with_error(s.body);
            s.in_cell(at, error)
        });
        ShapePair::new(shapes, placed, b.size, Vec3::ZERO)
    }

    /// A box around the body of a capsule.
    pub fn box_around(&self, of_body: &BodyCapsule) -> AlignedBox {
        let (at, error) = self.frame_with_error(of_body.body);
        let radius = of_body.radius_with(&error);
        of_body.box_around(&at, &of_body.record.transform_by(&at, radius))
    }
}
