//! The four kinds of simple solids as one type.

use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::ball::Ball;
use crate::bounds::capsule::Capsule;
use crate::bounds::oriented_box::OrientedBox;
use crate::numeric::math::Transform;

/// Which kind of solid. In the order of the numbers that describe one: four, six, seven, nine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// [`Ball`].
    Ball,
    /// [`AlignedBox`].
    Aligned,
    /// [`Capsule`].
    Capsule,
    /// [`OrientedBox`].
    Oriented,
}

impl Kind {
    /// All of them, simple ones first.
    pub const ALL: [Kind; 4] = [Kind::Ball, Kind::Aligned, Kind::Capsule, Kind::Oriented];

    /// How many numbers describe one: the papers' measure of complexity.
    pub const fn numbers(self) -> u32 {
        match self {
            Kind::Ball => 4,
            Kind::Aligned => 6,
            Kind::Capsule => 7,
            Kind::Oriented => 9,
        }
    }
}

/// A simple solid (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// A ball.
    Ball(Ball),
    /// A box parallel to the axes of its frame.
    Aligned(AlignedBox),
    /// A segment swept by a ball.
    Capsule(Capsule),
    /// A box with axes of its own.
    Oriented(OrientedBox),
}

impl Primitive {
    /// Its kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Primitive::Ball(_) => Kind::Ball,
            Primitive::Aligned(_) => Kind::Aligned,
            Primitive::Capsule(_) => Kind::Capsule,
            Primitive::Oriented(_) => Kind::Oriented,
        }
    }

    /// Volume (cubic metres), as computed.
    pub fn volume(&self) -> f64 {
        match self {
            Primitive::Ball(p) => p.volume(),
            Primitive::Aligned(p) => p.volume(),
            Primitive::Capsule(p) => p.volume(),
            Primitive::Oriented(p) => p.volume(),
        }
    }

    /// One of the same kind around this one, seen from another frame; `slack` (metres) is how far a point of
    /// what it contains may lie from its computed image.
    pub fn moved(&self, at: &Transform, slack: f64) -> Primitive {
        match self {
            Primitive::Ball(p) => Primitive::Ball(p.moved(at, slack)),
            Primitive::Aligned(p) => Primitive::Aligned(p.moved(at, slack)),
            Primitive::Capsule(p) => Primitive::Capsule(p.moved(at, slack)),
            Primitive::Oriented(p) => Primitive::Oriented(p.moved(at, slack)),
        }
    }
}
