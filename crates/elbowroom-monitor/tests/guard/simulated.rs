//! Arms that move at random, and would collide, under a guard: they rest before they touch, as late and as
//! badly as they react; what the task means is not refused; and what stays clear is not stopped.

use crate::cell::{Facts, describe, guard_of};
use crate::number;
use crate::plant::{Plant, TICK};
use crate::rng::Rng;
use elbowroom::describe::WorldDescription;
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, Question, World};
use elbowroom_monitor::guard::{Action, Event, Guard, Kind, Reason, State};
use elbowroom_monitor::stopping::{GoingOn, JointState, Range};
use elbowroom_monitor::{Intent, roles::Arm};

/// What counts as clear by more than the guard leaves free (m).
const CLEAR: f64 = 0.003;

/// How one motion ended.
#[derive(Debug, Default)]
struct Run {
    /// Whether bodies touched that must not.
    touched: bool,
    /// The same of the hand and the part.
    least_meant: f64,
    /// The greatest speed with which they touched (m/s); zero if they did not.
    contact_speed: f64,
    stops: Vec<Kind>,
    /// Stops for pairs that were neither proved apart nor found too near.
    unproved: usize,
    permitted: usize,
    slowed: usize,
    /// Whether states were lost on the way.
    lossy: bool,
    steps: usize,
    /// Whether samples of all that the arms may pass until they rest were nearer than [`CLEAR`].
    near_in_box: bool,
}

/// Velocities that are asked for, drawn anew now and then.
struct Task {
    asked: Vec<f64>,
    until: f64,
    speed: f64,
}

impl Task {
    fn at(&mut self, t: f64, rng: &mut Rng) -> &[f64] {
        if t >= self.until {
            self.until = t + rng.range(0.2, 1.0);
            let speed = 0.98 * self.speed;
            self.asked.iter_mut().for_each(|v| *v = rng.range(-speed, speed));
            // One arm alone, at times.
            if rng.chance(0.3) {
                self.asked[3..].fill(0.0);
            }
        }
        &self.asked
    }
}

/// What is done in a run.
#[derive(Clone, Copy)]
struct Told {
    seconds: f64,
    /// Whether the arms obey.
    guarded: bool,
    /// Whether the task is to take the part.
    picks: bool,
    /// Velocities that are asked for; drawn anew now and then without.
    asked: Option<[f64; 6]>,
}

