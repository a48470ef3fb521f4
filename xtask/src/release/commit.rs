//! What is released: this commit.

use crate::steps::read_step;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// The commit of this repository.
pub struct Commit {
    /// The repository's root.
    pub root: PathBuf,
    pub version: String,
    /// When it was made: seconds since 1970.
    pub seconds: String,
    /// When it was made, in words of ISO 8601.
    pub moment: String,
}

/// The newest commit here.
pub fn read_commit() -> Result<Commit> {
    let root = crate::repository_root()?;
    let mut git = Command::new("git");
    git.args(["log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%ct %cd"]);
    let times = read_step(git.env("TZ", "UTC").current_dir(&root))?;
    let (seconds, moment) = times.trim().split_once(' ').context("git names no time of the commit")?;
    let version = env!("CARGO_PKG_VERSION").to_string();
    Ok(Commit { root, version, seconds: seconds.into(), moment: moment.into() })
}
