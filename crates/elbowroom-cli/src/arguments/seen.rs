//! Options of what sensors saw: `--cloud`, `--octomap` and what belongs to them.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What space that a map did not see counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum UnknownChoice {
    /// As occupied, inside the box around all cells of the map
    #[default]
    Occupied,
    /// As free
    Free,
}

/// The options.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What sensors saw")]
pub struct SeenOptions {
    /// Point cloud in the world (PCD, PLY, NPY or text; repeatable): each point is a ball. The body is called
    /// as the file without its ending, world/NAME
    #[arg(long, value_name = "FILE")]
    pub cloud: Vec<PathBuf>,
    /// Radius of the points of clouds (metres)
    #[arg(long, value_name = "R", default_value_t = 0.01, requires = "cloud", allow_negative_numbers = true)]
    pub cloud_radius: f64,
    /// OctoMap in the world (.bt or .ot; repeatable): its occupied cells are boxes of a body that is called
    /// as the file, world/NAME
    #[arg(long, value_name = "FILE")]
    pub octomap: Vec<PathBuf>,
    /// Pose in the world of what a sensor saw, by the name of the cloud or OctoMap: metres, and a quaternion
    /// (repeatable). Without it, points and cells are in the world's frame
    #[arg(long, value_name = "NAME=x,y,z,qw,qx,qy,qz")]
    pub scan_pose: Vec<String>,
    /// How to count the space that an OctoMap did not see. If occupied, it is a body of its own,
    /// world/NAME_unknown
    #[arg(long, value_enum, default_value = "occupied", requires = "octomap")]
    pub octomap_unknown: UnknownChoice,
}
