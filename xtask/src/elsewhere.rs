//! Builds and runs on other computers than this one: emulated, or checked where they cannot run.
//!
//! The answers are the same bits everywhere. On every computer that runs here, this chore compares three
//! things with those of this one: the golden hashes, the bytes of the README's first command, and the
//! answers of a guard's record. It also runs the race against the slow reference. For a computer that cannot
//! run here the program is only compiled, and the chore says so.

mod computers;

use anyhow::{Context, Result, bail};
use computers::{COMPUTERS, Computer};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The README's first command, with every answer as JSON on standard output.
const FIRST_COMMAND: [&str; 8] = [
    "check",
    "robots/puma260/bottleneck.toml",
    "--motion",
    "robots/puma260/path.csv",
    "--continuous",
    "--all-pairs",
    "--json",
    "-",
];

/// A guard's world and what it is told.
const GUARDED: [&str; 2] = ["robots/rrc_cell/cell.toml", "robots/rrc_cell/cross.jsonl"];

/// Tests of the engine whose answers are the same bits, or proved against the slow reference.
const TESTS: [&str; 4] = ["golden", "golden_world", "fingerprints", "race"];

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
        let first = answer_first_command(&mut Command::new(&program), &root)?;
        // From the root on: what an emulator sees of this computer may begin there.
        let record = PathBuf::from("target/elsewhere/record.jsonl");
        let _ = std::fs::remove_file(root.join(&record));
        let mut monitor = Command::new(&program);
        monitor.args(["monitor", GUARDED[0], "--input", GUARDED[1], "--quiet", "--record"]).arg(&record);
        let done = monitor.current_dir(&root).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        if !done.success() {
            bail!("the guard did not answer here ({done})");
        }
        Ok(Here { root, first, record })
    }
}

/// What was done on a computer.
fn try_computer(computer: &Computer, here: &Here) -> Result<&'static str> {
    add_target(computer)?;
    if !crate::test::have_programs(computer.programs) {
        crate::packages::install_packages(computer.packages)?;
    }
    let Some(runner) = computer.runner() else {
        run_step(cargo_for(computer)?.args(["check", "--locked", "-p", "elbowroom-cli"]))?;
        return Ok("compiles; it cannot run here");
    };
    if let Some(missing) = computer.programs.iter().find(|name| !crate::test::have_programs(&[**name])) {
        bail!("{missing} is not here (Debian: apt-get install {})", computer.packages.join(" "));
    }
    run_step(cargo_for(computer)?.args(["build", "--release", "--locked", "-p", "elbowroom-cli"]))?;
    let program = here.root.join("target").join(computer.triple).join("release").join(computer.program);
    let mut first = emulated(&runner, &program);
    if answer_first_command(&mut first, &here.root)? != here.first {
        bail!("the answers of README's first command are other bytes than here");
    }
    println!("== README's first command: the same {} bytes", here.first.len());
    let mut replay = emulated(&runner, &program);
    replay.arg("replay").arg(&here.record).args(["--world", GUARDED[0]]);
    run_step(replay.current_dir(&here.root))?;
    let tests = TESTS.iter().flat_map(|test| ["--test", test]);
    let mut test = cargo_for(computer)?;
    test.args(["test", "--release", "--locked", "-p", "elbowroom"]).args(tests);
    run_step(&mut test)?;
    Ok("the same bytes and bits; raced against the reference")
}

/// The standard library for a computer, from `rustup` where it is not there yet.
fn add_target(computer: &Computer) -> Result<()> {
    let mut rustup = Command::new("rustup");
    run_step(rustup.args(["target", "add", computer.triple]))
        .with_context(|| format!("no standard library for {}", computer.triple))
}

/// The cargo of this chore, without what it would take over from it.
fn cargo() -> Result<Command> {
    let mut cargo = crate::cargo_command()?;
    cargo.env_remove("CARGO_TARGET_DIR");
    Ok(cargo)
}

/// The same for a computer.
fn cargo_for(computer: &Computer) -> Result<Command> {
    let mut cargo = cargo()?;
    let name = computer.triple.to_uppercase().replace('-', "_");
    if let Some(linker) = computer.linker {
        cargo.env(format!("CARGO_TARGET_{name}_LINKER"), linker);
        cargo.env(format!("CC_{}", computer.triple.replace('-', "_")), linker);
    }
    if let Some(runner) = computer.runner() {
        cargo.env(format!("CARGO_TARGET_{name}_RUNNER"), runner.join(" "));
    }
    cargo.env("CARGO_BUILD_TARGET", computer.triple);
    Ok(cargo)
}

/// A program under the computer's emulator.
fn emulated(runner: &[String], program: &Path) -> Command {
    let (first, rest) = runner.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let mut command = Command::new(first);
    command.args(rest).arg(program);
    command
}

/// What a program answers to README's first command. Its exit code is 1, since half of the path collides. It
/// answers into a file: the pipes of some emulators do not wait for their readers.
fn answer_first_command(program: &mut Command, root: &Path) -> Result<Vec<u8>> {
    let path = root.join("target/elsewhere/first.jsonl");
    let asked = program.args(FIRST_COMMAND).arg("--quiet").current_dir(root);
    let asked = asked.stdout(File::create(&path)?).stderr(Stdio::null());
    let status = asked.status().context("the program could not be started")?;
    let answers = std::fs::read(&path)?;
    if status.code() != Some(1) || answers.is_empty() {
        bail!("README's first command ended with {status}");
    }
    Ok(answers)
}

fn run_step(command: &mut Command) -> Result<()> {
    println!("== {command:?}");
    let status = command.status().with_context(|| format!("{command:?} could not be started"))?;
    if !status.success() {
        bail!("{command:?} failed ({status})");
    }
    Ok(())
}
