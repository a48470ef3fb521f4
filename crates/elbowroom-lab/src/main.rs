//! The lab's program: a paper's experiment again, our figures beside the paper's.
//!
//! `cargo run --release -p elbowroom-lab -- coulombe20`. Standard output carries the tables; what is said
//! besides goes to standard error. Exit codes: 0 done; 2 refused, or not delivered.

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use elbowroom_lab::{coulombe20, haase10, henrich92, henrich97, tran91::cell as tran91};
use std::fs::Permissions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tempfile::NamedTempFile;

/// The papers whose experiments can be run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// High precision real time collision detection: self-collision of two arms from their URDF
    Coulombe20,
    /// Real-time collision detection of the SDH-2: a hand of three fingers by three levels
    Haase10,
    /// Fast distance computation for multi-arm robots: a Puma 260 among 16 obstacles, and two of them
    Henrich92,
    /// Fast collision detection by parallel distance computation: a Puma 260 in cells of 7 to 1,000
    /// objects, on one processor or (--processors) on several
    Henrich97,
    /// A collision detection algorithm for telerobotic arms: two arms under a guard, and the paper's octree
    Tran91,
}

impl Paper {
    /// A file in the folder of the paper's robots.
    fn robot_file(self) -> &'static str {
        match self {
            Paper::Coulombe20 => "kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf",
            Paper::Haase10 => "sdh2/hand.toml",
            Paper::Henrich92 | Paper::Henrich97 => "puma260/bottleneck.toml",
            Paper::Tran91 => "rrc_cell/cell.toml",
        }
    }
}

