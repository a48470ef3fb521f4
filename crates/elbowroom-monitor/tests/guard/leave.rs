//! Arms that obey and tell what is asked for, and are driven on at something or at the end of a joint's
//! range, and then away from it: they come near, and leave by themselves.

use crate::cell::{Facts, describe, guard_of};
use crate::plant::Plant;
use crate::rng::Rng;
use elbowroom::{Checker, Question, World};
use elbowroom_monitor::guard::{Action, Guard, GuardDescription, State};
use elbowroom_monitor::stopping::{GoingOn, JointState, Range};

/// How long an arm is driven on, and how long away (s).
const ON: f64 = 6.0;
const AWAY: f64 = 5.0;

/// What came of it.
#[derive(Debug)]
struct Outcome {
    /// The smallest distance when the arm turned back (m).
    near: f64,
    /// How far the driven joint had come, and how far it went back (rad).
    on: f64,
    back: f64,
    /// Stops of the last half second on the way to, and on the way back.
    stops: [usize; 2],
}

fn drive(
    world: &World,
    d: &GuardDescription,
    facts: Facts,
    from: &[f64],
    joint: usize,
    rng: &mut Rng,
) -> Outcome {
    let mut guard = Guard::new(world, d).unwrap();
    let mut plant = Plant::new(from.to_vec(), facts, rng);
    let mut truth = Checker::new(world);
    let mut done = Outcome { near: f64::NAN, on: 0.0, back: 0.0, stops: [0; 2] };
    let (mut next, mut turned) = (0.0, f64::NAN);
    while plant.t < ON + AWAY {
        let mut asked = vec![0.0; from.len()];
        asked[joint] = 0.9 * facts.speed * if plant.t < ON { 1.0 } else { -0.3 };
        if plant.t >= next {
            next = plant.t + facts.period;
            let (q, v) = plant.report(rng);
            let state = State { velocities: Some(&v), asked: Some(&asked), ..State::new(plant.t, &q) };
            let command = guard.step(&state);
            plant.hear(command.action, command.speed, rng);
            let stopped = command.action == Action::Stop;
            for (count, end) in done.stops.iter_mut().zip([ON, ON + AWAY]) {
                *count += usize::from(stopped && plant.t < end && plant.t > end - 0.5);
            }
        }
        if plant.t >= ON && turned.is_nan() {
            turned = plant.q[joint];
            truth.set(&plant.q).unwrap();
            done.near = truth.ask(&Question::distance()).interval.upper;
            done.on = turned - from[joint];
        }
        plant.go(&asked);
    }
    done.back = turned - plant.q[joint];
    done
}

#[test]
fn an_arm_that_was_driven_at_something_leaves_by_itself() {
    let mut nearest = f64::INFINITY;
    for case in 0..40 {
        let mut rng = Rng::new(71_000 + case);
        let world = World::compile(&describe(0, &mut rng)).unwrap();
        let facts = Facts::draw(&mut rng);
        let mut d = guard_of(&world, &facts);
        // Upright, or nearly so; then down to the table, the part, or the end of the range.
        let from = [rng.range(-0.8, 0.8), rng.range(-1.2, -0.9), 0.2, 1.5, -1.2, 0.3];
        let limited = case % 2 == 1;
        if limited {
            d.arms[0].joints[1].position = [-3.0, from[1] + 0.3];
        }
        let outcome = drive(&world, &d, facts, &from, 1, &mut rng);
        let words = format!("{case}: {facts:?} {outcome:?}");
        assert_eq!(outcome.stops, [0, 0], "{words}");
        // It needs half a second to begin, no more.
        let speed = 0.9 * 0.3 * facts.speed;
        assert!(outcome.back > speed * (AWAY - 0.5 - 0.5) - 0.02, "{words}");
        if limited {
            assert!(outcome.on > 0.297 && outcome.on <= 0.3, "{words}");
        } else {
            // At rest it may be as fast as its positions let it seem, whatever it tells; its reach is 0.8 m,
            // and 3 cm of its hand.
            let way = |speed: f64| {
                let velocity = Range::about(0.0, speed);
                let on = GoingOn { later: d.late, ..GoingOn::default() };
                let state = JointState { position: Range::exactly(0.0), velocity };
                d.arms[0].joints[1].stopping.passed_by(&state, &on).most
            };
            // Two hundredths more, since its clock may drift.
            let seeming = 1.02 * 2.0 * (2.0 * facts.position_error * facts.acceleration).sqrt();
            let more = (way(seeming) - way(2.0 * facts.velocity_error)).max(0.0);
            let most = 0.03 + 0.83 * more;
            assert!(outcome.near > 0.002 && outcome.near < most, "{words}");
            nearest = nearest.min(outcome.near - 0.83 * more);
        }
    }
    assert!(nearest < 0.004, "{nearest}");
}

/// A joint may rest at the end of its range, and begin to move from there, whether or not it tells where to.
#[test]
fn a_joint_at_the_end_of_its_range_may_leave_it() {
    for case in 0..20 {
        let mut rng = Rng::new(72_000 + case);
        let world = World::compile(&describe(0, &mut rng)).unwrap();
        let facts = Facts::draw(&mut rng);
        let mut d = guard_of(&world, &facts);
        let from = [0.3, -1.0, 0.2, 1.5, -1.2, 0.3];
        d.arms[0].joints[1].position = [-3.0, -1.0];
        let mut guard = Guard::new(&world, &d).unwrap();
        let mut plant = Plant::new(from.to_vec(), facts, &mut rng);
        let mut next = 0.0;
        while plant.t < 2.0 {
            let asked = [0.0, if plant.t < 1.0 { 0.0 } else { -0.3 * facts.speed }, 0.0, 0.0, 0.0, 0.0];
            if plant.t >= next {
                next += facts.period;
                let (q, v) = plant.report(&mut rng);
                let asked = (case % 2 == 0).then_some(&asked[..]);
                let state = State { velocities: Some(&v), asked, ..State::new(plant.t, &q) };
                let command = guard.step(&state);
                assert_ne!(
                    command.action,
                    Action::Stop,
                    "{case} at {}: {facts:?} {state:?} {command:?}",
                    plant.t
                );
                plant.hear(command.action, command.speed, &mut rng);
            }
            plant.go(&asked);
        }
        assert!(from[1] - plant.q[1] > 0.1 * facts.speed, "{case}: {facts:?} {:?}", plant.q);
    }
}
