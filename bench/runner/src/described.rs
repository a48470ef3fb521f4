//! A whole robot and what is around it as a description: its joints, its bodies on them with all their
//! shapes, and what of it moves or is seen.

use crate::{
    pose::pose_transform,
    work::{Ask, Mount, ShapeData, Work},
};
use elbowroom::{
    describe::{
        CloudDescription, DisabledPair, JointDescription, JointKind, JointLimits, LinkDescription, Mimic,
        ObstacleDescription, PlacedRobot, PlacedShape, RobotDescription, ShapeDescription, WorldDescription,
    },
    math::{Transform, Vec3, vec3},
};
use std::collections::BTreeSet;

/// The name of the cloud.
pub const CLOUD: &str = "cloud";

/// The name of an obstacle.
pub fn obstacle_name(number: usize) -> String {
    format!("o{number}")
}

fn link_name(number: usize) -> String {
    format!("link{number}")
}

/// The name of the link that carries each body: that of its joint for the first body there, and one of its
/// own, fixed to that, for every other one.
pub fn bodies_of(work: &Work) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (mount, &body) in work.mounts.iter().zip(&work.bodies) {
        if body < names.len() {
            continue;
        }
        let first = !names.contains(&link_name(mount.number));
        names.push(if first { link_name(mount.number) } else { format!("body{body}") });
    }
    names
}

/// The robot and its obstacles as a description: its joints, and its bodies on them with all their shapes.
pub fn describe_work(work: &Work) -> WorldDescription {
    let joint = |name: String, kind, parent, child, at| JointDescription {
        name,
        kind,
        parent,
        child,
        joint_in_parent: at,
        axis: Vec3::X,
        limits: None,
        mimic: None,
    };
    let mut robot = RobotDescription { name: "robot".into(), ..RobotDescription::default() };
    for number in 0..=work.joints.len() {
        robot.links.push(LinkDescription { name: link_name(number), shapes: Vec::new() });
    }
    for (k, from) in work.joints.iter().enumerate() {
        let kind = if from.slides { JointKind::Prismatic } else { JointKind::Revolute };
        let [lower, upper] = from.limits;
        robot.joints.push(JointDescription {
            axis: vec3(from.axis[0], from.axis[1], from.axis[2]),
            limits: Some(JointLimits { lower, upper }),
            mimic: from.follows.as_ref().map(|followed| Mimic {
                joint: format!("joint{}", followed.joint),
                multiplier: followed.scale,
                offset: followed.offset,
            }),
            ..joint(
                format!("joint{k}"),
                kind,
                link_name(from.parent),
                link_name(k + 1),
                pose_transform(&from.in_parent),
            )
        });
    }
    let bodies = bodies_of(work);
    for ((shape, mount), &body) in work.shapes.iter().zip(&work.mounts).zip(&work.bodies) {
        let name = &bodies[body];
        if !robot.links.iter().any(|link| link.name == *name) {
            let (kind, on) = (JointKind::Fixed, link_name(mount.number));
            robot.joints.push(joint(format!("mount{body}"), kind, on, name.clone(), Transform::IDENTITY));
            robot.links.push(LinkDescription { name: name.clone(), shapes: Vec::new() });
        }
        let shape = solid_shape(work, shape, pose_transform(&mount.pose));
        robot
            .links
            .iter_mut()
            .filter(|link| link.name == *name)
            .for_each(|link| link.shapes.push(shape.clone()));
    }
    let checked: BTreeSet<[usize; 2]> = work.body_pairs().into_iter().map(|(pair, _)| pair).collect();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            if !checked.contains(&[a, b]) {
                robot.disabled_pairs.push(DisabledPair {
                    link_a: bodies[a].clone(),
                    link_b: bodies[b].clone(),
                    reason: "not in the item".into(),
                });
            }
        }
    }
    let described = |(number, mount): (usize, &Mount)| ObstacleDescription {
        name: obstacle_name(number),
        pose: pose_transform(&mount.pose),
        shapes: vec![convex_shape(work.obstacle_shapes[mount.number].vertices.clone(), Transform::IDENTITY)],
        attached_to: None,
        movable: work.ask == Ask::ChangeDistance,
    };
    // The cells are one body, as `check --octomap` makes them.
    let cells = ObstacleDescription {
        name: "cells".into(),
        pose: Transform::IDENTITY,
        shapes: work.seen.cells.iter().map(box_shape).collect(),
        attached_to: None,
        movable: false,
    };
    let cells = Some(cells).filter(|cells| !cells.shapes.is_empty());
    let most = work.seen.frames.iter().map(Vec::len).max();
    let cloud = |capacity| CloudDescription { name: CLOUD.into(), radius: work.seen.radius, capacity };
    WorldDescription {
        robots: vec![PlacedRobot { name: "robot".into(), base_in_world: Transform::IDENTITY, robot }],
        obstacles: work.obstacles.iter().enumerate().map(described).chain(cells).collect(),
        clouds: most.map(cloud).into_iter().collect(),
        ..WorldDescription::default()
    }
}

/// A shape as its triangles or as its hull, whichever the work asks about.
fn solid_shape(work: &Work, from: &ShapeData, shape_in_body: Transform) -> PlacedShape {
    if !work.triangles {
        return convex_shape(from.vertices.clone(), shape_in_body);
    }
    let (vertices, triangles) = (from.vertices.clone(), from.triangles.clone());
    let shape = ShapeDescription::Mesh { vertices, triangles };
    PlacedShape { name: String::new(), shape_in_body, shape, padding: 0.0 }
}

fn convex_shape(vertices: Vec<[f64; 3]>, shape_in_body: Transform) -> PlacedShape {
    let shape = ShapeDescription::Convex { vertices };
    PlacedShape { name: String::new(), shape_in_body, shape, padding: 0.0 }
}

fn box_shape(&(centre, edge): &([f64; 3], f64)) -> PlacedShape {
    PlacedShape {
        name: String::new(),
        shape_in_body: Transform::from_translation(centre.into()),
        shape: ShapeDescription::Box { size: [edge; 3] },
        padding: 0.0,
    }
}
