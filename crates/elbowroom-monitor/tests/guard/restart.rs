//! Snapshots: a guard that is restored is the one that was kept, and whatever is torn or changed is refused.

use crate::FACTS;
use crate::cell::{describe, guard_of};
use crate::rng::Rng;
use elbowroom::math::Transform;
use elbowroom::world::BodyId;
use elbowroom::{Checker, Question, World};
use elbowroom_monitor::guard::{Action, Event, Guard, ReasonKind, Refusal, SnapshotFault, State};
use elbowroom_monitor::{Intent, Mode, roles::Arm};

fn state(t: f64, q: &[f64]) -> State<'_> {
    State { velocities: Some(&[0.0; 6]), ..State::new(t, q) }
}

/// The cell, and a configuration in which the left hand is 2 to 8 mm from the part and nothing else is near.
fn at_the_part() -> (World, [f64; 6], BodyId, BodyId) {
    let mut rng = Rng::new(3);
    let world = World::compile(&describe(0, &mut rng)).unwrap();
    let [hand, part] = ["left/3", "world/part"].map(|name| world.body_by_name(name).unwrap());
    let (mut checker, mut others) = (Checker::new(&world), Checker::new(&world));
    others.allow_contact(hand, part).unwrap();
    let q = (0..1_000_000).find_map(|_| {
        let mut q = [0.0, 0.0, 0.0, 1.5, -1.2, 0.3];
        q[..3].iter_mut().for_each(|q| *q = rng.range(-1.5, 1.5));
        checker.set(&q).ok()?;
        let gap = checker.ask(&Question::distance()).interval;
        others.set(&q).ok()?;
        let apart = others.ask(&Question::distance()).interval.lower > 0.02;
        (apart && gap.lower > 0.002 && gap.upper < 0.008).then_some(q)
    });
    (world, q.unwrap(), hand, part)
}

fn intend(guard: &mut Guard, t: f64, part: BodyId) {
    let object = guard.object_of(part);
    let table = guard.world().body_by_name("world/table").unwrap();
    let from = Some(guard.object_of(table));
    let intent = Some(Intent::Pick { object, from, arm: Some(Arm(0)) });
    guard.event(t, &Event::Intent { arm: Some(Arm(0)), intent, until: 100.0 }).unwrap();
}

#[test]
fn a_hand_takes_only_what_it_reaches_and_means() {
    let (world, q, hand, part) = at_the_part();
    let d = guard_of(&world, &FACTS);
    let attach = Event::Attach { body: part, carrier: hand, touch: vec![] };
    let mut guard = Guard::new(&world, &d).unwrap();
    assert_eq!(guard.event(0.0, &attach), Err(Refusal::NoState));
    // Without an intent, and from far off.
    let mut guard = Guard::new(&world, &d).unwrap();
    guard.step(&state(0.0, &q));
    assert!(matches!(guard.event(0.01, &attach), Err(Refusal::NotMeant(_))));
    assert_eq!(guard.step(&state(0.01, &q)).action, Action::Stop, "its picture may be wrong");
    let mut far = q;
    far[1] -= 0.3;
    let mut guard = Guard::new(&world, &d).unwrap();
    guard.step(&state(0.0, &far));
    intend(&mut guard, 0.0, part);
    assert!(matches!(guard.event(0.01, &attach), Err(Refusal::OutOfReach { .. })));
    // Meant and near; let go where nothing supports it, it would fall.
    let mut guard = Guard::new(&world, &d).unwrap();
    guard.step(&state(0.0, &q));
    intend(&mut guard, 0.0, part);
    guard.event(0.01, &attach).unwrap();
    assert_ne!(guard.step(&state(0.01, &q)).action, Action::Stop);
    let up: Vec<f64> = q.iter().enumerate().map(|(k, q)| if k == 1 { q - 0.2 } else { *q }).collect();
    let mut guard = guard.clone();
    guard.event(0.02, &Event::Reset).unwrap();
    // The lift itself took a second.
    let mut t = 0.02;
    for k in 0..=100 {
        t += 0.01;
        let part = f64::from(k) / 100.0;
        let now: Vec<f64> = q.iter().zip(&up).map(|(a, b)| a + (b - a) * part).collect();
        let v: Vec<f64> = q.iter().zip(&up).map(|(a, b)| if k % 100 == 0 { 0.0 } else { b - a }).collect();
        guard.step(&State { velocities: Some(&v), ..state(t, &now) });
    }
    assert_eq!(guard.event(t, &Event::Detach { body: part }), Err(Refusal::Falls));
    // Nothing jumps unless it is said.
    let place = |teleport| Event::Place {
        body: world.body_by_name("world/part").unwrap(),
        body_in_world: Transform::from_translation([0.3, 0.5, 0.2].into()),
        teleport,
    };
    let mut guard = Guard::new(&world, &d).unwrap();
    guard.step(&state(0.0, &q));
    assert!(matches!(guard.event(0.01, &place(false)), Err(Refusal::Teleport { .. })));
    guard.event(0.01, &Event::Reset).unwrap();
    guard.event(0.01, &place(true)).unwrap();
}

