//! Contacts that a task means, with bodies of all kinds: the hand is stopped where it is too fast.

use crate::describe::{obstacle, shape};
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3};
use elbowroom::world::RobotId;
use elbowroom_monitor::guard::*;
use elbowroom_monitor::stopping::{Brake, Profile, Range, Stopping};
use elbowroom_monitor::{Intent, Role};

/// A ball of 5 cm that slides along x, and something at (1, 0, 0) that may be taken: shapes, or a cloud.
fn cell(bin: Option<Vec<PlacedShape>>) -> WorldDescription {
    let slide = elbowroom::describe::JointDescription {
        name: "x".into(),
        kind: JointKind::Prismatic,
        parent: "base".into(),
        child: "hand".into(),
        joint_in_parent: Transform::IDENTITY,
        axis: Vec3::X,
        limits: Some(JointLimits { lower: -1.0, upper: 3.0 }),
        mimic: None,
    };
    let links = vec![
        LinkDescription { name: "base".into(), shapes: vec![] },
        LinkDescription {
            name: "hand".into(),
            shapes: vec![shape(ShapeDescription::Sphere { radius: 0.05 })],
        },
    ];
    let robot =
        RobotDescription { name: "arm".into(), links, joints: vec![slide], ..RobotDescription::default() };
    let mut d = WorldDescription { margin: 0.003, ..WorldDescription::default() };
    d.robots.push(PlacedRobot { name: "arm".into(), base_in_world: Transform::IDENTITY, robot });
    match bin {
        Some(shapes) => {
            let bin = obstacle("bin", [1.0, 0.0, 0.0], shapes);
            d.obstacles.push(ObstacleDescription { movable: true, ..bin });
        }
        None => d.clouds.push(CloudDescription { name: "bin".into(), radius: 0.02, capacity: 10 }),
    }
    d
}

fn guard_of(world: &World) -> GuardDescription {
    let profile = Profile::Ramp { acceleration: Range::exactly(2.0), speed: Range::exactly(1.0) };
    let brake = Brake::Deceleration(Range { least: 6.0, most: 8.0 });
    let joint = elbowroom_monitor::guard::JointDescription {
        position: [-1.0, 3.0],
        position_error: 1e-4,
        velocity_error: 1e-3,
        velocity: Limit::stop_beyond(1.0),
        acceleration: Limit::stop_beyond(8.0),
        effort: Limit::NONE,
        current: Limit::NONE,
        stopping: Stopping::new(profile, brake, Range { least: 0.004, most: 0.012 }).unwrap(),
    };
    let [hand, bin] = ["arm/hand", "world/bin"].map(|name| world.body_by_name(name).unwrap());
    let mut g = GuardDescription::new(world, 0.01);
    g.contact_speed = 0.05;
    g.arms = vec![ArmDescription { robot: RobotId(0), end_effector: vec![hand], joints: vec![joint] }];
    g.objects = vec![ObjectDescription { parts: vec![(bin, Role::Manipulating)] }];
    g
}

/// The hand goes at a speed (m/s), and does not obey; whether it is stopped for the speed of a contact.
fn is_stopped(d: &WorldDescription, [from, to]: [f64; 2], speed: f64) -> bool {
    let world = World::compile(d).unwrap();
    let mut guard = Guard::new(&world, &guard_of(&world)).unwrap();
    let bin = world.body_by_name("world/bin").unwrap();
    let (mut t, mut q) = (0.0, from);
    guard.step(&State { velocities: Some(&[speed]), ..State::new(t, &[q]) });
    if d.obstacles.is_empty() {
        guard.event(0.0, &Event::See { cloud: bin, points: vec![[1.0, 0.0, 0.0]] }).unwrap();
    }
    let intent = Some(Intent::Pick { object: guard.object_of(bin), from: None, arm: None });
    guard.event(0.0, &Event::Intent { arm: None, intent, until: f64::INFINITY }).unwrap();
    let (mut stopped, mut slowed) = (false, false);
    while (to - q) * speed > 0.0 {
        (t, q) = (t + 0.01, q + 0.01 * speed);
        let command = guard.step(&State { velocities: Some(&[speed]), ..State::new(t, &[q]) });
        let fast = command.reasons().any(|reason| reason.kind == ReasonKind::ContactSpeed);
        // It is told to slow down long before.
        slowed |= command.action == Action::Slow && command.speed < 0.5 && fast;
        assert!(slowed || command.action != Action::Stop, "{command:?}");
        stopped |= command.action == Action::Stop && fast;
    }
    stopped
}

