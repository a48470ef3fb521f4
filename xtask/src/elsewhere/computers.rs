//! The computers, how their programs are linked, and what runs them here.

/// Another computer.
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
    /// Debian's packages that have it.
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
}

/// All of them.
pub const COMPUTERS: [Computer; 5] = [
    Computer {
        name: "aarch64",
        triple: "aarch64-unknown-linux-gnu",
        linker: Some("aarch64-linux-gnu-gcc"),
        run_by: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
        programs: &["qemu-aarch64", "aarch64-linux-gnu-gcc"],
        packages: &["qemu-user", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"],
        program: "elbowroom",
    },
    // Thirty-two bits a `usize`.
    Computer {
        name: "armv7",
        triple: "armv7-unknown-linux-gnueabihf",
        linker: Some("arm-linux-gnueabihf-gcc"),
        run_by: &["qemu-arm", "-L", "/usr/arm-linux-gnueabihf"],
        programs: &["qemu-arm", "arm-linux-gnueabihf-gcc"],
        packages: &["qemu-user", "gcc-arm-linux-gnueabihf", "libc6-dev-armhf-cross"],
        program: "elbowroom",
    },
    Computer {
        name: "wasm32",
        triple: "wasm32-wasip1",
        linker: None,
        run_by: &["node", "--no-warnings", "xtask/src/elsewhere/wasi.mjs"],
        programs: &["node"],
        packages: &["nodejs"],
        program: "elbowroom.wasm",
    },
    Computer {
        name: "windows",
        triple: "x86_64-pc-windows-gnu",
        linker: Some("x86_64-w64-mingw32-gcc"),
        run_by: &[],
        programs: &["x86_64-w64-mingw32-gcc"],
        packages: &["gcc-mingw-w64-x86-64"],
        program: "elbowroom.exe",
    },
    // Nothing but a Mac links for a Mac.
    Computer {
        name: "macos",
        triple: "aarch64-apple-darwin",
        linker: None,
        run_by: &[],
        programs: &[],
        packages: &[],
        program: "elbowroom",
    },
];
