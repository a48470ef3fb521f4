//! The farthest points of two cores along a direction: a step of every search, and the proof of a plane.
//!
//! A [`Farthest`] can only be made here, by exact supports along its direction. So the last step of a search,
//! which finds no further progress, is also what [`crate::pair::certify`] needs for the lower bound.

use crate::numeric::simd::Lanes;
use crate::pair::cores::Cores;
use crate::pair::simplex::Corner;
use crate::shape::extreme::{Extreme, Support};
use elbowroom_describe::math::{Mat3, Vec3};

/// A direction from B to A, of any length, in both frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Direction {
    pub in_a: Vec3,
    pub in_b: Vec3,
}

impl Direction {
    /// `rotation` is that of B in A.
    #[inline(always)]
    pub fn new(in_a: Vec3, rotation: &Mat3) -> Direction {
        Direction { in_a, in_b: rotation.transpose_mul(in_a) }
    }
}

/// Points of A against a direction and of B along it, perhaps not the farthest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glance {
    v: Direction,
    a: Extreme,
    b: Extreme,
}

/// The farthest points of A against a direction and of B along it.
#[derive(Clone, Copy, Debug)]
pub struct Farthest(Glance);

impl Glance {
    /// The fastest choice of points.
    #[inline(always)]
    pub fn new<L: Lanes, A: Support, B: Support>(l: L, cores: &Cores<A, B>, v: Direction) -> Glance {
        Glance { v, a: cores.a.glance_point(l, -v.in_a), b: cores.b.glance_point(l, v.in_b) }
    }
    /// The hinted vertices of hulls with many vertices; the farthest points of other cores.
    #[inline(always)]
    pub fn hinted<L: Lanes, A: Support, B: Support>(
        l: L,
        cores: &Cores<A, B>,
        v: Direction,
        hints: [u32; 2],
    ) -> Glance {
        Glance {
            v,
            a: cores.a.hinted_point(l, -v.in_a, hints[0]),
            b: cores.b.hinted_point(l, v.in_b, hints[1]),
        }
    }
    /// The difference of the points.
    #[inline(always)]
    pub fn corner<A: Support, B: Support>(&self, cores: &Cores<A, B>) -> Corner {
        cores.corner(self.a, self.b)
    }
    /// The farthest points, searched from these.
    #[inline(always)]
    pub fn exact<L: Lanes, A: Support, B: Support>(self, l: L, cores: &Cores<A, B>) -> Farthest {
        let Glance { v, a, b } = self;
        Farthest(Glance { v, a: cores.a.finish(l, -v.in_a, a), b: cores.b.finish(l, v.in_b, b) })
    }
}

impl Farthest {
    /// Without a direction: proves nothing.
    pub const NONE: Farthest = {
        let nowhere = Vec3 { x: f64::NAN, y: f64::NAN, z: f64::NAN };
        let nothing = Extreme { index: 0, point: Vec3::ZERO };
        Farthest(Glance { v: Direction { in_a: nowhere, in_b: nowhere }, a: nothing, b: nothing })
    };
    /// The farthest points along `v`, in A's frame.
    #[inline(always)]
    pub fn new<L: Lanes, A: Support, B: Support>(l: L, cores: &Cores<A, B>, v: Vec3) -> Farthest {
        Glance::new(l, cores, Direction::new(v, &cores.rotation)).exact(l, cores)
    }
    /// The difference of the points: a point of A - B farthest against the direction.
    #[inline(always)]
    pub(crate) fn corner<A: Support, B: Support>(&self, cores: &Cores<A, B>) -> Corner {
        self.0.corner(cores)
    }
    #[inline(always)]
    pub(crate) fn direction(&self) -> Direction {
        self.0.v
    }
    /// Proved bounds on the heights of A against the direction, and of B along it (in B's frame).
    #[inline(always)]
    pub fn heights<L: Lanes, A: Support, B: Support>(&self, l: L, cores: &Cores<A, B>) -> (f64, f64) {
        let Glance { v, a, b } = self.0;
        (cores.a.height_bound(l, -v.in_a, a), cores.b.height_bound(l, v.in_b, b))
    }
}