/// Repeats a paper's experiment and shows our figures beside the paper's.
#[derive(Parser)]
#[command(name = "elbowroom-lab", version)]
struct Arguments {
    /// Which paper
    paper: Paper,
    /// Folder that holds the paper's robots, or that has a folder `robots` which does. henrich92 and
    /// henrich97 read puma260/bottleneck.toml and puma260/path.csv, tran91 rrc_cell/cell.toml, haase10
    /// sdh2/hand.toml: they are in this repository. haase10 also reads schunk_sdh2/schunk_sdh.urdf where that
    /// is. coulombe20 reads kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf and
    /// mecademic_meca500_r3/meca_500_r3.urdf, of ROS packages that are not. Default: $ELBOWROOM_DATA,
    /// ../shared or this folder, the first that has them
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder for the tables as CSV and the figures as SVG
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// coulombe20: random poses of each robot. haase10: random poses of the hand, and small steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    poses: Option<u32>,
    /// henrich92, henrich97: how often the path is walked by each method. haase10: how often each pose is
    /// timed. tran91: how often each script is
    /// played for the clock
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: Option<u32>,
    /// henrich97: the paper's search on so many processors: in virtual time, with the paper's costs, and on
    /// threads. --rounds is how often the path is searched
    #[arg(long, value_name = "1,2,4,8", value_delimiter = ',',
        value_parser = clap::value_parser!(u16).range(1..=256))]
    processors: Vec<u16>,
    /// Which random poses, which generated cells
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// An experiment that was run again.
struct Reproduced {
    /// Its tables for people.
    text: String,
    /// Its files: name and text.
    files: Vec<(String, String)>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    #[cfg(feature = "mpi")]
    if is_mpi_job() {
        return search_on_ranks(&arguments);
    }
    match reproduce_paper(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_note(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Whether `mpirun`, or a scheduler in its place, started this process.
#[cfg(feature = "mpi")]
fn is_mpi_job() -> bool {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"].iter().any(|name| std::env::var_os(name).is_some())
}

/// henrich97's search on the ranks of a job. A rank that fails ends them all.
#[cfg(feature = "mpi")]
fn search_on_ranks(arguments: &Arguments) -> ExitCode {
    use henrich97::parallel::mpi::{abort_job, rank_and_count, run_on_ranks};
    let Some(universe) = mpi::initialize() else {
        print_note("error: MPI cannot be started: see what its library said above");
        return ExitCode::from(2);
    };
    let (rank, count) = rank_and_count(&universe);
    let found = if arguments.paper != Paper::Henrich97 {
        Err(anyhow::anyhow!("only henrich97 has a search for several ranks: start the others without mpirun"))
    } else if arguments.processors.iter().any(|n| usize::from(*n) != count) {
        Err(anyhow::anyhow!("the job has {count} ranks: leave --processors out, or start it with as many"))
    } else {
        run_on_ranks(&universe, &parallel_options(arguments)).map_err(anyhow::Error::from)
    };
    match found {
        Ok(rows) => {
            if rank == 0 {
                let lines: Vec<String> =
                    rows.iter().map(henrich97::parallel::mpi::RankRow::to_text).collect();
                let head = format!("henrich97 on {count} ranks in earnest: us a detection");
                if writeln!(std::io::stdout().lock(), "{head}\n{}", lines.join("\n")).is_err() {
                    abort_job(&universe);
                }
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            print_note(&format!("error: rank {rank}: {error:#}"));
            abort_job(&universe)
        }
    }
}

/// Says something that is no answer. Standard error may be closed: there is nobody left to tell.
fn print_note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

fn reproduce_paper(arguments: &Arguments) -> Result<()> {
    // A folder that cannot be written into is found out before the work.
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        create_file(folder)?;
    }
    if !arguments.processors.is_empty() && arguments.paper != Paper::Henrich97 {
        bail!("--processors is of henrich97: the other papers have no parallel search");
    }
    let Reproduced { text, files } = match arguments.paper {
        Paper::Coulombe20 => reproduce_coulombe20(arguments)?,
        Paper::Haase10 => reproduce_haase10(arguments)?,
        Paper::Henrich92 => reproduce_henrich92(arguments)?,
        Paper::Henrich97 => reproduce_henrich97(arguments)?,
        Paper::Tran91 => reproduce_tran91(arguments)?,
    };
    if let Some(folder) = &arguments.out {
        for (name, text) in &files {
            write_file(folder, name, text)?;
        }
    }
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(error).context("nobody read to the end"),
        done => done.context("standard output cannot be written"),
    }
}

/// The folder of the paper's robots: among those that are named, or where they usually are. `None` if it is
/// nowhere: the experiment says what it misses.
fn find_robots(arguments: &Arguments) -> Option<PathBuf> {
    find_folder(arguments, arguments.paper.robot_file())
}

/// The folder of robots that has a file.
fn find_folder(arguments: &Arguments, file: &str) -> Option<PathBuf> {
    let roots: Vec<PathBuf> = match &arguments.data {
        Some(data) => vec![data.clone()],
        None => {
            let variable = std::env::var_os("ELBOWROOM_DATA").map(PathBuf::from);
            variable.into_iter().chain(["../shared".into(), ".".into()]).collect()
        }
    };
    let folders = roots.iter().flat_map(|root| [root.join("robots"), root.clone()]);
    folders.into_iter().find(|folder| folder.join(file).is_file())
}

/// A new file in a folder, without a name that anybody reads.
fn create_file(folder: &Path) -> Result<NamedTempFile> {
    NamedTempFile::new_in(folder).with_context(|| format!("{} cannot be written into", folder.display()))
}

/// Writes a file that takes its place when it is whole: another name of an older one still leads to that.
fn write_file(folder: &Path, name: &str, text: &str) -> Result<()> {
    let target = folder.join(name);
    let failed = || format!("{} cannot be written", target.display());
    let mut file = create_file(folder)?;
    file.write_all(text.as_bytes()).with_context(failed)?;
    make_readable(&file).with_context(failed)?;
    file.persist(&target).with_context(failed)?;
    Ok(())
}

/// A temporary file is its owner's alone; a table is for everyone.
fn make_readable(file: &NamedTempFile) -> std::io::Result<()> {
    #[cfg(unix)]
    file.as_file().set_permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o644))?;
    Ok(())
}

fn reproduce_coulombe20(arguments: &Arguments) -> Result<Reproduced> {
    let default = coulombe20::Coulombe20Options::default();
    let options = coulombe20::Coulombe20Options {
        data: find_robots(arguments).or(arguments.data.clone()),
        poses: arguments.poses.map_or(default.poses, |n| n as usize),
        seed: arguments.seed.unwrap_or(default.seed),
    };
    print_note(&format!(
        "{} random poses of two robots, every method on each: this takes a minute or two",
        options.poses
    ));
    let report = coulombe20::run(&options)?;
    Ok(Reproduced { text: report.to_text(), files: report.output_files()? })
}

