//! The options of `elbowroom check`.

use crate::arguments::changes::ChangeOptions;
use crate::arguments::seen::SeenOptions;
use crate::arguments::{DepthChoice, GeometryChoice, TransformsChoice, WorldArguments};
use crate::limits::TOUCH_MOST;
use clap::{Args, ValueEnum};
use elbowroom::Question;
use elbowroom::pair::Ask;
use std::path::PathBuf;

/// How much is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AskChoice {
    /// Yes or no: is everything farther apart than the margin?
    Test,
    /// A proved lower bound; quick, because bounds of capsules and boxes are enough where they are beyond the
    /// margin
    LowerBound,
    /// The signed distance
    #[default]
    Distance,
}

impl AskChoice {
    /// The word in JSON.
    pub fn json_word(self) -> &'static str {
        match self {
            AskChoice::Test => "test",
            AskChoice::LowerBound => "lower_bound",
            AskChoice::Distance => "distance",
        }
    }

    /// This choice in the engine's words.
    pub fn to_ask(self) -> Ask {
        match self {
            AskChoice::Test => Ask::Test,
            AskChoice::LowerBound => Ask::LowerBound,
            AskChoice::Distance => Ask::Distance,
        }
    }
}

/// The groups of the options in help.
const POSES: &str = "Poses";
const QUESTION: &str = "What is asked";
const OUTPUT: &str = "Output";

/// The options of `check`.
#[derive(Args, Debug)]
pub struct CheckArguments {
    #[command(flatten)]
    pub world: WorldArguments,
    /// Motion: CSV with a header of joint names; NPY (poses x joints); JSON lines (.jsonl), a pose or an
    /// event a line; a trajectory of ROS or MoveIt; or polynomials; `-` for standard input. Of several robots
    /// that move by times of their own: ROBOT=FILE for each
    #[arg(help_heading = POSES, long, value_name = "FILE")]
    pub motion: Vec<PathBuf>,
    /// A pose (repeatable): joint values in the order of `elbowroom info`; or joint=value,...; or the name of
    /// an SRDF state, joint=value behind it too. Joints that are not given are zero, or as near to it as
    /// limits allow. With several robots: robot/joint=value, robot/STATE
    #[arg(help_heading = POSES, long, value_name = "POSE", allow_hyphen_values = true,
        conflicts_with = "motion")]
    pub at: Vec<String>,
    /// So many random poses within the joint limits; mimic joints follow, continuous joints take -pi to pi,
    /// planar and floating ones stay where they are. Each line of --json then holds the joint values, `q`
    #[arg(help_heading = POSES, long, value_name = "N", conflicts_with_all = ["motion", "at"],
        value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub random: Option<u32>,
    /// Which random poses
    #[arg(help_heading = POSES, long, value_name = "S", requires = "random", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub changes: ChangeOptions,
    #[command(flatten)]
    pub seen: SeenOptions,
    /// What meshes count as
    #[arg(help_heading = QUESTION, long, value_enum, default_value = "mesh")]
    pub geometry: GeometryChoice,
    /// What to compute
    #[arg(help_heading = QUESTION, long, value_enum, default_value = "distance")]
    pub ask: AskChoice,
    /// How narrowly to bracket the depth of overlapping meshes that are not convex; only --ask distance uses
    /// it
    #[arg(help_heading = QUESTION, long, value_enum, default_value = "ordinary")]
    pub depth: DepthChoice,
    /// Contact within this counts as near: an overlap that is proved to be no deeper (metres, up to a
    /// millimetre; 1e-6 suits parts that rest on each other). Every answer says so
    #[arg(help_heading = QUESTION, long, value_name = "T", value_parser = parse_tolerance)]
    pub touch: Option<f64>,
    /// Answer for every checked pair, not only for the nearest: `pairs` in each line of --json. Then no pair
    /// is left out because another is nearer (see `counts`), and the last digits may differ from those
    /// without this option: searches start from other queries. All intervals are proved. A --report asks for
    /// every pair too
    #[arg(help_heading = QUESTION, long)]
    pub all_pairs: bool,
    /// Check the way of all joints from each sample to the next as well, at every instant. It is straight, or
    /// a spline where the motion has velocities or coefficients. It is proved free beyond the margin, or
    /// proved apart but near, or the interval of first contact is found. Exit code 1 if a way is neither free
    /// nor near
    #[arg(help_heading = QUESTION, long)]
    pub continuous: bool,
    /// How far an execution may be from the motion at any instant: joint=value,... (radians, metres;
    /// repeatable; `*=value` for all others). The ways are proved with all that follows them within it. It
    /// outweighs the path_tolerance of a trajectory
    #[arg(help_heading = QUESTION, long, value_name = "JOINT=VALUE,...", requires = "continuous")]
    pub tolerance: Vec<String>,
    /// By how much the clock of each robot may be wrong, or how long it may stop on its way (seconds): proved
    /// between robots, of which each follows its own motion earlier or later by no more than that
    #[arg(help_heading = QUESTION, long, value_name = "SECONDS", requires = "continuous",
        value_parser = parse_seconds)]
    pub time_tolerance: Option<f64>,
    /// Where a way is not proved within its tolerance, find how much of it can be
    #[arg(help_heading = QUESTION, long, requires = "continuous")]
    pub largest_tolerance: bool,
    /// Hold the velocities of the motion, and accelerations and jerks where it is a spline, against limits,
    /// between samples too: those of the URDF, or of a joint_limits.yaml of MoveIt, which replace them. Exit
    /// code 1 if one is passed
    #[arg(help_heading = QUESTION, long, value_name = "FILE", requires = "motion", num_args = 0..=1,
        require_equals = true)]
    pub limits: Option<Option<PathBuf>>,
    /// One JSON object a sample into this file (`-`: standard output). A file is written as FILE.incomplete
    /// and renamed when it is complete; what goes to standard output comes sample by sample
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// HTML report in one file, to look at, print and pass on. It asks for every pair: see --all-pairs for
    /// what that changes in the answers of --json
    #[arg(help_heading = OUTPUT, long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Threads (0: as many as the machine has, and never more than those); the answers do not depend on it
    #[arg(help_heading = OUTPUT, long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
        value_parser = parse_threads)]
    pub threads: usize,
    /// Accept joint values outside their limits
    #[arg(help_heading = POSES, long)]
    pub ignore_limits: bool,
    /// How planar and floating joints go between the transforms of a trajectory
    #[arg(help_heading = POSES, long, value_enum, default_value = "straight", requires = "motion")]
    pub transforms: TransformsChoice,
    /// Ignore columns of the motion that name no joint of the world
    #[arg(help_heading = POSES, long)]
    pub ignore_unknown_columns: bool,
}

impl CheckArguments {
    /// What is asked of each sample.
    pub fn sample_question(&self) -> Question {
        Question::from_ask(self.ask.to_ask())
            .geometry(self.geometry.to_geometry())
            .depth(self.depth.to_effort())
    }
}

fn parse_threads(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "give a whole number, or 0 for as many as the machine has".into())
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && seconds.is_finite());
    value.ok_or_else(|| "give seconds above zero".into())
}

fn parse_tolerance(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|metres| (f64::MIN_POSITIVE..=TOUCH_MOST).contains(metres));
    value.ok_or_else(|| format!("give metres above zero, up to {TOUCH_MOST}"))
}
