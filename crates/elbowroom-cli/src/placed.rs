//! The shapes of a body where a checker has it.

use elbowroom::Checker;
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
