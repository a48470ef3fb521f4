//! Where a movable body is: its frame, its capsule there, and its box in the tree over the movable bodies.

use super::frames::Pose;
use crate::bounds::lanes::CapsuleRecord;
use crate::bounds::posed_box::{PosedBounds, posed_bounds};
use crate::model::body_bounds::BodyCapsule;
use crate::numeric::padded::PaddedTransform;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use elbowroom_pair::numeric::wide::Box32;

impl Pose<'_> {
    /// Gives a movable body its frame in the cell. `at` is that frame, and `origin` (metres) is subtracted
    /// from its position.
    #[inline]
    pub(super) fn set_frame(&mut self, movable: u32, at: &Transform, origin: &Vec3, error: PoseError) {
        let world = self.world;
        let frame = world.kinematics.steps.len() + movable as usize;
        self.errors[frame] = error;
        let capsule = world.movables.capsules[movable as usize].index();
        let spare = self.spare_bounds(movable).copied();
        let of_body = spare.as_ref().unwrap_or(&world.bounds.capsules[capsule]);
        let is_empty = self.is_empty(movable);
        let boxes = self.movable_boxes.as_deref_mut();
        let tree_origin = boxes.as_ref().map_or(&Vec3::ZERO, |boxes| boxes.origin());
        let (frame, record) = (&mut self.frames[frame], &mut self.records[capsule]);
        let around = dispatch_kernel(Put {
            of_body,
            at,
            origins: [origin, tree_origin],
            error: &error,
            frame,
            record,
        });
        if let Some(boxes) = boxes {
            let meets = !self.placements.as_ref().is_some_and(|p| p.is_hidden(movable))
                && !is_empty
                && world.movables.cloud_number(movable).is_none();
            boxes.set_box(movable, if meets { around } else { Box32::EMPTY });
        }
    }

    /// Bounds a movable body anew in the frame that it has, after it was hidden or shown, or got another
    /// shape.
    pub(super) fn put_again(&mut self, movable: u32) {
        let frame = self.world.kinematics.steps.len() + movable as usize;
        let (at, error) = (self.frames[frame].as_transform(), self.errors[frame]);
        self.set_frame(movable, &at, &Vec3::ZERO, error);
    }
}

/// Bounds a movable body at a pose.
struct Put<'a> {
    of_body: &'a BodyCapsule,
    at: &'a Transform,
    origins: [&'a Vec3; 2],
    error: &'a PoseError,
    frame: &'a mut PaddedTransform,
    record: &'a mut CapsuleRecord,
}

impl Kernel for Put<'_> {
    /// The box around the body.
    type Output = Box32;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Box32 {
        let Put { of_body, at, origins, error, frame, record: posed } = self;
        let BodyCapsule { capsule, record, body_box, .. } = of_body;
        let around = PosedBounds { record, body_box, radius: capsule.radius };
        let box_around;
        (*frame, *posed, box_around) = posed_bounds(l, around, at, origins, of_body.radius_with(error));
        box_around
    }
}
