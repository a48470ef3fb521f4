//! What is in the program and is no crate: Rust's standard library, and the C library below it.

use crate::computers::{Computer, rust_folder, rustc};
use crate::steps::read_step;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A library that comes with a compiler.
pub struct Runtime {
    pub name: &'static str,
    /// Where it is known.
    pub version: Option<String>,
    /// An SPDX expression.
    pub licence: &'static str,
    /// The licence's text, if it is on this computer.
    pub text: Option<PathBuf>,
}

/// A C library: which triples have it, its name and licence, and Debian's package that has its text.
const C_LIBRARIES: [(&str, &str, &str, &str); 4] = [
    ("-musl", "musl", "MIT", "musl"),
    ("-wasip1", "wasi-libc", "Apache-2.0 WITH LLVM-exception AND MIT", "wasi-libc"),
    ("-windows-gnu", "mingw-w64", "ZPL-2.1 AND MIT", "mingw-w64-x86-64-dev"),
    (
        "-windows-gnu",
        "libgcc",
        "GPL-3.0-or-later WITH GCC-exception-3.1",
        "gcc-mingw-w64-x86-64-win32-runtime",
    ),
];

/// All of a computer's programs.
pub fn find_runtimes(computer: &Computer) -> Result<Vec<Runtime>> {
    let text = rust_folder()?.join("share/doc/rust/COPYRIGHT-library.html");
    let mut runtimes = vec![Runtime {
        name: "rust-std",
        version: Some(rust_version()?),
        licence: "MIT OR Apache-2.0",
        text: text.is_file().then_some(text),
    }];
    for (ending, name, licence, package) in C_LIBRARIES {
        if computer.triple.contains(ending) {
            let text = Path::new("/usr/share/doc").join(package).join("copyright");
            if !text.is_file() {
                crate::packages::install_packages(&[package])?;
            }
            let text = text.is_file().then_some(text);
            runtimes.push(Runtime { name, version: None, licence, text });
        }
    }
    Ok(runtimes)
}

/// As `1.95.0`.
fn rust_version() -> Result<String> {
    let text = read_step(Command::new(rustc()).arg("--version"))?;
    Ok(text.split_whitespace().nth(1).unwrap_or("unknown").to_string())
}
