//! Everything a run needs, made once and made again only when what it is made from has changed: the virtual
//! environment, the native engines, the Rust engines, the inputs and the proved intervals.

use super::natives::{build, coal, fcl, fcl_obb, have_header, mujoco, pinocchio, vamp};
use super::options::{BEFORE, Options};
use super::outcome::Built;
use super::programs::{is_newer, path_text, run_to_success};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

/// What is ready to run.
pub(crate) struct Ready {
    /// Folder of `.work` files, answers and proved intervals.
    pub(crate) work: PathBuf,
    /// Name and command line of each engine that takes part.
    pub(crate) engines: Vec<(String, Vec<String>)>,
    /// The Rust engines and the reference.
    runner: PathBuf,
    /// What was used, for the record: name and version.
    pub(crate) versions: Vec<(String, String)>,
}

/// Prepares all of it, and says what it does.
pub(super) fn prepare_all(root: &Path, options: &Options, items: &[Value]) -> Result<Ready> {
    let Options { data, engines: wanted, .. } = options;
    let python = virtual_environment(root)?;
    let site = site_packages(&python)?;
    println!("building elbowroom and parry3d-f64 (release)");
    let mut cargo = crate::cargo_command()?;
    let target = root.join("target");
    cargo
        .args(["build", "--quiet", "--profile", "peers", "--package", "elbowroom-bench", "--target-dir"])
        .arg(&target);
    run_to_success(&mut cargo, "cargo build")?;
    let runner = target.join("peers/elbowroom-bench");

    let work = target.join("bench-data");
    println!("inputs in {}", work.display());
    let mut prepare = Command::new(&python);
    std::fs::create_dir_all(&work)?;
    let cell = work.join("cell.txt");
    run_to_success(Command::new(&runner).arg("cell").arg(&cell), "elbowroom-bench cell")?;
    write_robots(&runner, data, &work.join("robots"), items)?;
    write_maps(&runner, data, &work.join("maps"), items)?;
    prepare.arg(root.join("bench/peers/prepare.py")).arg(root.join("bench/items.json")).arg(data).arg(&work);
    prepare.arg(&cell).args(items.iter().filter_map(|item| item["name"].as_str()));
    run_to_success(prepare.current_dir(root), "bench/peers/prepare.py")?;

    let mut versions = installed_versions(root, &python)?;
    let mut engines = Vec::new();
    for name in wanted {
        let command = match name.as_str() {
            "elbowroom" | "parry" => vec![path_text(&runner), name.clone()],
            "coal" => vec![path_text(&build(root, &coal(root, &site)?)?)],
            "mujoco" => vec![path_text(&build(root, &mujoco(root, &site)?)?)],
            "pinocchio" => vec![path_text(&build(root, &pinocchio(root, &site)?)?)],
            "vamp" => match vamp(root, &python, &site)? {
                Some(native) => {
                    let pinned = std::fs::read_to_string(root.join("bench/peers/sources.txt"))?;
                    versions.push(("vamp".into(), format!("{} (headers)", pinned.trim())));
                    vec![path_text(&build(root, &native)?)]
                }
                None => continue,
            },
            "fcl" if have_header("fcl/fcl.h", "libfcl-dev")? => {
                versions.push(("fcl".into(), packaged_version("libfcl-dev")));
                vec![path_text(&build(root, &fcl()?)?)]
            }
            "fcl" => {
                println!(
                    "libfcl-dev is not there: FCL runs through python-fcl, its call overhead inside the \
                     figures"
                );
                versions.push(("fcl".into(), "python-fcl, Python call overhead included".into()));
                vec![path_text(&python), path_text(&root.join("bench/peers/fcl_python.py"))]
            }
            "fcl_kept" | "fcl_distance" | "fcl_anew" if have_header("fcl/fcl.h", "libfcl-dev")? => {
                versions.push((name.clone(), packaged_version("libfcl-dev")));
                let mode = name.trim_start_matches("fcl_").to_string();
                vec![path_text(&build(root, &fcl_obb()?)?), mode]
            }
            _ => continue,
        };
        engines.push((name.clone(), command));
    }
    if let Some(before) = &options.before {
        engines.push((BEFORE.into(), vec![path_text(before), "elbowroom".into()]));
    }
    Ok(Ready { work, engines, runner, versions })
}

