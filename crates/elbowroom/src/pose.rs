//! Joint values to frames.

pub(crate) mod frames;
pub(crate) mod kinematics;

pub use frames::{Pose, PoseFault, SetOptions, ValueFault, ValueProblem};
