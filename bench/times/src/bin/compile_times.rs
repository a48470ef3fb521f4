//! `cargo run --release -p elbowroom-times --bin compile_times -- [ROUNDS] [ROBOT.urdf ...]`: how long
//! robots take to compile, and the fingerprints of their worlds. Reading files is not counted.
//!
//! Without robots, those of the data folder whose meshes users have. Then 10,000 obstacles of nine points
//! each, without a robot. Times are medians of the rounds.

use anyhow::Result;
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::Random;
use elbowroom::math::{Transform, Vec3};
use elbowroom_times::robots::{in_data_folder, lone_robot_world, name, named_or_users, quantile};
use std::time::Instant;

/// Beside the users' robots.
const MORE: [&str; 2] = ["kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf", "baxter_vamp/baxter.urdf"];
const OBSTACLES: usize = 10_000;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).peekable();
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(5).max(1);
    let more = if arguments.peek().is_none() { &MORE[..] } else { &[] };
    let mut robots = named_or_users(arguments);
    robots.extend(more.iter().map(|robot| in_data_folder(robot)));
    for robot in &robots {
        time_compiling(&name(robot), &lone_robot_world(robot)?, rounds)?;
    }
    time_compiling("obstacles", &random_obstacles(), rounds)
}

fn time_compiling(name: &str, d: &WorldDescription, rounds: usize) -> Result<()> {
    let (mut times, mut fingerprint) = (Vec::new(), 0);
    for _ in 0..rounds {
        let start = Instant::now();
        let world = World::compile(d)?;
        times.push(start.elapsed().as_secs_f64());
        fingerprint = world.fingerprint();
    }
    println!("{name:>28} {:>9.1} ms  {fingerprint:016x}", 1000.0 * quantile(&mut times, 0.5));
    Ok(())
}

/// Nine points each, in a cube of a decimetre.
fn random_obstacles() -> WorldDescription {
    let mut random = Random(1);
    let mut unit = || random.unit();
    let mut obstacle = |number: usize| {
        let pose = Transform::from_translation(Vec3 { x: unit(), y: unit(), z: unit() } * 10.0);
        let vertices = (0..9).map(|_| [unit(), unit(), unit()].map(|x| 0.1 * x)).collect();
        let shape = ShapeDescription::Convex { vertices };
        let placed =
            PlacedShape { name: String::new(), shape_in_body: Transform::IDENTITY, shape, padding: 0.0 };
        ObstacleDescription {
            name: format!("o{number}"),
            pose,
            shapes: vec![placed],
            attached_to: None,
            movable: false,
        }
    };
    WorldDescription { obstacles: (0..OBSTACLES).map(&mut obstacle).collect(), ..WorldDescription::default() }
}
