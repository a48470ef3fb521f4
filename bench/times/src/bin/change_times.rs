//! `cargo run --release -p elbowroom-times --bin change_times -- [ROUNDS] [BODIES] [ROBOT.urdf ...]`: what
//! changes of a world cost: one of many bodies is placed, or attached to the hand, and the smallest distance
//! asked; all are placed, and it is asked; the gradient beside the distance.
//!
//! Without robots, the Panda. Bodies are boxes of 2 to 20 cm about it. Questions count meshes as their hulls.
//! Times are microseconds: of each pose the least of the rounds, then the mean of the poses. The first line
//! has the same bodies fixed.

use anyhow::Result;
use elbowroom::describe::*;
use elbowroom::math::Random;
use elbowroom::math::{Transform, sin_cos};
use elbowroom::world::BodyId;
use elbowroom::{Checker, Geometry, Question, World};
use elbowroom_times::robots::{self, in_data_folder, lone_robot_world, random_configuration};
use std::path::{Path, PathBuf};
use std::time::Instant;

const POSES: usize = 500;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(5).max(1);
    let bodies: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1000).max(1);
    let mut robots: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if robots.is_empty() {
        robots = vec![in_data_folder("panda_vamp/panda.urdf")];
    }
    for robot in &robots {
        time_changes(robot, rounds, bodies)?;
    }
    Ok(())
}

/// Where a box may stand: within reach, not upon the base.
fn random_pose(random: &mut Random) -> Transform {
    let (angle, far) = (random.range(0.0, 6.3), random.range(0.5, 3.0));
    let (sin, cos) = sin_cos(angle);
    let turn = [random.range(0.0, 3.0), random.range(0.0, 3.0), 0.0];
    Transform::from_xyz_rpy([far * cos, far * sin, random.range(0.0, 1.5)], turn)
}

fn random_scene(urdf: &Path, bodies: usize, movable: bool) -> Result<WorldDescription> {
    let mut random = Random(7);
    let obstacles = (0..bodies).map(|i| {
        let size = [0.0; 3].map(|_| random.range(0.02, 0.2));
        let shape = ShapeDescription::Box { size };
        let shape_in_body = Transform::IDENTITY;
        let shapes = vec![PlacedShape { name: String::new(), shape_in_body, shape, padding: 0.0 }];
        let pose = random_pose(&mut random);
        ObstacleDescription { name: format!("box_{i}"), pose, shapes, attached_to: None, movable }
    });
    Ok(WorldDescription { obstacles: obstacles.collect(), ..lone_robot_world(urdf)? })
}

fn time_changes(urdf: &Path, rounds: usize, bodies: usize) -> Result<()> {
    let (still, moved) = (random_scene(urdf, bodies, false)?, random_scene(urdf, bodies, true)?);
    let (still, moved) = (World::compile(&still)?, World::compile(&moved)?);
    let mut random = Random(1);
    let poses: Vec<Vec<f64>> = (0..POSES).map(|_| random_configuration(&still, &mut random)).collect();
    let question = Question::distance().geometry(Geometry::Hull);
    let boxes: Vec<BodyId> =
        moved.bodies().iter().zip(0..).filter(|(b, _)| b.robot.is_none()).map(|(_, i)| BodyId(i)).collect();
    let hand = moved.robots()[0].links.end - 1;
    println!("{}, {bodies} boxes", robots::name(urdf));
    let mut fixed = Checker::new(&still);
    report_times("fixed, distance", &mut fixed, &poses, rounds, |checker, _, _| {
        checker.ask(&question);
        Ok(())
    })?;
    report_times("fixed, distance and gradient", &mut fixed, &poses, rounds, |checker, _, _| {
        checker.ask(&question).gradient(checker);
        Ok(())
    })?;
    let mut checker = Checker::new(&moved);
    report_times("movable, distance", &mut checker, &poses, rounds, |checker, _, _| {
        checker.ask(&question);
        Ok(())
    })?;
    report_times("one placed, distance", &mut checker, &poses, rounds, |checker, pose, random| {
        checker.place(boxes[pose % boxes.len()], &random_pose(random))?;
        checker.ask(&question);
        Ok(())
    })?;
    report_times("one attached and let go", &mut checker, &poses, rounds, |checker, pose, _| {
        let part = boxes[pose % boxes.len()];
        checker.attach(part, BodyId(hand), &[])?;
        checker.ask(&question);
        checker.detach(part)?;
        Ok(())
    })?;
    let mut places: Vec<Transform> = boxes.iter().map(|_| random_pose(&mut random)).collect();
    report_times("all placed, distance", &mut checker, &poses, rounds, |checker, _, random| {
        // Small steps, which come from a simulator and are not counted as work of its own.
        for (part, place) in boxes.iter().zip(&mut places) {
            place.translation.x += random.range(-0.01, 0.01);
            checker.place(*part, place)?;
        }
        checker.ask(&question);
        Ok(())
    })
}

/// Asks at each pose in every round. Setting the pose counts.
fn report_times(
    name: &str,
    checker: &mut Checker,
    poses: &[Vec<f64>],
    rounds: usize,
    mut ask: impl FnMut(&mut Checker, usize, &mut Random) -> Result<()>,
) -> Result<()> {
    let (mut least, mut random) = (vec![f64::INFINITY; poses.len()], Random(3));
    for _ in 0..rounds {
        for (pose, (q, least)) in poses.iter().zip(&mut least).enumerate() {
            let start = Instant::now();
            checker.set(q)?;
            ask(checker, pose, &mut random)?;
            *least = least.min(start.elapsed().as_nanos() as f64 / 1000.0);
        }
    }
    println!("{name:>30} {:8.2}", least.iter().sum::<f64>() / least.len() as f64);
    Ok(())
}
