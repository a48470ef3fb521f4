//! Engines of the bench: `elbowroom-bench parry|elbowroom` answers lines on stdin, `elbowroom-bench truth WORK OUT`
//! writes the slow, proved intervals that every engine is compared with.

mod engine;
mod ours;
mod parry;
mod truth;
mod work;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["parry"] => engine::serve::<parry::Parry>(),
        ["elbowroom"] => engine::serve::<ours::Elbowroom>(),
        ["truth", work, out] => truth::write(work, out),
        _ => bail!("usage: elbowroom-bench parry | elbowroom | truth WORK OUT"),
    }
}
