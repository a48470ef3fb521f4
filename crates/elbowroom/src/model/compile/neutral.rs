//! Frames of all bodies at the neutral configuration. The compiler needs them, and has no pose yet.

use crate::bounds::AlignedBox;
use crate::model::body_bounds::BodyCapsule;
use crate::model::id::BodyId;
use crate::model::kinematics::Kinematics;
use crate::model::solids::BodyShape;
use crate::numeric::math::{Transform, Vec3};
use crate::numeric::pose_error::PoseError;
use crate::pair::shape_pair::ShapePair;
use crate::shape::solid::Shape;
use alloc::vec::Vec;

/// By body, its frame in the cell and the error of that.
pub(super) struct Neutral {
    pub at: Vec<Transform>,
    pub errors: Vec<PoseError>,
}

impl Neutral {
    /// From complete kinematics.
    pub fn new(kinematics: &Kinematics) -> Neutral {
        let values = kinematics.neutral_values();
        let bodies = || (0..kinematics.places.len() as u32).map(BodyId);
        let mut at: Vec<Transform> = bodies().map(|body| kinematics.places.start(body)).collect();
        let mut errors: Vec<PoseError> = bodies().map(|body| kinematics.places.error(body)).collect();
        for step in &kinematics.steps {
            let (parent, child) = (step.parent.index(), step.child.index());
            at[child] = step.child_frame(&at[parent], &values);
            errors[child] = step.error(errors[parent], |i| values[i].abs());
        }
        Neutral { at, errors }
    }

    /// Two shapes at their poses; points are in the cell frame.
    pub fn shape_pair<'w>(&self, [a, b]: [&BodyShape; 2], shapes: [&'w Shape; 2]) -> ShapePair<'w> {
        let placed = [a, b].map(|s| s.in_cell(self.at[s.body.index()], self.errors[s.body.index()]));
        ShapePair::new(shapes, placed, b.size, Vec3::ZERO)
    }

    /// A box around the body of a capsule.
    pub fn box_around(&self, of_body: &BodyCapsule) -> AlignedBox {
        let (at, error) = (&self.at[of_body.body.index()], &self.errors[of_body.body.index()]);
        let radius = of_body.radius_with(error);
        of_body.box_around(at, &of_body.record.posed(at, radius))
    }
}
