//! Joint values to body poses, and how far rounding may have moved them.
//!
//! A world's moving bodies hang on each other in a tree, flattened into [`Step`](crate::model::step::Step)s
//! so that every parent comes before its children:
//!
//! ```text
//! child_in_cell = parent_in_cell * joint_in_parent * motion(value)
//! ```
//!
//! Nothing here judges values: [`crate::pose::frames`] has refused bad ones before. The bounds on rounding
//! are derived in [`crate::numeric::tolerance`], under "Rounding of poses".

pub(crate) mod forward;
pub(crate) mod sines;
#[cfg(test)]
mod tests;
