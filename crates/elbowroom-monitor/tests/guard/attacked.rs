//! Cases that once were judged wrongly: arms that were permitted what they must not do, and the other way.

use crate::describe::{obstacle, shape};
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::world::RobotId;
use elbowroom_monitor::guard::*;
use elbowroom_monitor::roles::Arm;
use elbowroom_monitor::stopping::{Brake, Profile, Range, Stopping};
use elbowroom_monitor::{Intent, Mode, Role};

pub fn link(name: &str, shapes: Vec<PlacedShape>) -> LinkDescription {
    LinkDescription { name: name.into(), shapes }
}

pub fn ball(radius: f64) -> Vec<PlacedShape> {
    vec![shape(ShapeDescription::Sphere { radius })]
}

pub fn cuboid(size: [f64; 3]) -> Vec<PlacedShape> {
    vec![shape(ShapeDescription::Box { size })]
}

pub fn joint(kind: JointKind, [parent, child]: [&str; 2], at: Vec3, axis: Vec3) -> JointOf {
    JointOf {
        name: child.into(),
        kind,
        parent: parent.into(),
        child: child.into(),
        joint_in_parent: Transform::from_translation(at),
        axis,
        limits: (kind != JointKind::Fixed).then_some(JointLimits { lower: -3.0, upper: 3.0 }),
        mimic: None,
    }
}

pub type JointOf = elbowroom::describe::JointDescription;

/// A robot `r`, and obstacles.
pub fn world(
    links: Vec<LinkDescription>,
    joints: Vec<JointOf>,
    obstacles: Vec<ObstacleDescription>,
) -> WorldDescription {
    let robot = RobotDescription { name: "r".into(), links, joints, ..RobotDescription::default() };
    let mut d = WorldDescription { margin: 0.003, obstacles, ..WorldDescription::default() };
    d.robots.push(PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot });
    d
}

/// A ball of 5 cm that slides along an axis.
pub fn slider(axis: Vec3, obstacles: Vec<ObstacleDescription>) -> WorldDescription {
    let slide = joint(JointKind::Prismatic, ["base", "a"], Vec3::ZERO, axis);
    world(vec![link("base", vec![]), link("a", ball(0.05))], vec![slide], obstacles)
}

pub fn movable(of: ObstacleDescription) -> ObstacleDescription {
    ObstacleDescription { movable: true, ..of }
}

fn joint_of(latency: f64) -> elbowroom_monitor::guard::JointDescription {
    let profile = Profile::Ramp { acceleration: Range::exactly(2.0), speed: Range::exactly(2.0) };
    let brake = Brake::Deceleration(Range { least: 6.0, most: 8.0 });
    elbowroom_monitor::guard::JointDescription {
        position: [-3.0, 3.0],
        position_error: 1e-4,
        velocity_error: 1e-3,
        velocity: Limit::NONE,
        acceleration: Limit::stop_beyond(8.0),
        effort: Limit::NONE,
        current: Limit::NONE,
        stopping: Stopping::new(profile, brake, Range { least: 0.0, most: latency }).unwrap(),
    }
}

/// A guard of an arm of so many joints, whose hand has these links.
pub fn told(world: &World, joints: usize, hand: &[&str]) -> GuardDescription {
    let mut g = GuardDescription::new(world, 0.01);
    let end_effector = hand.iter().map(|name| world.body_by_name(name).unwrap()).collect();
    let joints = vec![joint_of(0.012); joints];
    g.arms = vec![ArmDescription { robot: RobotId(0), end_effector, joints }];
    g
}

pub fn state<'s>(t: f64, q: &'s [f64], v: &'s [f64]) -> State<'s> {
    State { velocities: Some(v), ..State::new(t, q) }
}

