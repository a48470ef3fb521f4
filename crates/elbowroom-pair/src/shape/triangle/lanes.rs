//! Four numbers and four vectors as arrays, which the compiler turns into vector instructions.

use elbowroom_describe::math::Vec3;

/// Four numbers.
pub(super) type Lanes = [f64; 4];

/// Four vectors, by coordinate.
#[derive(Clone, Copy)]
pub(super) struct Vec3x4 {
    pub x: Lanes,
    pub y: Lanes,
    pub z: Lanes,
}

#[inline(always)]
pub(super) fn fill_lanes(f: impl Fn(usize) -> f64) -> Lanes {
    [f(0), f(1), f(2), f(3)]
}

impl Vec3x4 {
    /// Three vectors; the fourth lane repeats the last.
    #[inline(always)]
    pub fn from_three(v: &[Vec3; 3]) -> Vec3x4 {
        Vec3x4 {
            x: [v[0].x, v[1].x, v[2].x, v[2].x],
            y: [v[0].y, v[1].y, v[2].y, v[2].y],
            z: [v[0].z, v[1].z, v[2].z, v[2].z],
        }
    }
    #[inline(always)]
    pub fn dot(&self, v: Vec3) -> Lanes {
        fill_lanes(|k| self.x[k] * v.x + self.y[k] * v.y + self.z[k] * v.z)
    }
    #[inline(always)]
    pub fn dot_lanes(&self, v: &Vec3x4) -> Lanes {
        fill_lanes(|k| self.x[k] * v.x[k] + self.y[k] * v.y[k] + self.z[k] * v.z[k])
    }
}
