//! `cargo xtask test`: formats, lints, builds, and runs every test there is.
//!
//! The same steps on every machine and in CI, each printed before it runs; the first that fails ends the chore. Tests on
//! real robots need the data folder and say loudly when it is absent.

use anyhow::{Context, Result, bail};
use std::process::Command;
use std::time::Instant;

/// The steps: what it is for, then the arguments of cargo.
const STEPS: &[(&str, &[&str])] = &[
    ("formatting", &["fmt", "--all", "--", "--check"]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
    ("the engine without std", &["build", "--locked", "-p", "elbowroom", "--no-default-features"]),
    (
        "the fuzz targets",
        &[
            "check",
            "--locked",
            "--manifest-path",
            "fuzz/Cargo.toml",
            "--no-default-features",
            "--target-dir",
            "target/fuzz",
        ],
    ),
    ("tests", &["test", "--locked", "--workspace"]),
    // The golden hash was taken in the other profile: the same bits with and without optimization.
    ("the same bits in release", &["test", "--locked", "--release", "-p", "elbowroom", "--test", "golden"]),
    (
        "documentation",
        &["doc", "--locked", "--no-deps", "-p", "elbowroom", "-p", "elbowroom-files", "-p", "elbowroom-lab"],
    ),
];

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("cargo xtask test takes no arguments; for one test use cargo test -p CRATE NAME");
    }
    let root = crate::root()?;
    let start = Instant::now();
    for (what, arguments) in STEPS {
        println!("\n== {what}: cargo {}", arguments.join(" "));
        let step = Instant::now();
        let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(*arguments)
            .current_dir(&root)
            .env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private-intra-doc-links")
            .status()
            .context("cargo could not be started")?;
        if !status.success() {
            bail!("{what}: failed ({status})");
        }
        println!("== {what}: {:.0} s", step.elapsed().as_secs_f64());
    }
    println!("\nAll of it passed in {:.0} s.", start.elapsed().as_secs_f64());
    Ok(())
}
