//! What a step of a guard asks allocates nothing.

use elbowroom_testkit::{counting, describe, rng};

use elbowroom_monitor::roles::{Arm, Body, Part, Role, ThingKind};
use elbowroom_monitor::stopping::{
    Between, Brake, JointState, Profile, Range, SpeedTable, StopRow, Stopping,
};
use elbowroom_monitor::{Intent, Mode, contact_of_parts};

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

#[test]
fn verdicts_and_stopping_intervals_allocate_nothing() {
    let exactly = Range::exactly;
    let row = |n: f64| StopRow { speed: exactly(n), way: exactly(0.1 * n * n) };
    let rows: Vec<StopRow> = (1..9).map(|n| row(f64::from(n))).collect();
    let table = |between| Brake::Table(SpeedTable::new(&rows, between).unwrap());
    let profiles = [
        Profile::Ramp { acceleration: exactly(2.0), speed: exactly(2.0) },
        Profile::SinSquared { peak: exactly(2.0), duration: exactly(0.5) },
        Profile::Velocity { drift: exactly(0.1) },
    ];
    let brakes = [
        Brake::Linear { slope: exactly(0.1), offset: exactly(0.01), fastest: 5.0 },
        Brake::Deceleration(exactly(9.0)),
        table(Between::Rising),
        table(Between::Convex),
    ];
    let joints: Vec<Stopping> = profiles
        .iter()
        .flat_map(|profile| brakes.iter().map(|brake| (*profile, brake.clone())))
        .map(|(profile, brake)| Stopping::new(profile, brake, Range::about(0.03, 0.01)).unwrap())
        .collect();
    let hand =
        Part { body: Body(1), kind: ThingKind::EndEffector(Arm(0)), role: Role::Neither, at_rest: false };
    let mug = Part { body: Body(2), kind: ThingKind::Object, role: Role::Manipulating, at_rest: true };
    let intents = [Intent::Pick { object: Body(2), from: None, arm: None }];

    let before = counting::allocation_count();
    let mut all = 0.0;
    for step in -50..50 {
        let velocity = Range::about(f64::from(step) * 0.1, 0.01);
        for joint in &joints {
            let passed = joint.passed_positions(&JointState { position: Range::about(0.3, 0.001), velocity });
            all += passed.width().min(1.0);
        }
        for mode in [Mode::Declared, Mode::Infer, Mode::Ask] {
            all += f64::from(contact_of_parts(&hand, &mug, &intents, mode) as u8);
        }
    }
    assert_eq!(counting::allocation_count() - before, 0);
    assert!(all > 0.0);
}

#[path = "guard/cell.rs"]
mod cell;

#[test]
fn steps_of_a_guard_allocate_nothing() {
    use elbowroom_monitor::guard::{Action, Guard, ReasonKind, State};
    let mut rng = rng::Rng::new(8);
    let facts = cell::Facts { speed: 1.0, ..cell::Facts::draw(&mut rng) };
    let world = elbowroom::World::compile(&cell::describe(6, &mut rng)).unwrap();
    let mut guard = Guard::new(&world, &cell::guard_of(&world, &facts)).unwrap();
    let (mut q, mut v) = ([0.7, -0.8, 0.3, 0.7, -0.8, 0.3], [0.0; 6]);
    let mut seen = [0; 3];
    let before = counting::allocation_count();
    for k in 0..3000 {
        let t = facts.period * f64::from(k);
        for (q, v) in q.iter_mut().zip(&mut v) {
            *v += rng.range(-0.5, 0.5) * facts.period;
            *q += *v * facts.period;
        }
        let state = State { velocities: Some(&v), efforts: Some(&v), ..State::new(t, &q) };
        seen[guard.step(&state).action as usize] += 1;
        if k % 100 == 0 {
            guard.step_without(t, Some(ReasonKind::Unreadable));
            let _ = guard.event(t, &elbowroom_monitor::Event::Reset);
        }
    }
    assert_eq!(counting::allocation_count() - before, 0);
    assert!(seen[Action::Permit as usize] > 100 && seen[Action::Slow as usize] > 100, "{seen:?}");
}
