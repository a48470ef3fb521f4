//! Two convex cores and their relative pose.

use crate::pair::simplex::Corner;
use crate::shape::extreme::{Extreme, Support};
use crate::shape::plainly::Plainly;
use elbowroom_describe::math::{Mat3, Transform, Vec3};

/// Two cores, and B's pose in A's frame.
#[derive(Clone, Copy, Debug)]
pub struct Cores<A, B> {
    /// The first, in its own frame.
    pub a: A,
    /// The second, in its own frame.
    pub b: B,
    /// B's axes in A's frame.
    pub rotation: Mat3,
    /// B's origin in A's frame (metres).
    pub translation: Vec3,
    /// Largest coordinate that can occur (metres): both extents and the distance of the frames.
    pub scale: f64,
    /// From the middle of B to the middle of A: the first direction of a cold search.
    pub between: Vec3,
}

impl<A: Support, B: Support> Cores<A, B> {
    /// From the pose of B's frame in A's and a point near the middle of each, in its own frame.
    #[inline(always)]
    pub fn new(a: A, b: B, b_in_a: &Transform, a_center: Vec3, b_center: Vec3) -> Self {
        Cores {
            a,
            b,
            rotation: b_in_a.rotation,
            translation: b_in_a.translation,
            scale: a.extent_from_origin() + b.extent_from_origin() + b_in_a.translation.norm(),
            between: a_center - b_in_a.point(b_center),
        }
    }
    #[inline(always)]
    pub(crate) fn corner(&self, a: Extreme, b: Extreme) -> Corner {
        let rotated = self.rotation * b.point;
        // The first difference does not wait for the rotation, which a step waits for.
        let w = (a.point - self.translation) - rotated;
        Corner { w, a: a.point, b: rotated + self.translation, vertices: [a.index, b.index] }
    }
    /// These cores behind one type, for code that is compiled once for all kinds.
    #[inline(always)]
    pub(crate) fn plainly(&self) -> Cores<Plainly<'_>, Plainly<'_>> {
        let Cores { a, b, rotation, translation, scale, between } = self;
        Cores {
            a: Plainly(a),
            b: Plainly(b),
            rotation: *rotation,
            translation: *translation,
            scale: *scale,
            between: *between,
        }
    }
    #[inline(always)]
    pub(crate) fn corner_of(&self, [ia, ib]: [u32; 2]) -> Corner {
        self.corner(
            Extreme { index: ia, point: self.a.vertex(ia) },
            Extreme { index: ib, point: self.b.vertex(ib) },
        )
    }
}
