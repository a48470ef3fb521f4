//! What a guard believed once, and must not: inputs that lie, models that are wrong, events that cannot be.

use crate::attacked::{ball, cuboid, joint, link, movable, slider, state, told, world};
use crate::describe::obstacle;
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::world::BodyId;
use elbowroom_monitor::guard::*;
use elbowroom_monitor::stopping::{Brake, Profile, Range, Stopping};
use elbowroom_monitor::{Intent, Role, roles::Arm};

fn bodies<const N: usize>(world: &World, names: [&str; N]) -> [BodyId; N] {
    names.map(|name| world.body_by_name(name).unwrap())
}

fn part(body: BodyId, role: Role) -> ObjectDescription {
    ObjectDescription { parts: vec![(body, role)] }
}

fn kinds(command: &Command) -> Vec<ReasonKind> {
    command.reasons().map(|reason| reason.kind).collect()
}

/// A ball that slides, far from a wall.
fn free() -> World {
    World::compile(&slider(Vec3::X, vec![obstacle("wall", [30.0, 0.0, 0.0], ball(0.1))])).unwrap()
}

/// A joint that goes at a speed, whose velocity is told as something else.
fn first_doubt(
    g: &GuardDescription,
    world: &World,
    speed: f64,
    tell: impl Fn(f64) -> f64,
) -> Option<(u32, ReasonKind)> {
    let mut guard = Guard::new(world, g).unwrap();
    (0..100).find_map(|k| {
        let t = 0.01 * f64::from(k);
        let (q, v) = ([speed * t], [if k == 0 { speed } else { tell(t) }]);
        let command = guard.step(&state(t, &q, &v));
        command.reasons().next().filter(|_| command.action == Action::Stop).map(|reason| (k, reason.kind))
    })
}

/// Today's limit was 2 e / dt + a dt / 2, here 0.06 rad/s; positions over more than one state say more.
#[test]
fn a_velocity_that_is_not_that_of_the_positions_is_found() {
    let world = free();
    let g = told(&world, 1, &[]);
    for speed in [0.04, 0.05, -0.05, 0.3] {
        let stuck = first_doubt(&g, &world, speed, |_| 0.0);
        assert!(
            stuck.is_some_and(|(k, kind)| k < 20 && kind == ReasonKind::Implausible),
            "{speed}: {stuck:?}"
        );
    }
    // In degrees.
    let degrees = first_doubt(&g, &world, 0.02, |_| 0.02_f64.to_degrees());
    assert!(degrees.is_some_and(|(k, _)| k == 1), "{degrees:?}");
    // What is true is believed.
    for speed in [0.0, 0.05, 0.3] {
        assert_eq!(first_doubt(&g, &world, speed, |_| speed), None, "{speed}");
    }
}

/// What cannot be told apart widens what the joint may pass.
#[test]
fn an_arm_that_may_move_unseen_stays_farther_away() {
    let described =
        |gap: f64| slider(Vec3::X, vec![obstacle("wall", [0.05 + gap + 0.1, 0.0, 0.0], ball(0.1))]);
    let stops = |gap: f64, position_error: f64| {
        let world = World::compile(&described(gap)).unwrap();
        let mut g = told(&world, 1, &[]);
        g.arms[0].joints[0].position_error = position_error;
        let mut guard = Guard::new(&world, &g).unwrap();
        (0..50).any(|k| guard.step(&state(0.01 * f64::from(k), &[0.0], &[0.0])).action == Action::Stop)
    };
    // Where it may be a millimetre off it may have 9 cm/s, and comes 8 mm nearer.
    assert!(stops(0.008, 1e-3) && !stops(0.03, 1e-3));
    assert!(!stops(0.008, 1e-6));
}

