//! The program `elbowroom`: questions on the command line, proved answers on standard output.
//!
//! Standard output carries the answer alone; warnings, faults, progress and the last line's summary go to
//! standard error. Exit codes: 0 answered; 1 answered, and something collides or could not be proved; 2
//! refused.

mod answer;
mod at;
mod bench;
mod check;
mod continuous;
mod dips;
mod distance;
mod hint;
mod info;
mod least;
mod limits;
mod load;
mod motion;
mod out;
mod page;
mod pairs;
mod progress;
mod prove;
mod reproduce;
mod slow;
mod stream;
mod summary;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Proved clearances for robots: every distance is an interval that is checked.
#[derive(Parser)]
#[command(
    name = "elbowroom",
    version,
    after_help = "Lengths in metres, angles in radians. Exit codes: 0 answered; \
    1 something collides or could not be proved; 2 refused, with every fault on standard error. Files are written as \
    FILE.incomplete and renamed when they are complete."
)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// How far a robot is from touching, at every pose of a motion
    Check(check::Arguments),
    /// Signed distances of pairs of shapes, one JSON case a line
    Distance(distance::Arguments),
    /// What was read: joints in the order of values, links and shapes, SRDF groups and states, packages,
    /// warnings
    Info(info::Arguments),
    /// Each pair of bodies: checked, or allowed and why
    Pairs(pairs::Arguments),
    /// How fast this world is checked on this machine
    Bench(bench::Arguments),
    /// Repeat a paper's experiment and show our figures beside the paper's
    Reproduce(reproduce::Arguments),
}

/// What every command that reads a world understands.
#[derive(Args, Clone, Debug, Default)]
pub struct WorldArguments {
    /// World file (.toml), or a bare URDF: that robot alone
    world: PathBuf,
    /// Folder of packages: package://NAME/... is looked for as DIR/NAME/... (repeatable)
    #[arg(long, value_name = "DIR")]
    package_path: Vec<PathBuf>,
    /// SRDF to use instead of the one beside the URDF
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,
    /// Use no SRDF, even if one lies beside the URDF
    #[arg(long, conflicts_with = "srdf")]
    no_srdf: bool,
    /// Apply the up axis of DAE files, so that their up is z (ROS ignores it)
    #[arg(long)]
    honour_up_axis: bool,
    /// Padding added to every robot shape (metres); replaces the world file's
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    padding: Option<f64>,
    /// Clearance below which a verdict is `near` (metres); replaces the world file's
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    margin: Option<f64>,
    /// Do not check links that overlap at the zero pose and would be neighbours if links without shapes were
    /// left out. For a robot without an SRDF; every answer says that it was used, and for which pairs.
    /// `elbowroom pairs
    /// --prove --srdf-out` does better: it proves what needs no check
    #[arg(long)]
    allow_zero_overlaps: bool,
}

impl WorldArguments {
    /// The files that are read, as messages call them.
    fn inputs(&self) -> [(&'static str, Option<&Path>); 2] {
        [("the world", Some(&self.world)), ("the SRDF", self.srdf.as_deref())]
    }
}

/// What a mesh counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GeometryChoice {
    /// What the files declare: its triangles, solid if they close
    #[default]
    Mesh,
    /// Its convex hull; every answer then says so
    Hull,
}

impl GeometryChoice {
    fn geometry(self) -> elbowroom::narrow::Geometry {
        use elbowroom::narrow::Geometry;
        match self {
            GeometryChoice::Mesh => Geometry::Mesh,
            GeometryChoice::Hull => Geometry::Hull,
        }
    }

    /// The word in JSON, whose number it is.
    fn word(self) -> &'static str {
        match self {
            GeometryChoice::Mesh => "mesh",
            GeometryChoice::Hull => "hull",
        }
    }

    /// For people: where bodies are not what the files declare.
    fn note(self) -> Option<&'static str> {
        (self == GeometryChoice::Hull).then_some("each mesh counts as its convex hull (--geometry hull)")
    }
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    let done = match Program::parse().command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Distance(arguments) => distance::run(&arguments),
        Command::Info(arguments) => info::run(&arguments),
        Command::Pairs(arguments) => pairs::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Reproduce(arguments) => reproduce::run(&arguments),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            out::say(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}
