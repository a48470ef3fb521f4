//! Contact on pads: slow, and no deeper than they give way, also after the stop.

use crate::describe::{obstacle, shape};
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::world::RobotId;
use elbowroom::{Checker, PadChecker, Question, Verdict, World};
use elbowroom_monitor::guard::*;
use elbowroom_monitor::stopping::{Brake, Profile, Range, Stopping};

const PERIOD: f64 = 0.004;
/// The brake's weakest deceleration (m/s^2) and the latest moment of its action (s).
const BRAKE: f64 = 6.0;
const LATEST: f64 = 0.012;
/// How far the pad gives way (m).
const DEPTH: f64 = 0.004;
/// What stays free beside the pad, and of the pad's depth (m).
const CLEARANCE: f64 = 0.002;
/// How far the pad may be pressed (m).
const DEEPEST: f64 = DEPTH - CLEARANCE;

/// A finger of 4 cm that slides along x between two walls: its front reaches the one at x = 0.5 m, its back
/// the other at x = -0.5 m. The front is soft.
fn cell(pads: bool) -> World {
    let slide = elbowroom::describe::JointDescription {
        name: "x".into(),
        kind: JointKind::Prismatic,
        parent: "base".into(),
        child: "finger".into(),
        joint_in_parent: Transform::IDENTITY,
        axis: Vec3::X,
        limits: Some(JointLimits { lower: -1.0, upper: 1.0 }),
        mimic: None,
    };
    let finger = vec![shape(ShapeDescription::Box { size: [0.04, 0.04, 0.04] })];
    let links = vec![
        LinkDescription { name: "base".into(), shapes: vec![] },
        LinkDescription { name: "finger".into(), shapes: finger },
    ];
    let robot =
        RobotDescription { name: "arm".into(), links, joints: vec![slide], ..RobotDescription::default() };
    let mut d = WorldDescription { margin: CLEARANCE, ..WorldDescription::default() };
    d.robots.push(PlacedRobot { name: "arm".into(), base_in_world: Transform::IDENTITY, robot });
    let wall = |name: &str, x: f64| {
        obstacle(name, [x, 0.0, 0.0], vec![shape(ShapeDescription::Box { size: [0.2, 0.4, 0.4] })])
    };
    d.obstacles = vec![wall("front", 0.6), wall("back", -0.6)];
    if pads {
        d.pads.push(PadDescription {
            name: "front".into(),
            link: "arm/finger".into(),
            depth: DEPTH,
            region_in_link: Transform::from_translation(vec3(0.06, 0.0, 0.0)),
            size: [0.1, 0.1, 0.1],
        });
    }
    World::compile(&d).unwrap()
}

fn guard_of(world: &World) -> GuardDescription {
    let profile = Profile::Ramp { acceleration: Range::exactly(2.0), speed: Range::exactly(1.0) };
    let brake = Brake::Deceleration(Range { least: BRAKE, most: 8.0 });
    let joint = elbowroom_monitor::guard::JointDescription {
        position: [-1.0, 1.0],
        position_error: 1e-5,
        velocity_error: 1e-4,
        velocity: Limit::stop_beyond(1.0),
        acceleration: Limit::stop_beyond(9.0),
        effort: Limit::NONE,
        current: Limit::NONE,
        stopping: Stopping::new(profile, brake, Range { least: 0.0, most: LATEST }).unwrap(),
    };
    let mut g = GuardDescription::new(world, PERIOD);
    g.contact_speed = 0.05;
    g.arms = vec![ArmDescription { robot: RobotId(0), end_effector: vec![], joints: vec![joint] }];
    g
}

/// How a run ended.
struct Run {
    /// Where the arm rests (m), or is when it was never stopped.
    rest: f64,
    stop: Option<Reason>,
    /// The least speed that it was told on the way.
    slowest: f64,
}

/// The arm goes from a place to another at a speed (m/s), and obeys no command but to stop. It stops as late
/// and as slowly as it may.
fn run(world: &World, from: f64, to: f64, speed: f64) -> Run {
    let mut guard = Guard::new(world, &guard_of(world)).unwrap();
    let (mut t, mut q, mut slowest) = (0.0, from, 1.0_f64);
    while (to - q) * speed > 0.0 {
        let command = guard.step(&State { velocities: Some(&[speed]), ..State::new(t, &[q]) });
        if command.action == Action::Stop && t > 0.0 {
            let way = speed.abs() * LATEST + speed * speed / (2.0 * BRAKE);
            let stop = command.reasons().next().copied();
            return Run { rest: q + way.copysign(speed), stop, slowest };
        }
        slowest = slowest.min(command.speed);
        (t, q) = (t + PERIOD, q + PERIOD * speed);
    }
    Run { rest: q, stop: None, slowest }
}