#[test]
fn a_joint_that_speeds_up_beyond_its_profile_is_named() {
    let world = free();
    let mut guard = Guard::new(&world, &told(&world, 1, &[])).unwrap();
    // The profile has 2, and nothing else forbids 7.5.
    let found = (0..50).find_map(|k| {
        let t = 0.01 * f64::from(k);
        let command = guard.step(&state(t, &[0.5 * 7.5 * t * t], &[7.5 * t]));
        let reason = command.reasons().find(|reason| reason.kind == ReasonKind::BeyondModel)?;
        Some((k, *reason, command.category))
    });
    let (k, reason, category) = found.unwrap();
    assert!(k < 4 && reason.value == Some(0) && category == Some(Category::Zero), "{k} {reason:?}");
    assert!(reason.measured > reason.limit && reason.limit > 0.0, "{reason:?}");
}

#[test]
fn a_stop_that_does_not_brake_says_so_at_once() {
    let world = free();
    for (brakes, after) in [(false, Some(3)), (true, None)] {
        let mut guard = Guard::new(&world, &told(&world, 1, &[])).unwrap();
        let (mut q, mut v, mut told) = (0.0, 0.5, None);
        for k in 0..60 {
            let t = 0.01 * f64::from(k);
            let mut command = guard.step(&state(t, &[q], &[v]));
            if k == 20 {
                // Somebody's line cannot be read.
                command = guard.step_without(t, Some(ReasonKind::Unreadable));
                assert_eq!(command.action, Action::Stop);
            }
            if k > 20 && told.is_none() && kinds(&command).contains(&ReasonKind::BeyondModel) {
                told = Some(k - 20);
            }
            // The brake has 6 to 8, and acts 12 ms later at most.
            let next = if brakes && k > 20 { (v - 0.06_f64).max(0.0) } else { v };
            (q, v) = (q + 0.005 * (v + next), next);
        }
        assert_eq!(told.is_some(), after.is_some(), "{told:?}");
        assert!(told <= after, "{told:?}");
    }
}

/// The object of two bodies that are not attached to each other would be torn.
#[test]
fn what_moves_as_one_is_attached() {
    let mut lid = movable(obstacle("lid", [0.0, 1.0, 0.1], cuboid([0.1; 3])));
    let case = movable(obstacle("case", [0.0, 1.0, 0.0], cuboid([0.1; 3])));
    let table = obstacle("table", [0.0, 1.0, -0.5], cuboid([1.0, 1.0, 0.8]));
    for attached in [false, true] {
        if attached {
            let body = "world/case".into();
            lid.pose = Transform::from_translation(vec3(0.0, 0.0, 0.1));
            lid.attached_to = Some(Attachment { body, touch: vec![] });
        }
        let world = World::compile(&slider(Vec3::X, vec![case.clone(), lid.clone(), table.clone()])).unwrap();
        let [lid, case, table] = bodies(&world, ["world/lid", "world/case", "world/table"]);
        let mut g = told(&world, 1, &["r/a"]);
        let object = |parts: &[BodyId]| ObjectDescription {
            parts: parts.iter().map(|body| (*body, Role::Manipulating)).collect(),
        };
        g.objects = vec![object(&[lid, case])];
        let made = Guard::new(&world, &g).map(drop);
        assert_eq!(made.is_ok(), attached, "{made:?}");
        if let Err(faults) = made {
            assert!(faults.to_string().contains("world/lid and world/case move as one"), "{faults}");
        }
        // Nor does a fixed one come along.
        g.objects = vec![object(&[case, table])];
        assert!(Guard::new(&world, &g).is_err());
        if attached {
            g.objects = vec![object(&[lid, case])];
            let mut guard = Guard::new(&world, &g).unwrap();
            guard.step(&state(0.0, &[0.0], &[0.0]));
            assert!(matches!(guard.event(0.0, &Event::Detach { body: lid }), Err(Refusal::Unfit(_))));
        }
    }
}