/// Each robot that an item names by its URDF, as this project's readers see it.
fn write_robots(runner: &Path, data: &Path, out: &Path, items: &[Value]) -> Result<()> {
    std::fs::create_dir_all(out)?;
    let named: BTreeSet<&str> = items.iter().filter_map(|item| item["urdf"].as_str()).collect();
    for name in named {
        let urdf = data.join("robots").join(name);
        let stem = urdf.file_stem().with_context(|| format!("{name} is not a URDF"))?;
        let robot = out.join(stem).with_extension("json");
        run_to_success(Command::new(runner).arg("robot").args([&urdf, &robot]), "elbowroom-bench robot")?;
    }
    Ok(())
}

/// The occupied cells of each map that an item names, as this project's readers see them.
fn write_maps(runner: &Path, data: &Path, out: &Path, items: &[Value]) -> Result<()> {
    std::fs::create_dir_all(out)?;
    let named: BTreeSet<&str> = items.iter().filter_map(|item| item["octomap"].as_str()).collect();
    for name in named {
        let map = data.join("scenes").join(name);
        let stem = map.file_stem().with_context(|| format!("{name} is not a map"))?;
        let cells = out.join(stem).with_extension("cells");
        run_to_success(Command::new(runner).arg("cells").args([&map, &cells]), "elbowroom-bench cells")?;
    }
    Ok(())
}

/// Time and memory that building an item's world takes an engine, in a process of its own; `None` if the item
/// has few obstacles, or the engine cannot.
pub(super) fn measure_build(ready: &Ready, engine: &str, item: &Value, work: &Path) -> Result<Option<Built>> {
    // A cell counts as an obstacle.
    let obstacles = item["cells"].as_f64().or(item["obstacles"].as_f64()).unwrap_or(0.0);
    let asked = item["ask"] == "scene_distance" || item["ask"] == "cells_distance";
    let command = ready.engines.iter().find(|(name, _)| name == engine).map(|(_, command)| command);
    let (Some([program, arguments @ ..]), true) =
        (command.map(Vec::as_slice), obstacles >= FEW_OBSTACLES && asked)
    else {
        return Ok(None);
    };
    let output = Command::new(program).args(arguments).arg("built").arg(work).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = said.split_whitespace().collect();
    let ["built", seconds, bytes] = words[..] else { return Ok(None) };
    let vertices = f64::from(obstacle_vertices(work)?);
    let bytes = (bytes.parse::<f64>()? - 24.0 * vertices) / obstacles;
    Ok(Some(Built { seconds: seconds.parse()?, bytes }))
}

/// Below this, pages and the rest of a world hide what an obstacle takes.
const FEW_OBSTACLES: f64 = 10_000.0;

/// Vertices of all obstacles of an item, as `prepare.py` counted them.
fn obstacle_vertices(work: &Path) -> Result<u32> {
    let path = work.with_extension("vertices");
    let said = std::fs::read_to_string(&path).with_context(|| format!("cannot open {}", path.display()))?;
    said.trim().parse().with_context(|| format!("{}", path.display()))
}

/// The files of the runner that the proved intervals come from: `truth.rs` and all that it takes something
/// from.
const PROVERS: [&str; 14] = [
    "bytes.rs",
    "changes.rs",
    "engine.rs",
    "hull.rs",
    "limits.rs",
    "pose.rs",
    "seen.rs",
    "signed_distance.rs",
    "truth.rs",
    "truth_placed.rs",
    "truth_seen.rs",
    "truth_triangles.rs",
    "truth_whole.rs",
    "work.rs",
];

/// The folder of the runner's files.
fn runner_sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/runner/src")
}

/// The proved intervals of an item, computed unless they are there and newer than the input and the program.
pub(super) fn read_truth(ready: &Ready, item: &str) -> Result<Vec<f64>> {
    let (work, out) = (ready.work.join(format!("{item}.work")), ready.work.join(format!("{item}.truth")));
    let mut sources = vec![work.clone()];
    sources.extend(PROVERS.map(|file| runner_sources().join(file)));
    if !is_newer(&out, &sources) {
        println!("proving the answers of {item} (once)");
        let part = ready.work.join(format!("{item}.truth.part"));
        let mut command = Command::new(&ready.runner);
        run_to_success(command.arg("truth").arg(&work).arg(&part), "elbowroom-bench truth")?;
        std::fs::rename(&part, &out)?;
    }
    super::agree::read_numbers(&out)
}

