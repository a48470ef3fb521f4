//! The computers, how their programs are linked, and what runs them here.

mod path_flags;
mod stand_in;

pub use path_flags::{rust_folder, rustc};

use crate::steps::run_step;
use anyhow::{Context, Result, bail};
use path_flags::path_flags;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The profile in `Cargo.toml` for their programs and tests, and the folder that cargo names after it: what
/// is tested is what archives have.
pub const PROFILE: &str = "archive";

/// A computer.
pub struct Computer {
    /// What it is called here.
    pub name: &'static str,
    /// What Rust calls it.
    pub triple: &'static str,
    /// What links for it, where that is no part of Rust.
    pub linker: Option<&'static str>,
    /// What of the processor a program may use beyond what every such computer has; mostly nothing.
    features: &'static str,
    /// What runs its programs, and with which arguments; empty where nothing does.
    run_by: &'static [&'static str],
    /// What runs this computer's programs here. If one is missing, they are only compiled, and that is no
    /// fault.
    optional_programs: &'static [&'static str],
    /// What the two need on the path.
    pub programs: &'static [&'static str],
    /// Debian's packages that have them.
    pub packages: &'static [&'static str],
    /// What the program is called there.
    pub program: &'static str,
}

impl Computer {
    /// The words of the command that runs its programs; `None` where nothing does, or what does is not here.
    pub fn runner(&self) -> Option<Vec<String>> {
        if !crate::test::have_programs(self.optional_programs) {
            return None;
        }
        let absolute = |word: &&str| match word.strip_prefix("xtask/") {
            Some(rest) => format!("{}/{rest}", env!("CARGO_MANIFEST_DIR")),
            None => word.to_string(),
        };
        (!self.run_by.is_empty()).then(|| self.run_by.iter().map(absolute).collect())
    }

    /// Whether its programs have threads.
    pub fn has_threads(&self) -> bool {
        !self.triple.starts_with("wasm32-")
    }

    /// A program under what runs it; `None` where nothing does.
    pub fn command(&self, program: &Path) -> Option<Command> {
        let runner = self.runner()?;
        let (first, rest) = runner.split_first()?;
        let mut command = Command::new(first);
        command.args(rest).arg(program);
        Some(command)
    }

    /// Makes ready a folder of programs that are to run here, and says what was put there that is none of the
    /// computer's own.
    pub fn prepare_folder(&self, folder: &Path) -> Result<Option<&'static str>> {
        if self.name != WINDOWS.name || self.runner().is_none() {
            return Ok(None);
        }
        stand_in::make_stand_in(folder).map(Some)
    }

    /// Where cargo puts the program.
    pub fn built_program(&self) -> Result<PathBuf> {
        Ok(crate::repository_root()?.join("target").join(self.triple).join(PROFILE).join(self.program))
    }
}

/// Linux on x86-64, with nothing of the system in the program. The linker is the one that comes with Rust.
pub const X86_64: Computer = Computer {
    name: "x86-64",
    triple: "x86_64-unknown-linux-musl",
    linker: Some("rust-lld"),
    features: "",
    run_by: &["env"],
    optional_programs: &[],
    programs: &[],
    packages: &[],
    program: "elbowroom",
};

/// Linux on ARM with 64 bits, likewise.
pub const AARCH64: Computer = Computer {
    name: "aarch64",
    triple: "aarch64-unknown-linux-musl",
    run_by: &["qemu-aarch64"],
    programs: &["qemu-aarch64"],
    packages: &["qemu-user"],
    ..X86_64
};

/// Linux on ARM, thirty-two bits a `usize`.
pub const ARMV7: Computer = Computer {
    name: "armv7",
    triple: "armv7-unknown-linux-gnueabihf",
    linker: Some("arm-linux-gnueabihf-gcc"),
    features: "",
    run_by: &["qemu-arm", "-L", "/usr/arm-linux-gnueabihf"],
    optional_programs: &[],
    programs: &["qemu-arm", "arm-linux-gnueabihf-gcc"],
    packages: &["qemu-user", "gcc-arm-linux-gnueabihf", "libc6-dev-armhf-cross"],
    program: "elbowroom",
};

/// WebAssembly with the interface WASI.
pub const WASM32: Computer = Computer {
    name: "wasm32",
    triple: "wasm32-wasip1",
    linker: None,
    features: "",
    run_by: &["node", "--no-warnings", "xtask/src/elsewhere/wasi.mjs"],
    optional_programs: &[],
    programs: &["node"],
    packages: &["nodejs"],
    program: "elbowroom.wasm",
};

/// WebAssembly with its lanes, which not every engine has.
pub const WASM32_SIMD128: Computer = Computer { name: "simd128", features: "+simd128", ..WASM32 };

/// Windows on x86-64. Its programs run under Wine, without what Wine says of itself, and without the offer to
/// install what shows pages and runs .NET.
pub const WINDOWS: Computer = Computer {
    name: "windows",
    triple: "x86_64-pc-windows-gnu",
    linker: Some(stand_in::COMPILER),
    features: "",
    run_by: &["env", "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=", "wine"],
    optional_programs: &["wine"],
    programs: &[stand_in::COMPILER],
    packages: &["gcc-mingw-w64-x86-64", "wine", "wine64"],
    program: "elbowroom.exe",
};

/// macOS on ARM: nothing but a Mac links for a Mac.
pub const MACOS: Computer = Computer {
    name: "macos",
    triple: "aarch64-apple-darwin",
    linker: None,
    features: "",
    run_by: &[],
    optional_programs: &[],
    programs: &[],
    packages: &[],
    program: "elbowroom",
};

/// The standard library for a computer, from `rustup` where it is not there yet.
pub fn add_target(computer: &Computer) -> Result<()> {
    let mut rustup = Command::new("rustup");
    run_step(rustup.args(["target", "add", computer.triple]))
        .with_context(|| format!("no standard library for {}", computer.triple))
}

/// What links and runs for a computer, installed where it may be.
pub fn install_programs(computer: &Computer) -> Result<()> {
    if ![computer.programs, computer.optional_programs].into_iter().all(crate::test::have_programs) {
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

/// Builds the program of this computer, without optimization: what others answer is held against it.
pub fn build_here() -> Result<PathBuf> {
    run_step(cargo()?.args(["build", "--locked", "-p", "elbowroom-cli"]))?;
    let program = format!("target/debug/elbowroom{}", std::env::consts::EXE_SUFFIX);
    Ok(crate::repository_root()?.join(program))
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
    let mut flags = path_flags()?;
    if !computer.features.is_empty() {
        flags.push(format!("-Ctarget-feature={}", computer.features));
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    cargo.env("CARGO_BUILD_TARGET", computer.triple);
    Ok(cargo)
}
