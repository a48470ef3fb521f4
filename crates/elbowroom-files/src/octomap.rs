//! OctoMap files: `.bt`, which tells occupied from free, and `.ot`, which has a probability for each cell.
//!
//! A map is a tree of cubes. Its root spans 65536 cells of the finest level along each axis, about the
//! origin, and every level halves the edge. A cube whose eight parts are alike is one cell, of whatever size.
//! Space in no cell was never seen: it is unknown, not free.
//!
//! ```
//! use elbowroom_files::{Options, octomap::load_octomap_from, source::InMemory};
//!
//! // The root's first part is free and its last occupied; the six between were not seen.
//! let mut bytes = b"# Octomap OcTree binary file\nid OcTree\nsize 3\nres 0.125\ndata\n".to_vec();
//! bytes.extend([0b0000_0001, 0b1000_0000]);
//! let mut files = InMemory::default();
//! files.0.insert("room.bt".into(), bytes);
//! let map = load_octomap_from(&files, "room.bt".as_ref(), &Options::default())?.value;
//! assert_eq!((map.resolution, map.free.len(), map.occupied.len()), (0.125, 1, 1));
//! assert_eq!((map.occupied[0].centre, map.occupied[0].edge), ([2048.0; 3], 4096.0));
//! # Ok::<(), elbowroom_files::Faults>(())
//! ```

mod header;
mod map;
mod tree;
mod unknown;

pub use map::{Cell, OctoMap};

use crate::fault::{Faults, Loaded, Log};
use crate::lines::Head;
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use std::path::Path;

/// Reads a map from the disk, of the kinds OcTree, ColorOcTree and OcTreeStamped.
///
/// # Errors
/// All faults of the file, or that it is too large. A map without a cell is refused.
pub fn load_octomap(path: &Path, options: &Options) -> Result<Loaded<OctoMap>, Faults> {
    load_octomap_from(&Disk, path, options)
}

/// Reads a map from any [`Files`].
///
/// # Errors
/// See [`load_octomap`].
pub fn load_octomap_from(
    files: &dyn Files,
    path: &Path,
    options: &Options,
) -> Result<Loaded<OctoMap>, Faults> {
    Session::load_alone(files, path, options, |bytes, log| parse(path, bytes, log))
}

fn parse(path: &Path, bytes: &[u8], log: &mut Log) -> Option<OctoMap> {
    let mut head = Head::new(bytes);
    let header = header::read(path, &mut head, log)?;
    tree::read(path, &head, &header, log)
}