/// `.venv` with exactly the pinned packages.
fn virtual_environment(root: &Path) -> Result<PathBuf> {
    let (folder, pinned) = (root.join(".venv"), root.join("bench/peers/requirements.txt"));
    let (python, stamp) = (folder.join("bin/python"), folder.join("bench-requirements"));
    let wanted =
        std::fs::read_to_string(&pinned).with_context(|| format!("cannot open {}", pinned.display()))?;
    if python.exists() && std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    if !python.exists() {
        println!("making {}", folder.display());
        let mut make = Command::new("python3");
        run_to_success(
            make.args(["-m", "venv"]).arg(&folder),
            "python3 -m venv (Debian: apt-get install python3-venv)",
        )?;
    }
    println!("installing the peers that bench/peers/requirements.txt pins");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]).arg(&pinned);
    let output = pip.output().context("cannot start pip")?;
    if !output.status.success() {
        let all = String::from_utf8_lossy(&output.stderr);
        let offline =
            ["Connection", "Could not find a version", "Max retries", "Temporary failure", "ProxyError"];
        let reason = if offline.iter().any(|word| all.contains(word)) {
            "pip could not reach the registry, or it does not hold a pinned version"
        } else {
            "pip failed"
        };
        let said = last_words(&all);
        bail!(
            "{reason}:\n  {said}\nThe bench needs the peers of {} once; after that it works offline.",
            pinned.display()
        );
    }
    std::fs::write(&stamp, wanted)?;
    Ok(python)
}

/// The words of pip that say why: its errors, or its last lines if it names none; long ones are cut.
fn last_words(all: &str) -> String {
    let errors = || all.lines().filter(|line| line.starts_with("ERROR"));
    let lines: Vec<&str> = if errors().next().is_some() { errors().collect() } else { all.lines().collect() };
    let cut = |line: &&str| line.chars().take(300).collect::<String>();
    let last = &lines[lines.len().saturating_sub(6)..];
    last.iter().map(cut).collect::<Vec<_>>().join("\n  ")
}

fn site_packages(python: &Path) -> Result<PathBuf> {
    let output = Command::new(python)
        .args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
        .output()?;
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}

/// Installed versions: the pinned packages, the compilers and parry.
fn installed_versions(root: &Path, python: &Path) -> Result<Vec<(String, String)>> {
    let mut versions = Vec::new();
    let script = "import importlib.metadata as m\nfor n in ('coal', 'mujoco', 'pin', 'python-fcl'): print(n, \
        m.version(n))";
    let output = Command::new(python).args(["-c", script]).output()?;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some((name, version)) = line.split_once(' ') {
            versions.push((name.to_owned(), version.to_owned()));
        }
    }
    let lock = std::fs::read_to_string(root.join("Cargo.lock"))?;
    let parry =
        lock.split("name = \"parry3d-f64\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next());
    versions.push(("parry3d-f64".into(), parry.unwrap_or("unknown").into()));
    for (name, program) in [("g++", "g++"), ("rustc", "rustc"), ("elbowroom", "git")] {
        let arguments: &[&str] =
            if program == "git" { &["describe", "--always", "--dirty"] } else { &["--version"] };
        let said = Command::new(program).args(arguments).current_dir(root).output();
        let said =
            said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        versions.push((name.into(), said.lines().next().unwrap_or("unknown").into()));
    }
    Ok(versions)
}

fn packaged_version(package: &str) -> String {
    let output = Command::new("dpkg-query").args(["-W", "-f=${Version}", package]).output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_else(|_| "unknown".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::source::Source;

    #[test]
    fn stored_truths_are_made_again_when_anything_that_proves_them_changes() {
        let folder = runner_sources();
        for prover in PROVERS {
            let source = Source::read(&folder, &folder, &folder.join(prover)).unwrap();
            for path in source.named.iter().map(|named| &named.path).filter(|path| path[0] == "crate") {
                let file = format!("{}.rs", path[1]);
                assert!(PROVERS.contains(&&*file), "{prover} takes something from {file}");
            }
        }
    }
}