/// Moves for a time. A motion that is not guarded is only watched: it does not obey.
fn run(worlds: [&World; 2], facts: Facts, start: &[f64], told: Told, rng: &mut Rng) -> Run {
    let Told { seconds, guarded, picks, .. } = told;
    let [world, only_meant] = worlds;
    let d = guard_of(world, &facts);
    let mut guard = Guard::new(world, &d).unwrap();
    let mut plant = Plant::new(start.to_vec(), facts, rng);
    let (mut truth, mut touch) = (Checker::new(world), Checker::new(only_meant));
    if picks {
        let [hand, part] = ["left/3", "world/part"].map(|name| world.body_named(name).unwrap());
        truth.allow(hand, part).unwrap();
    }
    let mut task = Task { asked: vec![0.0; start.len()], until: 0.0, speed: facts.speed };
    let mut done = Run { least_meant: f64::INFINITY, ..Run::default() };
    let question = Question::distance();
    let mut next = 0.0;
    let (mut before, mut ticks, mut reported) = (f64::NAN, 0, None);
    // Some lines lose states.
    let mut losses = Rng::new(rng.bits());
    let (lossy, mut lost, mut silent) = (told.asked.is_none() && losses.chance(0.2), false, 0.0);
    // Some controllers tell where they would go.
    let tells = losses.chance(0.5);
    if picks {
        let part = guard.object_of(world.body_named("world/part").unwrap());
        let intent = Intent::Pick { object: part, from: None, arm: Some(Arm(0)) };
        let event = Event::Intent { arm: Some(Arm(0)), intent: Some(intent), until: f64::INFINITY };
        guard.event(0.0, &event).unwrap();
    }
    while plant.t < seconds {
        let asked = told.asked.map_or_else(|| task.at(plant.t, rng).to_vec(), |asked| asked.to_vec());
        // Silence is noticed when the next state is late.
        if lost && guarded && reported.as_ref().is_some_and(|(t, _)| plant.t - t > d.late) {
            let command = guard.step_without(plant.t, None);
            assert_eq!(command.action, Action::Stop);
            plant.hear(command.action, command.speed, rng);
            done.stops.push(Kind::Late);
            lost = false;
        }
        if plant.t >= next && plant.t >= silent {
            next = plant.t + facts.period;
            if lossy && losses.chance(0.01) {
                silent = plant.t + losses.range(0.0, 6.0) * facts.period;
                lost = true;
            }
            let (q, v) = plant.report(rng);
            let wanted = tells.then_some(&asked[..]);
            let mut state = State { velocities: Some(&v), asked: wanted, ..State::new(plant.t, &q) };
            // Some controllers tell no velocities.
            if facts.period > 0.01 {
                state.velocities = None;
            }
            let command = guard.step(&state);
            let stopped = command.action == Action::Stop && done.steps > 1;
            let looks = done.steps.is_multiple_of(8) || stopped && done.stops.is_empty();
            if !guarded && looks && !done.near_in_box {
                let count = if stopped { 500 } else { 64 };
                done.near_in_box =
                    is_near_in_box(&state, reported.as_ref(), &facts, &mut truth, (count, rng));
            }
            reported = Some((plant.t, q.clone()));
            done.steps += 1;
            match command.action {
                Action::Permit => done.permitted += 1,
                Action::Slow => done.slowed += 1,
                // Without velocities the first state is not enough.
                Action::Stop => {
                    // Where a configuration was found that is too near, the stop was needed.
                    let open = |reason: &&Reason| {
                        reason.kind == Kind::Unproved
                            || reason.kind == Kind::Collision && reason.measured > reason.limit
                    };
                    done.unproved += command.reasons().filter(open).filter(|_| done.steps > 1).count();
                    let kinds = command.reasons().map(|reason| reason.kind);
                    done.stops.extend(kinds.filter(|_| done.steps > 1));
                }
            }
            if guarded {
                plant.hear(command.action, command.speed, rng);
            }
        }
        plant.go(&asked);
        ticks += 1;
        if ticks % 4 != 0 {
            continue;
        }
        let ignored = SetOptions { ignore_limits: true };
        truth.set_with(&plant.q, ignored).unwrap();
        let interval = truth.nearest(&Question::test()).interval;
        assert!(interval.lower > 0.0 || interval.upper <= 0.0, "not decided: {interval:?}");
        done.touched |= interval.upper <= 0.0;
        touch.set_with(&plant.q, ignored).unwrap();
        let meant = if picks { touch.nearest(&question).interval.upper } else { f64::INFINITY };
        if meant <= 0.0 && before > 0.0 {
            // How fast the distance shrank when they met.
            done.contact_speed = done.contact_speed.max((before - meant) / (4.0 * TICK));
        }
        done.least_meant = done.least_meant.min(meant);
        before = meant;
    }
    Run { lossy, ..done }
}

