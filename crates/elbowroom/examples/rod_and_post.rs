//! A rod that turns towards a post: `cargo run --example rod_and_post`

use elbowroom::describe::examples::rod_and_post;
use elbowroom::{Checker, World};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let world = World::compile(&rod_and_post())?; // or all faults of the description
    let mut checker = Checker::new(&world);
    for turn in [0.0, 1.26, 1.5] {
        checker.set(&[turn])?; // radians; what is outside limits is refused
        let answer = checker.distance();
        let [a, b] = answer.names(&world).unwrap_or(["nothing"; 2]);
        println!("{turn} rad: {}, {a} and {b}", answer.verdict); // clear, near, collision
        println!("  {} to {} m", answer.interval.lower, answer.interval.upper);
    }
    Ok(())
}
