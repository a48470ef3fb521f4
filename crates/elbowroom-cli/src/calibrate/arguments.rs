//! The options of `elbowroom calibrate`.

use crate::arguments::{GeometryChoice, WorldArguments};
use clap::Args;
use std::path::PathBuf;

/// A contact and how to ask, as `--help` shows them.
const EXAMPLE: &str = concat!(
    "A contact is a JSON object on a line of its own: two bodies that touch, and what the ",
    "joints read.\n\n",
    r#"  {"name": "tips", "a": "hand/finger_1_tip", "b": "hand/finger_2_tip", "q": [1.0, 0.1, 0.2]}"#,
    "\n\n`q` is in the order of `elbowroom info`, or {\"joint\": value}; `within` is a tolerance ",
    "in metres.\n",
    "Examples:\n",
    "  elbowroom calibrate hand.toml --contacts contacts.jsonl\n",
    "  elbowroom calibrate hand.toml --contacts contacts.jsonl --out offsets.toml\n",
    "  elbowroom calibrate hand.toml --contacts contacts.jsonl --fixed phi_0 --offset phi_0=0.02\n",
    "  elbowroom calibrate cell.toml --contacts - --noise 0.001,slide=0.00005 --next 5\n\n",
    "Exit codes: 0 all offsets are determined; 1 a joint is not, or is at its bound, or a contact is wrong, \
     contradicts others or is not measured; 2 refused."
);

/// The options of `calibrate`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct CalibrateArguments {
    #[command(flatten)]
    pub world: WorldArguments,
    /// Contacts, one JSON object a line (`-`: standard input)
    #[arg(long, value_name = "FILE.jsonl")]
    pub contacts: PathBuf,
    /// What encoders resolve: radians for all joints that turn, or joint=value (radians, metres), with commas
    /// [default: 360/1024 degrees, and 0.1 mm where a joint slides]
    #[arg(long, value_name = "STEPS")]
    pub noise: Option<String>,
    /// The largest offset that is believed: radians for all joints that turn, or joint=value, with commas
    /// [default: 5 degrees, and 5 mm where a joint slides]
    #[arg(long, value_name = "BOUNDS")]
    pub bound: Option<String>,
    /// Offsets that are known: joint=value (radians, metres), with commas. The search begins there
    #[arg(long, value_name = "OFFSETS", allow_hyphen_values = true)]
    pub offset: Option<String>,
    /// Joints whose offsets are not looked for: they keep what --offset says, or zero
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    pub fixed: Vec<String>,
    /// How many contacts to propose
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(0..=100))]
    pub next: u32,
    /// Of the random poses that contacts are proposed from
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// What meshes count as
    #[arg(long, value_enum, default_value = "mesh")]
    pub geometry: GeometryChoice,
    /// One JSON object into this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The offsets as a table for the world file: `offsets = "FILE.toml"` there adds them to all readings
    #[arg(long, value_name = "FILE.toml")]
    pub out: Option<PathBuf>,
}
