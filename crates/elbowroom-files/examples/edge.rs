//! Is the way from one pose to another free at every instant? `cargo run --release --example edge -- my.urdf`

use elbowroom::World;
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker, verify};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("robots/puma260/puma260.urdf".into());
    let world = World::compile(&elbowroom_files::load(&path)?.value)?;
    let mut checker = MotionChecker::new(&world);

    // From the neutral values, each joint a tenth of its range further.
    let from = world.neutral_values();
    let mut to = from.clone();
    for (value, range) in to.iter_mut().zip(world.value_ranges()) {
        let further = *value + 0.1 * (range.upper - range.lower).min(6.0);
        *value = further.min(range.upper);
    }

    let names = |pair| world.body_names(pair).unwrap_or(["?", "?"]).join(" and ");
    let options = EdgeOptions::default();
    match checker.check_edge([&from, &to], &options)? {
        Edge::Free => {
            // The certificate holds without the search that found it.
            verify(&world, [&from, &to], checker.pieces(), &options)?;
            println!("free, in {} proved pieces", checker.pieces().len());
        }
        Edge::Contact { first: [_, 0.0], pair, .. } => {
            println!("{} are within the margin already at the start", names(pair));
        }
        Edge::Contact { first: [before, at], pair, .. } => {
            println!("{}: beyond the margin until {before} of the way, within it at {at}", names(pair));
        }
        Edge::Unknown { at, .. } => println!("not proved from {} to {} of the way: stop", at[0], at[1]),
    }
    Ok(())
}
