//! `cargo run --release -p elbowroom-times --bin self_times -- ROBOT.urdf [ROUNDS]`: what a pose of a robot
//! alone costs, part by part: the least and the median of the rounds.

use anyhow::{Context, Result};
use elbowroom::batch::{Batch, BatchCounts, test_on_threads};
use elbowroom::math::Random;
use elbowroom::pair::Ask;
use elbowroom::{Checker, Geometry, Question, Verdict, World};
use elbowroom_times::robots::{lone_robot_world, quantile, random_configuration};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let urdf = arguments.next().context("a URDF is missing")?;
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(20).max(1);
    let description = lone_robot_world(Path::new(&urdf))?;
    let start = Instant::now();
    let world = World::compile(&description)?;
    println!("compile {:.3} s", start.elapsed().as_secs_f64());
    let mut random = Random(1);
    let poses: Vec<Vec<f64>> = (0..2000).map(|_| random_configuration(&world, &mut random)).collect();
    time_single(&world, &poses, rounds, "kinematics", None, false)?;
    time_single(&world, &poses, rounds, "test", Some(Ask::Test), false)?;
    time_single(&world, &poses, rounds, "test, cold", Some(Ask::Test), true)?;
    time_single(&world, &poses, rounds, "distance", Some(Ask::Distance), false)?;
    time_single(&world, &poses, rounds, "distance, cold", Some(Ask::Distance), true)?;
    time_batches(&world, &poses, rounds)?;
    let many: Vec<Vec<f64>> = poses.iter().cycle().take(40_000).cloned().collect();
    time_threads(&world, &many, rounds.min(20))?;
    let start = Instant::now();
    let world = world.with_proofs(50_000);
    let (left_out, took) = (world.proved_apart_count(), start.elapsed().as_secs_f64());
    println!("{left_out} of {} pairs proved apart in {took:.3} s", world.pairs().len());
    time_batches(&world, &poses, rounds)?;
    time_single(&world, &poses, rounds, "test", Some(Ask::Test), false)
}

/// One question at every pose, or none.
fn time_single(
    world: &World,
    poses: &[Vec<f64>],
    rounds: usize,
    name: &str,
    ask: Option<Ask>,
    forget: bool,
) -> Result<()> {
    let mut checker = Checker::new(world);
    let question = Question::from_ask(ask.unwrap_or(Ask::Test)).margin(0.0).geometry(Geometry::Hull);
    let (mut times, mut asked, mut steps, mut bad) = (Vec::new(), 0, 0, 0);
    for _ in 0..rounds {
        let start = Instant::now();
        for q in poses {
            checker.set(q)?;
            if forget {
                checker.forget_history();
            }
            if ask.is_some() {
                let answer = checker.ask(&question);
                (asked, steps) = (asked + answer.counts.shape_queries, steps + answer.counts.steps);
                bad += usize::from(answer.interval.upper < 0.0);
            }
        }
        times.push(start.elapsed().as_nanos() as f64 / poses.len() as f64);
    }
    let per = |n: usize| n as f64 / (poses.len() * rounds) as f64;
    println!(
        "{}  asked {:.3}  steps {:.2}  colliding {:.3}",
        time_line(name, &mut times),
        per(asked),
        per(steps),
        per(bad)
    );
    Ok(())
}

/// Verdicts of all poses in one call, on more and more threads.
fn time_threads(world: &World, poses: &[Vec<f64>], rounds: usize) -> Result<()> {
    let rows: Vec<f64> = poses.concat();
    let question = Question::distance().geometry(Geometry::Hull);
    let mut alone = None;
    for count in 1..=std::thread::available_parallelism().map_or(1, usize::from) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build()?;
        let mut verdicts = vec![Verdict::Unknown; poses.len()];
        let mut times = Vec::new();
        for _ in 0..rounds {
            let start = Instant::now();
            pool.install(|| test_on_threads(world, &rows, &question, &mut verdicts))?;
            times.push(start.elapsed().as_nanos() as f64 / poses.len() as f64);
        }
        let median = quantile(&mut times, 0.5);
        let gain = *alone.get_or_insert(median) / median;
        println!("{}  {gain:.2} times one", time_line(&format!("threads {count}"), &mut times));
    }
    Ok(())
}

/// Verdicts of all poses in one call.
fn time_batches(world: &World, poses: &[Vec<f64>], rounds: usize) -> Result<()> {
    let rows: Vec<f64> = poses.concat();
    let mut verdicts = vec![Verdict::Unknown; poses.len()];
    let mut batch = Batch::new(world);
    let question = Question::distance().geometry(Geometry::Hull);
    let mut times = Vec::new();
    let mut counts = BatchCounts::default();
    for _ in 0..rounds {
        let start = Instant::now();
        counts = batch.test(&rows, &question, &mut verdicts)?;
        times.push(start.elapsed().as_nanos() as f64 / poses.len() as f64);
    }
    let share = |n: usize| n as f64 / poses.len() as f64;
    println!(
        "{}  by lanes {:.3}  asked {:.3}",
        time_line("batch", &mut times),
        share(counts.by_lanes),
        share(counts.shape_queries)
    );
    Ok(())
}

/// The least time and the median (nanoseconds a pose).
fn time_line(name: &str, times: &mut [f64]) -> String {
    let (median, least) = (quantile(times, 0.5), quantile(times, 0.0));
    format!("{name:>16} {least:>8.0} {median:>8.0} ns")
}
