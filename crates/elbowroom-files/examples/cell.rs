//! A robot from a file, and an obstacle made in code: `cargo run --release --example cell -- my.urdf`

use elbowroom::describe::{ObstacleDescription, PlacedShape, ShapeDescription};
use elbowroom::math::{Transform, vec3};
use elbowroom::{Checker, Question, World};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("robots/puma260/puma260.urdf".into());
    let mut description = elbowroom_files::load(&path)?.value;
    description.margin = 0.02;
    description.obstacles.push(ObstacleDescription {
        name: "table".into(),
        pose: Transform::from_translation(vec3(0.0, 0.0, -0.1)),
        shapes: vec![PlacedShape {
            name: String::new(),
            shape_in_body: Transform::IDENTITY,
            shape: ShapeDescription::Box { size: [2.0, 2.0, 0.05] },
            padding: 0.0,
        }],
        attached_to: None,
        movable: false,
    });

    let world = World::compile(&description)?;
    let mut checker = Checker::new(&world);
    checker.all_pairs(&Question::distance(), |pair| {
        let [a, b] = world.pair_names(pair.pair).unwrap_or(["?", "?"]);
        println!("{a} - {b}: {} ({} m)", pair.verdict, pair.distance);
    });
    Ok(())
}
