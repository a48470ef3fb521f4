//! A guard that was stopped on this computer, and goes on from its snapshot on another.

use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

/// The guard's world, and a script in which an arm takes a part.
const WORLD: &str = "robots/rrc_cell/cell.toml";
const SCRIPT: &str = "robots/rrc_cell/pick.jsonl";

/// The guard is stopped so many lines after the part was taken: it is held then.
const LINES_AFTER: usize = 100;

/// Seconds that a snapshot may be old: the other computers' programs are built between.
const BUILD_TIME: &str = "1000000";

/// From the root on: what an emulator sees of this computer may begin there.
const KEPT: &str = "target/elsewhere/kept";
const FIRST: &str = "target/elsewhere/first_half.jsonl";
const REST: &str = "target/elsewhere/second_half.jsonl";
const TRIED: &str = "target/elsewhere/kept_tried";
const ANSWERS: &str = "target/elsewhere/answers.jsonl";

/// Runs a guard until a part is held, and keeps its snapshot.
pub fn make_snapshot(mut program: Command, root: &Path) -> Result<()> {
    let script = fs::read_to_string(root.join(SCRIPT)).context(SCRIPT)?;
    let lines: Vec<&str> = script.lines().collect();
    let taken = lines.iter().position(|line| line.contains("\"attach\"")).context("nothing is taken")?;
    let (first, rest) = lines.split_at_checked(taken + LINES_AFTER).context("the script is short")?;
    fs::write(root.join(FIRST), first.join("\n"))?;
    fs::write(root.join(REST), rest.join("\n"))?;
    make_empty(&root.join(KEPT))?;
    program.args(["monitor", WORLD, "--input", FIRST, "--snapshot", KEPT]);
    answer_lines(&mut program, root).map(|_| ())
}

/// What a guard answers that goes on from a copy of that snapshot.
pub fn answer_rest(mut program: Command, root: &Path) -> Result<Vec<u8>> {
    let tried = root.join(TRIED);
    make_empty(&tried)?;
    for entry in fs::read_dir(root.join(KEPT))? {
        let path = entry?.path();
        // The lock is that of who wrote them.
        if path.extension().is_some_and(|kind| kind == "snapshot") {
            fs::copy(&path, tried.join(path.file_name().unwrap_or_default()))?;
        }
    }
    program.args([
        "monitor",
        WORLD,
        "--input",
        REST,
        "--snapshot",
        TRIED,
        "--restore",
        "--most-age",
        BUILD_TIME,
    ]);
    answer_lines(&mut program, root)
}

fn answer_lines(monitor: &mut Command, root: &Path) -> Result<Vec<u8>> {
    let answers = root.join(ANSWERS);
    monitor.arg("--quiet").current_dir(root).stdout(File::create(&answers)?).stderr(Stdio::null());
    let status = monitor.status().context("the guard could not be started")?;
    let answered = fs::read(&answers)?;
    if !status.success() || answered.is_empty() {
        bail!("a guard with snapshots ended with {status}");
    }
    Ok(answered)
}

fn make_empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}
