//! A robot from its URDF, its meshes and its SRDF.
//!
//! ```
//! use elbowroom_files::{Options, robot::load_robot};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/arm.urdf");
//! let robot = load_robot(path.as_ref(), &Options::default())?.value;
//! let joints: Vec<&str> = robot.joints.iter().map(|joint| &*joint.name).collect();
//! assert_eq!(joints, ["shoulder", "elbow"]);
//! assert!(robot.disabled_pairs.is_empty(), "no SRDF lies beside it");
//! # Ok::<(), elbowroom_files::Faults>(())
//! ```
//!
//! The page of [`source`](crate::source) reads one from memory.

use crate::fault::{Faults, Loaded};
use crate::session::Session;
use crate::source::{Disk, Files, Kind, Options};
use crate::xacro::is_for_xacro;
use crate::xacro::refuse_unknown_names;
use crate::{srdf, urdf};
use elbowroom::describe::RobotDescription;
use std::path::Path;

/// Reads a URDF with its meshes, and the SRDF beside it (same name, `.srdf`) or the one the options name.
///
/// Lengths in metres, angles in radians. Meshes become `ShapeDescription::Mesh`, one copy for each use.
///
/// # Errors
/// All faults of the URDF, its meshes and its SRDF together.
pub fn load_robot(path: &Path, options: &Options) -> Result<Loaded<RobotDescription>, Faults> {
    load_robot_from(&Disk, path, options)
}

/// [`load_robot`] from any [`Files`].
///
/// # Errors
/// See [`load_robot`].
pub fn load_robot_from(
    files: &dyn Files,
    path: &Path,
    options: &Options,
) -> Result<Loaded<RobotDescription>, Faults> {
    let mut session = Session::new(files, options);
    let srdf = srdf_of(&session, path);
    let robot = read(&mut session, path, srdf.as_deref());
    refuse_unknown_names(&mut session);
    robot.iter().for_each(|robot| session.name_rates(&robot.name));
    session.finish(robot.ok())
}

/// The SRDF that goes with a URDF under the session's options.
pub(crate) fn srdf_of(session: &Session<'_>, path: &Path) -> Option<std::path::PathBuf> {
    if session.options.no_srdf {
        return None;
    }
    if let Some(named) = &session.options.srdf {
        return Some(named.clone());
    }
    // `arm.urdf.xacro` goes with `arm.srdf`.
    let stem = if is_for_xacro(path) { path.with_extension("") } else { path.to_path_buf() };
    let beside = stem.with_extension("srdf");
    (beside != path && session.files.kind(&beside) != Kind::Missing).then_some(beside)
}

/// Reads URDF and SRDF; after at least one fault, what the robot calls itself, as far as that could be read.
pub(crate) fn read(
    session: &mut Session<'_>,
    path: &Path,
    srdf: Option<&Path>,
) -> Result<RobotDescription, Option<String>> {
    session.robot_rates.clear();
    let before = session.log.fault_count();
    let mut robot = urdf::read(session, path)?;
    if let Some(srdf) = srdf {
        srdf::read(session, srdf, &mut robot);
        session.srdfs.insert(srdf.to_path_buf());
    }
    if session.log.fault_count() == before { Ok(robot) } else { Err(Some(robot.name)) }
}
