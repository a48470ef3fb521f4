//! Cheap lower bounds on the distance of bodies, from simple solids that contain them.
//!
//! What contains a shape is at least as near, and if it overlaps at least as deep, as the shape: so a lower
//! bound on the signed distance of two such solids is one on the signed distance of what they contain, of
//! either sign.
//!
//! Way: a [`Ball`], [`AlignedBox`], [`Capsule`] or [`OrientedBox`] is fitted around a body once ([`fit`]),
//! and proved to contain it; it moves with the body (`moved`, with what that rounds added); [`gap()`] bounds
//! the distance of any two, [`lanes`] of four pairs at once.

mod aligned_box;
mod ball;
mod body_box;
mod capsule;
mod cube_table;
pub mod fit;
mod gap;
pub(crate) mod heights;
pub mod hierarchy;
pub(crate) mod inside;
pub mod lanes;
pub(crate) mod on_body;
mod oriented_box;
mod primitive;
pub(crate) mod radius;
mod sum;
#[cfg(test)]
mod tests;
pub(crate) mod tolerance;

pub use aligned_box::{AlignedBox, box_gap};
pub use ball::{Ball, ball_around, ball_gap};
pub(crate) use body_box::BodyBox;
pub use capsule::Capsule;
pub use gap::{
    ball_box_gap, ball_capsule_gap, ball_oriented_gap, capsule_box_gap, capsule_gap, capsule_oriented_gap,
    gap, oriented_box_gap, oriented_gap,
};
pub use oriented_box::OrientedBox;
pub use primitive::{Kind, Primitive};
