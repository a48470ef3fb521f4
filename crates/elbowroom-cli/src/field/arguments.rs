//! The options of `elbowroom field`.

use crate::arguments::{GeometryChoice, WorldArguments};
use clap::Args;
use elbowroom::motion::Field;
use elbowroom::tolerance::FIELD_BOXES;
use std::path::PathBuf;

/// The options of `field`.
#[derive(Args, Debug)]
pub struct FieldArguments {
    #[command(flatten)]
    pub world: WorldArguments,
    /// The two bodies, as `robot/link`, `world/obstacle` or the last part alone. At most three joint values
    /// may lie between them
    #[arg(long, num_args = 2, required = true, value_names = ["A", "B"])]
    pub pair: Vec<String>,
    /// The joint values between them in the order of the axes: across, up, from picture to picture
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub joints: Vec<String>,
    /// Cells along each joint: the next power of two counts [default: 256, of three joints 64]
    #[arg(long, value_name = "N",
        value_parser = clap::value_parser!(u32).range(i64::from(Field::LEAST_CELLS)..=1 << 26))]
    pub cells: Option<u32>,
    /// Boxes of joint values that are asked before the rest is left open
    #[arg(long, value_name = "N", default_value_t = FIELD_BOXES)]
    pub boxes: u64,
    /// What meshes count as
    #[arg(long, value_enum, default_value = "mesh")]
    pub geometry: GeometryChoice,
    /// A picture: free is white, overlap is dark, what is not proved is grey (`-`: standard output)
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
    /// A table: ranges of the joint values and what is proved there (`-`: standard output)
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// A file that the engine can use: `elbowroom_files::field::read_field` (`-`: standard output)
    #[arg(long, value_name = "FILE.field")]
    pub out: Option<PathBuf>,
    /// One JSON object about the field into this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}
