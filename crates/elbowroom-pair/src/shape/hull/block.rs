//! Four points as lanes load them.

use crate::numeric::simd::{Lanes, V3};
use elbowroom_describe::math::{Vec3, vec3};

/// Four points, by coordinate. Metres, the hull's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct Block {
    /// The four first coordinates.
    pub x: [f64; 4],
    /// The four second coordinates.
    pub y: [f64; 4],
    /// The four third coordinates.
    pub z: [f64; 4],
}

impl Block {
    /// Four points.
    pub fn new(p: [Vec3; 4]) -> Block {
        let [a, b, c, d] = p;
        Block { x: [a.x, b.x, c.x, d.x], y: [a.y, b.y, c.y, d.y], z: [a.z, b.z, c.z, d.z] }
    }
    /// The four in lanes.
    #[inline(always)]
    pub fn load_lanes<L: Lanes>(&self, l: L) -> V3<L::F> {
        V3 { x: l.load(&self.x), y: l.load(&self.y), z: l.load(&self.z) }
    }
    /// One of the four.
    #[inline(always)]
    pub fn point(&self, lane: usize) -> Vec3 {
        vec3(self.x[lane], self.y[lane], self.z[lane])
    }
}
