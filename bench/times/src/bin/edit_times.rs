//! `cargo run --release -p elbowroom-times --bin edit_times -- [EDITS] [BODIES ...]`: what it costs to edit
//! a world: one box is added to a cell of boxes about a Panda, one is removed, one is replaced; beside the
//! time to compile the cell anew. Without numbers, 200 edits of 1,000 and of 1,000,000 boxes.
//!
//! Each edit is of the world that the edit before made, so boxes gather, as in a session. Times are
//! microseconds: the median and the largest. `over` is a checker that goes over to the new world, and
//! `distance` its smallest distance there, with the hulls of meshes.

use anyhow::Result;
use elbowroom::describe::*;
use elbowroom::math::Random;
use elbowroom::math::Transform;
use elbowroom::{Checker, Geometry, Question, World};
use elbowroom_times::robots::{in_data_folder, lone_robot_world};
use std::time::Instant;

fn main() -> Result<()> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|n| n.parse()).collect::<Result<_, _>>()?;
    let edits = numbers.first().copied().unwrap_or(200).max(1);
    let counts = if numbers.len() > 1 { numbers[1..].to_vec() } else { vec![1000, 1_000_000] };
    counts.into_iter().try_for_each(|count| time_edits(edits, count))
}

/// A box that is never upon the robot's base; the larger the cell, the farther away most are.
fn a_box(name: &str, reach: f64, random: &mut Random) -> ObstacleDescription {
    let size = [0.0; 3].map(|_| random.range(0.02, 0.2));
    let at = [0.0; 3].map(|_| random.range(-reach, reach));
    let far = at.iter().map(|x| x * x).sum::<f64>().sqrt().max(0.1);
    let at = at.map(|x| x + 0.6 * x / far);
    let placed =
        |shape| PlacedShape { name: String::new(), shape_in_body: Transform::IDENTITY, shape, padding: 0.0 };
    ObstacleDescription {
        name: name.into(),
        pose: Transform::from_xyz_rpy(at, [random.range(0.0, 3.0), 0.0, 0.0]),
        shapes: vec![placed(ShapeDescription::Box { size })],
        attached_to: None,
        movable: false,
    }
}

fn time_edits(edits: usize, count: usize) -> Result<()> {
    let random = &mut Random(7);
    // As many boxes a cubic metre in each cell.
    let reach = 0.15 * (count as f64).cbrt();
    let mut d = lone_robot_world(&in_data_folder("panda_vamp/panda.urdf"))?;
    d.obstacles.extend((0..count).map(|i| a_box(&format!("box_{i}"), reach, random)));
    let start = Instant::now();
    let mut world = World::compile(&d)?;
    println!("{count} boxes, compiled in {:.0} us", elapsed_micros(start));
    let question = Question::distance().geometry(Geometry::Hull);
    let mut names = 0;
    let (mut over, mut distance, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
    for what in ["add", "remove", "replace"] {
        let mut taken = Vec::new();
        for k in 0..edits {
            names += 1;
            let new = a_box(&format!("new_{names}"), reach, random);
            let old = format!("box_{}", (names * 37) % count);
            let start = Instant::now();
            let mut edit = world.edit();
            match what {
                "add" => edit.add(new),
                "remove" => edit.remove(&format!("world/{old}")),
                _ => edit.replace(ObstacleDescription { name: format!("new_{}", k + 1), ..new }),
            };
            let next = edit.finish()?;
            taken.push(elapsed_micros(start));
            let before = Checker::new(&world);
            let start = Instant::now();
            let mut checker = before.migrate_to(&next).expect("an edit of its world");
            over.push(elapsed_micros(start));
            let start = Instant::now();
            checker.ask(&question);
            distance.push(elapsed_micros(start));
            drop(checker);
            drop(before);
            let start = Instant::now();
            world = next;
            dropped.push(elapsed_micros(start));
        }
        print_row(what, taken);
    }
    print_row("the old world is dropped", dropped);
    print_row("over", over);
    print_row("distance", distance);
    Ok(())
}

fn elapsed_micros(start: Instant) -> f64 {
    start.elapsed().as_nanos() as f64 / 1000.0
}

fn print_row(what: &str, mut taken: Vec<f64>) {
    taken.sort_by(f64::total_cmp);
    println!("{what:>30} {:9.1} {:9.1}", taken[taken.len() / 2], taken[taken.len() - 1]);
}