#[test]
fn nothing_is_attached_from_afar_or_placed_into_something() {
    let obstacles = vec![
        movable(obstacle("a", [0.0, 1.0, 0.05], cuboid([0.1; 3]))),
        movable(obstacle("b", [0.0, 2.0, 0.05], cuboid([0.1; 3]))),
        movable(obstacle("c", [0.104, 1.0, 0.05], cuboid([0.1; 3]))),
        movable(obstacle("book", [1.0, 1.0, 0.015], cuboid([0.2, 0.2, 0.03]))),
        obstacle("table", [0.0, 1.5, -0.05], cuboid([4.0, 2.0, 0.0999])),
    ];
    let world = World::compile(&slider(vec3(0.0, 0.0, 1.0), obstacles)).unwrap();
    let [a, b, c, book, table] =
        bodies(&world, ["world/a", "world/b", "world/c", "world/book", "world/table"]);
    let mut g = told(&world, 1, &["r/a"]);
    g.objects = vec![part(table, Role::Supporting)];
    let event = |event: Event| {
        let mut guard = Guard::new(&world, &g).unwrap();
        guard.step(&state(0.0, &[1.0], &[0.0]));
        guard.event(0.0, &event)
    };
    let attach = |body, carrier| event(Event::Attach { body, carrier, touch: vec![] });
    let far = attach(a, b);
    assert!(
        matches!(far, Err(Refusal::OutOfReach { distance, .. }) if (distance - 0.9).abs() < 1e-6),
        "{far:?}"
    );
    assert_eq!(attach(a, c), Ok(()), "4 mm");
    assert!(matches!(attach(a, table), Err(Refusal::Unfit(_))), "what never moves");
    let place = |x: f64, y: f64, z: f64| {
        let body_in_world = Transform::from_translation(vec3(x, y, z));
        event(Event::Place { body: book, body_in_world, teleport: true })
    };
    assert_eq!(place(1.0, 1.2, 0.02), Ok(()));
    assert_eq!(place(1.0, 1.2, 0.012), Ok(()), "it stands, 3 mm deep");
    let occupied = |said: Result<(), Refusal>, name: &str, may: f64| match said {
        Err(Refusal::Occupied { by, depth, most }) => by == name && depth > may && most == may,
        _ => false,
    };
    assert!(occupied(place(1.0, 1.2, -0.05), "world/table", 0.01));
    assert!(occupied(place(0.1, 2.0, 0.05), "world/b", 0.0));
    // The hand rests at (0, 0, 1).
    assert!(occupied(place(0.0, 0.0, 1.0), "r/a", 0.01));
    assert_eq!(place(0.0, 0.0, 1.06), Ok(()), "the two overlap by 5 mm");
    let mut hidden = Guard::new(&world, &g).unwrap();
    hidden.step(&state(0.0, &[1.0], &[0.0]));
    hidden.event(0.0, &Event::Hide { body: a }).unwrap();
    let said = hidden.event(0.0, &Event::Attach { body: a, carrier: c, touch: vec![] });
    assert!(matches!(said, Err(Refusal::Unfit(says)) if says.contains("hidden")), "{said:?}");
    // A refused event changes nothing.
    let mut guard = Guard::new(&world, &g).unwrap();
    guard.step(&state(0.0, &[1.0], &[0.0]));
    let before = guard.snapshot(0.0);
    let body_in_world = Transform::from_translation(vec3(1.0, 1.2, -0.05));
    guard.event(0.0, &Event::Place { body: book, body_in_world, teleport: true }).unwrap_err();
    let lines = |text: &str| text.lines().filter(|line| line.starts_with("moved")).count();
    assert_eq!(lines(&guard.snapshot(0.0)), lines(&before));
}

/// A guard whose hand has taken a box that, by the event, may touch a wall.
fn holding(world: &World) -> Guard<'_> {
    let [hand, held, wall] = bodies(world, ["r/a", "world/box", "world/wall"]);
    let mut g = told(world, 1, &["r/a"]);
    g.objects = vec![part(held, Role::Manipulating)];
    let mut guard = Guard::new(world, &g).unwrap();
    guard.step(&state(0.0, &[0.0], &[0.0]));
    let intent = Some(Intent::Pick { object: guard.object_of(held), from: None, arm: Some(Arm(0)) });
    guard.event(0.0, &Event::Intent { arm: Some(Arm(0)), intent, until: f64::INFINITY }).unwrap();
    guard.event(0.0, &Event::Attach { body: held, carrier: hand, touch: vec![wall] }).unwrap();
    guard
}

