//! The options of `elbowroom pairs`.

use crate::arguments::{GeometryChoice, WorldArguments};
use clap::Args;
use std::path::PathBuf;

/// The options of `pairs`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub world: WorldArguments,
    /// One JSON object a pair into this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Leave out pairs of which one body has no shape, and pairs fixed in the cell
    #[arg(long)]
    pub brief: bool,
    /// Only pairs of this body, as `robot/link`, `world/obstacle` or the last part alone (repeatable)
    #[arg(long, value_name = "NAME", conflicts_with = "prove")]
    pub body: Vec<String>,
    /// Prove over all joint values, by bounds and not by samples, which pairs never touch and which always
    /// overlap. Pairs that an SRDF disables are looked at too
    #[arg(long, conflicts_with = "allow_zero_overlaps")]
    pub prove: bool,
    /// Write the pairs that need no check into this SRDF, with their proofs (`-`: standard output). What is
    /// proved is kept in FILE.partial until then: work that was interrupted goes on when the same command is
    /// given again
    #[arg(long, value_name = "FILE", requires = "prove")]
    pub srdf_out: Option<PathBuf>,
    /// Boxes of joint values that are asked for one pair before it is left to be checked
    #[arg(long, value_name = "N", requires = "prove", default_value_t = elbowroom::tolerance::PROVE_BOXES)]
    pub boxes: u64,
    /// What meshes count as in proofs
    #[arg(long, value_enum, default_value = "mesh", requires = "prove")]
    pub geometry: GeometryChoice,
}
