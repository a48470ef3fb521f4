//! `cargo run --release -p elbowroom-times --bin robot_times -- [ROUNDS] [BOXES] [ROBOT.urdf ...]`: what a
//! pose of a robot costs with its triangles and with its hulls: yes or no, the same in a batch, the smallest
//! distance, the same along small steps (both also of the poses that do not collide), all distances.
//!
//! Without robots, the six of the data folder whose meshes users have; with BOXES, each stands among so many
//! boxes. Times are microseconds a pose: of each pose the least of the rounds, then the mean of the poses, so
//! that other work on the machine does not count.

use anyhow::Result;
use elbowroom::batch::Batch;
use elbowroom::describe::*;
use elbowroom::math::Random;
use elbowroom::math::{Transform, sin_cos};
use elbowroom::{Checker, Geometry, Question, Verdict, World};
use elbowroom_times::robots::{lone_robot_world, named_or_users, random_configuration};
use std::path::Path;
use std::time::Instant;

const POSES: usize = 1000;
/// Small steps: this many runs of `POSES / RUNS` poses. Each joint moves by at most `STEP` (radians, metres).
const RUNS: usize = 10;
const STEP: f64 = 0.01;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(5);
    let boxes: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    println!(
        "robot, geometry            | compile | yes or no |   batch | smallest |    clear |    steps | \
            clear |      all | colliding"
    );
    for robot in named_or_users(arguments) {
        time_robot(&robot, rounds, boxes)?;
    }
    Ok(())
}

/// Boxes of 2 to 20 cm within reach of a robot.
fn scatter_boxes(count: usize) -> Vec<ObstacleDescription> {
    let mut random = Random(7);
    let mut between = |low, high| random.range(low, high);
    let mut one = |i: usize| {
        let (angle, far) = (between(0.0, 6.3), between(0.4, 1.0));
        let (sin, cos) = sin_cos(angle);
        let place = [far * cos, far * sin, between(0.0, 1.0)];
        let turn = [between(0.0, 3.0), between(0.0, 3.0), 0.0];
        let size = [0.0; 3].map(|_| between(0.02, 0.2));
        ObstacleDescription {
            name: format!("box_{i}"),
            pose: Transform::from_xyz_rpy(place, turn),
            shapes: vec![PlacedShape {
                name: String::new(),
                shape_in_body: Transform::IDENTITY,
                shape: ShapeDescription::Box { size },
                padding: 0.0,
            }],
            attached_to: None,
            movable: false,
        }
    };
    (0..count).map(&mut one).collect()
}

/// What a pose took at least (microseconds), and whether it collides.
type Taken = (f64, bool);

/// Asks about each pose in every round.
fn time_each_pose(
    world: &World,
    poses: &[Vec<f64>],
    question: &Question,
    all: bool,
    rounds: usize,
) -> Result<Vec<Taken>> {
    let mut checker = Checker::new(world);
    let mut taken = vec![(f64::INFINITY, false); poses.len()];
    for _ in 0..rounds {
        for (q, taken) in poses.iter().zip(&mut taken) {
            let start = Instant::now();
            checker.set(q)?;
            if all {
                checker.all_pairs(question, |_| ());
            } else {
                taken.1 = checker.ask(question).verdict == Verdict::Collision;
            }
            taken.0 = taken.0.min(start.elapsed().as_nanos() as f64 / 1000.0);
        }
    }
    Ok(taken)
}

fn mean_time<'a>(taken: impl IntoIterator<Item = &'a Taken>) -> f64 {
    let times: Vec<f64> = taken.into_iter().map(|t| t.0).collect();
    times.iter().sum::<f64>() / times.len() as f64
}

fn time_robot(urdf: &Path, rounds: usize, boxes: usize) -> Result<()> {
    let description = WorldDescription { obstacles: scatter_boxes(boxes), ..lone_robot_world(urdf)? };
    let start = Instant::now();
    let world = World::compile(&description)?;
    let compile = start.elapsed().as_secs_f64();
    let mut random = Random(1);
    let mut draw = || random_configuration(&world, &mut random);
    let jumps: Vec<Vec<f64>> = (0..POSES).map(|_| draw()).collect();
    let mut coherent = Vec::new();
    for _ in 0..RUNS {
        let (mut q, goal) = (draw(), draw());
        for _ in 0..POSES / RUNS {
            for (x, to) in q.iter_mut().zip(&goal) {
                *x += (to - *x).clamp(-STEP, STEP);
            }
            coherent.push(q.clone());
        }
    }
    for (name, geometry) in [("triangles", Geometry::Mesh), ("hulls", Geometry::Hull)] {
        let test = Question::test().margin(0.0).geometry(geometry);
        let distance = Question::distance().geometry(geometry);
        let smallest = time_each_pose(&world, &jumps, &distance, false, rounds)?;
        let steps = time_each_pose(&world, &coherent, &distance, false, rounds)?;
        let all = time_each_pose(&world, &jumps[..POSES / 10], &distance, true, rounds)?;
        let yes = time_each_pose(&world, &jumps, &test, false, rounds)?;
        let rows = jumps.concat();
        let mut verdicts = vec![Verdict::Unknown; POSES];
        let mut batch = Batch::new(&world);
        let mut in_batch = f64::INFINITY;
        for _ in 0..rounds {
            let start = Instant::now();
            batch.test(&rows, &test, &mut verdicts)?;
            in_batch = in_batch.min(start.elapsed().as_nanos() as f64 / POSES as f64 / 1000.0);
        }
        let robot = urdf.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let colliding = yes.iter().filter(|t| t.1).count() as f64 / POSES as f64;
        let (clear, clear_steps) = (smallest.iter().filter(|t| !t.1), steps.iter().filter(|t| !t.1));
        println!(
            "{robot:>16} {name:>9} | {compile:7.2} | {:9.2} | {in_batch:7.2} | {:8.2} | {:8.2} | {:8.2} | \
             {:8.2} | {:8.1} | {colliding:.3}",
            mean_time(&yes),
            mean_time(&smallest),
            mean_time(clear),
            mean_time(&steps),
            mean_time(clear_steps),
            mean_time(&all),
        );
    }
    Ok(())
}
