//! Boxes that move in a cube, and how two of them lie.

use elbowroom::bounds::AlignedBox;
use elbowroom::math::Random;
use elbowroom::math::{Vec3, vec3};

/// How far a box moves in a step, in units of room.
const STEP: f64 = 0.04;
/// Boxes that move in a cube.
pub struct Scene {
    /// The cube's, from the origin.
    pub edge: f64,
    pub boxes: Vec<AlignedBox>,
    /// The numbers of those that move, and which way.
    pub moving: Vec<u32>,
    pub directions: Vec<Vec3>,
}

impl Scene {
    /// So many boxes, of which so many move.
    pub fn new(count: usize, moving: usize) -> Scene {
        let mut random = Random(91);
        let edge = (count as f64).cbrt();
        let mut boxes: Vec<AlignedBox> = (0..count)
            .map(|_| {
                let mut each = |low, high| {
                    vec3(random.range(low, high), random.range(low, high), random.range(low, high))
                };
                let (size, at) = (each(0.2, 0.6), each(0.0, 1.0));
                let low = at.scaled(vec3(edge, edge, edge) - size);
                AlignedBox { low, high: low + size }
            })
            .collect();
        // Numbered along a curve, so that neighbours in number are neighbours in room.
        boxes.sort_by_key(|b| on_curve(b.center() * (1024.0 / edge)));
        let mut numbers: Vec<u32> = (0..count as u32).collect();
        for k in 0..moving {
            numbers.swap(k, k + (random.unit() * (count - k) as f64) as usize);
        }
        numbers.truncate(moving);
        let directions = (0..moving).map(|_| random.direction()).collect();
        Scene { edge, boxes, moving: numbers, directions }
    }

    /// Moves them.
    pub fn step(&mut self) {
        for (body, direction) in self.moving.iter().zip(&mut self.directions) {
            let b = &mut self.boxes[*body as usize];
            for k in 0..3 {
                let (low, high) = (b.low[k] + STEP * direction[k], b.high[k] + STEP * direction[k]);
                if low < 0.0 || high > self.edge {
                    direction[k] = -direction[k];
                } else {
                    (b.low[k], b.high[k]) = (low, high);
                }
            }
        }
    }
}

/// A point's number along Morton's curve: the bits of its coordinates in turn.
pub fn on_curve(p: Vec3) -> u64 {
    let bit = |x: f64, k: u64| (x as u64) >> k & 1;
    (0..10).rev().fold(0, |code, k| code << 3 | bit(p.x, k) << 2 | bit(p.y, k) << 1 | bit(p.z, k))
}

/// Whether two boxes share a point.
pub fn meet(a: &AlignedBox, b: &AlignedBox) -> bool {
    (0..3).all(|k| a.low[k] <= b.high[k] && b.low[k] <= a.high[k])
}
