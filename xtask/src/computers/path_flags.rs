//! What keeps the folders of this computer out of a program, so that its bytes are those of another's.

use crate::steps::read_step;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// The compiler's flags: each folder that source lies in is called something else.
pub fn path_flags() -> Result<Vec<String>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).context("no folder of cargo")?;
    let remapped = [
        (home.join("registry/src"), "/registry"),
        (rust_folder()?.join("lib/rustlib/src/rust"), "/rust"),
        (crate::repository_root()?, "/elbowroom"),
    ];
    Ok(remapped.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect())
}

/// Where this Rust is installed.
pub fn rust_folder() -> Result<PathBuf> {
    Ok(PathBuf::from(read_step(Command::new(rustc()).args(["--print", "sysroot"]))?.trim()))
}

/// The compiler that cargo takes.
pub fn rustc() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}
