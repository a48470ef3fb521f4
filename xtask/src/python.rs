//! Builds the Python package without optimization, installs it into an environment of its own, and tests it.
//!
//! It builds in the folder of `cargo xtask test`, with the same profile and features, so the engine that the
//! tests compiled is used again. `cargo xtask test` runs a part of the tests: first in an environment with
//! NumPy alone ([`test_part`]), then those of pictures with a browser ([`test_pictures`]). The whole
//! ([`test_python`]) has the packages of other makers too, and the tests that take minutes. Last, in the same
//! environment, it runs the worked sweeps of schedulers.

use crate::steps::{run_quietly, run_step};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// What is installed into the environment of the whole.
const PACKAGES: &[&str] = &["maturin>=1.9,<2", "numpy", "pytest", "mypy"];

/// What is installed into the environment of the part.
const PART_PACKAGES: &[&str] = &["maturin>=1.9,<2", "numpy", "pytest"];

/// Packages that the tests of pictures need, and the browser with the name of its package in Debian.
const BROWSER_PACKAGES: &[&str] = &["viser>=1.1", "playwright", "pillow"];
const BROWSER: (&str, &str) = ("/usr/bin/chromium", "chromium");

/// The tests of pictures.
const BROWSER_TESTS: [&str; 2] = ["test_pictures.py", "test_browser.py"];

/// Packages that the tests of bridges, planners and examples need: the name on PyPI, and the name of the
/// module. If one cannot be installed, its tests are skipped.
const TESTED_WITH: &[(&str, &str)] = &[
    ("toppra", "toppra"),
    ("ruckig", "ruckig"),
    ("scipy", "scipy"),
    ("ompl", "ompl"),
    ("mujoco", "mujoco"),
    ("pin", "pinocchio"),
    ("drake", "pydrake"),
    ("yourdfpy", "yourdfpy"),
    ("robot_descriptions", "robot_descriptions"),
];

/// Fails if this Python cannot make an environment.
const CAN_MAKE: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";

/// A package that is installed into an environment.
pub struct Installed {
    python: PathBuf,
    /// A folder to test it in: in `python/` Python would import the sources and not the installed package.
    folder: PathBuf,
}

/// Builds, installs and tests the package with NumPy alone, and tells which tests that leaves out. Prints
/// SKIPPED if Python or its packages are missing.
pub fn test_part() -> Result<Option<Installed>> {
    let started = Instant::now();
    let target = target_folder(&crate::repository_root()?);
    let home = target.join("python-part-venv");
    println!("\n== the Python package, with NumPy alone: {}", home.display());
    if let Err(missing) = make_environment(&home, PART_PACKAGES, "import maturin, numpy, pytest") {
        println!("\n== SKIPPED, {missing:#}: the Python package");
        return Ok(None);
    }
    run_step(crate::cargo_command()?.args(FORMAT))?;
    let folder = install_package(&python_of(&home), &target)?;
    let installed = Installed { python: python_of(&home), folder };
    run_step(&mut pytest_command(&installed, &["-rs", "-m", "not slow"], &[])?)?;
    println!("== left to cargo xtask python: lints, stubs, and the tests that were skipped or take minutes");
    println!("== the Python package, with NumPy alone: {:.0} s", started.elapsed().as_secs_f64());
    Ok(Some(installed))
}

