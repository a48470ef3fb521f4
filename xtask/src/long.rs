//! `cargo xtask race` and `cargo xtask fuzz`: the long runs, for nights and before a release.

use anyhow::{Context, Result, bail};
use std::process::Command;
use std::time::Instant;

/// What a long run is for, what it runs, and the variable with its size.
struct Long {
    /// The word that chooses it.
    name: &'static str,
    what: &'static str,
    package: &'static str,
    /// Arguments of cargo, and of the tests.
    select: &'static [&'static str],
    tests: &'static [&'static str],
    variable: &'static str,
    /// For a million pairs.
    size: u64,
    failed: &'static str,
}

/// The long runs, in order. Those of real robots need the data folder, and say loudly when it is absent.
const LONG: &[Long] = &[
    Long {
        name: "race",
        what: "pairs of shapes, bounds against the slow reference",
        package: "elbowroom",
        select: &["--lib", "--test", "race"],
        tests: &["--include-ignored"],
        variable: "ELBOWROOM_RACE",
        size: 1_000_000,
        failed: "the race found a difference: the cases are above",
    },
    Long {
        name: "hulls",
        what: "hulls of a million points, and the other units of two shapes",
        package: "elbowroom-pair",
        select: &["--lib"],
        tests: &["--include-ignored"],
        variable: "ELBOWROOM_HULLS",
        size: 1_000_000,
        failed: "a unit is wrong: it is named above",
    },
    Long {
        name: "tight",
        what: "tight fits against known ways out; exact contacts; tight depths beside ordinary ones",
        package: "elbowroom-pair",
        select: &["--test", "pair"],
        tests: &["tight_fits::", "efforts::", "touching::"],
        variable: "ELBOWROOM_TIGHT",
        size: 50_000,
        failed: "a way out is wrong or long, or a tight depth worse: the case is above",
    },
    Long {
        name: "pads",
        what: "points of shapes that are drawn back: lost only near the patch, and none won",
        package: "elbowroom-pair",
        select: &["--test", "pair"],
        tests: &["drawn_back::"],
        variable: "ELBOWROOM_PADS",
        size: 20_000,
        failed: "a shape lost a point of its core, or won one: the seed is above",
    },
    Long {
        name: "bounds",
        what: "bounds between what is fitted around shapes of every kind",
        package: "elbowroom",
        select: &["--test", "bounds"],
        tests: &[],
        variable: "ELBOWROOM_RACE",
        size: 100_000,
        failed: "a bound was above a distance: it is named above",
    },
    Long {
        name: "gaps",
        what: "bounds between primitives against the slow reference",
        package: "elbowroom-lab",
        select: &["--test", "gaps"],
        tests: &[],
        variable: "ELBOWROOM_RACE",
        size: 1_000_000,
        failed: "a gap was above a distance, or far below it: it is named above",
    },
    Long {
        name: "fitted",
        what: "bounds between primitives that are fitted around shapes of every kind",
        package: "elbowroom-lab",
        select: &["--test", "fitted"],
        tests: &[],
        variable: "ELBOWROOM_RACE",
        size: 100_000,
        failed: "a bound was above a distance: it is named above",
    },
    Long {
        name: "tran91",
        what: "the octree against all bodies, while they come, move and go",
        package: "elbowroom-lab",
        select: &["--test", "tran91"],
        tests: &[],
        variable: "ELBOWROOM_OCTREE",
        size: 10_000_000,
        failed: "the octree has another answer than all bodies: the scene's seed is above",
    },
    Long {
        name: "boyse",
        what: "first contacts of edges and faces against the engine's search of motions",
        package: "elbowroom-lab",
        select: &["--test", "boyse"],
        tests: &[],
        variable: "ELBOWROOM_BOYSE",
        size: 500_000,
        failed: "two ways to a first contact contradict each other: the motion's seed is above",
    },
    Long {
        name: "haase10",
        what: "a hand's three levels and haase10's tests of boxes and cylinders, against the engine",
        package: "elbowroom-lab",
        select: &["--test", "haase10"],
        tests: &[],
        variable: "ELBOWROOM_HAND",
        size: 1_000_000,
        failed: "a test of the paper has another answer than the engine: the case's seed is above",
    },
    Long {
        name: "baked",
        what: "baked worlds in f32, at random and near the margin, against the engine",
        package: "elbowroom-bake",
        select: &["--test", "baked"],
        tests: &[],
        variable: "ELBOWROOM_BAKED",
        size: 1_000_000,
        failed: "a baked world says more than the engine: the seed is above",
    },
    Long {
        name: "changes",
        what: "worlds whose bodies are placed, carried and hidden, and clouds, against worlds compiled anew",
        package: "elbowroom",
        select: &["--test", "query"],
        tests: &["changes::", "changed_edges::", "clouds::"],
        variable: "ELBOWROOM_CHANGES",
        size: 1_000_000,
        failed: "a changed world has another answer than one that is compiled anew: the seed is above",
    },
    Long {
        name: "edits",
        what: "worlds that are edited, against worlds compiled anew",
        package: "elbowroom",
        select: &["--test", "query"],
        tests: &["edits::"],
        variable: "ELBOWROOM_EDITS",
        size: 20_000,
        failed: "an edited world has another answer than one that is compiled anew: the seed is above",
    },
    Long {
        name: "ranges",
        what: "pairs that are proved apart over ranges of joint values, against samples of them",
        package: "elbowroom",
        select: &["--test", "query"],
        tests: &["changed_ranges::"],
        variable: "ELBOWROOM_RANGES",
        size: 50_000,
        failed: "a pair is nearer than was proved of it: the seed is above",
    },
    Long {
        name: "fields",
        what: "fields of pairs, against answers at poses in their cells",
        package: "elbowroom",
        select: &["--test", "motion"],
        tests: &["fields::"],
        variable: "ELBOWROOM_FIELDS",
        size: 25_000,
        failed: "a field says of a pose what is not so: the values are above",
    },
    Long {
        name: "guard",
        what: "arms that move at random under a guard, as late and as badly braked as they may be, and lies",
        package: "elbowroom-monitor",
        select: &["--test", "guard"],
        tests: &["simulated::", "lying::"],
        variable: "ELBOWROOM_MOTIONS",
        size: 100_000,
        failed: "arms touched what they must not, or were stopped without need: the seed is above",
    },
    Long {
        name: "kills",
        what: "kill -9 of the monitor while it writes snapshots, and a start from what is left",
        package: "elbowroom-cli",
        select: &["--test", "program"],
        tests: &["kill_9"],
        variable: "ELBOWROOM_KILLS",
        size: 1_000,
        failed: "a snapshot is torn, too old, or has lost an event: the number of the kill is above",
    },
    Long {
        name: "degenerate",
        what: "a million obstacles in one plane",
        package: "elbowroom",
        select: &["--test", "degenerate"],
        tests: &[],
        variable: "ELBOWROOM_PLANE",
        size: 1_000_000,
        failed: "a world at the edge has another answer than its pairs: it is named above",
    },
    Long {
        name: "meshes",
        what: "poses of real meshes, as they are and spoilt, against all pairs of their triangles",
        package: "elbowroom-files",
        select: &["--test", "meshes"],
        tests: &[],
        variable: "ELBOWROOM_MESHES",
        size: 500_000,
        failed: "an answer about meshes is wrong: the poses are above",
    },
    Long {
        name: "ugly",
        what: "what meshes of a million ugly triangles keep, and how long they take",
        package: "elbowroom",
        select: &["--test", "memory"],
        tests: &["ugly::", "--include-ignored"],
        variable: "ELBOWROOM_UGLY",
        size: 1_000_000,
        failed: "an ugly mesh is too large, or a query of it allocates: it is named above",
    },
    Long {
        name: "paths_agree",
        what: "all paths to an answer, on real robots among obstacles",
        package: "elbowroom-lab",
        select: &["--test", "paths_agree"],
        tests: &[],
        variable: "ELBOWROOM_PATHS",
        size: 100_000,
        failed: "two paths have two answers: the poses are above",
    },
    Long {
        name: "coherent",
        what: "warm starts against cold ones along smooth motions",
        package: "elbowroom-files",
        select: &["--test", "robots"],
        tests: &["coherent::"],
        variable: "ELBOWROOM_STEPS",
        size: 10_000_000,
        failed: "a warm start led an answer astray: the step is above",
    },
    Long {
        name: "edges",
        what: "straight motions against ten thousand samples each",
        package: "elbowroom-files",
        select: &["--test", "robots"],
        tests: &["edges::"],
        variable: "ELBOWROOM_EDGES",
        size: 200,
        failed: "a motion that was called free was not: it is above",
    },
    Long {
        name: "splines",
        what: "splines in time and tubes around them against two thousand executions each",
        package: "elbowroom-files",
        select: &["--test", "robots"],
        tests: &["splines::"],
        variable: "ELBOWROOM_SPLINES",
        size: 1_200,
        failed: "an execution of a spline that was called free was not: it is above",
    },
    Long {
        name: "proofs",
        what: "random poses against pairs proved never to touch, or always to overlap",
        package: "elbowroom-files",
        select: &["--test", "robots"],
        tests: &["proofs::"],
        variable: "ELBOWROOM_PROVE",
        size: 10_000_000,
        failed: "a pair did not keep to what was proved of it: it is named above",
    },
];

