//! A small world to try things on: the examples of the documentation ask it.

use crate::math::{Transform, Vec3, vec3};
use crate::{
    JointDescription, JointKind, JointLimits, LinkDescription, ObstacleDescription, PlacedRobot, PlacedShape,
    RobotDescription, ShapeDescription, WorldDescription,
};
use alloc::string::String;
use alloc::vec;

/// A rod that turns, and a post that it can hit, with a margin of 1 cm.
///
/// The robot `rod` stands at the origin of the world. Its joint `turn` turns the link `arm` about z, from -2
/// to 2 rad; the link `base` has no shape. The arm's only shape is a ball of 0.1 m at its end, 1 m along x at
/// zero. The obstacle `post` is a fixed ball of 0.2 m at (0, 1, 0) m. So the two are 1.11 m apart at zero,
/// and overlap from 1.27 rad on.
///
/// ```
/// let mut cell = elbowroom_describe::examples::rod_and_post();
/// assert_eq!(cell.robots[0].robot.joints[0].name, "turn");
/// // They are plain values: what an example needs else is changed.
/// cell.obstacles[0].pose.translation.y = 3.0;
/// cell.obstacles[0].movable = true;
/// ```
pub fn rod_and_post() -> WorldDescription {
    let ball = |x: f64, radius: f64| PlacedShape {
        name: String::new(),
        shape_in_body: Transform::from_translation(vec3(x, 0.0, 0.0)),
        shape: ShapeDescription::Sphere { radius },
        padding: 0.0,
    };
    let turn = JointDescription {
        name: "turn".into(),
        kind: JointKind::Revolute,
        parent: "base".into(),
        child: "arm".into(),
        joint_in_parent: Transform::IDENTITY,
        axis: Vec3::Z,
        limits: Some(JointLimits { lower: -2.0, upper: 2.0 }),
        mimic: None,
    };
    let robot = RobotDescription {
        name: "rod".into(),
        links: vec![
            LinkDescription { name: "base".into(), shapes: vec![] },
            LinkDescription { name: "arm".into(), shapes: vec![ball(1.0, 0.1)] },
        ],
        joints: vec![turn],
        ..RobotDescription::default()
    };
    let post = ObstacleDescription {
        name: "post".into(),
        pose: Transform::from_translation(vec3(0.0, 1.0, 0.0)),
        shapes: vec![ball(0.0, 0.2)],
        attached_to: None,
        movable: false,
    };
    WorldDescription {
        robots: vec![PlacedRobot { name: "rod".into(), base_in_world: Transform::IDENTITY, robot }],
        obstacles: vec![post],
        margin: 0.01,
        ..WorldDescription::default()
    }
}