/// A hand that takes a box may touch a wall, by the event. It is held by the roles all the same.
#[test]
fn touch_excuses_only_a_contact_that_is_there() {
    let cell = |gap: f64| {
        let obstacles = vec![
            movable(obstacle("box", [0.10, 0.0, 0.0], cuboid([0.1; 3]))),
            obstacle("wall", [0.15 + gap + 0.05, 0.0, 0.0], cuboid([0.1, 1.0, 1.0])),
        ];
        World::compile(&slider(Vec3::X, obstacles)).unwrap()
    };
    let run = |gap: f64, speed: f64| {
        let world = cell(gap);
        let mut guard = holding(&world);
        // The speed rises as the profile lets it.
        let (mut q, mut v, mut seen) = (0.0, 0.0_f64, Vec::new());
        for k in 1..60 {
            let next = v + (speed - v).clamp(-0.02, 0.02);
            (q, v) = (q + 0.005 * (v + next), next);
            let command = guard.step(&state(0.01 * f64::from(k), &[q], &[v]));
            seen.push((q, command.action, kinds(&command)));
        }
        seen
    };
    // From afar nothing is excused: it is stopped before the wall.
    let first = |seen: &[(f64, Action, Vec<ReasonKind>)]| {
        seen.iter().find(|(_, action, _)| *action == Action::Stop).cloned()
    };
    let (q, _, found) = first(&run(0.1, 0.5)).unwrap();
    assert!(q < 0.1 && found.contains(&ReasonKind::Collision), "{q} {found:?}");
    // What touches may go on touching, slowly, and leave.
    assert_eq!(first(&run(0.001, -0.03)), None);
    assert!(first(&run(0.001, 0.5)).is_some_and(|(_, _, kinds)| kinds.contains(&ReasonKind::ContactSpeed)));
    // Once they have parted it is excused no more.
    let world = cell(0.001);
    let mut guard = holding(&world);
    let (mut q, mut v, mut stopped) = (0.0, 0.0_f64, None);
    for k in 1..400 {
        let wanted = if k < 150 { -0.03 } else { 0.03 };
        let next = v + (wanted - v).clamp(-0.02, 0.02);
        (q, v) = (q + 0.005 * (v + next), next);
        let command = guard.step(&state(0.01 * f64::from(k), &[q], &[v]));
        if command.action == Action::Stop {
            stopped = Some((k, q, kinds(&command)));
            break;
        }
    }
    let (k, q, found) = stopped.unwrap();
    assert!(k > 150 && q < -0.001 && found.contains(&ReasonKind::Collision), "{k} {q} {found:?}");
}

/// What is held from the start may touch what the world file says only as long as it does.
#[test]
fn touch_of_the_world_is_no_more_for_a_guard_than_that_of_an_event() {
    let mut held = movable(obstacle("box", [0.1, 0.0, 0.0], cuboid([0.1; 3])));
    held.attached_to = Some(Attachment { body: "r/a".into(), touch: vec!["world/wall".into()] });
    let wall = obstacle("wall", [0.4, 0.0, 0.0], cuboid([0.1, 1.0, 1.0]));
    let world = World::compile(&slider(Vec3::X, vec![held, wall])).unwrap();
    let [held] = bodies(&world, ["world/box"]);
    let mut g = told(&world, 1, &["r/a"]);
    g.objects = vec![part(held, Role::Manipulating)];
    let mut guard = Guard::new(&world, &g).unwrap();
    let (mut q, mut v) = (0.0, 0.0_f64);
    let stopped = (0..100).find_map(|k| {
        let command = guard.step(&state(0.01 * f64::from(k), &[q], &[v]));
        let next = (v + 0.02).min(0.4);
        (q, v) = (q + 0.005 * (v + next), next);
        (command.action == Action::Stop).then_some((q, kinds(&command)))
    });
    let (q, kinds) = stopped.unwrap();
    assert!(q < 0.2 && kinds.contains(&ReasonKind::Collision), "{q} {kinds:?}");
}

