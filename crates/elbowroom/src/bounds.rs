//! Cheap lower bounds on the distance of bodies, from simple solids that contain them.
//!
//! What contains a shape is at least as near, and if it overlaps at least as deep, as the shape: so a lower
//! bound on the signed distance of two such solids is one on the signed distance of what they contain, of
//! either sign.
//!
//! Way: a [`Ball`], [`AlignedBox`] or [`Capsule`] is fitted around a body once ([`fit`]), and proved to
//! contain it; it moves with the body, with what that rounds added; [`ball_gap`] bounds the distance of two
//! balls, [`lanes`] of four pairs of capsules at once, a wide tree ([`hierarchy`]) of thousands of boxes.

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
pub(crate) mod radius;
#[cfg(test)]
mod tests;
pub(crate) mod tolerance;

pub use aligned_box::AlignedBox;
pub use ball::{Ball, ball_around, ball_gap};
pub(crate) use body_box::BodyBox;
pub use capsule::Capsule;
