//! `cargo xtask race` and `cargo xtask fuzz`: the long runs, for nights and before a release.

use anyhow::{Context, Result, bail};
use std::process::Command;

/// A million random pairs against the slow reference, hulls of a million points, and ten million poses against pairs proved never to
/// touch, in release; `cargo xtask race N` for another number.
pub fn race(arguments: &[String]) -> Result<()> {
    let pairs = match arguments {
        [] => "1000000",
        [n] if n.parse::<u64>().is_ok() => n,
        _ => bail!("cargo xtask race [PAIRS]"),
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--locked", "--release", "-p", "elbowroom", "--lib", "--test", "race"])
        .args(["--", "--nocapture", "--include-ignored"])
        .current_dir(crate::root()?)
        .env("ELBOWROOM_RACE", pairs)
        .status()
        .context("cargo could not be started")?;
    if !status.success() {
        bail!("the race found a difference: the cases are above");
    }
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["test", "--locked", "--release", "-p", "elbowroom-files", "--test", "between_poses"])
        .args(["--", "--nocapture", "proved_pairs"])
        .current_dir(crate::root()?)
        .env("ELBOWROOM_PROVE", format!("{pairs}0"))
        .status()
        .context("cargo could not be started")?;
    if status.success() {
        Ok(())
    } else {
        bail!("a pair did not keep to what was proved of it: it is named above")
    }
}

/// Fuzz targets for some seconds each (all of them and 600 unless told), one after the other. Each starts from the inputs
/// in `fuzz/seeds/TARGET` and what earlier runs found.
pub fn fuzz(arguments: &[String]) -> Result<()> {
    const USAGE: &str = "cargo xtask fuzz [SECONDS EACH] [TARGET ...]";
    let (seconds, wanted) = match arguments {
        [] => (600, arguments),
        [n, rest @ ..] => (n.parse::<u64>().context(USAGE)?, rest),
    };
    let root = crate::root()?;
    // The fuzzer needs the nightly toolchain; the variables of this one would win over `+nightly`.
    let cargo = || {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&root).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
        cargo
    };
    let missing = "cargo fuzz could not be started: cargo install cargo-fuzz, and a nightly toolchain";
    let list = cargo().args(["+nightly", "fuzz", "list"]).output().context(missing)?;
    if !list.status.success() {
        bail!("{missing}\n{}", String::from_utf8_lossy(&list.stderr));
    }
    let list = String::from_utf8(list.stdout)?;
    let known: Vec<&str> = list.lines().collect();
    if let Some(unknown) = wanted.iter().find(|w| !known.contains(&w.as_str())) {
        bail!("there is no target {unknown}: {}", known.join(", "));
    }
    for target in known.iter().filter(|t| wanted.is_empty() || wanted.iter().any(|w| w == *t)) {
        println!("\n== {target}: {seconds} s");
        let corpus = root.join("fuzz/corpus").join(target);
        std::fs::create_dir_all(&corpus)?;
        let status = cargo()
            .args(["+nightly", "fuzz", "run", target])
            .args([corpus, root.join("fuzz/seeds").join(target)])
            .args(["--".to_string(), format!("-max_total_time={seconds}")])
            .args(["-timeout=10", "-rss_limit_mb=2048"])
            .status()
            .context(missing)?;
        if !status.success() {
            bail!("{target} failed: its input is in fuzz/artifacts/{target}; make it a test");
        }
    }
    Ok(())
}
