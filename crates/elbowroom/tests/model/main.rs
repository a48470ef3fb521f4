//! What a description becomes: faults, which pairs are checked, joint values and poses.

#[path = "../support/mod.rs"]
mod support;

mod compile;
mod kinematics;
mod values;
