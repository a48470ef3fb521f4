//! Wheels of the Python package for Linux. maturin builds them with zig as the linker, so that they run where
//! the C library is as old as manylinux says.

use super::commit::Commit;
use crate::python::{make_environment, python_of};
use crate::steps::{read_step, run_step};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What builds: it comes from PyPI.
const PACKAGES: &[&str] = &["maturin>=1.9,<2", "ziglang"];

/// What a wheel must do where nothing else is installed.
const TRY: &str = "import elbowroom, sys; world = elbowroom.load(sys.argv[1]); \
                   print(world.nearest(world.neutral))";

/// The computers: Rust's triple, and what the platform is called in a wheel's name.
const PLATFORMS: [(&str, &str); 2] =
    [("x86_64-unknown-linux-gnu", "x86_64"), ("aarch64-unknown-linux-gnu", "aarch64")];

/// Makes the wheels; a line for each says what was done with it.
pub fn make_wheels(commit: &Commit, out: &Path) -> Result<Vec<String>> {
    let home = commit.root.join("target/release-maturin");
    make_environment(&home, PACKAGES, "import maturin, ziglang")?;
    let mut lines = Vec::new();
    for (triple, platform) in PLATFORMS {
        println!("\n== wheel: {triple}");
        run_step(Command::new("rustup").args(["target", "add", triple]))?;
        let wheel = build_wheel(commit, &home, out, (triple, platform))?;
        let size = std::fs::metadata(&wheel)?.len() as f64 / 1e6;
        // The C library of this computer is the wheel's.
        let tried = if triple.starts_with(std::env::consts::ARCH) && cfg!(target_os = "linux") {
            try_wheel(&commit.root, &wheel)?;
            "installed in an empty environment, it answers"
        } else {
            check_files(&home, &wheel)?;
            "built only: it cannot run here"
        };
        lines.push(format!("{:8} {}, {size:.2} MB; {tried}", "wheel", name_of(&wheel)));
    }
    Ok(lines)
}

fn build_wheel(
    commit: &Commit,
    home: &Path,
    out: &Path,
    (triple, platform): (&str, &str),
) -> Result<PathBuf> {
    let root = &commit.root;
    // Old ones of this name would be taken for it.
    for old in find_wheels(out, platform)? {
        std::fs::remove_file(old)?;
    }
    let mut build = Command::new(python_of(home));
    // The first Python on the path is asked for zig.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = python_of(home).parent().map(PathBuf::from).into_iter().chain(std::env::split_paths(&path));
    build.env("PATH", std::env::join_paths(folders)?);
    // In the folder of `pyproject.toml`, which names the package, its Python files, and the crate.
    build
        .current_dir(root.join("python"))
        .env_remove("CARGO_TARGET_DIR")
        .env("SOURCE_DATE_EPOCH", &commit.seconds);
    build.args(["-m", "maturin", "build", "--release", "--locked", "--strip", "--zig", "--target", triple]);
    build.args(["--compatibility", "manylinux2014", "--target-dir"]).arg(root.join("target"));
    run_step(build.arg("--out").arg(out))?;
    find_wheels(out, platform)?
        .pop()
        .with_context(|| format!("maturin made no wheel for manylinux {platform}"))
}

/// The wheels for a platform.
fn find_wheels(folder: &Path, platform: &str) -> Result<Vec<PathBuf>> {
    let files = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    Ok(files.into_iter().filter(|file| is_wheel_for(&name_of(file), platform)).collect())
}

/// Whether a name is that of our wheel for all of Python from 3.10 on, on a manylinux of 2014. A name has
/// both words for that platform, in either order.
fn is_wheel_for(name: &str, platform: &str) -> bool {
    let tag = format!("manylinux_2_17_{platform}");
    let platforms = name.strip_suffix(".whl").and_then(|name| name.rsplit('-').next());
    name.starts_with("elbowroom-")
        && name.contains("-cp310-abi3-")
        && platforms.is_some_and(|all| all.split('.').any(|one| one == tag))
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Installs a wheel and what it asks for into an empty environment, and asks a world there.
fn try_wheel(root: &Path, wheel: &Path) -> Result<()> {
    let home = root.join("target/release-wheel-tried");
    run_step(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home))?;
    let mut install = Command::new(python_of(&home));
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    run_step(install.arg(wheel))?;
    let mut ask = Command::new(python_of(&home));
    ask.args(["-c", TRY]).arg(root.join("robots/puma260/bottleneck.toml"));
    // Not in `python/`: there Python would import the sources and not the installed package.
    run_step(ask.current_dir(&home))
}

/// Lists what is in a wheel that cannot run here; the engine must be among it.
fn check_files(home: &Path, wheel: &Path) -> Result<()> {
    let list = read_step(Command::new(python_of(home)).args(["-m", "zipfile", "-l"]).arg(wheel))?;
    println!("{list}");
    if !list.contains("elbowroom/_engine.abi3.so") {
        bail!("{} has no engine", wheel.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_is_for_one_platform_and_any_python() {
        let name = "elbowroom-0.1.0-cp310-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl";
        assert!(is_wheel_for(name, "x86_64") && !is_wheel_for(name, "aarch64"));
        let turned = "elbowroom-0.1.0-cp310-abi3-manylinux2014_aarch64.manylinux_2_17_aarch64.whl";
        assert!(is_wheel_for(turned, "aarch64") && !is_wheel_for(turned, "x86_64"));
        let other = "elbowroom-0.1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl";
        assert!(!is_wheel_for(other, "x86_64"));
        assert!(!is_wheel_for("elbowroom-0.1.0-cp310-abi3-linux_x86_64.whl", "x86_64"));
    }
}
