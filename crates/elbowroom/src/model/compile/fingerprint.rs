//! A hash of a world.

use crate::model::checked_pairs::CheckedPairs;
use crate::model::describe::ShapeDescription::{
    Box, Capsule, Cone, Convex, Cylinder, Ellipsoid, Mesh, Sphere,
};
use crate::model::describe::{JointKind, WorldDescription};
use crate::model::id::BodyId;
use crate::model::kinematics::Kinematics;
use crate::model::solids::Solids;
use crate::model::step::Motion;
use crate::numeric::math::{Transform, Vec3};
use alloc::string::String;

/// A hash (FNV-1a) of everything that poses and proofs depend on: names, pairs, and all numbers of shapes,
/// frames, joints and limits.
pub(super) fn fingerprint(
    solids: &Solids,
    kinematics: &Kinematics,
    pairs: &CheckedPairs,
    d: &WorldDescription,
) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut word = |w: u64| hash = (hash ^ w).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    for name in
        solids.bodies.iter().map(|b| &*b.name).chain(kinematics.value_names.iter().map(String::as_str))
    {
        name.bytes().for_each(|b| word(u64::from(b)));
    }
    for pair in &pairs.listed {
        word(u64::from(pair.a.0) << 32 | u64::from(pair.b.0));
    }
    for crowd in &pairs.crowds {
        word(u64::from(crowd.body.0));
        crowd.except.iter().for_each(|index| word(u64::from(*index)));
    }
    pairs.movable.movable.iter().for_each(|body| word(u64::from(body.0)));
    pairs.movable.excepted().iter().for_each(|pair| word(u64::from(*pair)));
    for door in &d.doors {
        door.body.bytes().for_each(|b| word(u64::from(b)));
        let (axis, limits) = (door.axis, door.limits);
        [axis.x, axis.y, axis.z, limits.lower, limits.upper].iter().for_each(|v| word(v.to_bits()));
        word(u64::from(door.kind == JointKind::Prismatic));
    }
    d.clouds.iter().for_each(|cloud| word(cloud.radius.to_bits()));
    for obstacle in d.obstacles.iter().filter(|o| o.movable) {
        let carrier = obstacle.attached_to.iter().flat_map(|a| [&a.body].into_iter().chain(&a.touch));
        carrier.flat_map(|name| name.bytes()).for_each(|b| word(u64::from(b)));
    }
    for shape in &solids.shapes {
        word(u64::from(shape.body.0));
        let s = &shape.shape;
        [s.radius, s.bounding_radius, s.center.x, s.center.y, s.center.z]
            .iter()
            .for_each(|v| word(v.to_bits()));
    }
    // The frames of everything that does not move, and how everything else moves.
    let mut transform = |t: &Transform| {
        let [x, y, z] = t.rotation.cols;
        [x, y, z, t.translation].iter().flat_map(|v| v.to_array()).for_each(|v| word(v.to_bits()));
    };
    let bodies = (0..solids.bodies.len() as u32).map(BodyId);
    bodies.for_each(|body| transform(&kinematics.places.start(body)));
    solids.shapes.iter().for_each(|shape| transform(&shape.shape_in_body()));
    kinematics.steps.iter().for_each(|step| transform(&step.joint_in_parent));
    for step in &kinematics.steps {
        let (kind, u, v) = match step.motion {
            Motion::Fixed => (0, Vec3::ZERO, Vec3::ZERO),
            Motion::TurnX => (1, Vec3::ZERO, Vec3::ZERO),
            Motion::TurnY => (2, Vec3::ZERO, Vec3::ZERO),
            Motion::TurnZ => (3, Vec3::ZERO, Vec3::ZERO),
            Motion::Turn(axis) => (4, axis, Vec3::ZERO),
            Motion::Slide(axis) => (5, axis, Vec3::ZERO),
            Motion::Planar { u, v, .. } => (6, u, v),
            Motion::Floating => (7, Vec3::ZERO, Vec3::ZERO),
        };
        word(u64::from(step.parent.0) << 32 | u64::from(step.child.0));
        word(kind << 32 | step.value as u64);
        [u.x, u.y, u.z, v.x, v.y, v.z, step.scale, step.offset].iter().for_each(|v| word(v.to_bits()));
    }
    for limit in &kinematics.limits {
        word(limit.value as u64);
        [limit.lower, limit.upper, limit.scale, limit.offset].iter().for_each(|v| word(v.to_bits()));
    }
    let links = d.robots.iter().flat_map(|r| &r.robot.links).flat_map(|l| &l.shapes);
    for placed in links.chain(d.obstacles.iter().flat_map(|o| &o.shapes)) {
        let (kind, numbers) = match &placed.shape {
            Sphere { radius } => (0, [*radius, 0.0, 0.0]),
            Box { size } => (1, *size),
            Capsule { radius, length } => (2, [*radius, *length, 0.0]),
            Cylinder { radius, length } => (3, [*radius, *length, 0.0]),
            Cone { radius, length } => (4, [*radius, *length, 0.0]),
            Ellipsoid { radii } => (5, *radii),
            Convex { vertices } => (6, [vertices.len() as f64, 0.0, 0.0]),
            Mesh { vertices, triangles } => (7, [vertices.len() as f64, triangles.len() as f64, 0.0]),
        };
        word(kind);
        numbers.iter().for_each(|v| word(v.to_bits()));
        if let Convex { vertices } | Mesh { vertices, .. } = &placed.shape {
            vertices.iter().flatten().for_each(|v| word(v.to_bits()));
        }
        if let Mesh { triangles, .. } = &placed.shape {
            triangles.iter().flatten().for_each(|i| word(u64::from(*i)));
        }
    }
    word(d.margin.to_bits());
    hash
}
