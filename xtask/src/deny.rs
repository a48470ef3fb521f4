//! `cargo xtask deny`: licences, sources, bans and advisories of all dependencies, by cargo-deny and the
//! rules in `deny.toml`.
//!
//! Advisories need the RustSec database from the network. A run that could not have it fails, and says that
//! nothing else was wrong: what was not looked at has not passed.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version that reads `deny.toml` as it is written.
const VERSION: &str = "0.20";

/// Runs the chore. `--offline` leaves the advisories out.
pub fn run(arguments: &[String]) -> Result<()> {
    let offline = match arguments {
        [] => false,
        [word] if word == "--offline" => true,
        _ => bail!("cargo xtask deny [--offline]: without the network, everything but the advisories"),
    };
    let tool = install_tool()?;
    let deny = |words: &[&str]| -> Result<bool> {
        println!("== cargo deny {}", words.join(" "));
        let status = Command::new(&tool).current_dir(crate::repository_root()?).args(words).status();
        Ok(status.context("cargo-deny could not be started")?.success())
    };
    if !deny(&["check", "--hide-inclusion-graph", "licenses", "bans", "sources"])? {
        bail!("a dependency breaks a rule of deny.toml: see above");
    }
    if offline {
        println!("Licences, bans and sources are fine. Advisories were NOT CHECKED, as asked.");
        return Ok(());
    }
    if !deny(&["fetch", "db"])? {
        bail!(
            "licences, bans and sources are fine, but advisories were NOT CHECKED: the database could not be \
             fetched; try again with the network, or leave them out with --offline"
        );
    }
    // An index that cannot be read leaves open what was yanked.
    if !deny(&["check", "-D", "index-failure", "advisories"])? {
        bail!("a dependency has an advisory or was yanked, or it could not be told: see above");
    }
    println!("Licences, bans, sources and advisories are fine.");
    Ok(())
}

/// The program, installed below `target/tools` where it is not yet. Building it takes minutes.
fn install_tool() -> Result<PathBuf> {
    let tools = crate::repository_root()?.join("target/tools");
    let tool = tools.join("bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    if !is_right(&tool) {
        println!("== cargo-deny {VERSION} is installed into target/tools");
        let install = ["install", "cargo-deny", "--locked", "--version", VERSION, "--root"];
        let status = crate::cargo_command()?
            .args(install)
            .arg(&tools)
            .status()
            .context("cargo could not be started")?;
        if !status.success() {
            bail!("cargo-deny could not be installed ({status})");
        }
    }
    Ok(tool)
}

/// Whether the program is there, in the version that is asked for.
fn is_right(tool: &Path) -> bool {
    let output = Command::new(tool).arg("--version").output();
    output.is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).starts_with(&format!("cargo-deny {VERSION}."))
    })
}
