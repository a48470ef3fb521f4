//! Joint values to frames.

pub(crate) mod frames;
mod group_motion;
pub(crate) mod kinematics;

pub use frames::{Pose, PoseFault, SetOptions, ValueFault, ValueProblem};
