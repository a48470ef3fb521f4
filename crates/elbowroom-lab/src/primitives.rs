//! Simple solids around bodies, and sound bounds between any two of them: henrich92, section 3.1.
//!
//! A ball, a box parallel to the axes, a capsule and a box with axes of its own are fitted around a body once
//! ([`Fitted`]) and proved to contain it; each moves with the body ([`Primitive::transformed_by`]);
//! [`primitive_gap()`] bounds the distance of any two. The engine itself asks capsules, and boxes through
//! trees.

mod fitted;
mod gap;
mod hull_volume;
mod oriented;
mod oriented_box;
mod primitive;
mod sum;

pub use fitted::Fitted;
pub use gap::{
    ball_box_gap, ball_capsule_gap, ball_oriented_gap, box_gap, capsule_box_gap, capsule_gap,
    capsule_oriented_gap, oriented_box_gap, oriented_gap, primitive_gap,
};
pub use hull_volume::hull_volume;
pub use oriented::fit_oriented_box;
pub use oriented_box::OrientedBox;
pub use primitive::{Kind, Primitive, box_moved};
