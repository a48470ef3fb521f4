//! A library of Windows that older versions of Wine lack. The one that is made here stands in for it while
//! programs are tried; it is part of no archive.

use crate::steps::run_step;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// What compiles and links for Windows.
pub const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// Its source.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/computers/bcryptprimitives.c");

/// Makes the library in a folder of programs, which look there first, and names it.
pub fn make_stand_in(folder: &Path) -> Result<&'static str> {
    std::fs::create_dir_all(folder)?;
    let mut compile = Command::new(COMPILER);
    compile.args(["-shared", "-O1", "-Wall", "-Werror", SOURCE, "-ladvapi32", "-o"]);
    run_step(compile.arg(folder.join("bcryptprimitives.dll")))?;
    Ok("with a stand-in for bcryptprimitives.dll")
}