/// A tool that is attached to a link for good is a part of the arm, whatever it is driven into, and whatever
/// role it was given.
#[test]
fn a_tool_that_is_attached_for_good_is_a_part_of_the_arm() {
    for (of_tool, of_table) in [(None, Some(Role::Supporting)), (Some(Role::Supporting), None)] {
        let mut tool = obstacle("tool", [0.0, 0.0, -0.2], ball(0.05));
        tool.attached_to = Some(Attachment { body: "r/a".into(), touch: vec![] });
        let table = obstacle("table", [0.0, 0.0, -1.1], cuboid([1.0, 1.0, 0.2]));
        let world = World::compile(&slider(vec3(0.0, 0.0, -1.0), vec![tool, table])).unwrap();
        let mut g = told(&world, 1, &["r/a"]);
        for (name, role) in [("world/tool", of_tool), ("world/table", of_table)] {
            let part = role.map(|role| (world.body_by_name(name).unwrap(), role));
            g.objects.extend(part.map(|part| ObjectDescription { parts: vec![part] }));
        }
        let mut guard = Guard::new(&world, &g).unwrap();
        // The tool's lowest point is 0.75 m above the table at zero.
        let mut least = f64::INFINITY;
        for k in 0..200 {
            let t = 0.01 * f64::from(k);
            if guard.step(&state(t, &[0.5 * t], &[0.5])).action != Action::Stop {
                least = least.min(0.75 - 0.5 * t);
            }
        }
        assert!((0.01..0.2).contains(&least), "{of_tool:?} {of_table:?}: {least}");
    }
}

/// However many fingers are near, an expected contact happens.
#[test]
fn a_hand_of_many_fingers_takes_what_it_may() {
    let fingers = ["r/f0", "r/f1", "r/f2", "r/f3", "r/f4", "r/f5"];
    let mut links = vec![link("base", vec![]), link("palm", vec![])];
    let down = vec3(0.0, 0.0, -1.0);
    let mut joints = vec![joint(JointKind::Prismatic, ["base", "palm"], vec3(0.0, 0.0, 0.3), down)];
    for (k, finger) in fingers.iter().enumerate() {
        let at = vec3(0.05 * k as f64 - 0.1, 0.0, 0.0);
        links.push(link(&finger[2..], ball(0.02)));
        joints.push(joint(JointKind::Fixed, ["palm", &finger[2..]], at, Vec3::Z));
    }
    let taken = movable(obstacle("box", [0.0, 0.0, -0.1], cuboid([1.0, 1.0, 0.2])));
    let world = World::compile(&world(links, joints, vec![taken])).unwrap();
    let mut g = told(&world, 1, &fingers);
    let body = world.body_by_name("world/box").unwrap();
    g.objects = vec![ObjectDescription { parts: vec![(body, Role::Manipulating)] }];
    let mut guard = Guard::new(&world, &g).unwrap();
    let intent = Some(Intent::Pick { object: guard.object_of(body), from: None, arm: Some(Arm(0)) });
    guard.event(0.0, &Event::Intent { arm: Some(Arm(0)), intent, until: f64::INFINITY }).unwrap();
    let (mut q, mut v, mut fastest) = (0.2, 0.0, 0.0_f64);
    for k in 0..2000 {
        let t = 0.01 * f64::from(k);
        let command = guard.step(&State { asked: Some(&[0.2]), ..state(t, &[q], &[v]) });
        assert_ne!(command.action, Action::Stop, "{command:?}");
        let next = v + (0.2 * command.speed - v).clamp(-0.02, 0.02);
        (q, v) = (q + 0.005 * (v + next), next);
        if q >= 0.28 {
            fastest = v;
            break;
        }
    }
    assert!(0.0 < fastest && fastest <= g.contact_speed, "at {q} with {fastest}");
}

/// A brake that still acts ends the motion sooner than the controller would, and the arm turns back sooner.
#[test]
fn an_arm_that_was_stopped_may_turn_back_at_once() {
    let obstacles = ["front", "post"].map(|name| movable(obstacle(name, [0.0, 5.0, 0.0], ball(0.05))));
    let world = World::compile(&slider(Vec3::X, obstacles.to_vec())).unwrap();
    let [front, post] = ["world/front", "world/post"].map(|name| world.body_by_name(name).unwrap());
    let mut g = told(&world, 1, &[]);
    (g.period, g.late, g.look_ahead, g.clearance) = (0.1, 0.101, 0.0, 0.001);
    g.arms[0].joints[0] = joint_of(0.25);
    let mut guard = Guard::new(&world, &g).unwrap();
    let place = |guard: &mut Guard, t: f64, body, x: f64, y: f64| {
        let body_in_world = Transform::from_translation(vec3(x, y, 0.0));
        guard.event(t, &Event::Place { body, body_in_world, teleport: true }).unwrap();
    };
    guard.step(&state(0.0, &[0.0], &[1.55]));
    place(&mut guard, 0.099, front, 0.155 + 0.102, 0.0);
    assert_eq!(guard.step(&state(0.1, &[0.155], &[1.55])).action, Action::Stop);
    // It brakes by 8 m/s^2; what was in front is gone, and a post is behind.
    let (q, v) = (0.155 + 0.155 - 0.04, 0.75);
    place(&mut guard, 0.199, front, 0.0, 6.0);
    place(&mut guard, 0.199, post, q - 0.1 - 0.0015, 0.0);
    let command = guard.step(&state(0.2, &[q], &[v]));
    assert_eq!(command.action, Action::Stop, "{command:?}");
    assert!(command.reasons().any(|reason| reason.kind == ReasonKind::Collision), "{command:?}");
}