#[test]
fn a_restored_guard_is_the_one_that_was_kept() {
    let (world, q, hand, part) = at_the_part();
    let d = guard_of(&world, &FACTS);
    let mut guard = Guard::new(&world, &d).unwrap();
    guard.step(&state(0.0, &q));
    intend(&mut guard, 0.0, part);
    guard.event(0.01, &Event::Attach { body: part, carrier: hand, touch: vec![] }).unwrap();
    guard.step(&state(0.01, &q));
    let text = guard.snapshot(1000.0);
    let mut again = Guard::restore(&world, &d, &text, (1010.0, 60.0)).unwrap();
    assert_eq!(again.intents().collect::<Vec<_>>(), guard.intents().collect::<Vec<_>>());
    // Both go on at other times, since the restored one knows no states; what they say of the cell is the
    // same.
    for k in 2..60 {
        let t = 0.01 * f64::from(k);
        let (one, other) = (guard.step(&state(t, &q)), again.step(&state(t, &q)));
        assert!(one.action != Action::Stop && other.action != Action::Stop, "{k}: {other:?}");
        assert_eq!(one.pair, other.pair);
        let [a, b] = [one, other].map(|command| command.distance.unwrap());
        assert!(a[0] <= b[1] && b[0] <= a[1], "{k}: {a:?} {b:?}");
        // Its speed rises from zero.
        assert!(other.speed <= 0.02 * f64::from(k) && other.speed <= one.speed, "{k}: {other:?}");
    }
    // Kept once more it is the same text, but for the time.
    let lines = |text: &str| text.lines().filter(|l| !l.starts_with(['t', 'e', 'a'])).count();
    assert_eq!(lines(&again.snapshot(1000.0)), lines(&text));
    // The hand still holds the part, at the same place but for rounding.
    let moved = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("moved")).unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let number = |word: &&str| f64::from_bits(u64::from_str_radix(word, 16).unwrap());
        let numbers: Vec<f64> = words[3..15].iter().map(number).collect();
        ([words[1].to_string(), words[2].to_string()], numbers)
    };
    let (before, after) = (moved(&text), moved(&again.snapshot(0.0)));
    assert_eq!(before.0, after.0);
    assert!(before.1.iter().zip(&after.1).all(|(a, b)| (a - b).abs() < 1e-12));
}

