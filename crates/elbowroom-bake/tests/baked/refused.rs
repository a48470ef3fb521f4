//! What cannot be baked is refused by name.

use crate::support::describe::{alone, ball, chain, obstacle, shape};
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::Vec3;
use elbowroom_bake::bake_world;

fn arm(kind: JointKind) -> WorldDescription {
    let mut robot = chain("arm", &[(kind, [0.5, 0.0, 0.0], Vec3::Z)]);
    robot.links.iter_mut().for_each(|link| link.shapes.push(ball(0.0, 0.0, 0.0, 0.1)));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [0.0, 1.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    d
}

/// The refusals as lines.
fn refusals(d: &WorldDescription) -> Vec<String> {
    let world = World::compile(d).expect("a world");
    let refused = bake_world(d, &world).expect_err("it cannot be baked");
    refused.iter().map(|refusal| refusal.to_string()).collect()
}

/// Two triangles that meet in an edge.
fn open_mesh() -> ShapeDescription {
    let vertices = vec![[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.02], [0.0, -0.1, 0.05]];
    ShapeDescription::Mesh { vertices, triangles: vec![[0, 1, 2], [1, 0, 3]] }
}

#[test]
fn what_a_baked_world_cannot_hold_is_refused_by_name() {
    let mut d = arm(JointKind::Revolute);
    d.obstacles[0].shapes.push(shape(open_mesh()));
    let open = refusals(&d);
    assert!(open.len() == 1 && open[0].starts_with("`world/post` is an open mesh"), "{open:?}");

    let mut d = arm(JointKind::Revolute);
    d.obstacles[0].movable = true;
    d.clouds.push(CloudDescription { name: "seen".into(), radius: 0.01, capacity: 10 });
    d.spares.push(SpareDescription { name: "spare".into(), corners: 8 });
    let changes = refusals(&d);
    let named = ["`world/post` is movable", "`world/seen` is a cloud", "`world/spare` is a spare place"];
    assert!(changes.len() == 3, "{changes:?}");
    assert!(changes.iter().zip(named).all(|(line, named)| line.starts_with(named)), "{changes:?}");

    for kind in [JointKind::Planar, JointKind::Floating] {
        let joints = refusals(&arm(kind));
        assert!(joints.len() == 1 && joints[0].starts_with("`arm/j1` is planar or floating"), "{joints:?}");
    }

    let mut d = arm(JointKind::Revolute);
    d.obstacles[0].pose.translation = Vec3 { x: 1000.0, y: 0.0, z: 0.0 };
    let far = refusals(&d);
    assert!(far.iter().any(|line| line.starts_with("`arm/1 - world/post` may be off by")), "{far:?}");

    let mut d = arm(JointKind::Revolute);
    let on_ball = |i: usize| {
        let turn = i as f64 * 2.4;
        let z = 1.0 - 2.0 * (i as f64 + 0.5) / 600.0;
        let r = (1.0 - z * z).sqrt() * 0.1;
        let (s, c) = elbowroom::math::sin_cos(turn);
        [r * c, r * s, 0.1 * z]
    };
    let vertices = (0..600).map(on_ball).collect();
    d.obstacles[0].shapes = vec![shape(ShapeDescription::Convex { vertices })];
    let large = refusals(&d);
    assert!(large.len() == 1 && large[0].contains("has a convex hull of 600 corners"), "{large:?}");

    let mut d = arm(JointKind::Revolute);
    let bare = chain("bare", &[(JointKind::Revolute, [0.5, 0.0, 0.0], Vec3::Z)]);
    d.robots.push(crate::support::describe::placed(bare));
    let blind = refusals(&d);
    assert!(blind.len() == 1 && blind[0].starts_with("`bare` has no collision shape"), "{blind:?}");
}
