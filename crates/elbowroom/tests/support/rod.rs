// The rod and the post of the crate's first example: a ball on the end of a rod of one metre that turns about
// z within two radians, and a fixed ball beside it. Used by the examples in the documentation.

pub fn rod_and_post(post: [f64; 3]) -> elbowroom::describe::WorldDescription {
    use elbowroom::describe::*;
    use elbowroom::math::{Transform, Vec3, vec3};
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
        pose: Transform::from_translation(vec3(post[0], post[1], post[2])),
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
