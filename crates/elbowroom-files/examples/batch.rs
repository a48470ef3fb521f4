//! Thousands of random poses, yes or no: `cargo run --release --example batch -- my.urdf 100000`

use elbowroom::batch::test_on_threads;
use elbowroom::{Question, Verdict, World};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or("robots/puma260/puma260.urdf".into());
    let count: usize = arguments.next().map_or(Ok(10_000), |n| n.parse())?;
    let world = World::compile(&elbowroom_files::load(&path)?.value)?;

    // Any source of numbers from 0 to 1 does.
    let mut state = 0.5_f64;
    let mut unit = || {
        state = (state + 0.618_033_988_749_895).fract();
        state
    };
    // One row of joint values a pose.
    let mut rows = Vec::new();
    for _ in 0..count {
        rows.extend(world.draw_configuration(&mut unit).ok_or("the limits contradict each other")?);
    }

    let mut verdicts = vec![Verdict::Unknown; count];
    let counts = test_on_threads(&world, &rows, &Question::test(), &mut verdicts)?;
    let clear = verdicts.iter().filter(|verdict| **verdict == Verdict::Clear).count();
    println!("{clear} of {} poses are clear", counts.poses);
    Ok(())
}
