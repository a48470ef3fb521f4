//! The worked sweeps of schedulers, those of Slurm's script and of Ray's, run here and compared with one
//! process.

use crate::steps::{run_quietly, run_step};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const WORLD: &str = "robots/puma260/bottleneck.toml";
const ROWS: &str = "20000";
const PARTS: u32 = 3;

/// Takes the joint values out of a sweep of random poses.
const KEEP_POSES: &str = "import numpy; numpy.save('poses.npy', numpy.load('random.npy')['q'])";

/// A folder to run sweeps in, with the program first on the path.
struct SweepFolder {
    root: PathBuf,
    folder: PathBuf,
    path: OsString,
}

impl SweepFolder {
    /// A command that runs there. Ray keeps a token in the home folder, tells its makers who uses it, and
    /// joins a cluster that it is told of: none of that here.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).env("PATH", &self.path).env("HOME", self.folder.join("home"));
        command.env("RAY_USAGE_STATS_ENABLED", "0").env_remove("RAY_ADDRESS");
        command
    }

    fn world(&self) -> PathBuf {
        self.root.join(WORLD)
    }

    fn example(&self, name: &str) -> PathBuf {
        self.root.join("examples/sweeps").join(name)
    }

    /// Runs a sweep of the world. It may end with exit code 1: then some poses collide.
    fn sweep(&self, arguments: &[&str]) -> Result<()> {
        let mut command = self.command("elbowroom");
        let status = command.arg("sweep").arg(self.world()).arg("--quiet").args(arguments).status();
        match status.context("the program could not be started")?.code() {
            Some(0 | 1) => Ok(()),
            code => bail!("elbowroom sweep {}: failed ({code:?})", arguments.join(" ")),
        }
    }

    /// Runs Slurm's script as the scheduler would: each part, then the join.
    fn run_slurm(&self) -> Result<()> {
        for part in (1..=PARTS).map(Some).chain([None]) {
            let mut job = self.command("bash");
            job.arg(self.example("slurm.sh")).arg(self.world()).args(["poses.npy", "slurm"]);
            if let Some(part) = part {
                job.env("SLURM_ARRAY_TASK_ID", part.to_string());
                job.env("SLURM_ARRAY_TASK_COUNT", PARTS.to_string()).env("SLURM_CPUS_PER_TASK", "1");
            }
            run_step(&mut job)?;
        }
        Ok(())
    }

    /// Whether an output is that of one process, byte by byte, and so is its description.
    fn compare_outputs(&self, name: &str) -> Result<()> {
        for ending in ["npy", "npy.json"] {
            let read = |name: &str| {
                let path = self.folder.join(format!("{name}.{ending}"));
                std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))
            };
            if read(name)? != read("one")? {
                bail!("{name}.{ending} is not what one process writes: see {}", self.folder.display());
            }
        }
        println!("== {name}: the bytes of one process");
        Ok(())
    }
}

/// Runs both scripts with this Python, which has NumPy. Prints SKIPPED where a scheduler's package or a shell
/// is missing.
pub fn test_schedulers(python: &Path, target: &Path) -> Result<()> {
    println!("\n== sweeps by the scripts of Slurm and Ray");
    let mut build = crate::cargo_command()?;
    // With the features of the tests, so that the engine that they compiled is used again.
    build.args(["build", "--quiet", "--locked", "-p", "elbowroom-cli", "-p", "elbowroom-testkit"]);
    run_step(build.args(["--features", "elbowroom-testkit/files", "--target-dir"]).arg(target))?;

    let folder = target.join("scheduler-sweeps");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(folder.join("home"))?;
    let found = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([target.join("debug")].into_iter().chain(std::env::split_paths(&found)))?;
    let here = SweepFolder { root: crate::repository_root()?, folder, path };
    here.sweep(&["--random", ROWS, "--more", "q", "--out", "random.npy"])?;
    run_step(here.command(python).args(["-c", KEEP_POSES]))?;
    here.sweep(&["--poses", "poses.npy", "--out", "one.npy"])?;

    if run_quietly(Command::new("bash").args(["-c", "true"])) {
        here.run_slurm()?;
        here.compare_outputs("slurm")?;
    } else {
        println!("\n== SKIPPED, no bash here: the script of Slurm");
    }
    let mut install = Command::new(python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "ray"]);
    if !run_quietly(Command::new(python).args(["-c", "import ray"])) && !run_quietly(&mut install) {
        println!("\n== SKIPPED, pip could not install ray: its script");
        return Ok(());
    }
    let mut cluster = here.command(python);
    cluster.arg(here.example("ray_sweep.py")).arg(here.world());
    run_step(cluster.args(["poses.npy", "ray.npy"]).arg(PARTS.to_string()))?;
    here.compare_outputs("ray")
}
