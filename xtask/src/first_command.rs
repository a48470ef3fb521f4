//! README's first command: what a program must answer wherever it runs.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

/// With every answer as JSON on standard output.
const WORDS: [&str; 8] = [
    "check",
    "robots/puma260/bottleneck.toml",
    "--motion",
    "robots/puma260/path.csv",
    "--continuous",
    "--all-pairs",
    "--json",
    "-",
];

/// What it reads.
pub const FOLDER: &str = "robots/puma260";

/// What a program answers in a folder that has those files. Its exit code is 1, since half of the path
/// collides. It answers into a file: the pipes of some emulators do not wait for their readers.
pub fn answer_command(program: &mut Command, folder: &Path, answers: &Path) -> Result<Vec<u8>> {
    let asked = program.args(WORDS).arg("--quiet").current_dir(folder);
    let asked = asked.stdout(File::create(answers)?).stderr(Stdio::null());
    let status = asked.status().context("the program could not be started")?;
    let bytes = std::fs::read(answers)?;
    if status.code() != Some(1) || bytes.is_empty() {
        bail!("README's first command ended with {status}");
    }
    Ok(bytes)
}
