//! What a description becomes: faults, which pairs are checked, joint values and poses.

use elbowroom_testkit as support;

mod compile;
mod kinematics;
mod values;