/// Without measured velocities the acceleration is that of the positions.
#[test]
fn accelerations_are_judged_from_positions_too() {
    let world = World::compile(&slider(Vec3::X, vec![obstacle("wall", [9.0, 0.0, 0.0], ball(0.1))])).unwrap();
    let g = told(&world, 1, &[]);
    for (last, stops) in [(0.001, false), (0.009, true)] {
        let mut guard = Guard::new(&world, &g).unwrap();
        let mut seen = false;
        for (k, q) in [0.0, 0.0, 0.0, last].into_iter().enumerate() {
            let command = guard.step(&State::new(0.01 * k as f64, &[q]));
            seen = command.reasons().any(|reason| reason.kind == ReasonKind::Acceleration);
        }
        assert_eq!(seen, stops, "{last}");
    }
}

/// What was moved comes to rest after a restart as it would have without.
#[test]
fn a_restart_keeps_what_has_not_come_to_rest() {
    let mut held = movable(obstacle("box", [0.0, 0.0, -0.4], ball(0.05)));
    held.attached_to = Some(Attachment { body: "r/a".into(), touch: vec![] });
    let stand = movable(obstacle("stand", [0.0, 0.0, -0.551], cuboid([0.5, 0.5, 0.2])));
    let world = World::compile(&slider(Vec3::Z, vec![held, stand])).unwrap();
    let [held, stand] = ["world/box", "world/stand"].map(|name| world.body_by_name(name).unwrap());
    let mut g = told(&world, 1, &["r/a"]);
    g.mode = Mode::Infer;
    let part = |body, role| ObjectDescription { parts: vec![(body, role)] };
    g.objects = vec![part(held, Role::Manipulating), part(stand, Role::Supporting)];
    let mut guard = Guard::new(&world, &g).unwrap();
    guard.step(&state(10.0, &[0.0], &[0.0]));
    let body_in_world = Transform::from_translation(vec3(0.004, 0.0, -0.551));
    guard.event(10.005, &Event::Place { body: stand, body_in_world, teleport: false }).unwrap();
    guard.step(&state(10.01, &[0.0], &[0.0]));
    let text = guard.snapshot(0.0);
    let mut restored = Guard::restore(&world, &g, &text, (0.01, 600.0)).unwrap();
    for k in 2..80 {
        let t = 10.0 + 0.01 * f64::from(k);
        let commands = [&mut guard, &mut restored].map(|guard| guard.step(&state(t, &[0.0], &[0.0])));
        let stopped =
            commands.map(|command| command.reasons().any(|reason| reason.kind == ReasonKind::Collision));
        assert_eq!(stopped, [k <= 50; 2], "{t}: {commands:?}");
    }
}

