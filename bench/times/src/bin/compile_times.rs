//! `cargo run --release -p elbowroom-times --bin compile_times -- [ROUNDS] [ROBOT.urdf|TRIANGLES ...]`: how
//! long robots take to compile, and the fingerprints of their worlds. Reading files is not counted.
//!
//! A number stands for two links, each a bumpy ball of about so many triangles: 125000 500000 shows how time
//! grows with a mesh. Without arguments, those robots of the data folder whose meshes users have. Then 10,000
//! obstacles of nine points each, without a robot. Times are medians of the rounds.

use anyhow::Result;
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::Random;
use elbowroom::math::{Transform, Vec3, sin_cos};
use elbowroom_times::robots::{USERS, in_data_folder, lone_robot_world, name, quantile};
use std::f64::consts::{PI, TAU};
use std::path::Path;
use std::time::Instant;

/// Beside the users' robots.
const MORE: [&str; 2] = ["kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf", "baxter_vamp/baxter.urdf"];
const OBSTACLES: usize = 10_000;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(5).max(1);
    let named: Vec<String> = arguments.collect();
    for text in &named {
        match text.parse() {
            Ok(triangles) => time_compiling(text, &bumpy_links(triangles), rounds)?,
            Err(_) => time_compiling(&name(Path::new(text)), &lone_robot_world(Path::new(text))?, rounds)?,
        }
    }
    if named.is_empty() {
        for robot in USERS.iter().chain(&MORE).map(|robot| in_data_folder(robot)) {
            time_compiling(&name(&robot), &lone_robot_world(&robot)?, rounds)?;
        }
        time_compiling("obstacles", &random_obstacles(), rounds)?;
    }
    Ok(())
}

/// Two links that a joint moves past each other. The meshes differ by a thousandth, so neither stands for the
/// other.
fn bumpy_links(triangles: usize) -> WorldDescription {
    let link = |name: &str, size: f64| LinkDescription {
        name: name.into(),
        shapes: vec![PlacedShape {
            name: String::new(),
            shape_in_body: Transform::IDENTITY,
            shape: bumpy_ball(triangles, size),
            padding: 0.0,
        }],
    };
    let links = vec![
        link("a", 1.0),
        LinkDescription { name: "between".into(), shapes: Vec::new() },
        link("b", 1.001),
    ];
    let joint = |name: &str, parent: &str, child: &str, x: f64| JointDescription {
        name: name.into(),
        kind: JointKind::Revolute,
        parent: parent.into(),
        child: child.into(),
        joint_in_parent: Transform::from_translation(Vec3 { x, y: 0.0, z: 0.0 }),
        axis: Vec3 { x: 0.0, y: 0.0, z: 1.0 },
        limits: Some(JointLimits { lower: -2.0, upper: 2.0 }),
        mimic: None,
    };
    let joints = vec![joint("j", "a", "between", 0.0), joint("k", "between", "b", 5.0)];
    let robot = RobotDescription { name: "r".into(), links, joints, ..RobotDescription::default() };
    let robots = vec![PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot }];
    WorldDescription { robots, ..WorldDescription::default() }
}

/// A closed ball of a metre with waves around it, which are not convex.
fn bumpy_ball(triangles: usize, size: f64) -> ShapeDescription {
    let rings = ((triangles as f64 / 4.0).sqrt() as u32).max(3);
    let around = 2 * rings;
    let corner = |ring: u32, k: u32| {
        let (out, up) = sin_cos(PI * (f64::from(ring) + 0.5) / f64::from(rings));
        let turn = TAU * f64::from(k) / f64::from(around);
        let (y, x) = sin_cos(turn);
        let radius = size * (1.0 + 0.05 * sin_cos(5.0 * turn).0 * out * out * out);
        [radius * out * x, radius * out * y, radius * up]
    };
    let vertices = (0..rings).flat_map(|ring| (0..around).map(move |k| corner(ring, k))).collect();
    let at = |ring: u32, k: u32| ring * around + k % around;
    let mut faces = Vec::new();
    for ring in 0..rings - 1 {
        for k in 0..around {
            let [a, b, c, d] = [at(ring, k), at(ring + 1, k), at(ring + 1, k + 1), at(ring, k + 1)];
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    let last = rings - 1;
    for k in 1..around - 1 {
        faces.extend([[at(0, 0), at(0, k), at(0, k + 1)], [at(last, 0), at(last, k + 1), at(last, k)]]);
    }
    ShapeDescription::Mesh { vertices, triangles: faces }
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
