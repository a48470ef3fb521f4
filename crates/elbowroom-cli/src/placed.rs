//! The shapes of a body: where a checker has them, and what they are called.

use elbowroom::Checker;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::Transform;
use elbowroom::pair::Shape;
use elbowroom::world::BodyId;

/// Each shape of a body with its frame in the world.
pub fn shapes_in_world<'c>(
    checker: &'c Checker<'_>,
    body: BodyId,
) -> impl Iterator<Item = (&'c Shape, Transform)> {
    let world = checker.world();
    let shapes = world.bodies()[body.index()].shapes.clone().map(|s| &world.shapes()[s as usize]);
    shapes.filter_map(move |s| Some((&s.shape, checker.body_in_world(body)? * s.shape_in_body())))
}

/// A type of shape as JSON and lists call it.
pub fn shape_type(shape: &ShapeDescription) -> &'static str {
    match shape {
        ShapeDescription::Sphere { .. } => "sphere",
        ShapeDescription::Box { .. } => "box",
        ShapeDescription::Capsule { .. } => "capsule",
        ShapeDescription::Cylinder { .. } => "cylinder",
        ShapeDescription::Cone { .. } => "cone",
        ShapeDescription::Ellipsoid { .. } => "ellipsoid",
        ShapeDescription::Convex { .. } => "convex",
        ShapeDescription::Mesh { .. } => "mesh",
    }
}
