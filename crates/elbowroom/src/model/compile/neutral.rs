//! Where bodies are at the neutral configuration, before there are poses.

use crate::bounds::AlignedBox;
use crate::bounds::radius::capsule_radius;
use crate::model::id::ShapeId;
use crate::model::world::World;
use crate::numeric::math::Transform;
use crate::numeric::pose_error::PoseError;
use crate::pair::shape_pair::ShapePair;
use crate::shape::solid::Shape;
use alloc::vec::Vec;
/// Frames in the cell, and what they may be off by, by body.
pub(super) struct Neutral {
    pub at: Vec<Transform>,
    pub errors: Vec<PoseError>,
}

impl Neutral {
    /// Of a world whose bodies have their start and their steps.
    pub fn new(world: &World) -> Neutral {
        let values = world.neutral_values();
        let (mut at, mut errors) = (world.start_in_cell.clone(), world.errors.clone());
        for step in &world.steps {
            let (parent, child) = (step.parent.index(), step.child.index());
            at[child] = step.place(&at[parent], &values);
            errors[child] = step.error(errors[parent], |i| values[i].abs());
        }
        Neutral { at, errors }
    }

    /// Two shapes where they are.
    pub fn shape_pair<'w>(
        &self,
        world: &'w World,
        ids: [ShapeId; 2],
        shapes: [&'w Shape; 2],
    ) -> ShapePair<'w> {
        let [a, b] = ids.map(|id| &world.shapes[id.index()]);
        let placed = [a, b].map(|s| s.in_cell(self.at[s.body.index()], self.errors[s.body.index()]));
        ShapePair::new(shapes, placed, b.size, world.origin_in_world)
    }

    /// A box around the body of a capsule.
    pub fn box_around(&self, world: &World, capsule: u32) -> AlignedBox {
        let of_body = &world.capsules[capsule as usize];
        let (at, error) = (&self.at[of_body.body.index()], &self.errors[of_body.body.index()]);
        let radius = capsule_radius(&of_body.capsule, error);
        of_body.box_around(at, &of_body.record.placed(at, radius))
    }
}
