//! `cargo run --release -p elbowroom-monitor --example servo -- [MOTIONS]`: the guard beside the rule by
//! which MoveIt Servo slows an arm down, on the same random motions of two arms in a small cell, with the
//! same plant: states with errors, late commands, brakes of any strength within what is stated.
//!
//! Servo's rule as it ships: ten times a second the smallest distances of the measured positions are taken,
//! of the robots among themselves and to the scene. Below a threshold (0.01 m and 0.02 m) the speed is scaled
//! by `exp(k (d - threshold))` with `k = -ln(0.001) / threshold`, and an overlap halts. Here each rule may
//! tell the plant its factor, or to stop.
//!
//! Printed for each: motions in which bodies that must not touch did; how deep; motions with a stop; and for
//! motions that never come nearer than 3 cm when nobody watches, how much of their time was lost, and how
//! many were stopped.

#[path = "../tests/guard/cell.rs"]
#[allow(missing_docs)]
mod cell;
#[path = "../tests/guard/plant.rs"]
#[allow(missing_docs)]
mod plant;

use cell::{Facts, guard_of};
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, Question, World};
use elbowroom_monitor::guard::{Action, Guard, State};
use elbowroom_testkit::{describe, rng};
use plant::{Plant, TICK};
use rng::Rng;

/// How long a motion lasts (s).
const SECONDS: f64 = 2.5;
/// Servo's period, and its thresholds for the robots among themselves and for the scene (s, m).
const SERVO_PERIOD: f64 = 0.1;
const SERVO_SELF: f64 = 0.01;
const SERVO_SCENE: f64 = 0.02;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    None,
    Guard,
    Servo,
}

#[derive(Clone, Copy, Debug, Default)]
struct Run {
    least: f64,
    stopped: bool,
    /// Time that was lost by slower or no motion (s).
    lost: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    collisions: usize,
    deepest: f64,
    stops: usize,
    clear_stops: usize,
    lost: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: usize = std::env::args().nth(1).map_or(Ok(1000), |n| n.parse())?;
    let (mut sums, mut done, mut clear, mut seed) = ([Sums::default(); 3], 0, 0, 0);
    while done < wanted {
        seed += 1;
        let mut rng = Rng::new(31_000 + seed);
        let world = World::compile(&cell::describe(rng.below(7), &mut rng))?;
        let facts = Facts { period: 0.005, ..Facts::draw(&mut rng) };
        let Some(from) = start(&world, &mut rng) else { continue };
        let again = rng.bits();
        let rules = [Rule::None, Rule::Guard, Rule::Servo];
        let runs = rules.map(|rule| run(&world, facts, &from, rule, &mut Rng::new(again)));
        let is_clear = runs[0].least > 0.03;
        clear += usize::from(is_clear);
        for (sums, run) in sums.iter_mut().zip(&runs) {
            sums.collisions += usize::from(run.least <= 0.0);
            sums.deepest = sums.deepest.max(-run.least);
            sums.stops += usize::from(run.stopped);
            if is_clear {
                sums.clear_stops += usize::from(run.stopped);
                sums.lost += run.lost;
            }
        }
        done += 1;
    }
    println!("{done} motions of {SECONDS} s, of which {clear} stay clear by 3 cm when nobody watches");
    println!("rule  | collisions | deepest | with a stop | clear, with a stop | clear, time lost");
    for (name, sums) in ["none", "guard", "servo"].iter().zip(sums) {
        let lost = 100.0 * sums.lost / (clear.max(1) as f64 * SECONDS);
        println!(
            "{name:<5} | {:>10} | {:>4.1} mm | {:>11} | {:>18} | {lost:>14.2} %",
            sums.collisions,
            1e3 * sums.deepest,
            sums.stops,
            sums.clear_stops,
        );
    }
    Ok(())
}

/// A configuration in which all is well apart.
fn start(world: &World, rng: &mut Rng) -> Option<Vec<f64>> {
    let mut checker = Checker::new(world);
    (0..50).find_map(|_| {
        let of = |k: usize, rng: &mut Rng| rng.range(-1.0, 1.0) - if k % 3 == 1 { 0.8 } else { 0.0 };
        let values: Vec<f64> = (0..6).map(|k| of(k, rng)).collect();
        checker.set(&values).ok()?;
        (checker.ask(&Question::distance()).interval.lower > 0.05).then_some(values)
    })
}

fn run(world: &World, facts: Facts, from: &[f64], rule: Rule, rng: &mut Rng) -> Run {
    // The motion that is asked for has numbers of its own, so that it is the same under every rule.
    let mut tasks = Rng::new(rng.bits());
    let Ok(mut guard) = Guard::new(world, &guard_of(world, &facts)) else { return Run::default() };
    let mut plant = Plant::new(from.to_vec(), facts, rng);
    let (mut truth, mut servo) = (Checker::new(world), Checker::new(world));
    let mut done = Run { least: f64::INFINITY, ..Run::default() };
    let (mut next, mut until, mut ticks) = (0.0, 0.0, 0);
    let (mut asked, mut factor) = ([0.0; 6], 1.0);
    while plant.t < SECONDS {
        if plant.t >= until {
            until = plant.t + tasks.range(0.2, 1.0);
            asked = asked.map(|_| tasks.range(-0.98, 0.98) * facts.speed);
        }
        if plant.t >= next {
            let (q, v) = plant.report(rng);
            let (action, speed) = match rule {
                Rule::None => (Action::Permit, 1.0),
                Rule::Guard => {
                    let state = State { velocities: Some(&v), ..State::new(plant.t, &q) };
                    let command = guard.step(&state);
                    (command.action, command.speed)
                }
                Rule::Servo => scale(&mut servo, &q),
            };
            next += if rule == Rule::Servo { SERVO_PERIOD } else { facts.period };
            plant.hear(action, speed, rng);
            factor = if action == Action::Stop { 0.0 } else { speed };
            done.stopped |= action == Action::Stop;
        }
        plant.go(&asked);
        done.lost += (1.0 - factor) * TICK;
        ticks += 1;
        if ticks % 4 == 0 {
            let _ = truth.set_with(&plant.q, SetOptions { ignore_limits: true });
            done.least = done.least.min(truth.ask(&Question::distance()).interval.upper);
        }
    }
    done
}

/// Servo's rule: what it tells for the smallest distances at some positions.
fn scale(checker: &mut Checker, positions: &[f64]) -> (Action, f64) {
    let _ = checker.set_with(positions, SetOptions { ignore_limits: true });
    let world = checker.world();
    let [mut own, mut scene] = [f64::INFINITY; 2];
    checker.all_pairs(&Question::distance(), |answer| {
        let bodies = world.pairs().get(answer.pair).map(|pair| [pair.a, pair.b]);
        let of_robots = |body: &elbowroom::world::BodyId| world.bodies()[body.index()].robot.is_some();
        let both = bodies.is_some_and(|bodies| bodies.iter().all(of_robots));
        let least = if both { &mut own } else { &mut scene };
        *least = least.min(answer.interval.upper);
    });
    if own.min(scene) <= 0.0 {
        return (Action::Stop, 0.0);
    }
    let part = |d: f64, threshold: f64| {
        let k = -(0.001_f64.ln()) / threshold;
        if d < threshold { (k * (d - threshold)).exp() } else { 1.0 }
    };
    (Action::Slow, part(own, SERVO_SELF).min(part(scene, SERVO_SCENE)))
}