/// Every long run, in release: a million random pairs of shapes and of bounds against the slow reference,
/// half a million of real meshes, a hundred thousand poses by every path to an answer, ten million steps of
/// warm starts, and ten million poses against what was proved of pairs; `cargo xtask race N` for N pairs and
/// as much less of the rest, `cargo xtask race N TEST ...` for some of them.
pub fn race(arguments: &[String]) -> Result<()> {
    let known: Vec<&str> = LONG.iter().map(|long| long.name).collect();
    let usage = format!("cargo xtask race [PAIRS] [TEST ...], tests: {}", known.join(", "));
    let (pairs, wanted) = match arguments {
        [] => (1_000_000, arguments),
        [n, rest @ ..] => (n.parse::<u64>().context(usage)?, rest),
    };
    if let Some(unknown) = wanted.iter().find(|w| !known.contains(&w.as_str())) {
        bail!("there is no long run {unknown}: {}", known.join(", "));
    }
    for long in LONG.iter().filter(|long| wanted.is_empty() || wanted.iter().any(|w| w == long.name)) {
        let size = ((u128::from(pairs) * u128::from(long.size)) / 1_000_000).max(1);
        println!("\n== {}: {}={size}", long.what, long.variable);
        let start = Instant::now();
        let status = crate::cargo_command()?
            .args(["test", "--locked", "--release", "-p", long.package])
            .args(long.select)
            .args(["--", "--nocapture"])
            .args(long.tests)
            .env(long.variable, size.to_string())
            .status()
            .context("cargo could not be started")?;
        if !status.success() {
            bail!("{}", long.failed);
        }
        println!("== {}: {:.0} s", long.name, start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Fuzz targets for some seconds each (all of them and 600 unless told), one after the other. Each starts
/// from the inputs in `fuzz/seeds/TARGET` and what earlier runs found.
pub fn fuzz(arguments: &[String]) -> Result<()> {
    const USAGE: &str = "cargo xtask fuzz [SECONDS EACH] [TARGET ...]";
    let (seconds, wanted) = match arguments {
        [] => (600, arguments),
        [n, rest @ ..] => (n.parse::<u64>().context(USAGE)?, rest),
    };
    let root = crate::repository_root()?;
    // The fuzzer needs the nightly toolchain; the variables of this one would win over `+nightly`.
    let cargo = || {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&root).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
        cargo
    };
    let missing = "cargo fuzz could not be started: cargo install cargo-fuzz, and a nightly toolchain";
    let list = cargo().args(["+nightly", "fuzz", "list"]).output().context(missing)?;
    if !list.status.success() {
        bail!("{missing}\n{}", String::from_utf8_lossy(&list.stderr));
    }
    let list = String::from_utf8(list.stdout)?;
    let known: Vec<&str> = list.lines().collect();
    if let Some(unknown) = wanted.iter().find(|w| !known.contains(&w.as_str())) {
        bail!("there is no target {unknown}: {}", known.join(", "));
    }
    for target in known.iter().filter(|t| wanted.is_empty() || wanted.iter().any(|w| w == *t)) {
        println!("\n== {target}: {seconds} s");
        let corpus = root.join("fuzz/corpus").join(target);
        std::fs::create_dir_all(&corpus)?;
        let status = cargo()
            .args(["+nightly", "fuzz", "run", target])
            .args([corpus, root.join("fuzz/seeds").join(target)])
            .args(["--".to_string(), format!("-max_total_time={seconds}")])
            .args(["-timeout=10", "-rss_limit_mb=2048"])
            .status()
            .context(missing)?;
        if !status.success() {
            bail!("{target} failed: its input is in fuzz/artifacts/{target}; make it a test");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::LONG;

    /// A name that matches no test would make a long run of nothing, and pass.
    #[test]
    fn every_long_run_is_there() -> anyhow::Result<()> {
        for long in LONG {
            let crates = crate::repository_root()?.join("crates");
            let (own, name) = (crates.join(long.package).join("tests"), long.name);
            let files = match long.tests.iter().find_map(|test| test.strip_suffix("::")) {
                Some(module) => {
                    let folders = ["robots", "memory", "query", "pair", "motion", name]
                        .map(|of| own.join(of))
                        .into_iter();
                    folders.map(|folder| folder.join(format!("{module}.rs"))).collect()
                }
                None => vec![
                    own.join(format!("{name}.rs")),
                    own.join(format!("{name}/main.rs")),
                    own.join("program/monitor/restarts.rs"),
                    crates.join(long.package).join("src/shape/hull/tests/sets.rs"),
                ],
            };
            let Some(file) = files.iter().find(|file| file.is_file()) else { panic!("{name} is not there") };
            let text = std::fs::read_to_string(file)?;
            assert!(text.contains(long.variable), "{} does not read {}", file.display(), long.variable);
        }
        Ok(())
    }
}
