//! `cargo run --release -p elbowroom-lab --example compile_times -- [ROUNDS] [ROBOT.urdf ...]`: how long
//! robots take to compile, and the fingerprints of their worlds. Reading files is not counted.
//!
//! Without robots, those of the data folder whose meshes users have. Then 10,000 obstacles of nine points
//! each, without a robot. Times are medians of the rounds.

use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3};
use elbowroom_files::robot::load_robot;
use std::path::{Path, PathBuf};
use std::time::Instant;

const ROBOTS: [&str; 8] = [
    "kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf",
    "kuka_lbr_iiwa_7_r800_pr31/lbr_iiwa_7_r800.urdf",
    "ur5_robotiq_vamp/ur5.urdf",
    "schunk_lwa4d_sdh/lwa4d_sdh.urdf",
    "schunk_sdh2/schunk_sdh.urdf",
    "panda_vamp/panda.urdf",
    "franka_fr3/fr3.urdf",
    "baxter_vamp/baxter.urdf",
];
const OBSTACLES: usize = 10_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(5);
    let mut robots: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if robots.is_empty() {
        let data = std::env::var("ELBOWROOM_DATA").unwrap_or_else(|_| "../shared".into());
        robots = ROBOTS.iter().map(|r| Path::new(&data).join("robots").join(r)).collect();
    }
    for robot in &robots {
        let loaded = load_robot(robot, &elbowroom_files::Options::default()).expect("the robot loads").value;
        let placed = PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot: loaded };
        let d = WorldDescription { robots: vec![placed], ..WorldDescription::default() };
        let name = robot.parent().and_then(|folder| folder.file_name()).unwrap_or_default();
        times(&name.to_string_lossy(), &d, rounds);
    }
    times("obstacles", &obstacles(), rounds);
}

fn times(name: &str, d: &WorldDescription, rounds: usize) {
    let (mut times, mut fingerprint) = (Vec::new(), 0);
    for _ in 0..rounds {
        let start = Instant::now();
        let world = World::compile(d).expect("it compiles");
        times.push(start.elapsed().as_secs_f64());
        fingerprint = world.fingerprint();
    }
    times.sort_by(f64::total_cmp);
    println!("{name:>28} {:>9.1} ms  {fingerprint:016x}", 1000.0 * times[times.len() / 2]);
}

/// Nine points each, in a cube of a decimetre, with SplitMix64.
fn obstacles() -> WorldDescription {
    let mut state = 1_u64;
    let mut unit = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut obstacle = |number: usize| {
        let pose = Transform::from_translation(Vec3 { x: unit(), y: unit(), z: unit() } * 10.0);
        let vertices = (0..9).map(|_| [unit(), unit(), unit()].map(|x| 0.1 * x)).collect();
        let shape = ShapeDescription::Convex { vertices };
        let placed =
            PlacedShape { name: String::new(), shape_in_body: Transform::IDENTITY, shape, padding: 0.0 };
        ObstacleDescription { name: format!("o{number}"), pose, shapes: vec![placed], attached_to: None }
    };
    WorldDescription { obstacles: (0..OBSTACLES).map(&mut obstacle).collect(), ..WorldDescription::default() }
}