/// Tests pictures of the package in a browser.
pub fn test_pictures(installed: &Installed) -> Result<()> {
    let started = Instant::now();
    println!("\n== pictures in a browser");
    install_browser(&installed.python);
    run_step(&mut pytest_command(installed, &["-rs"], &BROWSER_TESTS)?)?;
    println!("== pictures in a browser: {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Installs what the tests of pictures need. If something is missing, they skip, and say why.
fn install_browser(python: &Path) {
    let mut install = Command::new(python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(BROWSER_PACKAGES);
    if !run_quietly(&mut install) {
        println!("\n== SKIPPED, pip could not install {}: pictures", BROWSER_PACKAGES.join(", "));
    }
    let (program, package) = BROWSER;
    if !Path::new(program).exists()
        && let Err(fault) = crate::packages::install_packages(&[package])
    {
        println!("the browser was not installed: {fault}");
    }
}

/// Builds, installs and tests the package. Prints SKIPPED if Python or its packages are missing.
pub fn test_python() -> Result<()> {
    let started = Instant::now();
    let root = crate::repository_root()?;
    let target = target_folder(&root);
    let home = target.join("python-venv");
    let python = python_of(&home);
    println!("\n== the Python package: {}", home.display());
    if let Err(missing) = make_environment(&home, PACKAGES, "import maturin, numpy, pytest, mypy") {
        println!("\n== SKIPPED, {missing:#}: the Python package");
        return Ok(());
    }
    for (package, module) in TESTED_WITH {
        if !run_quietly(Command::new(&python).args(["-c", &format!("import {module}")])) {
            let mut install = Command::new(&python);
            install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]);
            if !run_quietly(&mut install) {
                println!("\n== SKIPPED, pip could not install {package}: what is tested with it");
            }
        }
    }
    install_browser(&python);
    check_crate(&target)?;
    let installed = Installed { folder: install_package(&python, &target)?, python: python.clone() };
    run_step(&mut pytest_command(&installed, &["-rs"], &[])?)?;
    let mut stubs = Command::new(&python);
    stubs.args(["-m", "mypy.stubtest", "elbowroom", "--ignore-unused-allowlist", "--allowlist"]);
    run_step(stubs.arg(root.join("python/stubtest_allowlist.txt")).current_dir(&installed.folder))?;
    crate::sweeps::test_schedulers(&python, &target)?;
    println!("== the Python package: {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Builds the package, and installs it into an environment. Returns the folder of its wheel.
fn install_package(python: &Path, target: &Path) -> Result<PathBuf> {
    let wheels = target.join("python-wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let mut build = Command::new(python);
    // In the folder of `pyproject.toml`, which names the package, its Python files, and the crate.
    build.args(["-m", "maturin", "build", "--quiet", "--locked", "--features", "as-tests", "--target-dir"]);
    build.arg(target).arg("--out").arg(&wheels);
    run_step(build.current_dir(crate::repository_root()?.join("python")))?;
    let wheel = std::fs::read_dir(&wheels)?.next().context("maturin made no wheel")??.path();
    let mut install = Command::new(python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    run_step(install.arg("--force-reinstall").arg(&wheel))?;
    Ok(wheels)
}

/// A call of pytest for the installed package: all files of tests or some, and more arguments.
fn pytest_command(installed: &Installed, arguments: &[&str], files: &[&str]) -> Result<Command> {
    let home = crate::repository_root()?.join("python");
    let mut tests = Command::new(&installed.python);
    tests.args(["-m", "pytest", "-p", "no:cacheprovider"]).args(arguments);
    tests.arg("-c").arg(home.join("pyproject.toml"));
    let all = home.join("tests");
    tests.args(files.iter().map(|file| all.join(file)));
    if files.is_empty() {
        tests.arg(&all);
    }
    tests.current_dir(&installed.folder);
    Ok(tests)
}

/// Makes an environment with packages from PyPI, where a line of Python that needs them fails.
pub fn make_environment(home: &Path, packages: &[&str], needs: &str) -> Result<()> {
    if !run_quietly(Command::new("python3").args(["-c", CAN_MAKE])) {
        bail!("no python3 of at least 3.10 with venv here");
    }
    if run_quietly(Command::new(python_of(home)).args(["-c", needs])) {
        return Ok(());
    }
    run_step(Command::new("python3").args(["-m", "venv", "--clear"]).arg(home))?;
    let mut install = Command::new(python_of(home));
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(packages);
    run_step(&mut install).with_context(|| format!("pip could not install {}", packages.join(", ")))
}

/// The Python of an environment.
pub fn python_of(home: &Path) -> PathBuf {
    home.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// The crate's manifest, in the repository.
const MANIFEST: &str = "crates/elbowroom-py/Cargo.toml";

/// Checks the format of the crate.
const FORMAT: [&str; 5] = ["fmt", "--manifest-path", MANIFEST, "--", "--check"];

/// Checks format and lints of the crate, which is in no workspace.
fn check_crate(target: &Path) -> Result<()> {
    run_step(crate::cargo_command()?.args(FORMAT))?;
    let mut lints = crate::cargo_command()?;
    lints.args(["clippy", "--quiet", "--locked", "--features", "as-tests", "--manifest-path", MANIFEST]);
    run_step(lints.arg("--target-dir").arg(target).args(["--", "-D", "warnings"]))
}

/// Cargo's target folder.
fn target_folder(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from))
}
