//! `cargo run --release -p elbowroom-lab --example batch_times -- [ROUNDS] [ROBOT.urdf ...]`: yes or no for
//! random poses of a robot alone, one by one and in a batch, with triangles and with hulls.
//!
//! Without robots, six of the data folder. Single calls and batches take turns, so their ratio is of one run.
//! Times are means over the poses, the median of the rounds, in nanoseconds a pose.

use elbowroom::batch::{Batch, BatchCounts};
use elbowroom::describe::*;
use elbowroom::math::Transform;
use elbowroom::{Checker, Geometry, Question, Verdict, World};
use elbowroom_files::robot::load_robot;
use std::path::{Path, PathBuf};
use std::time::Instant;

const POSES: usize = 2000;

const ROBOTS: [&str; 6] = [
    "panda_vamp/panda.urdf",
    "kuka_lbr_iiwa_7_r800_pr31/lbr_iiwa_7_r800.urdf",
    "kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf",
    "ur5_robotiq_vamp/ur5.urdf",
    "franka_fr3/fr3.urdf",
    "schunk_sdh2/schunk_sdh.urdf",
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(15).max(1);
    let mut robots: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if robots.is_empty() {
        let data = std::env::var("ELBOWROOM_DATA").unwrap_or_else(|_| "../shared".into());
        robots = ROBOTS.iter().map(|r| Path::new(&data).join("robots").join(r)).collect();
    }
    println!("robot, geometry: set | set and test | batch | ratio | by lanes, asked a pose, colliding");
    for robot in &robots {
        times(robot, rounds);
    }
}

fn times(urdf: &Path, rounds: usize) {
    let loaded = load_robot(urdf, &elbowroom_files::Options::default()).expect("the robot loads").value;
    let placed = PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot: loaded };
    let description = WorldDescription { robots: vec![placed], ..WorldDescription::default() };
    let world = World::compile(&description).expect("it compiles");
    // SplitMix64, as everywhere.
    let mut state = 1_u64;
    let mut unit = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut draw = || {
        let mut q = world.neutral_values();
        for l in world.limits() {
            q[l.value] = l.lower + (l.upper - l.lower) * unit();
        }
        q
    };
    let poses: Vec<Vec<f64>> = (0..POSES).map(|_| draw()).collect();
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
                checker.set(q).expect("within limits");
            }
            sets.push(a_pose(start));
            let start = Instant::now();
            for (q, verdict) in poses.iter().zip(&mut verdicts) {
                checker.set(q).expect("within limits");
                *verdict = checker.nearest(&question).verdict;
            }
            singles.push(a_pose(start));
            let start = Instant::now();
            counts = batch.tests(&rows, &question, &mut told).expect("poses");
            batches.push(a_pose(start));
        }
        assert_eq!(verdicts, told);
        let median = |times: &mut Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        let [set, single, batch] = [median(&mut sets), median(&mut singles), median(&mut batches)];
        let share = |n: usize| n as f64 / POSES as f64;
        let colliding = verdicts.iter().filter(|v| **v == Verdict::Collision).count();
        let folder = urdf.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        println!(
            "{folder:>26} {name:>9}: {set:5.0} | {single:6.0} | {batch:6.0} | {:.2} | {:.3} {:.3} {:.3}",
            batch / single,
            share(counts.by_lanes),
            share(counts.shape_queries),
            share(colliding)
        );
    }
}
