//! The computers, how their programs are linked, and what runs them here.

use crate::steps::run_step;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A computer.
pub struct Computer {
    /// What it is called here.
    pub name: &'static str,
    /// What Rust calls it.
    pub triple: &'static str,
    /// What links for it, where that is no part of Rust.
    pub linker: Option<&'static str>,
    /// What runs its programs, and with which arguments; empty where nothing does.
    run_by: &'static [&'static str],
    /// What the two need on the path.
    pub programs: &'static [&'static str],
    /// Debian's packages that have them.
    pub packages: &'static [&'static str],
    /// What the program is called there.
    pub program: &'static str,
}

impl Computer {
    /// The words of the command that runs its programs; `None` where nothing does.
    pub fn runner(&self) -> Option<Vec<String>> {
        let absolute = |word: &&str| match word.strip_prefix("xtask/") {
            Some(rest) => format!("{}/{rest}", env!("CARGO_MANIFEST_DIR")),
            None => word.to_string(),
        };
        (!self.run_by.is_empty()).then(|| self.run_by.iter().map(absolute).collect())
    }

    /// A program under what runs it; `None` where nothing does.
    pub fn command(&self, program: &Path) -> Option<Command> {
        let runner = self.runner()?;
        let (first, rest) = runner.split_first()?;
        let mut command = Command::new(first);
        command.args(rest).arg(program);
        Some(command)
    }

    /// Where cargo puts the program, with the folder that it names after the profile.
    pub fn built_program(&self, folder: &str) -> Result<PathBuf> {
        Ok(crate::repository_root()?.join("target").join(self.triple).join(folder).join(self.program))
    }
}

/// Linux on ARM with 64 bits.
pub const AARCH64: Computer = Computer {
    name: "aarch64",
    triple: "aarch64-unknown-linux-gnu",
    linker: Some("aarch64-linux-gnu-gcc"),
    run_by: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    programs: &["qemu-aarch64", "aarch64-linux-gnu-gcc"],
    packages: &["qemu-user", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"],
    program: "elbowroom",
};

/// Linux on ARM, thirty-two bits a `usize`.
pub const ARMV7: Computer = Computer {
    name: "armv7",
    triple: "armv7-unknown-linux-gnueabihf",
    linker: Some("arm-linux-gnueabihf-gcc"),
    run_by: &["qemu-arm", "-L", "/usr/arm-linux-gnueabihf"],
    programs: &["qemu-arm", "arm-linux-gnueabihf-gcc"],
    packages: &["qemu-user", "gcc-arm-linux-gnueabihf", "libc6-dev-armhf-cross"],
    program: "elbowroom",
};

/// WebAssembly with the interface WASI.
pub const WASM32: Computer = Computer {
    name: "wasm32",
    triple: "wasm32-wasip1",
    linker: None,
    run_by: &["node", "--no-warnings", "xtask/src/elsewhere/wasi.mjs"],
    programs: &["node"],
    packages: &["nodejs"],
    program: "elbowroom.wasm",
};

/// Windows on x86-64.
pub const WINDOWS: Computer = Computer {
    name: "windows",
    triple: "x86_64-pc-windows-gnu",
    linker: Some("x86_64-w64-mingw32-gcc"),
    run_by: &[],
    programs: &["x86_64-w64-mingw32-gcc"],
    packages: &["gcc-mingw-w64-x86-64"],
    program: "elbowroom.exe",
};

/// macOS on ARM: nothing but a Mac links for a Mac.
pub const MACOS: Computer = Computer {
    name: "macos",
    triple: "aarch64-apple-darwin",
    linker: None,
    run_by: &[],
    programs: &[],
    packages: &[],
    program: "elbowroom",
};

/// Linux on x86-64, with nothing of the system in the program. The linker is the one that comes with Rust.
pub const X86_64_STATIC: Computer = Computer {
    name: "x86-64",
    triple: "x86_64-unknown-linux-musl",
    linker: Some("rust-lld"),
    run_by: &["env"],
    programs: &[],
    packages: &[],
    program: "elbowroom",
};

/// Linux on ARM, with nothing of the system in the program. The linker is the one that comes with Rust.
pub const AARCH64_STATIC: Computer = Computer {
    triple: "aarch64-unknown-linux-musl",
    linker: Some("rust-lld"),
    run_by: &["qemu-aarch64"],
    programs: &["qemu-aarch64"],
    packages: &["qemu-user"],
    ..AARCH64
};

/// The standard library for a computer, from `rustup` where it is not there yet.
pub fn add_target(computer: &Computer) -> Result<()> {
    let mut rustup = Command::new("rustup");
    run_step(rustup.args(["target", "add", computer.triple]))
        .with_context(|| format!("no standard library for {}", computer.triple))
}

/// What links and runs for a computer, installed where it may be.
pub fn install_programs(computer: &Computer) -> Result<()> {
    if !crate::test::have_programs(computer.programs) {
        crate::packages::install_packages(computer.packages)?;
    }
    if let Some(missing) = computer.programs.iter().find(|name| !crate::test::have_programs(&[**name])) {
        bail!("{missing} is not here (Debian: apt-get install {})", computer.packages.join(" "));
    }
    Ok(())
}

/// The cargo of this chore, without what it would take over from it.
pub fn cargo() -> Result<Command> {
    let mut cargo = crate::cargo_command()?;
    cargo.env_remove("CARGO_TARGET_DIR");
    Ok(cargo)
}

/// The cargo of this chore, set to build for a computer and to run what it built.
pub fn cargo_for(computer: &Computer) -> Result<Command> {
    let mut cargo = cargo()?;
    let name = computer.triple.to_uppercase().replace('-', "_");
    if let Some(linker) = computer.linker {
        cargo.env(format!("CARGO_TARGET_{name}_LINKER"), linker);
        // A compiler that links also compiles C.
        if linker.ends_with("gcc") {
            cargo.env(format!("CC_{}", computer.triple.replace('-', "_")), linker);
        }
    }
    if let Some(runner) = computer.runner() {
        cargo.env(format!("CARGO_TARGET_{name}_RUNNER"), runner.join(" "));
    }
    cargo.env("CARGO_BUILD_TARGET", computer.triple);
    Ok(cargo)
}
