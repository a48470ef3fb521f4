//! Short constructors of descriptions.

use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, vec3};

pub fn shape_at(shape: ShapeDescription, shape_in_body: Transform) -> PlacedShape {
    PlacedShape { name: String::new(), shape_in_body, shape, padding: 0.0 }
}

pub fn shape(shape: ShapeDescription) -> PlacedShape {
    shape_at(shape, Transform::IDENTITY)
}

pub fn ball(x: f64, y: f64, z: f64, radius: f64) -> PlacedShape {
    shape_at(ShapeDescription::Sphere { radius }, Transform::from_translation(vec3(x, y, z)))
}

pub fn link(name: &str, shapes: Vec<PlacedShape>) -> LinkDescription {
    LinkDescription { name: name.into(), shapes }
}

pub fn joint(
    name: &str,
    kind: JointKind,
    parent: &str,
    child: &str,
    xyz: [f64; 3],
    axis: Vec3,
) -> JointDescription {
    let limited = matches!(kind, JointKind::Revolute | JointKind::Prismatic);
    JointDescription {
        name: name.into(),
        kind,
        parent: parent.into(),
        child: child.into(),
        joint_in_parent: Transform::from_translation(xyz.into()),
        axis,
        limits: limited.then_some(JointLimits { lower: -4.0, upper: 4.0 }),
        mimic: None,
    }
}

/// Links `0`, `1`, ... of no shape, one below the other, and joints `j1`, `j2`, ... between them.
pub fn chain(name: &str, joints: &[(JointKind, [f64; 3], Vec3)]) -> RobotDescription {
    let links = (0..=joints.len()).map(|i| link(&i.to_string(), vec![])).collect();
    let joints = joints
        .iter()
        .zip(1..)
        .map(|((kind, xyz, axis), i)| {
            joint(&format!("j{i}"), *kind, &(i - 1).to_string(), &i.to_string(), *xyz, *axis)
        })
        .collect();
    RobotDescription { name: name.into(), links, joints, ..RobotDescription::default() }
}

pub fn placed(robot: RobotDescription) -> PlacedRobot {
    PlacedRobot { name: robot.name.clone(), base_in_world: Transform::IDENTITY, robot }
}

pub fn alone(robot: RobotDescription) -> WorldDescription {
    WorldDescription { robots: vec![placed(robot)], ..WorldDescription::default() }
}

pub fn obstacle(name: &str, xyz: [f64; 3], shapes: Vec<PlacedShape>) -> ObstacleDescription {
    ObstacleDescription {
        name: name.into(),
        pose: Transform::from_translation(xyz.into()),
        shapes,
        attached_to: None,
        movable: false,
    }
}

/// An arm of `n` links in a row along x, each a ball at its joint, turning about z; `reach` metres apart.
pub fn row_of_balls(name: &str, n: usize, reach: f64, radius: f64) -> RobotDescription {
    let mut robot = chain(name, &vec![(JointKind::Revolute, [reach, 0.0, 0.0], Vec3::Z); n]);
    robot.links.iter_mut().for_each(|l| l.shapes.push(ball(0.0, 0.0, 0.0, radius)));
    robot
}

/// One shape of each kind, about the origin, within 0.15 m of it.
pub fn one_of_each() -> Vec<PlacedShape> {
    use ShapeDescription::*;
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [1, 2, 4].map(|b| if i & b == 0 { -0.08 } else { 0.08 })).collect();
    let square = |a, b, c, d| [[a, b, c], [a, c, d]];
    let sides = [square(0, 2, 3, 1), square(4, 5, 7, 6), square(0, 1, 5, 4), square(2, 6, 7, 3)];
    let sides = sides.into_iter().chain([square(0, 4, 6, 2), square(1, 3, 7, 5)]);
    let shapes = [
        Sphere { radius: 0.1 },
        Box { size: [0.1, 0.15, 0.2] },
        Capsule { radius: 0.05, length: 0.15 },
        Cylinder { radius: 0.06, length: 0.2 },
        Cone { radius: 0.08, length: 0.2 },
        Ellipsoid { radii: [0.05, 0.1, 0.08] },
        Convex { vertices: corners.clone() },
        Mesh { vertices: corners, triangles: sides.flatten().collect() },
    ];
    shapes.map(shape).into()
}