/// An open trough, 1 m long, with walls of 5 cm: one closed mesh.
fn trough() -> ShapeDescription {
    let corners = |x: f64, y: f64, z: [f64; 2]| {
        (0..8).map(move |i| [if i & 1 == 0 { -x } else { x }, if i & 2 == 0 { -y } else { y }, z[i >> 2]])
    };
    let vertices = corners(0.5, 0.2, [-0.2, 0.2]).chain(corners(0.45, 0.15, [-0.15, 0.2])).collect();
    let mut triangles = Vec::new();
    let mut quad = |[a, b, c, d]: [u32; 4]| triangles.extend([[a, b, c], [a, c, d]]);
    let sides = [[0, 2, 3, 1], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    sides.into_iter().for_each(&mut quad);
    [[4, 5, 13, 12], [5, 7, 15, 13], [7, 6, 14, 15], [6, 4, 12, 14]].into_iter().for_each(&mut quad);
    sides.into_iter().for_each(|[a, b, c, d]| quad([d + 8, c + 8, b + 8, a + 8]));
    ShapeDescription::Mesh { vertices, triangles }
}

#[test]
fn a_meant_contact_is_slow_whatever_it_is_with() {
    let ball = vec![shape(ShapeDescription::Sphere { radius: 0.02 })];
    assert!(is_stopped(&cell(Some(ball.clone())), [0.2, 0.94], 0.8));
    assert!(is_stopped(&cell(None), [0.2, 0.94], 0.8), "a cloud");
    assert!(is_stopped(&cell(Some(vec![shape(trough())])), [0.75, 1.43], 0.8), "the inside of a trough");
    // Away from what it touches it may go as fast as it likes.
    assert!(!is_stopped(&cell(Some(ball)), [0.9285, 0.2], -0.8), "away");
}

#[test]
fn the_speed_of_a_frame_without_shapes_is_that_of_its_origin() {
    let mut d = cell(Some(vec![shape(ShapeDescription::Sphere { radius: 0.02 })]));
    d.robots[0].robot.links.push(LinkDescription { name: "tool".into(), shapes: vec![] });
    d.robots[0].robot.joints.push(elbowroom::describe::JointDescription {
        name: "flange".into(),
        kind: JointKind::Fixed,
        parent: "hand".into(),
        child: "tool".into(),
        joint_in_parent: Transform::from_translation([0.2, 0.0, 0.0].into()),
        axis: Vec3::X,
        limits: None,
        mimic: None,
    });
    let world = World::compile(&d).unwrap();
    let mut g = guard_of(&world);
    let body = world.body_by_name("arm/tool").unwrap();
    g.speed_limits = vec![SpeedLimit { body, most: 0.25, people_near: false, reaction: Reaction::Slow }];
    for (speed, action) in [(0.2, Action::Permit), (0.4, Action::Slow)] {
        let mut guard = Guard::new(&world, &g).unwrap();
        let command = guard.step(&State { velocities: Some(&[speed]), ..State::new(0.0, &[-0.5]) });
        assert_eq!(command.action, action, "{command:?}");
    }
}

#[test]
fn intents_name_what_can_be_meant() {
    let world = World::compile(&cell(Some(vec![shape(trough())]))).unwrap();
    let mut guard = Guard::new(&world, &guard_of(&world)).unwrap();
    let [hand, bin] =
        ["arm/hand", "world/bin"].map(|name| guard.object_of(world.body_by_name(name).unwrap()));
    let pick = |object, from| Some(Intent::Pick { object, from, arm: None });
    let place = |object, on| Some(Intent::Place { object, on, arm: None });
    let event = |intent, until| Event::Intent { arm: None, intent, until };
    assert!(guard.event(0.0, &event(pick(bin, None), 1.0)).is_ok());
    let wrong = [(pick(hand, None), 1.0), (pick(bin, Some(bin)), 1.0), (place(bin, bin), 1.0)];
    for (intent, until) in wrong.into_iter().chain([(pick(bin, None), -0.5)]) {
        let refused = guard.event(0.0, &event(intent, until));
        assert!(matches!(refused, Err(Refusal::Unfit(_))), "{intent:?} {until}: {refused:?}");
    }
}

#[test]
fn where_brakes_are_not_known_the_arm_goes_as_fast_as_they_are() {
    let world = World::compile(&cell(Some(vec![shape(ShapeDescription::Sphere { radius: 0.02 })]))).unwrap();
    let mut g = guard_of(&world);
    let profile = Profile::Ramp { acceleration: Range::exactly(2.0), speed: Range::exactly(1.0) };
    let linear = Brake::Linear { slope: Range::exactly(0.05), offset: Range::exactly(0.0), fastest: 1.0 };
    g.arms[0].joints[0].stopping =
        Stopping::new(profile, linear, Range { least: 0.004, most: 0.012 }).unwrap();
    let mut guard = Guard::new(&world, &g).unwrap();
    let mut speed = 0.0;
    for k in 0..200 {
        let (q, asked) = ([0.2], [-1.01]);
        let state =
            State { velocities: Some(&[0.0]), asked: Some(&asked), ..State::new(0.01 * f64::from(k), &q) };
        speed = guard.step(&state).speed;
    }
    assert!((0.5..1.0).contains(&speed), "{speed}");
}
