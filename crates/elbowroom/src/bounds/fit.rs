//! Fitting primitives around bodies, once, before anything moves.
//!
//! What is to be contained is a [`Cloud`]: balls in whose convex hull everything lies. Each fit searches on a few of them
//! and ends with a proof over all: the radius or the half extents are measured anew, rounding included, and that is what is
//! handed out. So a poor search costs volume, never a collision. Everything is deterministic.
//!
//! * [`ball`]: the smallest, by exchange of the at most four balls that determine it (Welzl 1991; Fischer and Gärtner 2003);
//! * [`capsule`]: five numbers (tilts and shifts of the axis, more radius for shorter ends), by local search from the axes that are
//!   likely;
//! * [`oriented`]: each face of the hull with the best rectangle on it (O'Rourke 1985 has the smallest box lie on two edges
//!   that are neighbours), then local search;
//! * [`aligned`]: there is only one;
//! * [`inner_balls`]: balls that lie inside; `Star`: how far a shape reaches from the middle of one.

mod ball;
mod boxes;
mod capsule;
mod cloud;
mod inner;
mod outline;
mod search;
mod volume;

pub use ball::ball;
pub use boxes::{aligned, oriented};
pub use capsule::capsule;
pub use cloud::Cloud;
pub use inner::inner_balls;
pub(crate) use inner::{Star, inner_ball};
pub use volume::hull_volume;

use crate::bounds::primitive::{Kind, Primitive};

/// How long a fit may take. Whatever is handed out contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Along principal axes: tens of microseconds, for what there is a lot of.
    Quick,
    /// Local search for a small volume: milliseconds.
    Thorough,
}

/// One primitive of each kind around the same body, in its frame, and the volume of the body's hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    primitives: [Primitive; 4],
    /// Volume of the hull (cubic metres), as computed.
    pub hull_volume: f64,
}

impl Fitted {
    /// Fits all kinds; `None` around nothing.
    pub fn around(cloud: &Cloud, effort: Effort) -> Option<Fitted> {
        let primitives = [
            Primitive::Ball(ball(cloud)?),
            Primitive::Aligned(aligned(cloud)?),
            Primitive::Capsule(capsule(cloud, effort)?),
            Primitive::Oriented(oriented(cloud, effort)?),
        ];
        Some(Fitted { primitives, hull_volume: hull_volume(cloud) })
    }

    /// The primitive of a kind.
    pub fn primitive(&self, kind: Kind) -> &Primitive {
        // In the order of the kinds.
        &self.primitives[kind as usize]
    }

    /// Volume of the primitive by that of the hull: 1 is perfect; infinite where the hull has none.
    pub fn ratio(&self, kind: Kind) -> f64 {
        self.primitive(kind).volume() / self.hull_volume
    }

    /// Volume of the primitive that is no hull (cubic metres): the papers' approximation error.
    pub fn excess(&self, kind: Kind) -> f64 {
        self.primitive(kind).volume() - self.hull_volume
    }
}
