//! What cargo knows of the packages that this workspace needs.

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// All packages for a platform, as `cargo metadata` writes them; its further arguments may choose features.
pub fn read_packages(platform: &str, arguments: &[&str]) -> Result<Vec<Value>> {
    // The packages of other platforms would have to be downloaded first.
    let words = ["metadata", "--locked", "--format-version", "1", "--filter-platform", platform];
    let output =
        crate::cargo_command()?.args(words).args(arguments).output().context("cargo could not be started")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    let mut metadata: Value = serde_json::from_slice(&output.stdout)?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => bail!("cargo metadata lists no packages"),
    }
}

/// The platform that this runs on, as rustc names it.
pub fn host_platform() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output =
        std::process::Command::new(rustc).arg("-vV").output().context("rustc could not be started")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_string())
}
