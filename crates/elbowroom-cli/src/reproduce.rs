//! `elbowroom reproduce PAPER`: where the papers' experiments have gone.

use crate::out::say_line;
use anyhow::Result;
use clap::Args;

/// What `reproduce` was given.
#[derive(Args, Clone, Debug)]
pub struct ReproduceArguments {
    /// The paper, and the options of its experiment
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "PAPER")]
    rest: Vec<String>,
}

/// Says which program runs the experiments; the exit code.
pub fn run(arguments: &ReproduceArguments) -> Result<u8> {
    let rest = if arguments.rest.is_empty() { "PAPER".into() } else { arguments.rest.join(" ") };
    say_line("error: the papers' experiments are a program of their own, in this repository's folder:");
    say_line(&format!("cargo run --release -p elbowroom-lab -- {rest}"));
    Ok(2)
}
