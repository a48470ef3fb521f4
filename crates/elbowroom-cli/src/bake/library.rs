//! The static library of a baked world, built by cargo.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The machine that this program runs on.
pub const HOST: &str = "host";
/// What cargo builds, and what is kept of it.
const LIBRARY: &str = "libelbowroom_world.a";

/// Builds the library in a folder; its size (bytes). `CARGO` and `RUSTC` choose other programs.
pub fn build_library(folder: &Path, target: &str) -> Result<u64> {
    let program = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut cargo = Command::new(&program);
    cargo.args(["build", "--release", "--quiet", "--target-dir", "target"]).current_dir(folder);
    if target != HOST {
        cargo.args(["--target", target]);
    }
    let program = program.to_string_lossy();
    let output = cargo.output().with_context(|| format!("--build: {program} could not be started"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let help = match target {
            HOST => String::new(),
            _ => format!("\nwith rustup the target is installed by `rustup target add {target}`"),
        };
        bail!("--build: {program} could not build the library:\n{}{help}", said.trim_end());
    }
    let built = folder.join("target");
    let within = if target == HOST { built.clone() } else { built.join(target) };
    let kept = folder.join(LIBRARY);
    let bytes = fs::copy(within.join("release").join(LIBRARY), &kept)
        .with_context(|| format!("--build: {LIBRARY} is not where cargo leaves it"))?;
    fs::remove_dir_all(&built).with_context(|| built.display().to_string())?;
    Ok(bytes)
}
