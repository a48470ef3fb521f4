//! `cargo run --release -p elbowroom-times --bin batch_times -- [ROUNDS] [ROBOT.urdf ...]`: yes or no for
//! random poses of a robot alone, one by one and in a batch, with triangles and with hulls.
//!
//! Without robots, the six whose meshes users have. Single calls and batches take turns, so their ratio is of
//! one run. Times are means over the poses, the median of the rounds, in nanoseconds a pose.

use anyhow::Result;
use elbowroom::batch::{Batch, BatchCounts};
use elbowroom::math::Random;
use elbowroom::{Checker, Geometry, Question, Verdict, World};
use elbowroom_times::robots::{self, lone_robot_world, named_or_users, quantile, random_configuration};
use std::path::Path;
use std::time::Instant;

const POSES: usize = 2000;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(15).max(1);
    println!("robot, geometry: set | set and test | batch | ratio | by lanes, asked a pose, colliding");
    for robot in named_or_users(arguments) {
        time_batches(&robot, rounds)?;
    }
    Ok(())
}

fn time_batches(urdf: &Path, rounds: usize) -> Result<()> {
    let world = World::compile(&lone_robot_world(urdf)?)?;
    let mut random = Random(1);
    let poses: Vec<Vec<f64>> = (0..POSES).map(|_| random_configuration(&world, &mut random)).collect();
    let rows = poses.concat();
    for (name, geometry) in [("triangles", Geometry::Mesh), ("hulls", Geometry::Hull)] {
        let question = Question::test().margin(0.0).geometry(geometry);
        let (mut checker, mut batch) = (Checker::new(&world), Batch::new(&world));
        let (mut sets, mut singles, mut batches) = (Vec::new(), Vec::new(), Vec::new());
        let (mut verdicts, mut told) = (vec![Verdict::Unknown; POSES], vec![Verdict::Unknown; POSES]);
        let mut counts = BatchCounts::default();
        for _ in 0..rounds {
            let a_pose = |start: Instant| start.elapsed().as_nanos() as f64 / POSES as f64;
            let start = Instant::now();
            for q in &poses {
                checker.set(q)?;
            }
            sets.push(a_pose(start));
            let start = Instant::now();
            for (q, verdict) in poses.iter().zip(&mut verdicts) {
                checker.set(q)?;
                *verdict = checker.ask(&question).verdict;
            }
            singles.push(a_pose(start));
            let start = Instant::now();
            counts = batch.test(&rows, &question, &mut told)?;
            batches.push(a_pose(start));
        }
        assert_eq!(verdicts, told);
        let [set, single, batch] = [&mut sets, &mut singles, &mut batches].map(|t| quantile(t, 0.5));
        let share = |n: usize| n as f64 / POSES as f64;
        let colliding = verdicts.iter().filter(|v| **v == Verdict::Collision).count();
        let robot = robots::name(urdf);
        println!(
            "{robot:>26} {name:>9}: {set:5.0} | {single:6.0} | {batch:6.0} | {:.2} | {:.3} {:.3} {:.3}",
            batch / single,
            share(counts.by_lanes),
            share(counts.shape_queries),
            share(colliding)
        );
    }
    Ok(())
}
