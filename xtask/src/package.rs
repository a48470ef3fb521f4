//! `cargo xtask package`: the crates that others may depend on, packed as for a registry. What was packed is
//! built by itself, with its examples, and the programs in its documentation run.

use anyhow::{Context, Result, bail, ensure};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

/// In the order in which one needs the other.
const CRATES: [&str; 5] =
    ["elbowroom-describe", "elbowroom-pair", "elbowroom", "elbowroom-monitor", "elbowroom-files"];

/// A file of the root that each crate carries by a link.
const LICENCE: &str = "LICENSE-MIT";

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("cargo xtask package takes no arguments");
    }
    pack_crates()?;
    let root = crate::repository_root()?;
    for (i, name) in CRATES.iter().enumerate() {
        let folder = Path::new("target/package").join(format!("{name}-{}", env!("CARGO_PKG_VERSION")));
        println!("== the documentation and the examples of {name}");
        // A link that was checked out as text would be packed as text.
        if std::fs::read(root.join(&folder).join(LICENCE)).ok() != Some(std::fs::read(root.join(LICENCE))?) {
            bail!("{} has not the text of {LICENCE}", folder.display());
        }
        run_packed(&folder, &CRATES[..i], &["test", "--quiet", "--doc"])
            .with_context(|| format!("the documentation of {name} needs what is not in its package"))?;
        if root.join(&folder).join("examples").is_dir() {
            run_packed(&folder, &CRATES[..i], &["build", "--quiet", "--examples"])
                .with_context(|| format!("the examples of {name} need what is not in its package"))?;
        }
    }
    Ok(())
}

/// Runs cargo on the package in a folder. A package that is on no registry yet is found where it was packed:
/// those of `others`.
fn run_packed(folder: &Path, others: &[&str], arguments: &[&str]) -> Result<()> {
    let mut cargo = crate::cargo_command()?;
    cargo.args(arguments).args(["--target-dir", "target", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    for other in others {
        let at = format!("target/package/{other}-{}", env!("CARGO_PKG_VERSION"));
        cargo.args(["--config", &format!("patch.crates-io.{other}.path={at:?}")]);
    }
    let status = cargo.status().context("cargo could not be started")?;
    ensure!(status.success(), "cargo {}: {status}", arguments.join(" "));
    Ok(())
}

/// Packs and builds; a warning fails, but for those that a test or example stays at home.
fn pack_crates() -> Result<()> {
    println!("== cargo package");
    let mut package = crate::cargo_command()?;
    // Nothing is published here, so what is not committed may be tried.
    package.args(["package", "--locked", "--allow-dirty", "--target-dir", "target"]);
    for name in CRATES {
        package.args(["-p", name]);
    }
    let mut child = package.stderr(Stdio::piped()).spawn().context("cargo could not be started")?;
    let mut warned = false;
    for line in BufReader::new(child.stderr.take().context("no standard error")?).lines() {
        let line = line?;
        if !line.starts_with("warning: ignoring ") {
            warned |= line.starts_with("warning");
            eprintln!("{line}");
        }
    }
    let status = child.wait()?;
    if !status.success() || warned {
        bail!("cargo package: {status}{}", if warned { ", with the warnings above" } else { "" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_readme_shows_the_program_of_its_crate_as_it_is_built() {
        let root = crate::repository_root().unwrap().join("crates");
        for (name, example) in
            [("elbowroom-describe", "table"), ("elbowroom-pair", "two_shapes"), ("elbowroom", "rod_and_post")]
        {
            let read = |file: &str| std::fs::read_to_string(root.join(name).join(file)).unwrap();
            let program = read(&format!("examples/{example}.rs"));
            let (_, program) = program.split_once("\n\n").unwrap();
            let shown = format!("```rust\n{program}```\n");
            assert!(read("README.md").contains(&shown), "README.md of {name} has not {example}.rs as it is");
        }
    }
}
