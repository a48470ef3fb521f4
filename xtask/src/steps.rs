//! Steps of a chore that are programs of their own.

use anyhow::{Context, Result, bail};
use std::process::{Command, Stdio};

/// Runs a program and says which; it must succeed.
pub fn run_step(command: &mut Command) -> Result<()> {
    let words = command_words(command);
    println!("== {words}");
    let status = command.status().with_context(|| format!("{words} could not be started"))?;
    if !status.success() {
        bail!("{words} failed ({status})");
    }
    Ok(())
}

/// Whether a program succeeds; nothing that it says is shown.
pub fn run_quietly(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// What a program writes to standard output; it must succeed.
pub fn read_step(command: &mut Command) -> Result<String> {
    let words = command_words(command);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("{words} could not be started"))?;
    if !output.status.success() {
        bail!("{words} failed ({})", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{words} wrote no UTF-8"))
}

/// The program and its arguments, without its folder and variables.
fn command_words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
