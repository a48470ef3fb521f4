//! Cheap lower bounds on the distance of bodies, from simple solids that contain them.
//!
//! What contains a shape is at least as near, and if it overlaps at least as deep, as the shape: so a lower bound on the signed
//! distance of two such solids is one on the signed distance of what they contain, of either sign.

mod aligned_box;
mod ball;

pub use aligned_box::{AlignedBox, box_gap};
pub use ball::{Ball, ball_around, ball_gap};
