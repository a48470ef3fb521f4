//! Programs that are run, and files that they make.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Fails if a file of the virtual environment is not there.
pub(super) fn require_file(path: &Path, root: &Path) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    bail!("{} is missing: remove {} and run again", path.display(), root.join(".venv").display())
}

/// Whether a file is newer than all that it is made from.
pub(super) fn is_newer(made: &Path, from: &[PathBuf]) -> bool {
    let time = |path: &Path| path.metadata().and_then(|data| data.modified());
    time(made).is_ok_and(|made| from.iter().all(|path| time(path).is_ok_and(|source| source <= made)))
}

/// Runs a program to its end.
pub(super) fn run_to_success(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {what}"))?;
    if !status.success() {
        bail!("{what} failed: {status}");
    }
    Ok(())
}

/// A path as an argument.
pub(super) fn path_text(path: &Path) -> String {
    path.display().to_string()
}