/// A hand that sinks onto what it may take while it slides along it touches it as fast as it slides.
#[test]
fn what_may_touch_while_it_slides_is_not_faster_than_a_contact() {
    let joints = vec![
        joint(JointKind::Prismatic, ["base", "m"], Vec3::ZERO, Vec3::X),
        joint(JointKind::Prismatic, ["m", "a"], Vec3::ZERO, Vec3::Z),
    ];
    let links = vec![link("base", vec![]), link("m", vec![]), link("a", cuboid([0.1; 3]))];
    let taken = movable(obstacle("box", [0.0, 0.0, -0.15], cuboid([3.0, 0.5, 0.2])));
    let world = World::compile(&world(links, joints, vec![taken])).unwrap();
    let body = world.body_by_name("world/box").unwrap();
    let mut g = told(&world, 2, &["r/a"]);
    g.mode = Mode::Infer;
    g.objects = vec![ObjectDescription { parts: vec![(body, Role::Manipulating)] }];
    for joint in &mut g.arms[0].joints {
        let profile = Profile::Velocity { drift: Range::exactly(0.0) };
        let brake = Brake::Deceleration(Range { least: 6.0, most: 8.0 });
        joint.stopping = Stopping::new(profile, brake, Range { least: 0.0, most: 0.012 }).unwrap();
        (joint.position_error, joint.velocity_error) = (1e-5, 1e-4);
    }
    let mut guard = Guard::new(&world, &g).unwrap();
    let (mut z, mut touching) = (5e-4, Vec::new());
    for k in 0..100 {
        let (t, sinks) = (0.01 * f64::from(k), if z > 0.0 { -0.002 } else { 0.0 });
        let command = guard.step(&state(t, &[-0.5 + 0.8 * t, z], &[0.8, sinks]));
        z = (z + 0.01 * sinks).max(0.0);
        if z < 2e-5 {
            touching.push(command.action);
        }
    }
    assert!(!touching.is_empty() && touching.iter().all(|action| *action == Action::Stop), "{touching:?}");
}

/// A time that is no number is no time at which nothing is wrong.
#[test]
fn silence_without_a_time_stops() {
    let world = World::compile(&slider(Vec3::X, vec![obstacle("wall", [9.0, 0.0, 0.0], ball(0.1))])).unwrap();
    let mut guard = Guard::new(&world, &told(&world, 1, &[])).unwrap();
    guard.step(&state(0.0, &[0.0], &[0.0]));
    for t in [f64::NAN, f64::INFINITY] {
        assert_eq!(guard.clone().step_without(t, None).action, Action::Stop, "{t}");
    }
}

/// An arm that obeys waits before a contact that the operator must decide about, and asks.
#[test]
fn an_arm_that_obeys_asks_before_it_waits() {
    let taken = movable(obstacle("box", [0.5, 0.0, 0.0], ball(0.05)));
    let world = World::compile(&slider(Vec3::X, vec![taken])).unwrap();
    let body = world.body_by_name("world/box").unwrap();
    let mut g = told(&world, 1, &["r/a"]);
    g.mode = Mode::Ask;
    g.objects = vec![ObjectDescription { parts: vec![(body, Role::Manipulating)] }];
    for tells in [false, true] {
        let mut guard = Guard::new(&world, &g).unwrap();
        let (mut q, mut v, mut asked) = (0.0, 0.0, None);
        for k in 0..1000 {
            let t = 0.01 * f64::from(k);
            let command = guard.step(&State { asked: tells.then_some(&[0.2]), ..state(t, &[q], &[v]) });
            asked = command.ask;
            if asked.is_some() {
                break;
            }
            let next = v + (0.2 * command.speed - v).clamp(-0.02, 0.02);
            (q, v) = (q + 0.005 * (v + next), next);
        }
        assert!(asked.is_some_and(|pair| pair.a == body || pair.b == body), "{tells}: {q}");
        assert!((0.3..0.4).contains(&q), "{q}");
    }
}

/// What lies in a held box is let go only where it stands, as the box itself.
#[test]
fn what_lies_in_a_held_box_does_not_fall() {
    let attached = |name: &str, at: f64, to: &str| {
        let mut of = movable(obstacle(name, [0.0, 0.0, at], ball(0.04)));
        of.attached_to = Some(Attachment { body: to.into(), touch: vec![] });
        of
    };
    let obstacles = vec![
        attached("box", -0.15, "r/a"),
        attached("lens", -0.3, "world/box"),
        movable(obstacle("stand", [0.0, 0.0, -0.85], cuboid([0.5, 0.5, 0.2]))),
    ];
    let world = World::compile(&slider(vec3(0.0, 0.0, -1.0), obstacles)).unwrap();
    let [held, lens, stand] =
        ["world/box", "world/lens", "world/stand"].map(|name| world.body_by_name(name).unwrap());
    let mut g = told(&world, 1, &["r/a"]);
    let part = |body, role| ObjectDescription { parts: vec![(body, role)] };
    g.objects =
        vec![part(held, Role::Manipulating), part(lens, Role::Manipulating), part(stand, Role::Supporting)];
    let detach = Event::Detach { body: lens };
    let mut guard = Guard::new(&world, &g).unwrap();
    guard.step(&state(0.0, &[0.0], &[0.0]));
    assert_eq!(guard.event(0.0, &detach), Err(Refusal::Falls));
    // Where its lowest point is 5 mm above the stand it may stay, if the task says so.
    for meant in [false, true] {
        let mut guard = Guard::new(&world, &g).unwrap();
        guard.step(&state(0.0, &[0.405], &[0.0]));
        if meant {
            let [object, on] = [lens, stand].map(|body| guard.object_of(body));
            let intent = Some(Intent::Place { object, on, arm: Some(Arm(0)) });
            guard.event(0.0, &Event::Intent { arm: Some(Arm(0)), intent, until: 1.0 }).unwrap();
        }
        let said = guard.event(0.0, &detach);
        assert!(if meant { said.is_ok() } else { matches!(said, Err(Refusal::NotMeant(_))) }, "{said:?}");
    }
}

