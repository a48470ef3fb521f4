//! Witness points: the nearest or deepest points of a pair.

use elbowroom_describe::math::Vec3;

/// The closest, or deepest, points of two bodies. World frame. They show where the distance is; what is
/// proved is the interval.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Witness {
    /// Point of the pair's first body (metres).
    pub a: Vec3,
    /// Point of its second body (metres).
    pub b: Vec3,
    /// Unit vector along which the first body escapes from the second.
    pub normal: Vec3,
}

impl Witness {
    /// From B's point to A's (metres): the signed distance times the normal, and so against it where the
    /// bodies overlap. Of a bracketed depth it is the lower end times the normal.
    pub fn vector(&self) -> Vec3 {
        self.a - self.b
    }
}