/// How far the front of the finger is in the wall (m).
fn press(q: f64) -> f64 {
    q - 0.48
}

#[test]
fn a_pad_is_pressed_slowly_and_no_deeper_than_it_gives_way() {
    let world = cell(true);
    for speed in [0.002, 0.01, 0.03, 0.045] {
        let Run { rest, stop, slowest } = run(&world, 0.45, 0.6, speed);
        let stop = stop.unwrap();
        assert_eq!(stop.kind, ReasonKind::Pad, "{speed}: {stop:?}");
        assert!(
            stop.pair.is_some() && stop.limit == DEEPEST && stop.measured >= DEEPEST,
            "{speed}: {stop:?}"
        );
        // Most of the pad is used, but for what the arm passes until it rests.
        assert!(press(rest) < DEEPEST && press(rest) > 0.0, "{speed}: {}", press(rest));
        assert!(speed > 0.01 || press(rest) > DEEPEST - 0.3 * DEPTH, "{speed}: {}", press(rest));
        assert!(slowest < 1.0, "{speed}: it was told to slow down before: {slowest}");
        // What the guard let happen is what `check` calls expected.
        let (mut checker, mut pads) = (Checker::new(&world), PadChecker::new(&world).unwrap());
        checker.set(&[rest]).unwrap();
        let answer = checker.ask(&Question::distance());
        let judged = pads.judge_answer(&mut checker, &Question::distance(), answer);
        assert_eq!(judged.verdict, Verdict::ExpectedContact, "{speed}");
    }
}

#[test]
fn a_step_says_of_contact_on_pads_alone_how_far_they_can_still_be_pressed() {
    let (world, bare) = (cell(true), cell(false));
    for depth in [-0.001, 0.0005, 0.0015, 0.0039, 0.0041] {
        let step = |world: &World, q: f64| {
            let mut guard = Guard::new(world, &guard_of(world)).unwrap();
            let command = guard.step(&State { velocities: Some(&[0.0]), ..State::new(0.0, &[q]) });
            let pads: Vec<String> = guard
                .presses()
                .iter()
                .flat_map(|press| press.pads(world))
                .map(|pad| pad.name.clone())
                .collect();
            // What is asked once more after a reset is answered to the bit.
            guard.event(0.0, &Event::Reset).unwrap();
            let again = guard.step(&State { velocities: Some(&[0.0]), ..State::new(PERIOD, &[q]) });
            assert_eq!(command.pad_left, again.pad_left, "{q}");
            (command.pad_left, pads)
        };
        let (left, pads) = step(&world, 0.48 + depth);
        let is_pressed = (0.0..DEPTH).contains(&depth);
        assert_eq!((left.is_some(), pads), (is_pressed, vec!["front".to_string(); usize::from(is_pressed)]));
        assert!(left.is_none_or(|left| (left + depth - DEPTH).abs() < 1e-6), "{depth}: {left:?}");
        // The back has no pad, and the other finger none at all.
        assert_eq!(step(&world, -0.48 - depth).0, None, "{depth}");
        assert_eq!(step(&bare, 0.48 + depth).0, None, "{depth}");
    }
}

#[test]
fn too_fast_on_a_pad_is_stopped_before_it_touches() {
    for speed in [0.1, 0.3, 0.8] {
        let Run { rest, stop, .. } = run(&cell(true), 0.0, 0.6, speed);
        let kind = stop.map(|reason| reason.kind);
        assert!(matches!(kind, Some(ReasonKind::ContactSpeed | ReasonKind::Pad)), "{speed}: {stop:?}");
        assert!(press(rest) < 0.0, "{speed}: {}", press(rest));
    }
}

#[test]
fn beside_the_pad_and_without_one_nothing_is_touched() {
    for speed in [0.002, 0.03, 0.3] {
        let Run { rest, stop, .. } = run(&cell(true), -0.45, -0.6, -speed);
        assert!(stop.is_some() && press(-rest) < -CLEARANCE, "{speed}: {stop:?} {}", press(-rest));
        let Run { rest, stop, .. } = run(&cell(false), 0.45, 0.6, speed);
        assert_eq!(stop.unwrap().kind, ReasonKind::Collision, "{speed}");
        assert!(press(rest) < 0.0, "{speed}: {}", press(rest));
    }
}

#[test]
fn away_from_a_pressed_pad_the_arm_may_go_fast() {
    let world = cell(true);
    let Run { stop, .. } = run(&world, 0.4815, 0.3, -0.4);
    assert!(stop.is_none(), "{stop:?}");
    // It is too deep already, and waits for a person.
    let Run { stop, .. } = run(&world, 0.49, 0.3, -0.4);
    assert_eq!(stop.map(|reason| reason.kind), Some(ReasonKind::Pad));
}