#[test]
fn a_held_part_without_a_role_is_put_on_nothing() {
    let mut held = movable(obstacle("box", [0.0, 0.0, -0.15], cuboid([0.1; 3])));
    held.attached_to = Some(Attachment { body: "r/a".into(), touch: vec![] });
    let mut handle = movable(obstacle("handle", [0.0, 0.0, 0.08], cuboid([0.02; 3])));
    handle.attached_to = Some(Attachment { body: "world/box".into(), touch: vec![] });
    let table = obstacle("table", [0.0, 0.0, -0.8], cuboid([1.0, 1.0, 0.2]));
    let world = World::compile(&slider(vec3(0.0, 0.0, -1.0), vec![held, handle, table])).unwrap();
    let [held, handle, table] = bodies(&world, ["world/box", "world/handle", "world/table"]);
    for role in [Role::Neither, Role::Manipulating] {
        let mut g = told(&world, 1, &["r/a"]);
        let parts = vec![(held, role), (handle, Role::Manipulating)];
        g.objects = vec![ObjectDescription { parts }, part(table, Role::Supporting)];
        let mut guard = Guard::new(&world, &g).unwrap();
        let [object, on] = [held, table].map(|body| guard.object_of(body));
        let intent = Some(Intent::Place { object, on, arm: Some(Arm(0)) });
        guard.event(0.0, &Event::Intent { arm: Some(Arm(0)), intent, until: f64::INFINITY }).unwrap();
        // It sinks at 2 cm/s from 1 cm above.
        let stopped = (0..100).any(|k| {
            let t = 0.01 * f64::from(k);
            let q = 0.49 + 0.02 * t;
            let command = guard.step(&state(t, &[q], &[0.02]));
            command.action == Action::Stop && kinds(&command).contains(&ReasonKind::Collision)
        });
        assert_eq!(stopped, role == Role::Neither);
    }
}

#[test]
fn a_force_that_was_measured_and_is_lost_stops() {
    let world = free();
    let mut g = told(&world, 1, &["r/a"]);
    (g.contact_force, g.force_still) = (50.0, 0.2);
    let run = |g: &GuardDescription, force: &dyn Fn(u32) -> Option<f64>| {
        let mut guard = Guard::new(&world, g).unwrap();
        (0..100).find_map(|k| {
            let force = force(k).map(|force| [force]);
            let forces = force.as_ref().map(|force| &force[..]);
            let command = guard.step(&State { forces, ..state(0.01 * f64::from(k), &[0.0], &[0.0]) });
            (command.action == Action::Stop).then(|| (k, kinds(&command)))
        })
    };
    let noise = |k: u32| 1.0 + 1e-9 * f64::from(k);
    let lost = Some((50, vec![ReasonKind::ForceLost]));
    assert_eq!(run(&g, &|k| Some(noise(k))), None);
    assert_eq!(run(&g, &|k| (k < 50).then(|| noise(k))), lost);
    assert_eq!(run(&g, &|k| Some(if k < 50 { noise(k) } else { f64::NAN })), lost);
    let still = run(&g, &|k| Some(noise(k.min(50))));
    assert!(still.is_some_and(|(k, kinds)| (70..73).contains(&k) && kinds == [ReasonKind::ForceLost]));
    // Where nothing depends on it nothing is said, nor where it was never measured.
    assert_eq!(run(&g, &|_| None), None);
    g.contact_force = f64::INFINITY;
    assert_eq!(run(&g, &|k| (k < 50).then(|| noise(k))), None);
    // Efforts with a limit may not be lost either; without one ROS writes NaN.
    for (limit, stops) in [(Limit::stop_beyond(10.0), true), (Limit::NONE, false)] {
        g.arms[0].joints[0].effort = limit;
        let mut guard = Guard::new(&world, &g).unwrap();
        let mut said = |k: u32, effort: f64| {
            let efforts = [effort];
            let state = State { efforts: Some(&efforts), ..state(0.01 * f64::from(k), &[0.0], &[0.0]) };
            kinds(&guard.step(&state))
        };
        assert_eq!((said(0, f64::NAN), said(1, 3.0)), (vec![], vec![]));
        assert_eq!(said(2, f64::NAN), if stops { vec![ReasonKind::ForceLost] } else { vec![] });
    }
}

