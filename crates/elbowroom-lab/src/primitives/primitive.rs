//! The four kinds of simple solids as one type.

use super::oriented_box::OrientedBox;
use elbowroom::bounds::{AlignedBox, Ball, Capsule};
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::pair::numeric::tolerance::{ROUNDOFF, SHIFT_PER_OFFSET};
use std::f64::consts::PI;

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
    pub const fn number_count(self) -> u32 {
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
            Primitive::Ball(p) => 4.0 / 3.0 * PI * p.radius * p.radius * p.radius,
            Primitive::Aligned(p) => {
                let s = p.size();
                s.x * s.y * s.z
            }
            Primitive::Capsule(p) => p.volume(),
            Primitive::Oriented(p) => p.volume(),
        }
    }

    /// One of the same kind around this one, seen from another frame; `slack` (metres) is how far a point of
    /// what it contains may lie from its computed image.
    pub fn transformed_by(&self, at: &Transform, slack: f64) -> Primitive {
        match self {
            Primitive::Ball(p) => Primitive::Ball(ball_moved(p, at, slack)),
            Primitive::Aligned(p) => Primitive::Aligned(box_moved(p, at, slack)),
            Primitive::Capsule(p) => Primitive::Capsule(p.transform_by(at, slack)),
            Primitive::Oriented(p) => Primitive::Oriented(p.transformed_by(at, slack)),
        }
    }
}

fn ball_moved(ball: &Ball, at: &Transform, slack: f64) -> Ball {
    let far = ball.center.norm() + at.translation.norm();
    let radius = (ball.radius + slack + far * SHIFT_PER_OFFSET) * (1.0 + 4.0 * ROUNDOFF);
    Ball { center: at.point(ball.center), radius }
}

/// A box around this one seen from another frame, parallel to the axes of that frame; `slack` (metres) is how
/// far a point of what it contains may lie from its computed image.
#[inline]
pub fn box_moved(b: &AlignedBox, at: &Transform, slack: f64) -> AlignedBox {
    if *b == AlignedBox::EMPTY {
        return *b;
    }
    let (center, half) = (b.center(), b.size() * 0.5);
    let [x, y, z] = at.rotation.cols.map(Vec3::abs);
    // The middle and the halves are off by roundings of the corners.
    let far = b.low.norm() + b.high.norm() + at.translation.norm();
    let more = slack + far * (2.0 * SHIFT_PER_OFFSET);
    let half = x * half.x + y * half.y + z * half.z + vec3(more, more, more);
    let center = at.point(center);
    AlignedBox { low: center - half, high: center + half }
}
