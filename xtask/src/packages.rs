//! Packages of the system that a chore needs: installed where it may, otherwise named.

use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// Installs Debian's packages as root. Elsewhere says what to install, and whoever asked finds it missing.
pub fn install_packages(packages: &[&str]) -> Result<()> {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let names = packages.join(" ");
    if !is_root || !Path::new("/usr/bin/apt-get").exists() {
        println!("not installed: {names} (Debian: apt-get install {names})");
        return Ok(());
    }
    println!("installing {names}");
    let mut install = Command::new("apt-get");
    install.args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages);
    let done = install.output().context("apt-get could not be started")?;
    if !done.status.success() {
        println!("  apt-get could not: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(())
}