#[test]
fn torn_changed_old_and_foreign_snapshots_are_refused() {
    let (world, q, hand, part) = at_the_part();
    let d = guard_of(&world, &FACTS);
    let mut guard = Guard::new(&world, &d).unwrap();
    guard.step(&state(0.0, &q));
    intend(&mut guard, 0.0, part);
    guard.event(0.01, &Event::Attach { body: part, carrier: hand, touch: vec![] }).unwrap();
    guard.step_without(0.02, Some(ReasonKind::Unreadable));
    let text = guard.snapshot(1000.0);
    let restore =
        |text: &str, now: f64| Guard::restore(&world, &d, text, (now, 60.0)).map(|g| g.latched_reason());
    assert!(restore(&text, 1000.0).unwrap().is_some(), "the fault is still there");
    for end in 0..text.len() {
        assert!(restore(&text[..end], 1000.0).is_err(), "torn at {end}");
    }
    let mut refused = 0;
    for at in 0..text.len() {
        for bit in [1, 4] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= bit;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            assert!(restore(&changed, 1000.0).is_err(), "changed at {at}");
            refused += 1;
        }
    }
    assert!(refused > text.len());
    assert!(matches!(restore(&text, 1061.0), Err(SnapshotFault::Old { .. })));
    assert!(matches!(restore(&text, 999.0), Err(SnapshotFault::Old { .. })));
    let mut other = d.clone();
    other.clearance = 0.003;
    let foreign = Guard::restore(&world, &other, &text, (1000.0, 60.0));
    assert!(matches!(foreign.map(|_| ()), Err(SnapshotFault::OtherWorld)));
    assert!(restore("", 0.0).is_err() && restore("end 0\n", 0.0).is_err());
}

/// The hand comes down on the part, without an intent, until the guard stops it.
#[test]
fn the_operator_is_asked_and_roles_alone_may_be_the_intent() {
    let (world, q, hand, part) = at_the_part();
    let mut d = guard_of(&world, &FACTS);
    let pair = |command: &elbowroom_monitor::Command| command.reasons().find_map(|reason| reason.pair);
    for mode in [Mode::Declared, Mode::Ask, Mode::Infer] {
        d.mode = mode;
        // Nearer than this the clearance is not kept.
        d.clearance = 0.01;
        let mut guard = Guard::new(&world, &d).unwrap();
        let command = guard.step(&state(0.0, &q));
        let kinds: Vec<ReasonKind> = command.reasons().map(|reason| reason.kind).collect();
        match mode {
            Mode::Declared => assert_eq!(kinds, [ReasonKind::Collision], "{command:?}"),
            Mode::Ask => {
                assert_eq!(kinds, [ReasonKind::Ask], "{command:?}");
                assert_eq!(command.category, Some(elbowroom_monitor::guard::Category::Two));
                assert_eq!(command.ask.map(|pair| [pair.a, pair.b]), Some([hand, part]));
                assert_eq!(command.ask, pair(&command));
                // It waits for the answer, wherever the arm is meanwhile.
                let (mut other, mut up) = (guard.clone(), q);
                for k in 1..40 {
                    let speed = (0.05 * f64::from(k)).min(0.05 * f64::from(39 - k)).min(0.2);
                    up[1] += 0.01 * speed;
                    let v = [0.0, speed, 0.0, 0.0, 0.0, 0.0];
                    let state = State { velocities: Some(&v), ..State::new(0.01 * f64::from(k), &up) };
                    let held = other.step(&state);
                    assert_eq!((held.action, held.ask), (Action::Stop, command.ask), "{held:?}");
                }
                let no = Event::Intent { arm: Some(Arm(0)), intent: None, until: f64::INFINITY };
                other.event(0.391, &no).unwrap();
                let free = other.step(&state(0.4, &up));
                assert_eq!(free.ask, None, "{free:?}");
                // The answer is an intent. Then the contact is expected.
                intend(&mut guard, 0.005, part);
                assert_ne!(guard.step(&state(0.01, &q)).action, Action::Stop);
                // It ends with its time.
                let object = guard.object_of(part);
                let intent = Some(Intent::Pick { object, from: None, arm: None });
                guard.event(0.011, &Event::Intent { arm: Some(Arm(0)), intent, until: 0.025 }).unwrap();
                assert_ne!(guard.step(&state(0.02, &q)).action, Action::Stop);
                assert_eq!(guard.step(&state(0.03, &q)).ask, command.ask);
            }
            Mode::Infer => assert_ne!(command.action, Action::Stop, "{command:?}"),
        }
    }
}