#[test]
fn a_reset_in_the_first_line_after_a_gap_counts() {
    let world = free();
    let mut guard = Guard::new(&world, &told(&world, 1, &[])).unwrap();
    for k in 0..5 {
        guard.step(&state(0.01 * f64::from(k), &[0.0], &[0.0]));
    }
    assert_eq!(guard.step_without(0.2, None).action, Action::Stop);
    // Five seconds later the controller is there again, elsewhere.
    guard.event(5.0, &Event::Reset).unwrap();
    let command = guard.step(&state(5.0, &[0.4], &[0.0]));
    assert!(command.action != Action::Stop && guard.latched_reason().is_none(), "{command:?}");
    // A gap without a reset is late, as before.
    assert_eq!(kinds(&guard.step(&state(6.0, &[0.4], &[0.0])))[0], ReasonKind::Late);
}

#[test]
fn a_joint_without_an_end_may_count_from_another_turn() {
    let turn = joint(JointKind::Continuous, ["base", "a"], Vec3::ZERO, Vec3::Z);
    let links = vec![link("base", vec![]), link("a", ball(0.05))];
    let turn = JointDescriptionOf { limits: None, ..turn };
    let wall = obstacle("wall", [5.0, 0.0, 0.0], ball(0.1));
    let world = World::compile(&world(links, vec![turn], vec![wall])).unwrap();
    let mut g = told(&world, 1, &[]);
    g.arms[0].joints[0].position = [f64::NEG_INFINITY, f64::INFINITY];
    let told = |turned: f64| {
        (turned + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI
    };
    for speed in [0.5, -0.5] {
        let mut guard = Guard::new(&world, &g).unwrap();
        for k in 0..200 {
            let t = 0.01 * f64::from(k);
            let q = told(3.0 * f64::signum(speed) + speed * t);
            let command = guard.step(&state(t, &[q], &[speed]));
            assert_ne!(command.action, Action::Stop, "{t} {q}: {command:?}");
        }
        // Also while it brakes, and after a restart.
        let mut guard = Guard::new(&world, &g).unwrap();
        let (mut turned, mut v) = (3.13 * f64::signum(speed), speed);
        for k in 0..40 {
            let t = 0.01 * f64::from(k);
            let command = guard.step(&state(t, &[told(turned)], &[v]));
            assert!(!kinds(&command).contains(&ReasonKind::BeyondModel), "{t} {turned}: {command:?}");
            if k == 1 {
                guard.step_without(t, Some(ReasonKind::Unreadable));
            }
            let next = if k < 2 { v } else { v.signum() * (v.abs() - 0.06).max(0.0) };
            (turned, v) = (turned + 0.005 * (v + next), next);
        }
        let text = guard.snapshot(0.0);
        let mut restored = Guard::restore(&world, &g, &text, (0.0, 10.0)).unwrap();
        let command = restored.step(&state(0.5, &[turned], &[0.0]));
        assert!(!kinds(&command).contains(&ReasonKind::Restored), "{turned}: {command:?}");
    }
}

type JointDescriptionOf = elbowroom::describe::JointDescription;

/// Stamps that waver make velocities of positions and accelerations wrong.
#[test]
fn stamps_may_waver_as_far_as_they_are_said_to() {
    let world = free();
    // Evenly, and as fast as the profile lets it speed up.
    for (time_error, stops, speeds_up) in [(0.0, true, false), (0.002, false, false), (0.002, false, true)] {
        let mut g = told(&world, 1, &[]);
        (g.time_error, g.late) = (time_error, 0.03);
        g.arms[0].joints[0].position_error = 1e-5;
        let mut guard = Guard::new(&world, &g).unwrap();
        let stopped = (0..100).find_map(|k| {
            let t = 0.01 * f64::from(k);
            let stamp = t + if k % 2 == 0 { 0.0019 } else { 0.0 };
            let (q, v) = if speeds_up { (t * t, 2.0 * t) } else { (0.8 * t, 0.8) };
            let command = guard.step(&state(stamp, &[q], &[v]));
            (command.action == Action::Stop).then_some(command)
        });
        assert_eq!(stopped.is_some(), stops, "{stopped:?}");
    }
}

/// A hash tells of accidents. Who edits a snapshot writes a new one.
#[test]
fn a_snapshot_that_was_edited_is_held_to_what_events_allow() {
    let obstacles = vec![
        movable(obstacle("a", [0.0, 1.0, 0.05], cuboid([0.1; 3]))),
        movable(obstacle("b", [0.0, 2.0, 0.05], cuboid([0.1; 3]))),
    ];
    let world = World::compile(&slider(vec3(0.0, 0.0, 1.0), obstacles)).unwrap();
    let [a, b] = bodies(&world, ["world/a", "world/b"]);
    let g = told(&world, 1, &["r/a"]);
    let mut guard = Guard::new(&world, &g).unwrap();
    guard.step(&state(0.0, &[1.0], &[0.0]));
    let body_in_world = Transform::from_translation(vec3(0.0, 1.2, 0.05));
    guard.event(0.0, &Event::Place { body: a, body_in_world, teleport: true }).unwrap();
    let text = guard.snapshot(0.0);
    let restore = |text: &str| Guard::restore(&world, &g, text, (0.0, 10.0)).map(drop);
    assert_eq!(restore(&text), Ok(()));
    let edited = |from: &str, to: &str| {
        let lines = text.rsplit_once("end ").unwrap().0.replace(from, to);
        let hash = lines
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        format!("{lines}end {hash:016x}\n")
    };
    let bits = |y: f64| format!("{:016x}", y.to_bits());
    // In the other box, at the other box from afar, and gone from the cell's numbers.
    let inside = edited(&bits(1.2), &bits(2.02));
    assert_eq!(restore(&inside), Err(SnapshotFault::Impossible { body: a }));
    let carried = edited(&format!("moved {} -", a.0), &format!("moved {} {}", a.0, b.0));
    assert_eq!(restore(&carried), Err(SnapshotFault::Impossible { body: a }));
    assert!(restore(&edited(&bits(1.2), &bits(f64::NAN))).is_err());
    assert_eq!(restore(&edited("written", "writtem")).map_err(|_| ()), Err(()));
    let other = text.replace("guard snapshot 2", "guard snapshot 1");
    assert_eq!(restore(&other), Err(SnapshotFault::OtherVersion));
}

/// A velocity profile says nothing of accelerations; the limit does.
#[test]
fn a_velocity_that_is_held_is_watched_too() {
    let world = free();
    let mut g = told(&world, 1, &[]);
    let profile = Profile::Velocity { drift: Range::exactly(0.05) };
    let brake = Brake::Deceleration(Range { least: 6.0, most: 8.0 });
    g.arms[0].joints[0].stopping = Stopping::new(profile, brake, Range { least: 0.0, most: 0.012 }).unwrap();
    assert_eq!(first_doubt(&g, &world, 0.3, |_| 0.3), None);
    let stuck = first_doubt(&g, &world, 0.3, |_| 0.0);
    assert!(stuck.is_some_and(|(k, kind)| k < 10 && kind == ReasonKind::Implausible), "{stuck:?}");
}
