//! Which pairs can never touch, proved over all joint values:
//! `cargo run --release --example never_touch -- my.urdf`

use elbowroom::World;
use elbowroom::motion::{Claim, ProveOptions, Prover};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("robots/puma260/puma260.urdf".into());
    let world = World::compile(&elbowroom_files::load(&path)?.value)?;
    let mut prover = Prover::new(&world);
    for pair in world.pairs().iter() {
        let proof = prover.pair(pair, &ProveOptions::default());
        let [a, b] = [pair.a, pair.b].map(|id| &world.bodies()[id.index()].name);
        match proof.claim {
            Claim::Never { least } => println!("{a} - {b}: never nearer than {least} m"),
            Claim::Always => println!("{a} - {b}: always overlap"),
            Claim::Sometimes => println!("{a} - {b}: overlap at {:?}", proof.overlap_at),
            Claim::Open => println!("{a} - {b}: not decided"),
        }
    }
    Ok(())
}
