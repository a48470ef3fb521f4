//! Single states.

use crate::FACTS;
use crate::cell::{describe, guard_of};
use crate::rng::Rng;
use elbowroom::World;
use elbowroom_monitor::guard::{
    Action, Category, Event, Guard, GuardDescription, PeopleDescription, Reaction, ReasonKind, Refusal,
    SpeedLimit, State,
};

const HOME: [f64; 6] = [0.7, -0.8, 0.3, 0.7, -0.8, 0.3];

fn world() -> World {
    World::compile(&describe(0, &mut Rng::new(1))).unwrap()
}

fn state<'a>(t: f64, q: &'a [f64], v: &'a [f64]) -> State<'a> {
    State { velocities: Some(v), ..State::new(t, q) }
}

fn kinds(guard: &mut Guard, state: &State) -> Vec<ReasonKind> {
    guard.step(state).reasons().map(|reason| reason.kind).collect()
}

#[test]
fn at_rest_and_clear_all_is_permitted() {
    let world = world();
    let mut guard = Guard::new(&world, &guard_of(&world, &FACTS)).unwrap();
    for k in 0..5 {
        let command = guard.step(&state(0.01 * f64::from(k), &HOME, &[0.0; 6]));
        assert_eq!((command.action, command.speed), (Action::Permit, 1.0), "{command:?}");
        assert!(command.distance.unwrap()[0] > 0.05 && command.reasons().count() == 0);
        assert_eq!(command.step, k as u64 + 1);
    }
}

#[test]
fn states_that_cannot_be_believed_stop_the_arms_until_a_reset() {
    let world = world();
    let d = guard_of(&world, &FACTS);
    let still = [0.0; 6];
    let mut nan = HOME;
    nan[2] = f64::NAN;
    let mut jumped = HOME;
    jumped[0] += 0.3;
    let fast = [0.5, 0.0, 0.0, 0.0, 0.0, 0.0];
    let bad: [(State, ReasonKind); 8] = [
        (state(0.01, &nan, &still), ReasonKind::NotFinite),
        (state(f64::NAN, &HOME, &still), ReasonKind::NotFinite),
        (state(0.01, &HOME[..5], &still), ReasonKind::WrongCount),
        (state(0.0, &HOME, &still), ReasonKind::Repeated),
        (state(-1.0, &HOME, &still), ReasonKind::OutOfOrder),
        (state(0.5, &HOME, &still), ReasonKind::Late),
        (state(0.01, &jumped, &still), ReasonKind::Implausible),
        (state(0.01, &HOME, &fast), ReasonKind::Implausible),
    ];
    for (bad, kind) in bad {
        let mut guard = Guard::new(&world, &d).unwrap();
        assert_eq!(guard.step(&state(0.0, &HOME, &still)).action, Action::Permit);
        let command = guard.step(&bad);
        assert_eq!((command.action, command.category), (Action::Stop, Some(Category::Zero)), "{kind:?}");
        assert!(command.reasons().any(|reason| reason.kind == kind), "{kind:?}: {command:?}");
        // It stays so, until a person has seen to it.
        let t = if kind == ReasonKind::Late { 0.51 } else { 0.02 };
        let command = guard.step(&state(t, &HOME, &still));
        assert_eq!(command.action, Action::Stop, "{kind:?}: {command:?}");
        assert!(command.reasons().any(|reason| reason.kind == ReasonKind::Latched), "{kind:?}: {command:?}");
        guard.event(t, &Event::Reset).unwrap();
        let command = guard.step(&state(t + 0.01, &HOME, &still));
        assert_ne!(command.action, Action::Stop, "{kind:?}: {command:?}");
        assert!(command.speed < 0.1 && command.reasons().any(|reason| reason.kind == ReasonKind::Rising));
    }
}

#[test]
fn silence_and_unreadable_lines_stop_the_arms() {
    let world = world();
    let mut guard = Guard::new(&world, &guard_of(&world, &FACTS)).unwrap();
    assert_eq!(guard.step_without(0.0, None).reasons().next().unwrap().kind, ReasonKind::Waiting);
    guard.step(&state(0.0, &HOME, &[0.0; 6]));
    assert_eq!(guard.step_without(0.02, None).action, Action::Permit);
    let command = guard.step_without(0.03, None);
    assert_eq!((command.action, command.reasons().next().unwrap().kind), (Action::Stop, ReasonKind::Late));
    let mut guard = Guard::new(&world, &guard_of(&world, &FACTS)).unwrap();
    guard.step(&state(0.0, &HOME, &[0.0; 6]));
    let command = guard.step_without(0.01, Some(ReasonKind::Unreadable));
    assert_eq!((command.action, command.category), (Action::Stop, Some(Category::Zero)));
}

