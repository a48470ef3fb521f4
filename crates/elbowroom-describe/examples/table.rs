//! A table in the cell of a robot, in plain values: `cargo run --example table`

use elbowroom_describe::examples::rod_and_post;
use elbowroom_describe::math::{Transform, vec3};
use elbowroom_describe::{ObstacleDescription, PlacedShape, ShapeDescription};

fn main() {
    let mut cell = rod_and_post(); // a robot and an obstacle
    let top = PlacedShape {
        name: "top".into(),
        shape_in_body: Transform::IDENTITY,
        shape: ShapeDescription::Box { size: [2.0, 2.0, 0.05] }, // metres
        padding: 0.0,
    };
    cell.obstacles.push(ObstacleDescription {
        name: "table".into(),
        pose: Transform::from_translation(vec3(0.0, 0.0, -0.3)),
        shapes: vec![top],
        attached_to: None,
        movable: false,
    });

    for obstacle in &cell.obstacles {
        println!("{} at {:?} m", obstacle.name, obstacle.pose.translation.to_array());
    }
}
