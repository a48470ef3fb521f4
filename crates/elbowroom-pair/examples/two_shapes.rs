//! How far a ball is from a cube: `cargo run --example two_shapes`

use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Transform, vec3};
use elbowroom_pair::{Shape, distance};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.5 }, 0.0)?; // metres, and no padding
    let cube = Shape::new(&ShapeDescription::Box { size: [2.0; 3] }, 0.0)?;
    for z in [3.0, 1.25] {
        let cube_in_world = Transform::from_translation(vec3(0.0, 0.0, z));
        let c = distance(&ball, &Transform::IDENTITY, &cube, &cube_in_world)?;
        println!("{} to {} m", c.interval.lower, c.interval.upper); // 1.5 m apart, then 0.25 m deep
        println!("from {:?} to {:?}", c.witness_a.to_array(), c.witness_b.to_array());
    }
    Ok(())
}
