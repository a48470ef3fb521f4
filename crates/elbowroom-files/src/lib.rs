//! Real files into descriptions: robots (URDF, SRDF, xacro), meshes (STL, OBJ, DAE, PLY, glTF), worlds
//! (TOML), scenes (MoveIt: YAML, text), motions (CSV, NPY, JSON lines), `distance` cases and contacts (JSON).
//! What sensors saw into plain values: point clouds (PCD, PLY, NPY, text), OctoMaps (BT, OT) and height
//! fields (NPY, PNG).
//!
//! Every reader collects all faults of everything it was given and says of each where it is and what to do.
//! No input makes a reader panic, hang or use unbounded memory; the bounds are in [`limits`]. Nothing that
//! has a shape is ever left out silently: what cannot be read is a fault.
//!
//! # From a URDF to a clearance
//!
//! ```
//! use elbowroom::{Checker, Question, World};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let urdf = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/arm.urdf");
//! // A bare URDF, with the SRDF beside it, or a world file (.toml). All faults come at once.
//! let loaded = elbowroom_files::load(urdf)?;
//! for warning in &loaded.warnings {
//!     eprintln!("{warning}");
//! }
//!
//! // Compiled once; shared by all threads.
//! let world = World::compile(&loaded.value)?;
//! println!("joints in the order of values: {:?}", world.dof_names());
//!
//! // One checker a thread. Values outside limits are refused, never clamped.
//! let mut checker = Checker::new(&world);
//! let mut values = world.neutral_values();
//! values[1] = 0.5;
//! checker.set(&values)?;
//!
//! let answer = checker.ask(&Question::distance());
//! let pair = answer.pair.and_then(|pair| world.pair_names(pair));
//! let interval = answer.interval;
//! println!("{}: {} to {} m, between {pair:?}", answer.verdict, interval.lower, interval.upper);
//! if let Some(points) = answer.witness {
//!     println!("from {:?} to {:?} m in the world", points.a, points.b);
//! }
//! # assert!(answer.interval.width() >= 0.0 && pair.is_some());
//! # Ok(())
//! # }
//! ```
//!
//! Compiling a world fits hulls and bounds to every mesh: about a second for an arm of dense meshes in
//! release, and ten times as long in a debug build. In the `Cargo.toml` of a program that is run in debug
//! builds:
//!
//! ```toml
//! [profile.dev.package.elbowroom]
//! opt-level = 3
//! ```
//!
//! # The tour
//!
//! 1. [`load`]: a robot or a world file with the default [`Options`]. It returns [`Loaded`], with
//!    [`Warning`]s, or [`Faults`]: all of them, each with file, place, and what to do.
//! 2. [`world`]: world files, and what they may hold. [`robot`]: a robot alone.
//! 3. [`motion`]: poses from CSV, NPY or JSON lines, for a world's joints; events between them.
//! 4. [`srdf`], [`scene`], [`mesh`]: these files alone. [`cases`]: pairs of shapes, one JSON object a line;
//!    [`contacts`]: poses at which bodies touch.
//! 5. [`cloud`], [`octomap`], [`heights`]: what sensors saw, as points, as cells and as a grid.
//! 6. [`guard`]: what a world file tells a monitor. [`states`]: lines of a monitor's input.
//! 7. [`rates`]: how fast joints may go, by URDFs and by MoveIt's `joint_limits.yaml`.
//! 8. [`source`]: where bytes come from: the disk, or memory. [`text`]: bytes as text, whoever wrote them.
//!    [`other_kind`]: recognizes a file that was given by mistake, such as a record where a motion is read.

// No input makes a reader panic, readers print nothing, and what is refused is documented.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice))]
#![warn(clippy::print_stdout, clippy::print_stderr, clippy::missing_errors_doc)]

pub mod cases;
pub mod cloud;
pub mod contacts;
pub mod fault;
pub mod field;
pub mod guard;
pub mod heights;
pub mod limits;
pub mod mesh;
pub mod motion;
pub mod near;
pub mod octomap;
pub mod other_kind;
pub mod rates;
pub mod robot;
pub mod scene;
pub mod source;
pub mod srdf;
pub mod states;
pub mod text;
pub mod world;

mod case;
mod foreign_path;
mod lines;
mod npy;
mod package;
mod placed;
mod ply;
mod scalar;
mod session;
mod shape;
mod template;
mod tree;
mod urdf;
mod xacro;
mod xml;

pub use fault::{Fault, Faults, Loaded, Warning};
pub use source::Options;

use elbowroom::describe::WorldDescription;
use std::path::Path;

/// Reads a robot (`.urdf`, with the `.srdf` beside it) or a world file (`.toml`), with the defaults of
/// [`Options`]; [`world::load_world`] takes others.
///
/// ```
/// let loaded = elbowroom_files::load(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/arm.urdf"))?;
/// assert_eq!(loaded.value.robots[0].robot.links.len(), 3);
/// assert_eq!(loaded.files.len(), 1, "no SRDF beside it, and no meshes");
///
/// let faults = elbowroom_files::load("no/such/arm.urdf").expect_err("nothing there");
/// assert_eq!((faults.0.len(), faults.0[0].file.to_str()), (1, Some("no/such/arm.urdf")));
/// # Ok::<(), elbowroom_files::Faults>(())
/// ```
///
/// # Errors
/// All faults of all files together, each with its place and what to do.
pub fn load(path: impl AsRef<Path>) -> Result<Loaded<WorldDescription>, Faults> {
    world::load_world(path.as_ref(), &Options::default())
}
