//! Worlds that lanes know, and rows of joint values for them.

use crate::bent::bent;
use crate::model::world::World;
use crate::rng::Rng;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::f64::consts::{FRAC_PI_2, PI};
use elbowroom_describe::math::{Mat3, Transform, Vec3};
use elbowroom_describe::*;

/// Chains of capsules and boxes on joints of all kinds that lanes know, beside a post.
pub fn chain(rng: &mut Rng) -> WorldDescription {
    let size = rng.decades(-2.0, 2.0);
    let links = 3 + (rng.unit() * 4.0) as usize;
    let name = |i: usize| format!("l{i}");
    let shape = |rng: &mut Rng| match rng.chance(0.5) {
        true => ShapeDescription::Capsule { radius: 0.1 * size, length: rng.range(0.1, 0.6) * size },
        false => ShapeDescription::Box { size: [rng.range(0.1, 0.4) * size, 0.2 * size, 0.1 * size] },
    };
    let placed = |rng: &mut Rng| PlacedShape {
        name: "s".into(),
        shape_in_body: rng.pose(0.1 * size),
        shape: shape(rng),
        padding: 0.0,
    };
    let right = [Mat3::from_rpy(FRAC_PI_2, 0.0, 0.0), Mat3::from_rpy(0.0, -FRAC_PI_2, PI)];
    let joints = (1..links)
        .map(|i| JointDescription {
            name: format!("j{i}"),
            kind: if i == 2 { JointKind::Prismatic } else { JointKind::Revolute },
            parent: name(i - 1),
            child: name(i),
            joint_in_parent: match i % 3 {
                0 => rng.pose(0.4 * size),
                1 => Transform::new(right[i / 3 % 2], rng.point(0.4 * size)),
                _ => Transform::from_translation(rng.point(0.4 * size)),
            },
            axis: [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Y, rng.direction()][i % 5],
            limits: Some(JointLimits { lower: -3.0 * if i == 2 { size } else { 1.0 }, upper: 2.9 }),
            mimic: (i == 4).then(|| Mimic {
                joint: "j1".into(),
                multiplier: rng.range(-1.5, 1.5),
                offset: 0.1,
            }),
        })
        .collect();
    let robot = RobotDescription {
        name: "r".into(),
        links: (0..links).map(|i| LinkDescription { name: name(i), shapes: vec![placed(rng)] }).collect(),
        joints,
        ..RobotDescription::default()
    };
    let base_in_world = rng.pose(size);
    WorldDescription {
        robots: vec![PlacedRobot { name: "r".into(), base_in_world, robot }],
        ..WorldDescription::default()
    }
}

/// A shape of any kind, about as large as `size`: also solids that are not convex, and open meshes.
fn any_shape(rng: &mut Rng, size: f64) -> ShapeDescription {
    let mut part = |share: f64| rng.range(0.3, 1.0) * share * size;
    let sizes = [part(0.5), part(0.3), part(0.3)];
    match rng.below(8) {
        0 => ShapeDescription::Sphere { radius: sizes[1] },
        1 => ShapeDescription::Box { size: sizes },
        2 => ShapeDescription::Capsule { radius: 0.4 * sizes[1], length: sizes[0] },
        3 => ShapeDescription::Cylinder { radius: 0.5 * sizes[1], length: sizes[0] },
        4 => ShapeDescription::Ellipsoid { radii: sizes.map(|s| 0.6 * s) },
        5 => ShapeDescription::Convex {
            vertices: (0..30).map(|_| (rng.direction() * 0.3 * size).to_array()).collect(),
        },
        k => match bent(0.25 * sizes[0]) {
            // A side is missing.
            ShapeDescription::Mesh { vertices, triangles } if k == 7 && rng.chance(0.5) => {
                ShapeDescription::Mesh { vertices, triangles: triangles[2..].to_vec() }
            }
            whole => whole,
        },
    }
}

/// The chain with shapes of all kinds, before a few obstacles, and something held at its end.
pub fn busy(rng: &mut Rng) -> WorldDescription {
    let mut d = chain(rng);
    let size = d.robots[0].robot.joints[0].joint_in_parent.translation.norm().max(1e-3) * 3.0;
    let placed = |rng: &mut Rng, reach: f64| PlacedShape {
        name: "s".into(),
        shape_in_body: rng.pose(reach),
        shape: any_shape(rng, size),
        padding: if rng.chance(0.2) { 0.02 * size } else { 0.0 },
    };
    for link in &mut d.robots[0].robot.links {
        let count = 1 + usize::from(rng.chance(0.3));
        link.shapes = (0..count).map(|_| placed(rng, 0.1 * size)).collect();
    }
    let last = format!("r/l{}", d.robots[0].robot.links.len() - 1);
    let base = d.robots[0].base_in_world;
    let far = rng.range(0.5, 2.5) * size;
    for i in 0..rng.below(4) {
        let pose = base * rng.pose(far);
        let held = Attachment { body: last.clone(), touch: Vec::new() };
        let held = (i == 0 && rng.chance(0.5)).then_some(held);
        let pose = if held.is_some() { rng.pose(0.3 * size) } else { pose };
        let shapes = vec![placed(rng, 0.0)];
        d.obstacles.push(ObstacleDescription {
            name: format!("o{i}"),
            pose,
            shapes,
            attached_to: held,
            movable: false,
        });
    }
    d
}

/// The world of [`busy`] before many obstacles: some with two shapes, some twice, some that a link need not
/// keep away from, and far from the origin now and then.
pub fn crowded(rng: &mut Rng) -> WorldDescription {
    let mut d = busy(rng);
    let base = d.robots[0].base_in_world;
    let size = d.robots[0].robot.joints[0].joint_in_parent.translation.norm().max(1e-3) * 3.0;
    let reach = rng.range(1.0, 4.0) * size;
    for i in 0..(20 + rng.below(60)) {
        let count = 1 + usize::from(rng.chance(0.1));
        let shapes = (0..count)
            .map(|k| PlacedShape {
                name: format!("s{k}"),
                shape_in_body: rng.pose(0.1 * size),
                shape: any_shape(rng, 0.5 * size),
                padding: if rng.chance(0.1) { 0.01 * size } else { 0.0 },
            })
            .collect();
        let mut obstacle = ObstacleDescription {
            name: format!("c{i}"),
            pose: base * rng.pose(reach),
            shapes,
            attached_to: None,
            movable: false,
        };
        if i % 9 == 8
            && let Some(before) = d.obstacles.last()
        {
            obstacle = ObstacleDescription { name: obstacle.name, ..before.clone() };
        }
        d.obstacles.push(obstacle);
    }
    if rng.chance(0.3) {
        let away = rng.point(1e3 * size);
        let moved = d.obstacles.iter_mut().filter(|o| o.attached_to.is_none()).map(|o| &mut o.pose);
        moved.chain([&mut d.robots[0].base_in_world]).for_each(|pose| pose.translation += away);
    }
    let allowed = |a: &str, b: &str| AllowedPair { a: a.into(), b: b.into(), reason: "so".into() };
    d.allowed = vec![allowed("r/l1", "world/c3"), allowed("r/l1", "world/c4")];
    d
}

/// Rows of random values, within the limits of all joints but those that follow others.
pub fn rows(world: &World, rng: &mut Rng, count: usize) -> Vec<f64> {
    let mut rows = Vec::new();
    for _ in 0..count {
        let mut q = world.neutral_values();
        for l in world.limits().iter().filter(|l| l.scale == 1.0 && l.offset == 0.0) {
            q[l.value] = rng.range(l.lower, l.upper);
        }
        rows.extend(q);
    }
    rows
}