#[test]
fn limits_have_their_reactions() {
    let world = world();
    let mut d = guard_of(&world, &FACTS);
    d.arms[0].joints[0].effort =
        elbowroom_monitor::guard::Limit { most: 50.0, reaction: elbowroom_monitor::guard::Reaction::Slow };
    let run = |d: &GuardDescription, second: &dyn Fn(State<'static>) -> State<'static>| {
        let mut guard = Guard::new(&world, d).unwrap();
        static Q: [f64; 6] = HOME;
        static V: [f64; 6] = [0.0; 6];
        guard.step(&state(0.0, &Q, &V));
        guard.step(&second(state(0.01, &Q, &V)))
    };
    let slow = run(&d, &|s| State { efforts: Some(&[100.0, 0.0, 0.0, 0.0, 0.0, 0.0]), ..s });
    assert_eq!((slow.action, slow.speed), (Action::Slow, 0.5), "{slow:?}");
    let stop = run(&d, &|s| State { efforts: Some(&[0.0, 200.0, 0.0, 0.0, 0.0, 0.0]), ..s });
    assert_eq!(stop.action, Action::Stop);
    let stop = run(&d, &|s| State { currents: Some(&[0.0, 0.0, 0.0, 0.0, 0.0, -11.0]), ..s });
    assert_eq!(stop.reasons().next().unwrap().kind, ReasonKind::Current);
    assert_eq!(stop.reasons().next().unwrap().value, Some(5));
    d.contact_force = 80.0;
    let strong = run(&d, &|s| State { forces: Some(&[80.0, -81.0]), ..s });
    let reason = strong.reasons().next().unwrap();
    assert_eq!((strong.action, reason.kind, reason.arm), (Action::Stop, ReasonKind::ContactForce, Some(1)));
    let one = run(&d, &|s| State { forces: Some(&[8.0]), ..s });
    assert_eq!(one.reasons().next().unwrap().kind, ReasonKind::WrongCount);
    // An arm without a sensor tells none.
    let none = run(&d, &|s| State { forces: Some(&[8.0, f64::NAN]), ..s });
    assert_eq!(none.action, Action::Permit, "{none:?}");
    let infinite = run(&d, &|s| State { forces: Some(&[8.0, f64::INFINITY]), ..s });
    assert_eq!(infinite.reasons().next().unwrap().kind, ReasonKind::NotFinite);
    // A limit that slows: the joint asks for twice its limit, and gets what it is told, a period later.
    d.arms[0].joints[0].velocity =
        elbowroom_monitor::guard::Limit { most: 0.2, reaction: elbowroom_monitor::guard::Reaction::Slow };
    let mut guard = Guard::new(&world, &d).unwrap();
    let (mut q, mut part, mut v, mut told) = (HOME, 1.0_f64, 0.0_f64, Vec::new());
    for k in 0..300 {
        // It accelerates by at most 2 rad/s^2, as its profile says.
        let next = v + (0.4 * part - v).clamp(-0.02, 0.02);
        q[0] += 0.01 * 0.5 * (v + next);
        v = next;
        let command = guard.step(&state(0.01 * f64::from(k), &q, &[v, 0.0, 0.0, 0.0, 0.0, 0.0]));
        assert_ne!(command.action, Action::Stop, "{k}: {command:?}");
        part = command.speed;
        told.extend((k >= 100).then_some(v));
    }
    let (mean, most) = (told.iter().sum::<f64>() / 200.0, told.iter().copied().fold(0.0, f64::max));
    assert!(mean > 0.15 && mean < 0.21 && most < 0.26, "{mean} {most}");
    d.arms[0].joints[0].velocity = elbowroom_monitor::guard::Limit::stop_beyond(FACTS.speed);
    // A joint that came so far was too fast once, whatever velocity it reports, and even if nothing is known
    // of its acceleration.
    d.arms[0].joints[1].acceleration = elbowroom_monitor::guard::Limit::NONE;
    static JUMPED: [f64; 6] = [0.7, -0.77, 0.3, 0.7, -0.8, 0.3];
    let jumped = run(&d, &|s| State { positions: &JUMPED, ..s });
    let reason = jumped.reasons().next().unwrap();
    assert_eq!((jumped.action, reason.kind, reason.value), (Action::Stop, ReasonKind::Velocity, Some(1)));
    // Three hundredths less twice the error, by a clock that may be a hundredth too slow.
    assert!((reason.measured - 2.98 / 1.01).abs() < 1e-9, "{reason:?}");
    // A joint at the end of its range may leave it, and not go on.
    d.arms[0].joints[0].position = [0.695, 0.705];
    for (v, action) in [(0.2, Action::Stop), (0.0, Action::Permit)] {
        let mut guard = Guard::new(&world, &d).unwrap();
        let command = guard.step(&state(0.0, &HOME, &[v, 0.0, 0.0, 0.0, 0.0, 0.0]));
        assert_eq!(command.action, action, "{command:?}");
    }
}

#[test]
fn each_arm_may_report_by_itself() {
    let world = world();
    let mut guard = Guard::new(&world, &guard_of(&world, &FACTS)).unwrap();
    let of = |t: f64, arm: usize| State { arm: Some(arm), ..state(t, &HOME[..3], &[0.0; 3]) };
    assert_eq!(kinds(&mut guard, &of(0.0, 0)), [ReasonKind::Waiting]);
    assert_eq!(kinds(&mut guard, &of(0.001, 1)), []);
    // The right arm is silent from 0.091 on.
    for k in 1..12 {
        let t = 0.01 * f64::from(k);
        assert_eq!(guard.step(&of(t, 0)).action, Action::Permit, "{k}");
        if k < 10 {
            assert_eq!(guard.step(&of(t + 0.001, 1)).action, Action::Permit, "{k}");
        }
    }
    assert_eq!(kinds(&mut guard, &of(0.13, 0)).first(), Some(&ReasonKind::Late));
    assert_eq!(kinds(&mut guard, &of(0.13, 2)).first(), Some(&ReasonKind::WrongCount));
}

#[test]
fn two_guards_give_the_same_bits() {
    let world = world();
    let d = guard_of(&world, &FACTS);
    let (mut one, mut other) = (Guard::new(&world, &d).unwrap(), Guard::new(&world, &d).unwrap());
    assert_eq!(one.fingerprint(), other.fingerprint());
    let mut rng = Rng::new(77);
    let mut q = HOME;
    for k in 0..300 {
        let v: Vec<f64> = q.iter().map(|_| rng.range(-0.5, 0.5)).collect();
        q.iter_mut().zip(&v).for_each(|(q, v)| *q += 0.01 * v);
        let s = state(0.01 * f64::from(k), &q, &v);
        assert_eq!(format!("{:?}", one.step(&s)), format!("{:?}", other.step(&s)));
    }
    let mut told = d.clone();
    told.look_ahead = 0.3;
    assert_ne!(Guard::new(&world, &told).unwrap().fingerprint(), one.fingerprint());
}

#[test]
fn all_faults_of_a_description_are_told() {
    let world = world();
    let mut d = guard_of(&world, &FACTS);
    d.period = f64::NAN;
    d.contact_speed = -1.0;
    d.arms[0].joints.pop();
    d.arms[1].end_effector = vec![world.body_by_name("world/table").unwrap()];
    d.objects.push(d.objects[0].clone());
    let faults = Guard::new(&world, &d).unwrap_err();
    let told = faults.to_string();
    for words in [
        "period is NaN",
        "contact_speed is -1",
        "2 joints are described of 3",
        "world/table, of the end effector, is not a link of right",
        "world/part is a part of two",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn who_is_late_has_room_for_the_rounding_of_times() {
    let world = world();
    let mut d = guard_of(&world, &FACTS);
    // Sums of 0.1 leave steps of 0.10000000000000009.
    let run = |d: &GuardDescription| {
        let (mut guard, mut t, mut stopped) = (Guard::new(&world, d).unwrap(), 0.0, 0);
        for _ in 0..50 {
            stopped += usize::from(guard.step(&state(t, &HOME, &[0.0; 6])).action == Action::Stop);
            t += 0.1;
        }
        stopped
    };
    (d.period, d.late) = (0.1, 0.101);
    assert_eq!(run(&d), 0);
    for late in [0.1, 0.05, 0.1009] {
        d.late = late;
        let told = Guard::new(&world, &d).unwrap_err().to_string();
        assert!(told.contains(&format!("late is {late}, and the period 0.1; give at least 1.01")), "{told}");
    }
}

#[test]
fn only_what_somebody_can_tell_of_stands_for_people() {
    let mut d = describe(0, &mut Rng::new(1));
    d.clouds.push(elbowroom::describe::CloudDescription { name: "seen".into(), radius: 0.1, capacity: 9 });
    d.spares.push(elbowroom::describe::SpareDescription { name: "place".into(), corners: 8 });
    let world = World::compile(&d).unwrap();
    let mut settings = guard_of(&world, &FACTS);
    let names = ["world/table", "world/place", "left/3", "world/part", "world/seen"];
    let mut bodies: Vec<_> = names.iter().map(|name| world.body_by_name(name).unwrap()).collect();
    bodies.push(elbowroom::world::BodyId(999));
    settings.objects.clear();
    let people = PeopleDescription {
        bodies,
        speed: 1.6,
        time: 0.2,
        intrusion: 0.1,
        uncertainty: 0.05,
        late: 0.1,
        near: 1.0,
    };
    settings.people = Some(people);
    let faults = Guard::new(&world, &settings).unwrap_err();
    let told: Vec<&str> = faults.0.iter().map(|fault| &*fault.what).collect();
    let expected = [
        "world/table is fixed, so nobody can tell where it is",
        "world/place is a spare place, of which nobody tells where it is",
        "left/3 is not an obstacle of the world",
        "body 999 is not an obstacle of the world",
    ];
    assert_eq!(told, expected);
    assert!(faults.0.iter().all(|fault| fault.help.contains("name movable obstacles, which a tracker")));
    settings.zones.push(world.body_by_name("world/table").unwrap());
    let told = Guard::new(&world, &settings).unwrap_err().to_string();
    assert!(told.contains("world/table is a zone, which nobody ever sees"), "{told}");
}

/// The cell without posts, with a person, a ball that a tracker places, 1.3 m before the left hand.
fn with_a_person() -> World {
    let mut d = describe(0, &mut Rng::new(1));
    let shapes = vec![crate::describe::ball(0.0, 0.0, 0.0, 0.2)];
    let person = crate::describe::obstacle("person", [0.5, 2.2, 0.3], shapes);
    d.obstacles.push(elbowroom::describe::ObstacleDescription { movable: true, ..person });
    World::compile(&d).unwrap()
}

#[test]
fn people_are_kept_apart_by_what_the_arm_may_pass_and_how_fast_they_come() {
    let world = with_a_person();
    let person = world.body_by_name("world/person").unwrap();
    let mut d = guard_of(&world, &FACTS);
    let people = PeopleDescription {
        bodies: vec![person],
        speed: 1.6,
        time: 0.25,
        intrusion: 0.1,
        uncertainty: 0.05,
        late: 0.025,
        near: 1.0,
    };
    assert!((people.separation_distance() - 0.59).abs() < 1e-12);
    d.people = Some(people);
    let hand = world.body_by_name("left/3").unwrap();
    d.speed_limits = vec![SpeedLimit { body: hand, most: 0.25, people_near: true, reaction: Reaction::Slow }];
    let mut guard = Guard::new(&world, &d).unwrap();
    let still = [0.0; 6];
    // Where the person is has not been told yet.
    let command = guard.step(&state(0.0, &HOME, &still));
    assert_eq!(command.reasons().next().unwrap().kind, ReasonKind::Unseen, "{command:?}");
    // Where the ball's surface is from the left hand's tip, by its frame.
    let mut checker = elbowroom::Checker::new(&world);
    checker.set(&HOME).unwrap();
    let at = checker.body_in_world(hand).unwrap();
    let tip = at.point([0.4, 0.0, 0.0].into());
    let place = |guard: &mut Guard, t: f64, gap: f64, teleport: bool| {
        let center = tip + elbowroom::math::vec3(0.0, 0.03 + 0.2 + gap, 0.0);
        let body_in_world = elbowroom::math::Transform::from_translation(center);
        guard.event(t, &Event::Place { body: person, body_in_world, teleport })
    };
    // The arms go on slowly at first.
    for k in 1..60 {
        let t = 0.01 * f64::from(k);
        place(&mut guard, t - 0.001, 1.5, false).unwrap();
        assert_ne!(guard.step(&state(t, &HOME, &still)).action, Action::Stop);
    }
    let mut seen = Vec::new();
    for (k, gap) in [(60, 0.9), (61, 0.6), (62, 0.58), (63, 0.69), (64, 1.5)] {
        let t = 0.01 * f64::from(k);
        // Who is suddenly near is kept from; who is suddenly gone is not believed.
        if k == 64 {
            let mut other = guard.clone();
            let jump = place(&mut other, t - 0.001, gap, false);
            let Err(Refusal::Jumps { way, most }) = jump else { panic!("{jump:?}") };
            assert!((way - 0.81).abs() < 1e-9 && (most - 0.116).abs() < 1e-9, "{way} {most}");
            assert_eq!(other.step(&state(t, &HOME, &still)).action, Action::Stop);
        }
        place(&mut guard, t - 0.001, gap, k == 64).unwrap();
        let command = guard.step(&state(t, &HOME, &still));
        seen.push((command.action == Action::Stop, command.reasons().next().map(|reason| reason.kind)));
    }
    assert_eq!(seen[0], (false, None), "{seen:?}");
    assert_eq!(seen[2], (true, Some(ReasonKind::Separation)), "{seen:?}");
    assert!(!seen[1].0 && !seen[3].0 && !seen[4].0, "{seen:?}");
    // The tracker falls silent; then it says that the person has left, again and again.
    for (k, unseen) in [(65, false), (66, false), (67, true), (68, true)] {
        let command = guard.step(&state(0.01 * f64::from(k), &HOME, &still));
        assert_eq!(
            command.reasons().any(|reason| reason.kind == ReasonKind::Unseen),
            unseen,
            "{k}: {command:?}"
        );
    }
    for (event, t) in [(0.685, 0.69), (0.695, 0.7)] {
        guard.event(event, &Event::Hide { body: person }).unwrap();
        let command = guard.step(&state(t, &HOME, &still));
        assert!(command.reasons().all(|reason| reason.kind == ReasonKind::Rising), "{command:?}");
    }
}

#[test]
fn people_who_are_not_checked_are_a_fault() {
    let mut d = describe(0, &mut Rng::new(1));
    let shapes = vec![crate::describe::ball(0.0, 0.0, 0.0, 0.2)];
    let person = crate::describe::obstacle("person", [0.5, 2.2, 0.3], shapes);
    d.obstacles.push(elbowroom::describe::ObstacleDescription { movable: true, ..person });
    d.checks = vec![["left".into(), "world/person".into()], ["right".into(), "world".into()]];
    for wrong in [false, true] {
        if wrong {
            d.checks[0][0] = "left/3".into();
        }
        let world = World::compile(&d).unwrap();
        let mut settings = guard_of(&world, &FACTS);
        settings.people = Some(PeopleDescription {
            bodies: vec![world.body_by_name("world/person").unwrap()],
            speed: 1.6,
            time: 0.25,
            intrusion: 0.1,
            uncertainty: 0.05,
            late: 0.1,
            near: 1.0,
        });
        let told = Guard::new(&world, &settings).map(drop).unwrap_err().to_string();
        let words = "world/person stands for people, and is not checked against left/2";
        assert_eq!(told.contains(words), wrong, "{told}");
        // What a hand may take comes near people with it.
        let words = "world/person stands for people, and is not checked against world/part";
        assert!(wrong || told.contains(words), "{told}");
        d.checks.push(["world/part".into(), "world/person".into()]);
        let world = World::compile(&d).unwrap();
        assert_eq!(Guard::new(&world, &settings).is_err(), wrong);
        d.checks.pop();
    }
}

#[test]
fn a_zone_is_kept_like_an_obstacle_and_named_as_one_that_nothing_touches() {
    // A wall of air some centimetres beside the left hand.
    let mut d = describe(0, &mut Rng::new(1));
    let mut checker_world = World::compile(&d).unwrap();
    let hand = checker_world.body_by_name("left/3").unwrap();
    let mut checker = elbowroom::Checker::new(&checker_world);
    checker.set(&HOME).unwrap();
    let tip = checker.body_in_world(hand).unwrap().point([0.4, 0.0, 0.0].into());
    let size = [4.0, 0.2, 4.0];
    let shapes = vec![crate::describe::shape(elbowroom::describe::ShapeDescription::Box { size })];
    let at = [tip.x, tip.y + 0.03 + 0.06 + 0.1, tip.z];
    d.obstacles.push(crate::describe::obstacle("zone", at, shapes));
    checker_world = World::compile(&d).unwrap();
    let zone = checker_world.body_by_name("world/zone").unwrap();
    for named in [true, false] {
        let mut d = guard_of(&checker_world, &FACTS);
        d.zones.extend(named.then_some(zone));
        let mut guard = Guard::new(&checker_world, &d).unwrap();
        assert_eq!(guard.step(&state(0.0, &HOME, &[0.0; 6])).action, Action::Permit);
        let mut guard = Guard::new(&checker_world, &d).unwrap();
        // At 1 rad/s about z it goes on for 0.1 rad at least.
        let command = guard.step(&state(0.0, &HOME, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
        let reason = command.reasons().next().unwrap();
        let kind = if named { ReasonKind::Zone } else { ReasonKind::Collision };
        assert_eq!((command.action, reason.kind), (Action::Stop, kind), "{command:?}");
        assert!(reason.pair.unwrap().a == zone || reason.pair.unwrap().b == zone);
    }
    // What a hand takes does not touch it, whatever is said.
    let part = checker_world.body_by_name("world/part").unwrap();
    for (touch, refused) in [(zone, true), (checker_world.body_by_name("world/table").unwrap(), false)] {
        let mut d = guard_of(&checker_world, &FACTS);
        d.zones.push(zone);
        let mut guard = Guard::new(&checker_world, &d).unwrap();
        guard.step(&state(0.0, &HOME, &[0.0; 6]));
        let attach = Event::Attach { body: part, carrier: hand, touch: vec![touch] };
        let said = guard.event(0.005, &attach).unwrap_err();
        // Without the zone it is out of reach.
        assert_eq!(said == elbowroom_monitor::guard::Refusal::NeverTouched, refused, "{said}");
    }
    let mut d = guard_of(&checker_world, &FACTS);
    d.zones = vec![hand];
    assert!(
        Guard::new(&checker_world, &d).unwrap_err().to_string().contains("zones: left/3 is not an obstacle")
    );
}

#[test]
fn links_are_not_faster_than_their_limits() {
    let world = with_a_person();
    let mut d = guard_of(&world, &FACTS);
    let hand = world.body_by_name("left/3").unwrap();
    let reaction = Reaction::Slow;
    d.speed_limits = vec![SpeedLimit { body: hand, most: 0.25, people_near: false, reaction }];
    // About z at 0.5 rad/s: the tip is within 0.8 m of the axis.
    let turn = [0.5, 0.0, 0.0, 0.0, 0.0, 0.0];
    let command = Guard::new(&world, &d).unwrap().step(&state(0.0, &HOME, &turn));
    let reason = command.reasons().find(|reason| reason.kind == ReasonKind::BodySpeed).unwrap();
    assert_eq!(command.action, Action::Slow);
    assert!((0.3..0.45).contains(&reason.measured), "{reason:?}");
    assert!((0.5..0.85).contains(&command.speed), "{command:?}");
    // Arms that may not obey are stopped.
    d.speed_limits[0].reaction = Reaction::Stop;
    let command = Guard::new(&world, &d).unwrap().step(&state(0.0, &HOME, &turn));
    assert_eq!((command.action, command.category), (Action::Stop, Some(Category::One)));
    d.speed_limits[0].reaction = Reaction::Slow;
    // An arm that obeys, by a ramp of 1 rad/s^2, comes to one speed and keeps it.
    let (mut guard, mut q) = (Guard::new(&world, &d).unwrap(), HOME);
    let (mut v, mut told) = (turn[0], Vec::new());
    for k in 0..100 {
        let turns = [v, 0.0, 0.0, 0.0, 0.0, 0.0];
        let command = guard.step(&state(0.01 * f64::from(k), &q, &turns));
        assert_ne!(command.action, Action::Stop, "{command:?}");
        told.push(command.speed);
        let next = v + (turn[0] * command.speed - v).clamp(-0.01, 0.01);
        q[0] += 0.005 * (v + next);
        v = next;
    }
    let last = &told[50..];
    assert!(last.iter().all(|speed| *speed == last[0] && (0.5..0.85).contains(speed)), "{told:?}");
    let slowly = turn.map(|v| 0.5 * v);
    let command = Guard::new(&world, &d).unwrap().step(&state(0.0, &HOME, &slowly));
    assert_eq!(command.action, Action::Permit, "{command:?}");
    // Only with people near, and nobody is described: a fault.
    d.speed_limits[0].people_near = true;
    assert!(Guard::new(&world, &d).unwrap_err().to_string().contains("no people are described"));
}