/// Whether samples come nearer than [`CLEAR`] in the box of all that the guard was told: what was reported,
/// within its errors, and what each joint may pass from there until it rests.
fn is_near_in_box(
    state: &State,
    before: Option<&(f64, Vec<f64>)>,
    facts: &Facts,
    truth: &mut Checker,
    (count, rng): (usize, &mut Rng),
) -> bool {
    let d = guard_of(truth.world(), facts);
    let stopping = &d.arms[0].joints[0].stopping;
    let most = facts.brake[1].max(facts.acceleration);
    let ranges: Vec<Range> = state
        .positions
        .iter()
        .enumerate()
        .map(|(k, q)| {
            let velocity = match (state.velocities, before) {
                (Some(v), _) => Range::about(v[k], facts.velocity_error),
                (None, Some((t, last))) => {
                    let dt = state.t - t;
                    Range::about((q - last[k]) / dt, 2.0 * facts.position_error / dt + 0.5 * most * dt)
                }
                (None, None) => Range::about(0.0, facts.speed),
            };
            let position = Range::about(*q, facts.position_error);
            let on = GoingOn { later: d.late, ..GoingOn::default() };
            stopping.passed_by(&JointState { position, velocity }, &on)
        })
        .collect();
    let question = Question::test().margin(CLEAR);
    (0..count).any(|k| {
        let pick = |(joint, range): (usize, &Range)| match k {
            0..64 if k >> joint & 1 == 0 => range.least,
            0..64 => range.most,
            _ => range.least + (range.most - range.least) * rng.unit(),
        };
        let values: Vec<f64> = ranges.iter().enumerate().map(pick).collect();
        truth.set_with(&values, SetOptions { ignore_limits: true }).unwrap();
        !(truth.nearest(&question).interval.lower > CLEAR)
    })
}

/// A configuration in which all is well apart.
fn start(world: &World, rng: &mut Rng) -> Option<Vec<f64>> {
    let mut checker = Checker::new(world);
    (0..50).find_map(|_| {
        let values: Vec<f64> =
            (0..6).map(|k| rng.range(-1.0, 1.0) - if k % 3 == 1 { 0.8 } else { 0.0 }).collect();
        checker.set(&values).ok()?;
        (checker.nearest(&Question::distance()).interval.lower > 0.05).then_some(values)
    })
}

/// `ELBOWROOM_MOTIONS` motions, sixty unless told, with seeds from `ELBOWROOM_SEED`: once under the guard,
/// and once without obeying it.
#[test]
fn arms_rest_before_they_touch() {
    let wanted = number("ELBOWROOM_MOTIONS", 60);
    let mut seed = number("ELBOWROOM_SEED", 0);
    let (mut done, mut would, mut touched, mut stopped, mut slowed) = (0, 0, 0, 0, 0);
    let (mut clear, mut needless) = (0, 0);
    while done < wanted {
        seed += 1;
        let mut rng = Rng::new(31_000 + seed);
        let cell = describe(rng.below(7), &mut rng);
        let world = World::compile(&cell).unwrap();
        let only = WorldDescription { checks: vec![["left/3".into(), "world/part".into()]], ..cell };
        let only_meant = World::compile(&only).unwrap();
        let facts = Facts::draw(&mut rng);
        let Some(from) = start(&world, &mut rng) else { continue };
        let picks = rng.chance(0.5);
        // The same motion twice: the same numbers are drawn for it.
        let again = rng.bits();
        let told = |guarded| Told { seconds: 2.5, guarded, picks, asked: None };
        let watched = run([&world, &only_meant], facts, &from, told(false), &mut Rng::new(again));
        let guarded = run([&world, &only_meant], facts, &from, told(true), &mut Rng::new(again));
        let words = format!("seed {seed}: {facts:?}\n{watched:?}\n{guarded:?}");
        assert!(!guarded.touched, "it touched what it must not: {words}");
        // What is expected to touch does so slowly.
        let late = facts.latency[1] + 2.0 * facts.period;
        assert!(guarded.contact_speed <= 0.05 + 0.8 * facts.acceleration * late, "too fast: {words}");
        let faults = [Kind::Implausible, Kind::Velocity, Kind::Acceleration, Kind::Unproved];
        let faulty = guarded.stops.iter().any(|kind| faults.contains(kind));
        assert!(!faulty || guarded.lossy, "{words}");
        would += u64::from(watched.touched);
        touched += u64::from(guarded.least_meant <= 0.0);
        stopped += u64::from(!guarded.stops.is_empty());
        slowed += guarded.slowed;
        if !watched.lossy && !watched.near_in_box && (!picks || watched.least_meant > 0.1) {
            clear += 1;
            needless += u64::from(watched.unproved > 0);
        }
        done += 1;
    }
    println!(
        "{done} motions: {would} would have collided, {stopped} were stopped, {slowed} slow steps, {touched} \
         expected contacts; of {clear} that stayed clear {needless} were stopped"
    );
    assert!(would * 8 > done && stopped * 30 > done && slowed as u64 > done && clear * 10 > done);
    // One in fifty.
    assert!(needless * 50 <= clear.max(50), "{needless} of {clear}");
}

