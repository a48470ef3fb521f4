//! Builds and runs on other computers than this one: emulated, or checked where they cannot run.
//!
//! The answers are the same bits everywhere. On every computer that runs here, this chore compares five
//! things with those of this one, built without optimization: the golden hashes, the bytes of the README's
//! first command, the rows of sweeps, the answers of a guard's record, and those of a guard that goes on from
//! a snapshot. It also runs the race against the slow reference (`ELBOWROOM_RACE` pairs). For a computer that
//! cannot run here the program is only compiled, and the chore says so.

mod restart;
mod sweep;

use crate::computers::{AARCH64, ARMV7, Computer, MACOS, PROFILE, WASM32, WASM32_SIMD128, WINDOWS};
use crate::computers::{add_target, build_here, cargo_for, install_programs};
use crate::first_command::answer_command;
use crate::steps::run_step;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// All of them.
const COMPUTERS: [Computer; 6] = [AARCH64, ARMV7, WASM32, WASM32_SIMD128, WINDOWS, MACOS];

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
            Ok(what) => what,
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
    restarted: Vec<u8>,
}

impl Here {
    /// Builds the program here and keeps its answers.
    fn prepare() -> Result<Here> {
        let root = crate::repository_root()?;
        let folder = root.join("target/elsewhere");
        std::fs::create_dir_all(&folder)?;
        let program = build_here()?;
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
        restart::make_snapshot(Command::new(&program), &root)?;
        let restarted = restart::answer_rest(Command::new(&program), &root)?;
        Ok(Here { root, first, rows, record, restarted })
    }
}

/// What was done on a computer.
fn try_computer(computer: &Computer, here: &Here) -> Result<String> {
    add_target(computer)?;
    let installed = install_programs(computer);
    let program = computer.built_program()?;
    let Some(mut first) = computer.command(&program) else {
        run_step(cargo_for(computer)?.args(["check", "--locked", "-p", "elbowroom-cli"]))?;
        return Ok("compiles; it cannot run here".into());
    };
    installed?;
    let mut build = cargo_for(computer)?;
    run_step(build.args(["build", "--profile", PROFILE, "--locked", "-p", "elbowroom-cli"]))?;
    let folder = program.parent().context("a program in no folder")?;
    let added = computer.prepare_folder(folder)?;
    // Cargo puts tests there.
    computer.prepare_folder(&folder.join("deps"))?;
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
    if computer.has_threads() {
        let program = computer.command(&program).context("nothing runs it")?;
        if restart::answer_rest(program, &here.root)? != here.restarted {
            bail!("a guard that goes on from a snapshot of here answers other bytes");
        }
        println!("== a guard from a snapshot of here: the same {} bytes", here.restarted.len());
    } else {
        println!("== no guard from a snapshot: it has no threads that would write the next ones");
    }
    let tests = TESTS.iter().flat_map(|test| ["--test", test]);
    let mut test = cargo_for(computer)?;
    test.args(["test", "--profile", PROFILE, "--locked", "-p", "elbowroom"]).args(tests);
    run_step(&mut test)?;
    let added = added.map(|what| format!(", {what}")).unwrap_or_default();
    Ok(format!("the same bytes and bits{added}; raced against the reference"))
}
