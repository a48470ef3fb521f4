//! Random bodies for the tests of tables.

use crate::bent::bent;
use crate::rng::Rng;
use elbowroom_describe::math::Transform;
use elbowroom_describe::{ObstacleDescription, PlacedShape, ShapeDescription};
use std::format;
use std::string::String;

/// A shape with an inside, about as large as `size` (metres).
fn solid(size: f64, rng: &mut Rng) -> ShapeDescription {
    match (rng.unit() * 8.0) as usize {
        0 => ShapeDescription::Sphere { radius: size * rng.range(0.1, 1.0) },
        1 => ShapeDescription::Box { size: [size * rng.range(0.1, 2.0), size, size * rng.range(0.1, 2.0)] },
        2 => ShapeDescription::Cylinder { radius: size * rng.range(0.1, 1.0), length: size },
        3 => ShapeDescription::Capsule { radius: size * rng.range(0.1, 1.0), length: size },
        4 => ShapeDescription::Cone { radius: size * rng.range(0.1, 1.0), length: size },
        5 => bent(0.5 * size),
        _ => ShapeDescription::Convex {
            vertices: (0..rng.range(4.0, 200.0) as usize).map(|_| rng.point(size).to_array()).collect(),
        },
    }
}

/// A body of so many shapes, some of them padded.
pub(in crate::bounds) fn body(size: f64, count: usize, rng: &mut Rng) -> ObstacleDescription {
    let placed = |rng: &mut Rng| PlacedShape {
        name: String::new(),
        shape_in_body: rng.pose(0.5 * size),
        shape: solid(size, rng),
        padding: if rng.chance(0.6) { 0.0 } else { 0.1 * size },
    };
    ObstacleDescription {
        name: format!("{}", rng.unit()),
        pose: Transform::IDENTITY,
        shapes: (0..count).map(|_| placed(rng)).collect(),
        attached_to: None,
        movable: false,
    }
}
