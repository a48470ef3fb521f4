//! `cargo xtask test`: formats, lints, builds, and runs every test but those of Parquet, the long runs, and
//! the tests of Python that need packages of other makers, which have chores of their own.
//!
//! Its steps are the same on every machine and in CI, each printed before it runs; the first that fails ends
//! the chore. Tests on real robots need the data folder and say loudly when it is absent.

use anyhow::{Context, Result, bail};
use std::time::Instant;

/// The engine's optional features, as the documentation has them.
const FEATURES: &str = "elbowroom/mint,elbowroom/nalgebra,elbowroom/serde";

/// The steps after the layers: what each is for, then the arguments of cargo. The tests come first: they are
/// what people wait for.
const TESTS_OF_THE_ENGINE: &[(&str, &[&str])] = &[
    ("formatting", &["fmt", "--all", "--", "--check"]),
    // By themselves, so that they start while the rest is still to be compiled.
    ("tests of two shapes", &["test", "--locked", "-p", "elbowroom-describe", "-p", "elbowroom-pair"]),
    ("tests of the engine", &["test", "--locked", "-p", "elbowroom"]),
];

/// The steps after all tests.
const AFTER_THE_TESTS: &[(&str, &[&str])] = &[
    ("lints", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
    ("the engine without std", &["check", "--locked", "-p", "elbowroom", "--no-default-features"]),
    (
        "the fuzz targets",
        &[
            "check",
            "--locked",
            "--manifest-path",
            "fuzz/Cargo.toml",
            "--no-default-features",
            "--target-dir",
            "target",
        ],
    ),
    // The golden hash was taken in the other profile: the same bits with and without optimization.
    ("the same bits in release", &["test", "--locked", "--release", "-p", "elbowroom", "--test", "golden"]),
    (
        "documentation",
        &[
            "doc",
            "--locked",
            "--no-deps",
            // So that no link in a comment names what is gone.
            "--document-private-items",
            "--features",
            FEATURES,
            "-p",
            "elbowroom-describe",
            "-p",
            "elbowroom-pair",
            "-p",
            "elbowroom",
            "-p",
            "elbowroom-files",
            "-p",
            "elbowroom-baked",
            "-p",
            "elbowroom-bake",
            "-p",
            "elbowroom-c",
            "-p",
            "elbowroom-calibrate",
            "-p",
            "elbowroom-lab",
            "-p",
            "elbowroom-monitor",
            "-p",
            "elbowroom-reference",
        ],
    ),
];

/// All but the engine, which is tested by itself, and the bench's runner, which has no tests: the peer that
/// it is compiled with takes long.
const REST: &[&str] = &[
    "test",
    "--locked",
    "--workspace",
    "--exclude",
    "elbowroom-describe",
    "--exclude",
    "elbowroom-pair",
    "--exclude",
    "elbowroom",
    "--exclude",
    "elbowroom-bench",
];

/// What has ranks of an MPI job is tested with real ones: where MPI is, or may be installed. The same step
/// tests the rest, so that nothing is compiled once with ranks and once without; the lints read it without.
const WITH_RANKS: &[&str] = &["--features", "elbowroom-lab/mpi,elbowroom-cli/mpi"];

fn test_rest() -> Result<()> {
    let programs = ["mpirun", "mpicc"];
    let packages = ["openmpi-bin", "libopenmpi-dev", "libclang-dev"];
    if !have_programs(&programs) {
        crate::packages::install_packages(&packages)?;
    }
    if have_programs(&programs) {
        return run_step("tests of the rest, with ranks", &[REST, WITH_RANKS].concat());
    }
    println!("\n== SKIPPED, no MPI here: the search and sweeps on its ranks");
    run_step("tests of the rest", REST)
}

/// Whether all of these programs are on the path.
pub fn have_programs(names: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    names.iter().all(|name| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

/// What the tests of the C face and of baked worlds need: where it is not, they say what they leave out.
fn install_c_tools() {
    let install = |what: &str, packages: &[&str]| {
        if let Err(fault) = crate::packages::install_packages(packages) {
            println!("the tools of {what} were not installed: {fault}");
        }
    };
    if !have_programs(&["gcc", "g++", "clang", "clang++", "cmake", "pkg-config"]) {
        install("the C face", &["gcc", "g++", "clang", "cmake", "make", "pkg-config"]);
    }
    // An emulated Cortex-M4F.
    if !have_programs(&["arm-none-eabi-gcc", "arm-none-eabi-size", "qemu-system-arm"]) {
        install("the Cortex-M4", &["gcc-arm-none-eabi", "qemu-system-arm"]);
    }
    // Rust for it. Debian's plain `cargo` would have to leave for these, and stays.
    let exists = |path: &str| std::path::Path::new(path).exists();
    let may_install = !exists("/usr/bin/cargo") || exists("/usr/share/doc/cargo-web");
    if may_install && !exists("/usr/lib/rustlib/src/rust/library/core") {
        install("the Cortex-M4", &["rustc-web", "cargo-web", "rust-web-src"]);
    }
}

fn run_step(what: &str, arguments: &[&str]) -> Result<()> {
    println!("\n== {what}: cargo {}", arguments.join(" "));
    let step = Instant::now();
    let status = crate::cargo_command()?
        .args(arguments)
        .env("RUSTDOCFLAGS", "-D warnings")
        .status()
        .context("cargo could not be started")?;
    if !status.success() {
        bail!("{what}: failed ({status})");
    }
    println!("== {what}: {:.0} s", step.elapsed().as_secs_f64());
    Ok(())
}

/// Lints and tests what the feature `parquet` adds. No part of the other tests: its crates take two minutes
/// of CPU time to compile.
pub fn run_parquet(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("cargo xtask parquet takes no arguments");
    }
    let feature = ["--locked", "-p", "elbowroom-cli", "--features", "parquet"];
    let lints = [&["clippy"], &feature[..], &["--all-targets", "--", "-D", "warnings"]].concat();
    run_step("lints with Parquet", &lints)?;
    run_step("sweeps from Parquet and into it", &[&["test"], &feature[..], &["--test", "parquet"]].concat())
}

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("cargo xtask test takes no arguments; for one test use cargo test -p CRATE NAME");
    }
    let start = Instant::now();
    install_c_tools();
    println!("== layers: the imports against the table of rooms in ARCHITECTURE.md");
    crate::layers::run(&[])?;
    println!("== width: lines end at 110 columns");
    crate::width::check_width()?;
    println!("== names: functions that say what they do, types that are called by one name");
    crate::names::run(&[])?;
    println!("== licences of all dependencies: the list in deny.toml");
    crate::licences::check_licences()?;
    for (what, arguments) in TESTS_OF_THE_ENGINE {
        run_step(what, arguments)?;
    }
    test_rest()?;
    if let Some(installed) = crate::python::test_part()? {
        crate::python::test_pictures(&installed)?;
    }
    for (what, arguments) in AFTER_THE_TESTS {
        run_step(what, arguments)?;
    }
    println!("\nAll of it passed in {:.0} s.", start.elapsed().as_secs_f64());
    Ok(())
}