#[test]
fn arms_that_are_elsewhere_after_a_restart_wait_for_a_reset() {
    let (world, q, hand, part) = at_the_part();
    let d = guard_of(&world, &FACTS);
    let mut guard = Guard::new(&world, &d).unwrap();
    guard.step(&state(5.0, &q));
    intend(&mut guard, 5.0, part);
    guard.event(5.01, &Event::Attach { body: part, carrier: hand, touch: vec![] }).unwrap();
    let text = guard.snapshot(1000.0);
    let restored = |text: &str| Guard::restore(&world, &d, text, (1001.0, 60.0)).unwrap();
    // Nothing is known yet: what is kept of it is what it came from, and as old.
    assert_eq!(restored(&text).snapshot(1001.0).len(), text.len());
    assert!(matches!(
        Guard::restore(&world, &d, &restored(&text).snapshot(1059.0), (1061.0, 60.0)).map(|_| ()),
        Err(SnapshotFault::Old { .. })
    ));
    let mut elsewhere = q;
    elsewhere[4] += d.teleport + 1e-6;
    let said = |command: &elbowroom_monitor::Command| {
        let reason = command.reasons().find(|reason| reason.kind == ReasonKind::Restored).copied();
        (command.action == Action::Stop).then_some(reason).flatten()
    };
    // An arm was moved.
    let mut guard = restored(&text);
    let reason = said(&guard.step(&state(6.0, &elsewhere))).unwrap();
    assert_eq!((reason.value, reason.measured, reason.limit), (Some(4), elsewhere[4], q[4]));
    assert_eq!(guard.step(&state(6.01, &elsewhere)).action, Action::Stop, "it waits");
    guard.event(6.02, &Event::Reset).unwrap();
    assert_ne!(guard.step(&state(6.02, &elsewhere)).action, Action::Stop);
    // The clock of the states was set back: nobody knows how long the task still means what it meant.
    let mut guard = restored(&text);
    assert_eq!(guard.intents().count(), 1);
    let reason = said(&guard.step(&state(4.9, &q))).unwrap();
    assert_eq!((reason.measured, reason.limit), (4.9, 5.0));
    assert_eq!(guard.intents().count(), 0);
    // Nearer than that, and later, it goes on.
    elsewhere[4] = q[4] + 0.5 * d.teleport;
    let mut guard = restored(&text);
    assert_ne!(guard.step(&state(6.0, &elsewhere)).action, Action::Stop);
    assert_eq!(guard.intents().count(), 1);
}

#[test]
fn a_step_that_overruns_stops_and_waits_for_a_reset() {
    use elbowroom_monitor::watchdog::Watchdog;
    let (world, q, _, part) = at_the_part();
    let mut guard = Guard::new(&world, &guard_of(&world, &FACTS)).unwrap();
    intend(&mut guard, 0.0, part);
    // No step ends within a microsecond.
    let mut short = Watchdog::new(std::time::Duration::ZERO, || {}).unwrap();
    let mut long = Watchdog::new(std::time::Duration::from_secs(3600), || panic!("too soon")).unwrap();
    assert_ne!(long.step(&mut guard, &state(0.0, &q)).action, Action::Stop);
    let late = short.step(&mut guard, &state(0.01, &q));
    assert!(late.action == Action::Stop && late.reasons().any(|reason| reason.kind == ReasonKind::Overrun));
    assert_eq!(guard.latched_reason().unwrap().kind, ReasonKind::Overrun);
    assert_eq!(long.step(&mut guard, &state(0.02, &q)).action, Action::Stop);
    guard.event(0.03, &Event::Reset).unwrap();
    assert_ne!(long.step(&mut guard, &state(0.03, &q)).action, Action::Stop);
}
