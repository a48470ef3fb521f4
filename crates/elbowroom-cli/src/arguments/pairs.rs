//! The options of `elbowroom pairs`.

use crate::arguments::{GeometryChoice, WorldArguments};
use crate::limits::AUDIT_BOXES;
use clap::Args;
use elbowroom::tolerance::PROVE_BOXES;
use std::path::PathBuf;

/// The options of `pairs`.
#[derive(Args, Debug)]
pub struct PairsArguments {
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
    #[arg(long, conflicts_with = "allow_zero_overlaps", group = "over_all_poses")]
    pub prove: bool,
    /// Look for pairs that an SRDF disables though they can collide, and tell of each a pose: by the SRDF's
    /// states, by the ends of all ranges, by random poses, and by a descent from the nearest. Of the others
    /// it is told whether they are proved never to touch, or were only not found to
    #[arg(long, conflicts_with_all = ["allow_zero_overlaps", "no_srdf"], group = "over_all_poses")]
    pub audit: bool,
    /// Random poses that are asked for one pair
    #[arg(long, value_name = "N", requires = "audit", default_value_t = 10_000,
        value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    pub samples: u32,
    /// Which random poses
    #[arg(long, value_name = "S", requires = "audit", default_value_t = 1)]
    pub seed: u64,
    /// Write the pairs that need no check into this SRDF, with their proofs (`-`: standard output). What is
    /// proved is kept in FILE.partial until then: work that was interrupted goes on when the same command is
    /// given again
    #[arg(long, value_name = "FILE", requires = "prove")]
    pub srdf_out: Option<PathBuf>,
    /// Boxes of joint values that are asked for one pair before it is left open [default: 200000, of --audit
    /// 20000]
    #[arg(long, value_name = "N", requires = "over_all_poses")]
    pub boxes: Option<u64>,
    /// What meshes count as in proofs
    #[arg(long, value_enum, default_value = "mesh", requires = "over_all_poses")]
    pub geometry: GeometryChoice,
}

impl PairsArguments {
    /// Boxes of joint values for one pair.
    pub fn boxes(&self) -> u64 {
        self.boxes.unwrap_or(if self.audit { AUDIT_BOXES } else { PROVE_BOXES })
    }
}
