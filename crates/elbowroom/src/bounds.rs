//! Cheap lower bounds on the distance of bodies, from simple solids that contain them.
//!
//! A solid that contains a shape is at least as near as the shape, or overlaps at least as deep. So a lower
//! bound on the signed distance of two such solids is a lower bound on that of their contents, whatever its
//! sign.
//!
//! A [`Ball`], [`AlignedBox`] or [`Capsule`] is fitted around a body once ([`fit`]) and proved to contain it.
//! It moves with the body, and grows by the rounding of the movement. [`ball_gap`] bounds the distance of two
//! balls, [`lanes`] that of four pairs of capsules at once, a wide BVH ([`hierarchy`]) that of thousands of
//! boxes.

mod aligned_box;
mod ball;
mod body_box;
mod capsule;
mod cube_table;
pub mod fit;
pub(crate) mod heights;
pub mod hierarchy;
pub(crate) mod inside;
pub mod lanes;
pub(crate) mod on_body;
mod point_tree;
pub(crate) mod posed_box;
pub(crate) mod radius;
#[cfg(test)]
mod tests;
pub(crate) mod tolerance;

pub use aligned_box::AlignedBox;
pub use ball::{Ball, ball_around, ball_gap};
pub(crate) use body_box::BodyBox;
pub use capsule::Capsule;
pub use point_tree::{PointFault, PointQuery, PointTree, StaleQuery};
