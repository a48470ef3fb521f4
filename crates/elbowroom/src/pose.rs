//! Joint values to frames.

pub mod fault;
pub(crate) mod frames;
pub(crate) mod kinematics;

pub use fault::{PoseFault, SetOptions, ValueFault, ValueProblem};
