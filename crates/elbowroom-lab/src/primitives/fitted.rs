//! All kinds of primitives around one body.

use super::hull_volume::hull_volume;
use super::oriented::fit_oriented_box;
use super::primitive::{Kind, Primitive};
use elbowroom::bounds::fit::{BallSet, FitEffort, fit_aligned_box, fit_ball, fit_capsule};

/// One primitive of each kind around the same body, in its frame, and the volume of the body's hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    primitives: [Primitive; 4],
    /// Volume of the hull (cubic metres), as computed.
    pub hull_volume: f64,
}

impl Fitted {
    /// Fits all kinds; `None` around nothing.
    pub fn fit_around(set: &BallSet, effort: FitEffort) -> Option<Fitted> {
        let primitives = [
            Primitive::Ball(fit_ball(set)?),
            Primitive::Aligned(fit_aligned_box(set)?),
            Primitive::Capsule(fit_capsule(set, effort)?),
            Primitive::Oriented(fit_oriented_box(set, effort)?),
        ];
        Some(Fitted { primitives, hull_volume: hull_volume(set) })
    }

    /// The primitive of a kind.
    pub fn primitive(&self, kind: Kind) -> &Primitive {
        // In the order of the kinds.
        &self.primitives[kind as usize]
    }

    /// Volume of the primitive by that of the hull: 1 is perfect; infinite where the hull has none.
    pub fn volume_ratio(&self, kind: Kind) -> f64 {
        self.primitive(kind).volume() / self.hull_volume
    }

    /// Volume of the primitive that is no hull (cubic metres): the papers' approximation error.
    pub fn excess_volume(&self, kind: Kind) -> f64 {
        self.primitive(kind).volume() - self.hull_volume
    }
}
