//! `cargo run --release -p elbowroom-lab --example robot_times -- [ROUNDS] [BOXES] [ROBOT.urdf ...]`: what a
//! pose of a robot costs with its triangles and with its hulls: yes or no, the same in a batch, the smallest
//! distance, the same along small steps (both also of the poses that do not collide), all distances.
//!
//! Without robots, the six of the data folder whose meshes users have; with BOXES, each stands among so many
//! boxes. Times are microseconds a pose: of each pose the least of the rounds, then the mean of the poses, so
//! that other work on the machine does not count.

use elbowroom::batch::Batch;
use elbowroom::describe::*;
use elbowroom::math::{Transform, sin_cos};
use elbowroom::{Checker, Geometry, Question, Verdict, World};
use elbowroom_files::robot::load_robot;
use std::path::{Path, PathBuf};
use std::time::Instant;

const POSES: usize = 1000;
/// Small steps: this many runs of `POSES / RUNS` poses. Each joint moves by at most `STEP` (radians, metres).
const RUNS: usize = 10;
const STEP: f64 = 0.01;

const ROBOTS: [&str; 6] = [
    "ur5_robotiq_vamp/ur5.urdf",
    "schunk_lwa4d_sdh/lwa4d_sdh.urdf",
    "schunk_sdh2/schunk_sdh.urdf",
    "kuka_lbr_iiwa_7_r800_pr31/lbr_iiwa_7_r800.urdf",
    "panda_vamp/panda.urdf",
    "franka_fr3/fr3.urdf",
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(5);
    let boxes: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut robots: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if robots.is_empty() {
        let data = std::env::var("ELBOWROOM_DATA").unwrap_or_else(|_| "../shared".into());
        robots = ROBOTS.iter().map(|r| Path::new(&data).join("robots").join(r)).collect();
    }
    println!(
        "robot, geometry            | compile | yes or no |   batch | smallest |    clear |    steps | \
            clear |      all | colliding"
    );
    for robot in &robots {
        times(robot, rounds, boxes);
    }
}

/// SplitMix64, as everywhere.
struct Draw(u64);

impl Draw {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * (((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64)
    }
    fn configuration(&mut self, world: &World) -> Vec<f64> {
        let mut q = world.neutral_values();
        for l in world.limits() {
            q[l.value] = self.between(l.lower, l.upper);
        }
        q
    }
    /// Boxes of 2 to 20 cm within reach of a robot.
    fn boxes(&mut self, count: usize) -> Vec<ObstacleDescription> {
        let one = |i: usize| {
            let (angle, far) = (self.between(0.0, 6.3), self.between(0.4, 1.0));
            let (sin, cos) = sin_cos(angle);
            let place = [far * cos, far * sin, self.between(0.0, 1.0)];
            let turn = [self.between(0.0, 3.0), self.between(0.0, 3.0), 0.0];
            let size = [0.0; 3].map(|_| self.between(0.02, 0.2));
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
            }
        };
        (0..count).map(one).collect()
    }
}

/// What a pose took at least (microseconds), and whether it collides.
type Taken = (f64, bool);

/// Asks about each pose in every round.
fn each(world: &World, poses: &[Vec<f64>], question: &Question, all: bool, rounds: usize) -> Vec<Taken> {
    let mut checker = Checker::new(world);
    let mut taken = vec![(f64::INFINITY, false); poses.len()];
    for _ in 0..rounds {
        for (q, taken) in poses.iter().zip(&mut taken) {
            let start = Instant::now();
            checker.set(q).expect("within limits");
            if all {
                checker.all_pairs(question, |_| ());
            } else {
                taken.1 = checker.nearest(question).verdict == Verdict::Collision;
            }
            taken.0 = taken.0.min(start.elapsed().as_nanos() as f64 / 1000.0);
        }
    }
    taken
}

fn mean<'a>(taken: impl IntoIterator<Item = &'a Taken>) -> f64 {
    let times: Vec<f64> = taken.into_iter().map(|t| t.0).collect();
    times.iter().sum::<f64>() / times.len() as f64
}

fn times(urdf: &Path, rounds: usize, boxes: usize) {
    let robot = load_robot(urdf, &elbowroom_files::Options::default()).expect("the robot loads").value;
    let robots = vec![PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot }];
    let obstacles = Draw(7).boxes(boxes);
    let description = WorldDescription { robots, obstacles, ..WorldDescription::default() };
    let start = Instant::now();
    let world = World::compile(&description).expect("it compiles");
    let compile = start.elapsed().as_secs_f64();
    let mut draw = Draw(1);
    let random: Vec<Vec<f64>> = (0..POSES).map(|_| draw.configuration(&world)).collect();
    let mut coherent = Vec::new();
    for _ in 0..RUNS {
        let (mut q, goal) = (draw.configuration(&world), draw.configuration(&world));
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
        let smallest = each(&world, &random, &distance, false, rounds);
        let steps = each(&world, &coherent, &distance, false, rounds);
        let all = each(&world, &random[..POSES / 10], &distance, true, rounds);
        let yes = each(&world, &random, &test, false, rounds);
        let rows = random.concat();
        let mut verdicts = vec![Verdict::Unknown; POSES];
        let mut batch = Batch::new(&world);
        let in_batch = (0..rounds).map(|_| {
            let start = Instant::now();
            batch.tests(&rows, &test, &mut verdicts).expect("poses");
            start.elapsed().as_nanos() as f64 / POSES as f64 / 1000.0
        });
        let in_batch = in_batch.fold(f64::INFINITY, f64::min);
        let robot = urdf.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let colliding = yes.iter().filter(|t| t.1).count() as f64 / POSES as f64;
        let (clear, clear_steps) = (smallest.iter().filter(|t| !t.1), steps.iter().filter(|t| !t.1));
        println!(
            "{robot:>16} {name:>9} | {compile:7.2} | {:9.2} | {in_batch:7.2} | {:8.2} | {:8.2} | {:8.2} | \
             {:8.2} | {:8.1} | {colliding:.3}",
            mean(&yes),
            mean(&smallest),
            mean(clear),
            mean(&steps),
            mean(clear_steps),
            mean(&all),
        );
    }
}
