//! `cargo run --release -p elbowroom-lab --example self_times -- ROBOT.urdf [ROUNDS]`: what a pose of a robot
//! alone costs, part by part.

use elbowroom::batch::{Batch, BatchCounts, tests_on_threads};
use elbowroom::describe::*;
use elbowroom::math::Transform;
use elbowroom::pair::Ask;
use elbowroom::{Checker, Geometry, Question, Verdict, World};
use elbowroom_files::robot::load_robot;
use std::path::Path;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let urdf = arguments.next().expect("a URDF");
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(20);
    let robot =
        load_robot(Path::new(&urdf), &elbowroom_files::Options::default()).expect("the robot loads").value;
    let robots = vec![PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot }];
    let start = Instant::now();
    let mut world =
        World::compile(&WorldDescription { robots, ..WorldDescription::default() }).expect("it compiles");
    println!("compile {:.3} s", start.elapsed().as_secs_f64());
    // SplitMix64, as everywhere.
    let mut state = 1_u64;
    let mut unit = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let poses: Vec<Vec<f64>> = (0..2000)
        .map(|_| {
            let mut q = world.neutral_values();
            for l in world.limits() {
                q[l.value] = l.lower + (l.upper - l.lower) * unit();
            }
            q
        })
        .collect();
    let mut checker = Checker::new(&world);
    let mut measure = |name: &str, ask: Option<Ask>, forget: bool| {
        let question = Question::of(ask.unwrap_or(Ask::Test)).margin(0.0).geometry(Geometry::Hull);
        let (mut times, mut asked, mut steps, mut bad) = (Vec::new(), 0, 0, 0);
        for _ in 0..rounds {
            let start = Instant::now();
            for q in &poses {
                checker.set(q).expect("within limits");
                if forget {
                    checker.forget();
                }
                if ask.is_some() {
                    let answer = checker.nearest(&question);
                    (asked, steps) = (asked + answer.counts.shape_queries, steps + answer.counts.steps);
                    bad += usize::from(answer.interval.upper < 0.0);
                }
            }
            times.push(start.elapsed().as_nanos() as f64 / poses.len() as f64);
        }
        times.sort_by(f64::total_cmp);
        let per = |n: usize| n as f64 / (poses.len() * rounds) as f64;
        let (least, median) = (times[0], times[times.len() / 2]);
        println!(
            "{name:>16} {least:>8.0} {median:>8.0} ns  asked {:.2}  steps {:.2}  colliding {:.3}",
            per(asked),
            per(steps),
            per(bad)
        );
    };
    measure("kinematics", None, false);
    measure("test", Some(Ask::Test), false);
    measure("test, cold", Some(Ask::Test), true);
    measure("distance", Some(Ask::Distance), false);
    measure("distance, cold", Some(Ask::Distance), true);
    batches(&world, &poses, rounds);
    let many: Vec<Vec<f64>> = poses.iter().cycle().take(40_000).cloned().collect();
    threads(&world, &many, rounds.min(20));
    let start = Instant::now();
    let left_out = world.prove_apart(50_000);
    println!(
        "{left_out} of {} pairs proved apart in {:.3} s",
        world.pairs().len(),
        start.elapsed().as_secs_f64()
    );
    batches(&world, &poses, rounds);
    let mut checker = Checker::new(&world);
    let question = Question::test().margin(0.0).geometry(Geometry::Hull);
    let mut times = Vec::new();
    let mut asked = 0;
    for _ in 0..rounds {
        let start = Instant::now();
        for q in &poses {
            checker.set(q).expect("within limits");
            asked += checker.nearest(&question).counts.shape_queries;
        }
        times.push(start.elapsed().as_nanos() as f64 / poses.len() as f64);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{:>16} {:>8.0} {:>8.0} ns  asked {:.3}",
        "test",
        times[0],
        times[rounds / 2],
        asked as f64 / (rounds * poses.len()) as f64
    );
}

/// Verdicts of all poses in one call, on more and more threads.
fn threads(world: &World, poses: &[Vec<f64>], rounds: usize) {
    let rows: Vec<f64> = poses.concat();
    let question = Question::distance().geometry(Geometry::Hull);
    let mut alone = None;
    for count in 1..=std::thread::available_parallelism().map_or(1, usize::from) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("threads");
        let mut verdicts = vec![Verdict::Unknown; poses.len()];
        let mut times = Vec::new();
        for _ in 0..rounds {
            let start = Instant::now();
            pool.install(|| tests_on_threads(world, &rows, &question, &mut verdicts)).expect("poses");
            times.push(start.elapsed().as_nanos() as f64 / poses.len() as f64);
        }
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        let gain = *alone.get_or_insert(median) / median;
        println!("{:>10} {count:>5} {:>8.0} {median:>8.0} ns  {gain:.2} times one", "threads", times[0]);
    }
}

fn batches(world: &World, poses: &[Vec<f64>], rounds: usize) {
    let rows: Vec<f64> = poses.concat();
    let mut verdicts = vec![Verdict::Unknown; poses.len()];
    let mut batch = Batch::new(world);
    let question = Question::distance().geometry(Geometry::Hull);
    let mut times = Vec::new();
    let mut counts = BatchCounts::default();
    for _ in 0..rounds {
        let start = Instant::now();
        counts = batch.tests(&rows, &question, &mut verdicts).expect("poses");
        times.push(start.elapsed().as_nanos() as f64 / poses.len() as f64);
    }
    times.sort_by(f64::total_cmp);
    let share = |n: usize| n as f64 / poses.len() as f64;
    println!(
        "{:>16} {:>8.0} {:>8.0} ns  by lanes {:.3}  asked {:.3}",
        "batch",
        times[0],
        times[rounds / 2],
        share(counts.by_lanes),
        share(counts.shape_queries)
    );
}
