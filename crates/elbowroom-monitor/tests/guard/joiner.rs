//! A guard that joins another late: after the states and a reset that both are told, both say the same.

use crate::cell::{Facts, guard_of};
use crate::cells::Cells;
use crate::course::Task;
use crate::plant::Plant;
use crate::rng::Rng;
use elbowroom_monitor::Command;
use elbowroom_monitor::guard::{Action, Event, Guard, State};

/// A command to the bit, but for how many steps its guard has made.
fn bits(mut command: Command) -> String {
    command.step = 0;
    format!("{command:?}")
}

/// Arms obey the first guard. The second one is told some states, then a reset.
#[test]
fn who_joins_late_says_the_same_after_a_reset() {
    let cells = Cells::new();
    let (mut joined, mut differed, mut slowed, mut stopped) = (0, 0, 0, 0);
    for seed in 0..60 {
        let mut rng = Rng::new(61_000 + seed);
        let world = &cells.draw(rng.below(7), &mut rng);
        let facts = Facts::draw(&mut rng);
        let d = guard_of(world, &facts);
        let (mut one, mut late) = (Guard::new(world, &d).unwrap(), None);
        let from: Vec<f64> =
            (0..6).map(|k| rng.range(-1.0, 1.0) - if k % 3 == 1 { 0.8 } else { 0.0 }).collect();
        let mut plant = Plant::new(from, facts, &mut rng);
        let mut task = Task::new(facts.speed, Rng::new(rng.bits()));
        let joins = rng.range(0.2, 1.5);
        let (mut next, mut states, tells, measures) = (0.0, 0, rng.chance(0.5), rng.chance(0.7));
        // States that both are told before the reset: one is too few where velocities are differences.
        let before = if measures { 1 + rng.below(3) } else { 2 + rng.below(3) };
        while states < before + 60 {
            let asked = task.at(plant.t);
            if plant.t >= next {
                next = plant.t + facts.period;
                let (q, v) = plant.report(&mut rng);
                let asked = tells.then_some(&asked[..]);
                let velocities = measures.then_some(&v[..]);
                let state = State { velocities, asked, ..State::new(plant.t, &q) };
                if plant.t >= joins && late.is_none() {
                    late = Some(Guard::new(world, &d).unwrap());
                    joined += 1;
                }
                let command = one.step(&state);
                if let Some(other) = &mut late {
                    let also = other.step(&state);
                    let place = format!("seed {seed}, state {states} of {before} before the reset");
                    if states >= before {
                        assert_eq!(bits(command), bits(also), "{place}");
                        slowed += usize::from(command.action == Action::Slow);
                        stopped += usize::from(command.action == Action::Stop);
                    } else {
                        differed += usize::from(bits(command) != bits(also));
                    }
                    states += 1;
                    if states == before {
                        for guard in [&mut one, other] {
                            guard.event(plant.t, &Event::Reset).unwrap();
                        }
                    }
                }
                plant.hear(command.action, command.speed, &mut rng);
            }
            plant.go(&asked);
        }
    }
    println!("{joined} joined, {differed} differed before; {slowed} slowed, {stopped} stopped after");
    assert!(joined == 60 && differed > 40 && slowed > 1000 && stopped > 100);
}
