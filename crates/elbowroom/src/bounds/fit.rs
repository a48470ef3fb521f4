//! Fitting primitives around bodies, once, before anything moves.
//!
//! What is to be contained is a [`Cloud`]: balls in whose convex hull everything lies. Each fit searches on a
//! few of them and ends with a proof over all: the radius or the half extents are measured anew, rounding
//! included, and that is what is handed out. So a poor search costs volume, never a collision. Everything is
//! deterministic.
//!
//! * `ball`: the smallest, by exchange of the at most four balls that determine it (Welzl 1991; Fischer and
//!   Gärtner 2003);
//! * `capsule`: five numbers (tilts and shifts of the axis, more radius for shorter ends), by local search
//!   from the axes that are likely;
//! * [`axes`] of a small box: each face of the hull with the best rectangle on it (O'Rourke 1985 has the
//!   smallest box lie on two edges that are neighbours), then local search;
//! * [`aligned`]: there is only one;
//! * `inner_ball`: a ball that lies inside; `Star`: how far a shape reaches from its middle.

mod ball;
mod boxes;
mod capsule;
mod cloud;
mod effort;
mod inner;
mod outline;
mod search;

pub use ball::ball;
pub use boxes::{aligned, axes};
pub use capsule::capsule;
pub use cloud::Cloud;
pub use effort::Effort;
pub(crate) use inner::{Star, inner_ball};
