//! Fitting primitives around bodies, once, before anything moves.
//!
//! The input is a [`BallSet`]: balls whose convex hull contains the body. Each fit searches with a few of
//! them. At the end it measures the radius or the half extents over all of them, rounding included. So a poor
//! search costs volume, never a missed collision. Everything is deterministic.
//!
//! * `ball`: the smallest ball, by exchange of the at most four balls that determine it (Welzl 1991;
//!   Fischer and Gärtner 2003);
//! * `capsule`: five numbers (two tilts and two shifts of the axis, and an excess of the radius), by local
//!   search from likely axes;
//! * `axes` of a small box: each face of the hull with the smallest rectangle on it (after O'Rourke 1985),
//!   then local search;
//! * `aligned`: the box parallel to the axes of the frame;
//! * `inner_ball`: a ball inside the shape; `Star`: the extent of a shape along rays from a point inside;
//!   `carve`: the room that triangles leave around a point.

mod ball;
mod ball_set;
mod boxes;
mod capsule;
mod carve;
mod effort;
mod fours;
mod inner;
mod outline;
mod search;

pub use ball::fit_ball;
pub use ball_set::BallSet;
pub use boxes::{fit_aligned_box, fit_box_axes};
pub use capsule::fit_capsule;
pub use effort::FitEffort;
pub(crate) use inner::{RAYS, Star, inner_ball};