/// Two parts of an object may hang on each other: the one that is let go must stand, not the other.
#[test]
fn a_part_that_is_let_go_stands_by_itself() {
    let mut held = movable(obstacle("box", [0.0, 0.0, -0.15], cuboid([0.1; 3])));
    held.attached_to = Some(Attachment { body: "r/a".into(), touch: vec!["r/a".into()] });
    let mut item = movable(obstacle("item", [0.0, 0.0, 0.2], ball(0.04)));
    item.attached_to = Some(Attachment { body: "world/box".into(), touch: vec![] });
    let table = obstacle("table", [0.0, 0.0, -0.705], cuboid([1.0, 1.0, 1.0]));
    let world = World::compile(&slider(Vec3::Z, vec![held, item, table])).unwrap();
    let [held, item, table] =
        ["world/box", "world/item", "world/table"].map(|name| world.body_by_name(name).unwrap());
    let mut g = told(&world, 1, &["r/a"]);
    g.objects = vec![
        ObjectDescription { parts: vec![(held, Role::Manipulating), (item, Role::Manipulating)] },
        ObjectDescription { parts: vec![(table, Role::Supporting)] },
    ];
    let mut guard = Guard::new(&world, &g).unwrap();
    guard.step(&state(0.0, &[0.0], &[0.0]));
    let [object, on] = [held, table].map(|body| guard.object_of(body));
    let intent = Some(Intent::Place { object, on, arm: Some(Arm(0)) });
    guard.event(0.0, &Event::Intent { arm: Some(Arm(0)), intent, until: 1.0 }).unwrap();
    assert!(matches!(guard.clone().event(0.0, &Event::Detach { body: item }), Err(Refusal::Unfit(_))));
    assert_eq!(guard.event(0.0, &Event::Detach { body: held }), Ok(()));
}

/// A stop before a reset may act still. So may one before a restart.
#[test]
fn a_reset_does_not_end_what_brakes_do() {
    let wall = movable(obstacle("wall", [-3.0, 0.0, 0.0], cuboid([1.0; 3])));
    let world = World::compile(&slider(Vec3::X, vec![wall])).unwrap();
    let wall = world.body_by_name("world/wall").unwrap();
    let mut g = told(&world, 1, &["r/a"]);
    (g.rise, g.restarts, g.clearance, g.late) = (100.0, true, 5e-4, 0.0101);
    let joint = &mut g.arms[0].joints[0];
    let profile = Profile::Ramp { acceleration: Range::exactly(2.0), speed: Range::exactly(0.6) };
    let brake = Brake::Deceleration(Range::exactly(30.0));
    joint.stopping = Stopping::new(profile, brake, Range { least: 0.0, most: 0.1 }).unwrap();
    joint.acceleration = Limit::stop_beyond(40.0);
    (joint.position_error, joint.velocity_error) = (1e-5, 1e-4);
    joint.effort = Limit::stop_beyond(10.0);
    // It goes on at 0.6 m/s, and is stopped by an effort. Somebody puts the wall 6 mm behind it.
    let with = |t: f64, effort: f64, guard: &mut Guard| {
        guard.step(&State { efforts: Some(&[effort]), ..state(t, &[0.6 * t], &[0.6]) })
    };
    let stopped = || {
        let mut guard = Guard::new(&world, &g).unwrap();
        for k in 0..60 {
            with(0.01 * f64::from(k), 0.0, &mut guard);
        }
        assert_eq!(with(0.6, 20.0, &mut guard).action, Action::Stop);
        let x = 0.6 * 0.61 - 0.05 - 0.006 - 0.5;
        let body_in_world = Transform::from_translation(vec3(x, 0.0, 0.0));
        guard.event(0.6, &Event::Place { body: wall, body_in_world, teleport: true }).unwrap();
        guard
    };
    let judged = |guard: &mut Guard| {
        let command = with(0.61, 0.0, guard);
        (command.action, command.reasons().any(|reason| reason.kind == ReasonKind::Collision))
    };
    let mut reset = stopped();
    reset.event(0.6, &Event::Reset).unwrap();
    assert_eq!(judged(&mut reset), (Action::Stop, true));
    let text = stopped().snapshot(0.0);
    let mut restored = Guard::restore(&world, &g, &text, (0.01, 600.0)).unwrap();
    assert!(judged(&mut restored).1);
}

