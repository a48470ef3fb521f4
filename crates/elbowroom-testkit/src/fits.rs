//! Points that are fitted around, and how well: tests of units and of the lab's primitives use them too.
// No test uses all.
#![allow(dead_code)]

use super::rng::Rng;
use elbowroom::bounds::{Ball, Capsule};
use elbowroom::math::{Vec3, vec3};
use std::vec::Vec;

/// How far a ball sticks out of a capsule, computed otherwise than the fit does.
pub fn out_of_capsule(c: &Capsule, b: &Ball) -> f64 {
    let (along, from) = (c.b - c.a, b.center - c.a);
    let off = if along == Vec3::ZERO || from.dot(along) <= 0.0 {
        from.norm()
    } else if from.dot(along) >= along.norm_squared() {
        (b.center - c.b).norm()
    } else {
        let u = along * (1.0 / along.max_abs());
        from.cross(u).norm() / u.norm()
    };
    off + b.radius - c.radius
}

/// Asserts that a size is the smallest there is, to rounding, or hardly larger.
#[track_caller]
pub fn near(what: f64, value: f64, tolerance: f64) {
    assert!(what >= value * (1.0 - 1e-9) && what <= value * (1.0 + tolerance), "{what} is not {value}");
}

/// Points in a random pose.
pub fn turned(points: &[Vec3], rng: &mut Rng) -> Vec<Vec3> {
    let pose = rng.pose(1.0);
    points.iter().map(|&p| pose.point(p)).collect()
}

/// The corners of a box about the origin.
pub fn corners(half: Vec3) -> Vec<Vec3> {
    let sign = |i: u32, bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
    (0..8).map(|i| vec3(sign(i, 0), sign(i, 1), sign(i, 2)).scaled(half)).collect()
}
