//! Builds and runs on other computers than this one: emulated, or checked where they cannot run.
//!
//! The answers are the same bits everywhere. On every computer that runs here, this chore compares four
//! things with those of this one: the golden hashes, the bytes of the README's first command, the rows of
//! sweeps, and the answers of a guard's record. It also runs the race against the slow reference. For a
//! computer that cannot run here the program is only compiled, and the chore says so.

mod sweep;

use crate::computers::{
    AARCH64, ARMV7, Computer, MACOS, WASM32, WINDOWS, add_target, cargo, cargo_for, install_programs,
};
use crate::first_command::answer_command;
use crate::steps::run_step;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// All of them.
const COMPUTERS: [Computer; 5] = [AARCH64, ARMV7, WASM32, WINDOWS, MACOS];

/// A guard's world and what it is told.
const GUARDED: [&str; 2] = ["robots/rrc_cell/cell.toml", "robots/rrc_cell/cross.jsonl"];

/// Tests of the engine whose answers are the same bits, or proved against the slow reference.
const TESTS: [&str; 5] = ["golden", "golden_world", "golden_edges", "fingerprints", "race"];

/// Runs on all computers, or on those that are named.
pub fn run(arguments: &[String]) -> Result<()> {
    let known: Vec<&str> = COMPUTERS.iter().map(|computer| computer.name).collect();
    if let Some(unknown) = arguments.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("there is no computer {unknown}: cargo xtask elsewhere [{}] ...", known.join("|"));
    }
    let wanted = COMPUTERS
        .iter()
        .filter(|computer| arguments.is_empty() || arguments.iter().any(|name| name == computer.name));
    let mut lines = Vec::new();
    let mut failed = 0;
    let here = Here::prepare()?;
    for computer in wanted {
        println!("\n== {}: {}", computer.name, computer.triple);
        let started = Instant::now();
        let said = match try_computer(computer, &here) {
            Ok(what) => what.to_string(),
            Err(fault) => {
                failed += 1;
                format!("FAILED: {fault:#}")
            }
        };
        lines.push(format!("{:12} {said}; {:.0} s", computer.name, started.elapsed().as_secs_f64()));
    }
    println!("\n{}", lines.join("\n"));
    if failed > 0 {
        bail!("{failed} of {} computers failed", lines.len());
    }
    Ok(())
}

/// What this computer answers.
struct Here {
    root: PathBuf,
    first: Vec<u8>,
    rows: Vec<u8>,
    record: PathBuf,
}

impl Here {
    /// Builds the program here and keeps its answers.
    fn prepare() -> Result<Here> {
        let root = crate::repository_root()?;
        let folder = root.join("target/elsewhere");
        std::fs::create_dir_all(&folder)?;
        run_step(cargo()?.args(["build", "--release", "--locked", "-p", "elbowroom-cli"]))?;
        let program = root.join("target/release").join(format!("elbowroom{}", std::env::consts::EXE_SUFFIX));
        let first = answer_command(&mut Command::new(&program), &root, &folder.join("first.jsonl"))?;
        let rows = sweep::answer_rows(|| Some(Command::new(&program)), &root)?;
        // From the root on: what an emulator sees of this computer may begin there.
        let record = PathBuf::from("target/elsewhere/record.jsonl");
        let _ = std::fs::remove_file(root.join(&record));
        let mut monitor = Command::new(&program);
        monitor.args(["monitor", GUARDED[0], "--input", GUARDED[1], "--quiet", "--record"]).arg(&record);
        let done = monitor.current_dir(&root).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        if !done.success() {
            bail!("the guard did not answer here ({done})");
        }
        Ok(Here { root, first, rows, record })
    }
}

/// What was done on a computer.
fn try_computer(computer: &Computer, here: &Here) -> Result<&'static str> {
    add_target(computer)?;
    let program = computer.built_program("release")?;
    let Some(mut first) = computer.command(&program) else {
        run_step(cargo_for(computer)?.args(["check", "--locked", "-p", "elbowroom-cli"]))?;
        return Ok("compiles; it cannot run here");
    };
    install_programs(computer)?;
    run_step(cargo_for(computer)?.args(["build", "--release", "--locked", "-p", "elbowroom-cli"]))?;
    let answers = here.root.join("target/elsewhere/first.jsonl");
    if answer_command(&mut first, &here.root, &answers)? != here.first {
        bail!("the answers of README's first command are other bytes than here");
    }
    println!("== README's first command: the same {} bytes", here.first.len());
    if sweep::answer_rows(|| computer.command(&program), &here.root)? != here.rows {
        bail!("the rows of a sweep are other bytes than here");
    }
    println!("== sweeps: the same {} bytes", here.rows.len());
    let mut replay = computer.command(&program).context("nothing runs it")?;
    replay.arg("replay").arg(&here.record).args(["--world", GUARDED[0]]);
    run_step(replay.current_dir(&here.root))?;
    let tests = TESTS.iter().flat_map(|test| ["--test", test]);
    let mut test = cargo_for(computer)?;
    test.args(["test", "--release", "--locked", "-p", "elbowroom"]).args(tests);
    run_step(&mut test)?;
    Ok("the same bytes and bits; raced against the reference")
}