/// A door that is taken out has no joint any more: a snapshot does not open it again.
#[test]
fn a_door_that_is_taken_out_can_be_restored() {
    let chest = movable(obstacle("chest", [0.0, 2.0, 0.0], cuboid([0.1; 3])));
    let mut door = movable(obstacle("door", [0.2, 2.0, 0.0], cuboid([0.1; 3])));
    door.attached_to = Some(Attachment { body: "world/chest".into(), touch: vec![] });
    let limits = JointLimits { lower: 0.0, upper: 1.0 };
    let mut described = slider(Vec3::X, vec![chest, door]);
    let body = "world/door".into();
    described.doors.push(DoorDescription { body, kind: JointKind::Prismatic, axis: Vec3::X, limits });
    let world = World::compile(&described).unwrap();
    let g = told(&world, 1, &["r/a"]);
    let mut guard = Guard::new(&world, &g).unwrap();
    guard.step(&state(0.0, &[0.0], &[0.0]));
    let body = world.body_by_name("world/door").unwrap();
    guard.event(0.0, &Event::Open { body, value: 0.5 }).unwrap();
    guard.event(0.0, &Event::Detach { body }).unwrap();
    let text = guard.snapshot(0.0);
    assert!(Guard::restore(&world, &g, &text, (0.01, 600.0)).is_ok());
}

/// Where all is hidden nothing is checked, and nothing proved. The reason says so.
#[test]
fn where_all_is_hidden_nothing_is_proved() {
    let wall = movable(obstacle("wall", [-3.0, 0.0, 0.0], cuboid([1.0; 3])));
    let world = World::compile(&slider(Vec3::X, vec![wall])).unwrap();
    let mut guard = Guard::new(&world, &told(&world, 1, &["r/a"])).unwrap();
    guard.step(&state(0.0, &[0.0], &[0.0]));
    guard.event(0.0, &Event::Hide { body: world.body_by_name("world/wall").unwrap() }).unwrap();
    let command = guard.step(&state(0.01, &[0.0], &[0.0]));
    let reason = command.reasons().find(|reason| reason.kind == ReasonKind::Unproved).unwrap();
    assert!(command.action == Action::Stop && reason.says.contains("no pair of bodies"), "{reason:?}");
}

/// A snapshot has no points of clouds. The stop after a restart says so, and ends once they were told again.
#[test]
fn after_a_restart_clouds_are_told_again() {
    let mut described = slider(Vec3::X, vec![]);
    described.clouds.push(CloudDescription { name: "scan".into(), radius: 0.01, capacity: 2 });
    let world = World::compile(&described).unwrap();
    let g = told(&world, 1, &["r/a"]);
    let cloud = world.body_by_name("world/scan").unwrap();
    let see = Event::See { cloud, points: vec![[2.0, 0.0, 0.0]] };
    let mut guard = Guard::new(&world, &g).unwrap();
    guard.step(&state(0.0, &[0.0], &[0.0]));
    guard.event(0.0, &see).unwrap();
    let text = guard.snapshot(0.0);
    let mut restored = Guard::restore(&world, &g, &text, (0.01, 600.0)).unwrap();
    let said = restored.step(&state(0.01, &[0.0], &[0.0]));
    let latched = said.reasons().find(|reason| reason.kind == ReasonKind::Latched).unwrap();
    assert_eq!((latched.says, latched.pair.unwrap().a), ("restored", cloud));
    restored.event(0.01, &see).unwrap();
    restored.event(0.01, &Event::Reset).unwrap();
    assert_ne!(restored.step(&state(0.02, &[0.0], &[0.0])).action, Action::Stop);
}
