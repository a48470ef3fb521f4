//! A robot as henrich92 and henrich97 have it: convex parts that are moved to their places in the world when
//! a pose is set.

use crate::error::LabError;
use elbowroom::bounds::{AlignedBox, Capsule, fit};
use elbowroom::describe::{
    ObstacleDescription, PlacedShape, RobotDescription, ShapeDescription, WorldDescription,
};
use elbowroom::math::{Transform, Vec3};
use elbowroom::pair::shape::Core;
use elbowroom::world::{BodyId, RobotId};
use elbowroom::{Checker, World};

/// A convex part.
#[derive(Clone, Debug)]
pub struct Part {
    /// The body it is of.
    pub body: BodyId,
    /// Its frame in the body's.
    pub part_in_body: Transform,
    /// Its corners, own frame (metres).
    pub corners: Vec<Vec3>,
    /// The r-cylinder around it, own frame.
    pub capsule: Capsule,
}

/// The convex shapes of a robot's links, or with `None` of the obstacles, in order.
///
/// # Errors
/// A shape is none.
pub fn convex_parts(world: &World, robot: Option<RobotId>) -> Result<Vec<Part>, LabError> {
    let not_convex = || robot_error("there are shapes that are not convex polytopes");
    let mut parts = Vec::new();
    for s in world.shapes().iter().filter(|s| world.bodies()[s.body.index()].robot == robot) {
        let Core::Hull(hull) = s.shape.core() else { return Err(not_convex()) };
        let corners: Vec<Vec3> = hull.vertices().collect();
        let capsule = fit_capsule(&corners).ok_or_else(not_convex)?;
        parts.push(Part { body: s.body, part_in_body: s.shape_in_body(), corners, capsule });
    }
    Ok(parts)
}

/// The r-cylinder around points.
pub fn fit_capsule(points: &[Vec3]) -> Option<Capsule> {
    fit::fit_capsule(&fit::BallSet::of_points(points, 0.0), fit::FitEffort::Thorough)
}

/// The box around points.
#[inline]
pub fn box_of(points: &[Vec3]) -> AlignedBox {
    let (mut low, mut high) = (AlignedBox::EMPTY.low, AlignedBox::EMPTY.high);
    for p in points {
        (low, high) = (low.min(*p), high.max(*p));
    }
    AlignedBox { low, high }
}

/// The box around a capsule.
#[inline]
pub fn box_of_capsule(c: &Capsule) -> AlignedBox {
    let r = Vec3 { x: c.radius, y: c.radius, z: c.radius };
    AlignedBox { low: c.a.min(c.b) - r, high: c.a.max(c.b) + r }
}

/// Where a part is at a pose.
#[inline]
pub fn part_in_world(checker: &Checker, part: &Part) -> Transform {
    let body = checker.body_in_world(part.body).unwrap_or(Transform::IDENTITY);
    body * part.part_in_body
}

/// A robot whose meshes, which must be convex, stand as the hulls of their vertices.
pub fn as_hulls(robot: &mut RobotDescription) {
    for shape in robot.links.iter_mut().flat_map(|l| &mut l.shapes) {
        if let ShapeDescription::Mesh { vertices, .. } = &mut shape.shape {
            shape.shape = ShapeDescription::Convex { vertices: std::mem::take(vertices) };
        }
    }
}

/// An obstacle from its corners in the world, in a frame of its own, as a file would have it.
pub fn describe_obstacle(name: String, corners: &[Vec3]) -> ObstacleDescription {
    let middle = corners.iter().fold(Vec3::ZERO, |s, p| s + *p) * (1.0 / corners.len().max(1) as f64);
    let vertices = corners.iter().map(|p| (*p - middle).to_array()).collect();
    let shape = ShapeDescription::Convex { vertices };
    let placed = PlacedShape { name: String::new(), shape_in_body: Transform::IDENTITY, shape, padding: 0.0 };
    ObstacleDescription {
        name,
        pose: Transform::from_translation(middle),
        shapes: vec![placed],
        attached_to: None,
        movable: false,
    }
}

/// The corners of all obstacles of a compiled world, world frame.
///
/// # Errors
/// An obstacle is not convex.
pub fn obstacle_corners(world: &World) -> Result<Vec<Vec<Vec3>>, LabError> {
    let checker = Checker::new(world);
    let moved = |part: &Part| {
        let at = part_in_world(&checker, part);
        part.corners.iter().map(|p| at.point(*p)).collect()
    };
    Ok(convex_parts(world, None)?.iter().map(moved).collect())
}

/// Compiles, with the faults as one line.
///
/// # Errors
/// The faults.
pub fn compile_world(description: &WorldDescription) -> Result<World, LabError> {
    World::compile(description)
        .map_err(|faults| robot_error(&faults.iter().map(|f| f.to_string()).collect::<Vec<_>>().join("; ")))
}

pub(crate) fn robot_error(why: &str) -> LabError {
    LabError::Robot { robot: "Puma 260", why: why.into() }
}
