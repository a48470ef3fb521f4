//! Chores of the repository: `cargo xtask help`.

mod bench_peers;
mod computers;
mod deny;
mod elsewhere;
mod first_command;
mod layers;
mod licences;
mod long;
mod map;
mod metadata;
mod names;
mod package;
mod packages;
mod python;
mod release;
mod steps;
mod sweeps;
mod test;
mod width;

use anyhow::{Context, Result, bail};
use std::process::{Command, ExitCode};

/// Takes the arguments that follow the chore's name.
type Run = fn(&[String]) -> Result<()>;

/// Each chore: its name, what it does, and how.
const CHORES: &[(&str, &str, Run)] = &[
    (
        "test",
        "format, lint, build, and run the tests; not those of Parquet, the long runs, and Python's peers",
        test::run,
    ),
    (
        "parquet",
        "lint and test what the feature parquet adds, which takes long to compile",
        test::run_parquet,
    ),
    ("layers", "hold crates and imports against the tables in ARCHITECTURE.md", layers::run),
    ("names", "hold the share of one-word functions, and types with one name", names::run),
    ("map", "print every file with its purpose: all, or those of a folder", map::run),
    ("width", "hold lines to 110 columns; --fix wraps running text", width::run),
    (
        "python",
        "build the Python package, and test all of it beside its peers; and sweeps by schedulers",
        python,
    ),
    ("race", "the long runs: shapes, bounds, paths, warm starts, motions, proofs", long::race),
    ("fuzz", "every fuzz target, ten minutes each", long::fuzz),
    ("package", "pack the engine and the readers as for a registry, and build what was packed", package::run),
    (
        "elsewhere",
        "build and run for other computers, emulated: ARM, WebAssembly, Windows; check macOS",
        elsewhere::run,
    ),
    (
        "release",
        "archives of the program that need no Rust, and wheels, with licences, parts and checksums",
        release::run,
    ),
    ("deny", "licences, sources and advisories of all dependencies, by cargo-deny", deny::run),
    (
        "bench-peers",
        "measure beside coal, MuJoCo, parry, FCL and others; write bench/record/",
        bench_peers::run,
    ),
    ("puma260", "write robots/puma260/: the robot, its cell and its path", puma260),
    ("sdh2", "write robots/sdh2/: a hand of three fingers, and a motion that closes it", sdh2),
    ("rrc-cell", "write robots/rrc_cell/: two arms in a cell, and what they do there", rrc_cell),
];

/// The repository's root.
fn repository_root() -> Result<std::path::PathBuf> {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(here.parent().unwrap_or(here).to_path_buf())
}

/// The cargo that runs this, in the repository's root.
fn cargo_command() -> Result<Command> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(repository_root()?);
    Ok(cargo)
}

fn python(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("cargo xtask python takes no arguments");
    }
    python::test_python()
}

fn puma260(arguments: &[String]) -> Result<()> {
    run_example("puma260", arguments)
}

fn sdh2(arguments: &[String]) -> Result<()> {
    run_example("sdh2", arguments)
}

fn rrc_cell(arguments: &[String]) -> Result<()> {
    run_example("rrc_cell", arguments)
}

/// Runs a program beside the lab, so that this one needs no engine to be compiled.
fn run_example(name: &str, arguments: &[String]) -> Result<()> {
    let run = ["run", "--quiet", "--release", "-p", "elbowroom-lab", "--example", name, "--"];
    let status = cargo_command()?.args(run).args(arguments).status().context("cargo could not be started")?;
    if !status.success() {
        bail!("the example {name} of elbowroom-lab: {status}");
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run_chore(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // The message says what went wrong, and not where in this program.
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run_chore(arguments: &[String]) -> Result<()> {
    match arguments.split_first() {
        None => print_help(),
        Some((word, _)) if ["help", "-h", "--help"].contains(&word.as_str()) => print_help(),
        Some((word, rest)) => match CHORES.iter().find(|chore| chore.0 == word) {
            Some(chore) => return chore.2(rest),
            None => {
                print_help();
                bail!("there is no chore {word:?}");
            }
        },
    }
    Ok(())
}

fn print_help() {
    println!("cargo xtask CHORE [--help]\n");
    for (name, about, _) in CHORES {
        println!("  {name:<14} {about}");
    }
}
