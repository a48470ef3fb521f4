//! Joint values to frames.

pub(crate) mod fault;
pub(crate) mod frames;
pub(crate) mod kinematics;
pub(crate) mod tolerance;

pub use fault::{PoseFault, SetOptions, ValueFault, ValueProblem};