fn reproduce_haase10(arguments: &Arguments) -> Result<Reproduced> {
    const MACHINE: &str = "schunk_sdh2/schunk_sdh.urdf";
    let default = haase10::Haase10Options::default();
    let options = haase10::Haase10Options {
        data: find_robots(arguments).or(arguments.data.clone()),
        machine: find_folder(arguments, MACHINE).map(|folder| folder.join(MACHINE)),
        poses: arguments.poses.map_or(default.poses, |n| n as usize),
        rounds: arguments.rounds.map_or(default.rounds, |n| n as usize),
        seed: arguments.seed.unwrap_or(default.seed),
    };
    print_note(&format!(
        "{} random poses of a hand and as many small steps, {} times each: this takes a minute or two",
        options.poses, options.rounds
    ));
    let report = haase10::run(&options)?;
    Ok(Reproduced { text: report.to_text(), files: report.output_files()? })
}

fn reproduce_henrich92(arguments: &Arguments) -> Result<Reproduced> {
    let default = henrich92::Henrich92Options::default();
    let options = henrich92::Henrich92Options {
        data: find_robots(arguments).or(arguments.data.clone()),
        rounds: arguments.rounds.map_or(default.rounds, |n| n as usize),
        seed: arguments.seed.unwrap_or(default.seed),
    };
    print_note(&format!(
        "473 steps of two scenes, {} times each, fourteen methods: this takes some seconds",
        options.rounds
    ));
    let report = henrich92::run(&options)?;
    Ok(Reproduced { text: report.to_text(), files: report.output_files()? })
}

fn parallel_options(arguments: &Arguments) -> henrich97::parallel::ParallelOptions {
    let default = henrich97::parallel::ParallelOptions::default();
    henrich97::parallel::ParallelOptions {
        data: find_robots(arguments).or(arguments.data.clone()),
        processors: arguments.processors.iter().copied().map(usize::from).collect(),
        rounds: arguments.rounds.map_or(default.rounds, |n| n as usize),
        seed: arguments.seed.unwrap_or(default.seed),
    }
}

fn reproduce_parallel(arguments: &Arguments) -> Result<Reproduced> {
    let options = parallel_options(arguments);
    print_note(&format!(
        "119 poses in four cells, {} times each, two policies, and a sweep: this takes two minutes",
        options.rounds
    ));
    let report = henrich97::parallel::run(&options)?;
    Ok(Reproduced { text: report.to_text(), files: report.output_files()? })
}

fn reproduce_henrich97(arguments: &Arguments) -> Result<Reproduced> {
    if !arguments.processors.is_empty() {
        return reproduce_parallel(arguments);
    }
    let default = henrich97::Henrich97Options::default();
    let options = henrich97::Henrich97Options {
        data: find_robots(arguments).or(arguments.data.clone()),
        rounds: arguments.rounds.map_or(default.rounds, |n| n as usize),
        seed: arguments.seed.unwrap_or(default.seed),
    };
    print_note(&format!(
        "119 poses, {} times each, ten methods in eight cells: this takes a minute or two",
        options.rounds
    ));
    let report = henrich97::run(&options)?;
    Ok(Reproduced { text: report.to_text(), files: report.output_files()? })
}

fn reproduce_tran91(arguments: &Arguments) -> Result<Reproduced> {
    let default = tran91::Tran91Options::default();
    let options = tran91::Tran91Options {
        data: find_robots(arguments).or(arguments.data.clone()),
        rounds: arguments.rounds.map_or(default.rounds, |n| n as usize),
    };
    print_note(&format!(
        "seven scripts of two arms, {} times each, under the guard, with the octree and the engine, and once \
         by the paper's own chain: this takes some seconds",
        options.rounds
    ));
    let report = tran91::run(&options)?;
    Ok(Reproduced { text: report.to_text(), files: report.output_files()? })
}
