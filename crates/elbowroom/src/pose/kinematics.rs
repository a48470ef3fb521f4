//! From joint values to frames of bodies.
//!
//! A world's moving bodies form a tree. It is a list of [`KinematicStep`](crate::model::step::KinematicStep)s
//! in which every parent comes before its children:
//!
//! ```text
//! child_in_cell = parent_in_cell * joint_in_parent * motion(value)
//! ```
//!
//! Values are not checked here: [`crate::pose::frames`] refuses bad ones first. The bounds on rounding are
//! derived in [`elbowroom_pair::numeric::tolerance`], under "Rounding of poses".

pub(crate) mod forward;
pub(crate) mod sines;
#[cfg(test)]
mod tests;
