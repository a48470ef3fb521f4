//! Shapes of the reference with balls around them, and where they are.

use crate::{hull::Hull, limits::ROUNDING};
use elbowroom::math::{Transform, Vec3};

/// A shape with a ball around it, on a joint (0: on none).
pub struct Body {
    /// Its points.
    pub hull: Hull,
    /// The centre of the ball around it, in its own frame (metres).
    pub center: Vec3,
    /// The radius of that ball (metres).
    pub radius: f64,
    /// The joint.
    pub joint: usize,
}

impl Body {
    /// A body of a hull.
    pub fn new(hull: Hull, joint: usize) -> Body {
        let count = hull.vertices.len() as f64;
        let center = hull.vertices.iter().fold(Vec3::ZERO, |sum, &v| sum + v) * (1.0 / count);
        let radius = hull.vertices.iter().map(|&v| (v - center).norm()).fold(0.0, f64::max) + ROUNDING;
        Body { hull, center, radius, joint }
    }
}

/// A shape somewhere in the world.
#[derive(Clone, Copy)]
pub struct Placed<'b> {
    /// The shape.
    pub body: &'b Body,
    /// World from shape.
    pub at: Transform,
    /// The middle of its ball, world.
    pub center: Vec3,
}

impl<'b> Placed<'b> {
    /// A body at its pose.
    pub fn new(body: &'b Body, at: Transform) -> Placed<'b> {
        Placed { body, at, center: at.point(body.center) }
    }
}
