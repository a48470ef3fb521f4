//! Options that several commands share: the world, and what its meshes count as.

pub mod changes;
pub mod check;
pub mod pairs;
pub mod seen;

use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// What every command that reads a world understands.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "World")]
pub struct WorldArguments {
    /// World file (.toml), or a bare URDF: that robot alone. A file for xacro is expanded by that program
    pub world: PathBuf,
    /// What a file for xacro is expanded with: name:=value (repeatable)
    #[arg(value_name = "NAME:=VALUE", value_parser = xacro_argument)]
    pub xacro: Vec<String>,
    /// Folder of packages: package://NAME/... is looked for as DIR/NAME/... (repeatable)
    #[arg(long, value_name = "DIR")]
    pub package_path: Vec<PathBuf>,
    /// SRDF to use instead of the one beside the URDF
    #[arg(long, value_name = "FILE")]
    pub srdf: Option<PathBuf>,
    /// Use no SRDF, even if one lies beside the URDF
    #[arg(long, conflicts_with = "srdf")]
    pub no_srdf: bool,
    /// Apply the up axis of DAE files, so that their up is z (ROS ignores it)
    #[arg(long)]
    pub honour_up_axis: bool,
    /// Padding added to every robot shape (metres); replaces the world file's
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub padding: Option<f64>,
    /// Clearance below which a verdict is `near` (metres); replaces the world file's
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub margin: Option<f64>,
    /// Do not check links that overlap at the zero pose and would be neighbours if links without shapes were
    /// left out. For a robot without an SRDF; every answer says that it was used, and for which pairs.
    /// `elbowroom pairs --prove --srdf-out` does better: it proves what needs no check
    #[arg(long)]
    pub allow_zero_overlaps: bool,
}

impl WorldArguments {
    /// The files that are read, as messages call them.
    pub fn input_files(&self) -> [(&'static str, Option<&Path>); 2] {
        [("the world", Some(&self.world)), ("the SRDF", self.srdf.as_deref())]
    }
}

/// An argument of xacro. What has no `:=` would be a second world, or an option of that program.
fn xacro_argument(text: &str) -> Result<String, String> {
    let named = text.split_once(":=").filter(|(name, _)| !name.is_empty() && !name.starts_with('-'));
    let help = "only one world is taken; behind it stand arguments for xacro, as NAME:=VALUE";
    named.map(|_| text.to_string()).ok_or_else(|| help.to_string())
}

/// How narrowly to bracket the depth of overlapping meshes that are not convex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DepthChoice {
    /// To within a fifth, usually; a tenth to a quarter of a millisecond a pair of robots' links, and more
    /// for fine or ugly meshes
    #[default]
    Ordinary,
    /// To within a hundredth, usually; about a millisecond a pair, at most some tens, and up to a quarter of
    /// a second for meshes of some ten thousand triangles
    Tight,
}

impl DepthChoice {
    /// The word in JSON.
    pub fn json_word(self) -> &'static str {
        match self {
            DepthChoice::Ordinary => "ordinary",
            DepthChoice::Tight => "tight",
        }
    }

    /// This choice in the engine's words.
    pub fn to_effort(self) -> elbowroom::pair::Effort {
        use elbowroom::pair::Effort;
        match self {
            DepthChoice::Ordinary => Effort::Ordinary,
            DepthChoice::Tight => Effort::TIGHT,
        }
    }
}

/// How planar and floating joints go between the transforms of a trajectory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TransformsChoice {
    /// Positions straight from point to point
    #[default]
    Straight,
    /// Positions by cubics from rest to rest with continuous accelerations, as ROS 2's
    /// cartesian_trajectory_controller makes them; orientations turn at constant speed
    Cubic,
}

impl TransformsChoice {
    /// This choice in the readers' words.
    pub fn to_ways(self) -> elbowroom_files::source::TransformWays {
        use elbowroom_files::source::TransformWays;
        match self {
            TransformsChoice::Straight => TransformWays::Straight,
            TransformsChoice::Cubic => TransformWays::Cubic,
        }
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
    /// This choice in the engine's words.
    pub fn to_geometry(self) -> elbowroom::Geometry {
        use elbowroom::Geometry;
        match self {
            GeometryChoice::Mesh => Geometry::Mesh,
            GeometryChoice::Hull => Geometry::Hull,
        }
    }

    /// The word in JSON, whose number it is.
    pub fn json_word(self) -> &'static str {
        match self {
            GeometryChoice::Mesh => "mesh",
            GeometryChoice::Hull => "hull",
        }
    }

    /// For people: where bodies are not what the files declare.
    pub fn geometry_note(self) -> Option<&'static str> {
        (self == GeometryChoice::Hull).then_some("each mesh counts as its convex hull")
    }
}
