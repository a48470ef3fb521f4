//! The clearance of a robot at a pose: `cargo run --release --example nearest -- my.urdf 0.1 0.2 ...`

use elbowroom::{Checker, Question, World};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or("robots/puma260/bottleneck.toml".into());
    let loaded = elbowroom_files::load(&path)?;
    for warning in &loaded.warnings {
        eprintln!("{warning}");
    }

    let world = World::compile(&loaded.value)?;
    let mut checker = Checker::new(&world);
    let values: Vec<f64> = arguments.map(|value| value.parse()).collect::<Result<_, _>>()?;
    if !values.is_empty() {
        checker.set(&values)?;
    }

    let answer = checker.ask(&Question::distance());
    println!("{}: {} to {} m", answer.verdict, answer.interval.lower, answer.interval.upper);
    if let Some([a, b]) = answer.pair.and_then(|pair| world.pair_names(pair)) {
        println!("between {a} and {b}");
    }
    if let Some(witness) = answer.witness {
        println!("from {:?} to {:?} m in the world", witness.a, witness.b);
        println!("the first body escapes along {:?}", witness.normal);
    }
    Ok(())
}
