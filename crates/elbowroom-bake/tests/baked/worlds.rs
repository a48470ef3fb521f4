//! Small random worlds of everything that can be baked.

use crate::support::describe::{link, obstacle, placed, shape_at};
use crate::support::rng::Rng;
use crate::support::shapes::{Kind, draw_shape};
use crate::support::worlds::block_mesh;
use elbowroom::describe::*;
use elbowroom::math::{Mat3, Transform, Vec3};

/// A pose: at times without a turn.
fn draw_pose(rng: &mut Rng, reach: f64) -> Transform {
    let turn = if rng.chance(0.3) { Some(Mat3::IDENTITY) } else { Mat3::from_quat_wxyz(rng.quaternion()) };
    Transform::new(turn.expect("a quaternion"), rng.point(reach))
}

fn draw_body_shape(rng: &mut Rng) -> PlacedShape {
    let kinds = [
        Kind::Sphere,
        Kind::Box,
        Kind::Capsule,
        Kind::Cylinder,
        Kind::Cone,
        Kind::Ellipsoid,
        Kind::Cloud,
        Kind::Prism,
        Kind::Polygon,
    ];
    let size = rng.range(0.02, 0.15);
    let shape =
        if rng.chance(0.1) { block_mesh(size, None) } else { draw_shape(rng.pick(&kinds), size, rng) };
    let mut shape = shape_at(shape, draw_pose(rng, 0.05));
    shape.padding = if rng.chance(0.2) { rng.range(0.0, 0.01) } else { 0.0 };
    shape
}

fn draw_shapes(rng: &mut Rng) -> Vec<PlacedShape> {
    (0..1 + rng.below(2)).map(|_| draw_body_shape(rng)).collect()
}

fn draw_joint(number: usize, rng: &mut Rng) -> JointDescription {
    use JointKind::{Continuous, Fixed, Prismatic, Revolute};
    let kind = rng.pick(&[Revolute, Revolute, Revolute, Prismatic, Continuous, Fixed]);
    let (lower, upper) = match kind {
        Prismatic => (-rng.range(0.0, 0.2), rng.range(0.0, 0.2)),
        _ => (-rng.range(0.0, 4.0), rng.range(0.0, 4.0)),
    };
    let limited = matches!(kind, Revolute | Prismatic);
    let followed = rng.below(number);
    let mimic = (number > 1 && kind != Fixed && rng.chance(0.25)).then(|| Mimic {
        joint: format!("j{}", followed.max(1)),
        multiplier: rng.range(-1.0, 1.0),
        offset: rng.range(-0.05, 0.05),
    });
    JointDescription {
        name: format!("j{number}"),
        kind,
        parent: rng.below(number).max(number.saturating_sub(2)).to_string(),
        child: number.to_string(),
        joint_in_parent: draw_pose(rng, 0.25),
        axis: if rng.chance(0.5) {
            rng.pick(&[Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Z])
        } else {
            rng.direction() * 2.0
        },
        limits: limited.then_some(JointLimits { lower, upper }),
        mimic,
    }
}

/// An arm or two among obstacles, one of them held. It may be refused for what its mimics say.
pub fn draw_world(seed: u64) -> WorldDescription {
    let rng = &mut Rng::new(seed);
    let mut d = WorldDescription { margin: rng.pick(&[0.0, 0.001, 0.02]), ..WorldDescription::default() };
    let far = if rng.chance(0.3) { 5.0 } else { 0.2 };
    for name in ["a", "b"].into_iter().take(1 + rng.below(2)) {
        let count = 1 + rng.below(6);
        let robot = RobotDescription {
            name: name.into(),
            links: (0..=count).map(|i| link(&i.to_string(), draw_shapes(rng))).collect(),
            joints: (1..=count).map(|number| draw_joint(number, rng)).collect(),
            ..RobotDescription::default()
        };
        let mut robot = placed(robot);
        robot.base_in_world = draw_pose(rng, far);
        d.robots.push(robot);
    }
    let origin = d.robots[0].base_in_world.translation;
    for number in 0..rng.below(4) {
        let mut at = obstacle(&format!("o{number}"), [0.0; 3], draw_shapes(rng));
        at.pose = draw_pose(rng, 0.7);
        at.pose.translation += origin;
        d.obstacles.push(at);
    }
    if rng.chance(0.4) {
        let mut held = obstacle("held", [0.0; 3], draw_shapes(rng));
        held.pose = draw_pose(rng, 0.1);
        held.attached_to = Some(Attachment { body: "a/1".into(), touch: vec![] });
        d.obstacles.push(held);
    }
    d
}
