//! What is known before the first contact.

use crate::limits::{ENCODER_STEP, SLIDE_BOUND, SLIDE_STEP, TURN_BOUND};
use elbowroom::describe::JointKind;
use elbowroom::{Geometry, World};

/// What is known of joints and encoders before the first contact. All lists are by joint value, in the order
/// of [`World::dof_names`].
#[derive(Clone, Debug, PartialEq)]
pub struct CalibrateOptions {
    /// What the encoders resolve (radians, metres): a reading is off by up to half of it, evenly.
    pub steps: Vec<f64>,
    /// The largest offset that is believed (radians, metres), from the known one in [`Self::start`].
    pub bounds: Vec<f64>,
    /// Offsets that are known (radians, metres): where the search begins, and what those that are not free
    /// keep.
    pub start: Vec<f64>,
    /// Whose offsets are wanted.
    pub free: Vec<bool>,
    /// What meshes count as.
    pub geometry: Geometry,
}

impl CalibrateOptions {
    /// The defaults for a world: all joints that turn or slide are free, with encoders of 360/1024 degrees or
    /// a tenth of a millimetre, and offsets of up to five degrees or five millimetres. Values of planar and
    /// floating joints are not free.
    pub fn for_world(world: &World) -> CalibrateOptions {
        let n = world.dof_names().len();
        let mut options = CalibrateOptions {
            steps: vec![0.0; n],
            bounds: vec![0.0; n],
            start: vec![0.0; n],
            free: vec![false; n],
            geometry: Geometry::Mesh,
        };
        for joint in world.joints() {
            let (step, bound) = match joint.kind {
                JointKind::Revolute | JointKind::Continuous => (ENCODER_STEP, TURN_BOUND),
                JointKind::Prismatic => (SLIDE_STEP, SLIDE_BOUND),
                JointKind::Fixed | JointKind::Planar | JointKind::Floating => continue,
            };
            for value in joint.values.clone() {
                (options.steps[value], options.bounds[value], options.free[value]) = (step, bound, true);
            }
        }
        options
    }
}
