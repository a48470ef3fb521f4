//! `cargo xtask race` and `cargo xtask fuzz`: the long runs, for nights and before a release.

use anyhow::{Context, Result, bail};
use std::process::Command;

/// A million random pairs against the slow reference, in release; `cargo xtask race N` for another number.
pub fn race(arguments: &[String]) -> Result<()> {
    let pairs = match arguments {
        [] => "1000000",
        [n] if n.parse::<u64>().is_ok() => n,
        _ => bail!("cargo xtask race [PAIRS]"),
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--locked", "--release", "-p", "elbowroom", "--test", "race", "--", "--nocapture"])
        .current_dir(crate::root()?)
        .env("ELBOWROOM_RACE", pairs)
        .status()
        .context("cargo could not be started")?;
    if status.success() { Ok(()) } else { bail!("the race found a difference: the cases are above") }
}

/// Every fuzz target for some seconds each (600 unless told), one after the other.
pub fn fuzz(arguments: &[String]) -> Result<()> {
    let seconds: u64 = match arguments {
        [] => 600,
        [n] => n.parse().context("cargo xtask fuzz [SECONDS EACH]")?,
        _ => bail!("cargo xtask fuzz [SECONDS EACH]"),
    };
    let root = crate::root()?;
    let mut targets: Vec<String> = std::fs::read_dir(root.join("fuzz/fuzz_targets"))?
        .filter_map(|e| e.ok()?.path().file_stem()?.to_str().map(str::to_string))
        .collect();
    targets.sort();
    for target in &targets {
        println!("\n== {target}: {seconds} s");
        // The fuzzer needs the nightly toolchain; the variables of this one would win over `+nightly`.
        let status = Command::new("cargo")
            .args(["+nightly", "fuzz", "run", target, "--"])
            .args([format!("-max_total_time={seconds}"), "-timeout=10".into(), "-rss_limit_mb=2048".into()])
            .current_dir(&root)
            .env_remove("CARGO")
            .env_remove("RUSTUP_TOOLCHAIN")
            .status()
            .context("cargo fuzz could not be started: cargo install cargo-fuzz, and a nightly toolchain")?;
        if !status.success() {
            bail!("{target} failed: its input is in fuzz/artifacts/{target}; make it a test");
        }
    }
    Ok(())
}