/// The hand goes straight to the part: with an intent it touches, slowly; without one it does not.
#[test]
fn expected_contacts_happen_and_others_do_not() {
    let wanted = number("ELBOWROOM_MOTIONS", 60) / 12;
    let (mut done, mut seed, mut touched) = (0, 0, 0);
    while done < wanted {
        seed += 1;
        let mut rng = Rng::new(52_000 + seed);
        let cell = describe(0, &mut rng);
        let world = World::compile(&cell).unwrap();
        let only = WorldDescription { checks: vec![["left/3".into(), "world/part".into()]], ..cell };
        let only_meant = World::compile(&only).unwrap();
        // What a contact of 5 cm/s takes: velocities are told, and well.
        let facts = Facts { velocity_error: 1e-3, ..Facts::draw(&mut rng) };
        let facts = Facts { period: facts.period.min(0.01), ..facts };
        // Where the hand is in the part, and nothing else overlaps.
        let mut truth = Checker::new(&world);
        let [hand, part] = ["left/3", "world/part"].map(|name| world.body_named(name).unwrap());
        truth.allow(hand, part).unwrap();
        let mut meant = Checker::new(&only_meant);
        let Some(end) = (0..4000).find_map(|_| {
            let mut q = [0.0, 0.0, 0.0, 1.5, -1.2, 0.3];
            q[..3].iter_mut().for_each(|q| *q = rng.range(-1.5, 1.5));
            truth.set(&q).ok()?;
            meant.set(&q).ok()?;
            let inside = meant.nearest(&Question::distance()).interval.upper < -0.003;
            (inside && truth.nearest(&Question::distance()).interval.lower > 0.015).then_some(q)
        }) else {
            continue;
        };
        // From above.
        let mut from = end;
        from[1] -= 0.35;
        truth.set(&from).unwrap();
        meant.set(&from).unwrap();
        let apart = |checker: &mut Checker| checker.nearest(&Question::distance()).interval.lower > 0.05;
        if !(apart(&mut truth) && apart(&mut meant)) {
            continue;
        }
        let speed = 0.9 * facts.speed;
        let asked = [0.0, speed, 0.0, 0.0, 0.0, 0.0];
        for picks in [true, false] {
            let worlds = [&world, &only_meant];
            let told = Told { seconds: 8.0, guarded: true, picks, asked: Some(asked) };
            let run = run(worlds, facts, &from, told, &mut rng);
            // What the controller may add while the state and the command are on their way.
            let late = facts.latency[1] + 2.0 * facts.period;
            let fastest = 0.05 + 0.8 * facts.acceleration * late;
            let words = format!("seed {seed}, intent {picks}: {facts:?}\n{run:?}");
            if picks {
                assert!(run.least_meant <= 0.0, "the contact was refused: {words}");
                assert!(run.contact_speed > 0.0 && run.contact_speed <= fastest, "{words}");
                touched += 1;
            } else {
                assert!(run.least_meant > 0.0 || !run.touched, "it touched: {words}");
            }
        }
        done += 1;
    }
    println!("{touched} expected contacts");
    assert!(touched >= wanted);
}
