//! The options of `elbowroom sweep`.

use super::part::SweepPart;
use crate::arguments::check::AskChoice;
use crate::arguments::{DepthChoice, GeometryChoice, WorldArguments};
use clap::builder::ArgPredicate;
use clap::{Arg, Args, ValueEnum};
use std::path::PathBuf;

/// The groups of the options in help.
const POSES: &str = "Poses";
const QUESTION: &str = "What is asked";
const OUTPUT: &str = "Output";
const PARTS: &str = "Parts";

/// What `sweep` is used for most.
pub const EXAMPLES: &str = "Examples:
  elbowroom sweep arm.urdf --random 1000000 --out reach.npy
  elbowroom sweep cell.toml --poses data.npy --ask distance --more gradient --out answers.npy
  elbowroom sweep cell.toml --poses data.npy --part 3/64 --out answers.3.npy
  elbowroom sweep --merge answers.*.npy --out answers.npy";

/// Joining parts needs no world: the argument is then left out. What is changed of an argument puts it behind
/// all others, so its place is said again.
pub fn world_unless_merged(world: Arg) -> Arg {
    let world = world.index(1).required(false).required_unless_present("merge");
    world.default_value_if("merge", ArgPredicate::IsPresent, ".")
}

/// The options of `sweep`.
#[derive(Args, Debug)]
pub struct SweepArguments {
    #[command(flatten)]
    pub world: WorldArguments,
    /// Poses: NPY (poses x joints, float32 or float64), CSV with a header of joint names, or Parquet with
    /// columns named so (feature parquet). Of any size: only a part is ever in memory
    #[arg(help_heading = POSES, long, value_name = "FILE", conflicts_with_all = ["random", "grid"])]
    pub poses: Option<PathBuf>,
    /// So many random poses within the joint limits: those of `elbowroom check --random N --seed S`
    #[arg(help_heading = POSES, long, value_name = "N", conflicts_with = "grid")]
    pub random: Option<u64>,
    /// Which random poses
    #[arg(help_heading = POSES, long, value_name = "S", requires = "random", default_value_t = 1)]
    pub seed: u64,
    /// All combinations of joint values: joint=from:to:count,... ; the last joint changes fastest, and joints
    /// that are not given stay at zero, or as near to it as limits allow
    #[arg(help_heading = POSES, long, value_name = "GRID", allow_hyphen_values = true)]
    pub grid: Option<String>,
    /// Accept joint values outside their limits
    #[arg(help_heading = POSES, long)]
    pub ignore_limits: bool,
    /// Ignore columns of a CSV or Parquet file that name no joint of the world
    #[arg(help_heading = POSES, long)]
    pub ignore_unknown_columns: bool,
    /// What to compute: with `test` verdicts alone, by the thousand
    #[arg(help_heading = QUESTION, long, value_enum, default_value = "test")]
    pub ask: AskChoice,
    /// What meshes count as
    #[arg(help_heading = QUESTION, long, value_enum, default_value = "mesh")]
    pub geometry: GeometryChoice,
    /// How narrowly to bracket the depth of overlapping meshes that are not convex; only --ask distance uses
    /// it
    #[arg(help_heading = QUESTION, long, value_enum, default_value = "ordinary")]
    pub depth: DepthChoice,
    /// Rows are the two ends of straight ways, one after the other: each way is checked at every instant
    #[arg(help_heading = QUESTION, long, conflicts_with_all = ["more", "nearest", "ask", "depth"])]
    pub edges: bool,
    /// Where the answers go, by its ending: NPY (one structured array), CSV, or Parquet (feature parquet).
    /// FILE.json beside it says what was asked. Until it is complete it is FILE.incomplete, and FILE.partial
    /// says how far it is: the same command goes on from there
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub out: PathBuf,
    /// Further columns, separated by commas
    #[arg(help_heading = OUTPUT, long, value_enum, value_delimiter = ',')]
    pub more: Vec<MoreColumns>,
    /// Columns for the K nearest pairs, nearest first; needs --ask distance
    #[arg(help_heading = OUTPUT, long, value_name = "K",
        value_parser = clap::value_parser!(u32).range(1..=64))]
    pub nearest: Option<u32>,
    /// A page with what was found: shares of verdicts, how clearance is distributed, which pairs collide most
    /// and at which joint values
    #[arg(help_heading = OUTPUT, long, value_name = "FILE.html")]
    pub histogram: Option<PathBuf>,
    /// Threads (0: as many as the machine has, and never more than those); the answers do not depend on it
    #[arg(help_heading = OUTPUT, long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Answer the Kth of N parts alone, for schedulers that run many jobs
    #[arg(help_heading = PARTS, long, value_name = "K/N", conflicts_with = "histogram")]
    pub part: Option<SweepPart>,
    /// Join these parts into --out instead of asking: all N of one sweep, in any order
    #[arg(help_heading = PARTS, long, value_name = "FILE", num_args = 1..,
        conflicts_with_all = ["part", "histogram"])]
    pub merge: Vec<PathBuf>,
}

/// Columns beside those that every output has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum MoreColumns {
    /// The joint values of the pose
    Q,
    /// The points of the nearest pair and the direction in which its first body escapes; needs --ask distance
    Witness,
    /// How the distance of the nearest pair changes with each joint value; needs --ask distance
    Gradient,
}
