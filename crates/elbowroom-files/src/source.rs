//! Where bytes come from: the disk or memory. Every `load_..._from` takes [`Files`]: what a program holds, or
//! fetches from elsewhere, is read like what lies on the disk.
//!
//! ```
//! use elbowroom_files::source::InMemory;
//! use elbowroom_files::{Options, robot::load_robot_from};
//!
//! let urdf = "<robot name='post'><link name='post'><collision>
//!     <geometry><mesh filename='package://p/a.obj'/></geometry></collision></link></robot>";
//! let mut files = InMemory::default();
//! files.0.insert("post.urdf".into(), urdf.into());
//! files.0.insert("packages/p/a.obj".into(), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".into());
//! // Where packages are; the SRDF beside the URDF, if there were one, is not wanted.
//! let options = Options { package_paths: vec!["packages".into()], no_srdf: true, ..Options::default() };
//! let loaded = load_robot_from(&files, "post.urdf".as_ref(), &options)?;
//! assert_eq!(loaded.value.links[0].shapes.len(), 1);
//! assert_eq!(loaded.packages[0].0, "p");
//! # Ok::<(), elbowroom_files::Faults>(())
//! ```

use crate::limits;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// How files are to be read. The page of [`source`](crate::source) begins with an example.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders that hold packages: `package://NAME/rest` is looked for as `DIR/NAME/rest`.
    /// The first that has NAME serves all that one file asks of it.
    pub package_paths: Vec<PathBuf>,
    /// Turn DAE files whose `up_axis` is not Z so that their up is z. Off by default, as in ROS.
    pub honour_up_axis: bool,
    /// The SRDF to use, in place of the one beside the URDF.
    pub srdf: Option<PathBuf>,
    /// Use no SRDF, even if one lies beside the URDF.
    pub no_srdf: bool,
    /// Largest mesh, scene, motion or sensor file that is read, in bytes.
    pub max_file_bytes: u64,
    /// Let a motion have columns that name no value of the model.
    pub ignore_unknown_columns: bool,
    /// How a floating or planar joint moves between two points of a trajectory in a message.
    pub transforms: TransformWays,
    /// Expand xacro files by the program `xacro`, with these arguments (`NAME:=VALUE`). `None`, the default,
    /// refuses them: then reading starts no program.
    pub xacro: Option<Vec<String>>,
    /// The program `xacro`, if it is not the first one on the path.
    pub xacro_program: Option<PathBuf>,
}

/// How joints with transforms, planar and floating ones, go between the points of a trajectory in a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransformWays {
    /// Positions go straight from point to point.
    #[default]
    Straight,
    /// Positions go by cubics with continuous accelerations, from rest to rest, as ROS 2's
    /// `cartesian_trajectory_controller` makes them. Orientations turn at constant speed.
    Cubic,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            package_paths: Vec::new(),
            honour_up_axis: false,
            srdf: None,
            no_srdf: false,
            max_file_bytes: limits::FILE_BYTES,
            ignore_unknown_columns: false,
            transforms: TransformWays::Straight,
            xacro: None,
            xacro_program: None,
        }
    }
}

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A device, a pipe, a socket.
    Special,
    /// Nothing.
    Missing,
}

/// Something that holds files.
pub trait Files {
    /// What lies at a path, links followed. Never blocks.
    fn kind(&self, path: &Path) -> Kind;
    /// The bytes of a regular file of at most `max_bytes`.
    ///
    /// # Errors
    /// Why it cannot be read, in words for a message.
    fn read(&self, path: &Path, max_bytes: u64) -> Result<Vec<u8>, String>;
    /// A name that is the same for every path to one file.
    fn identity(&self, path: &Path) -> PathBuf;
    /// The paths of what lies in a folder, in order and at most [`limits::FOLDER_ENTRIES`] of them; none if
    /// it cannot be read. Packages are found by what their manifests call them, and files whose names differ
    /// in case are named in faults, only where this tells of them.
    fn inside(&self, folder: &Path) -> Vec<PathBuf> {
        let _ = folder;
        Vec::new()
    }
    /// Whether paths are those of the disk, where other programs find the same files.
    fn is_disk(&self) -> bool {
        false
    }
}

/// The file system.
#[derive(Debug)]
pub struct Disk;

impl Files for Disk {
    fn kind(&self, path: &Path) -> Kind {
        match fs::metadata(path) {
            Ok(m) if m.is_file() => Kind::File,
            Ok(m) if m.is_dir() => Kind::Folder,
            Ok(_) => Kind::Special,
            Err(_) => Kind::Missing,
        }
    }

    fn read(&self, path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
        let metadata = fs::metadata(path).map_err(|e| e.to_string())?;
        if metadata.is_dir() {
            return Err("it is a folder".into());
        }
        // Opening a pipe blocks and a device never ends: only regular files are opened.
        if !metadata.is_file() {
            return Err("it is a device, pipe or socket, not a regular file".into());
        }
        let too_large = || format!("{TOO_LARGE} of {max_bytes} bytes");
        if metadata.len() > max_bytes {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(path).map_err(|e| e.to_string())?;
        file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        if bytes.len() as u64 > max_bytes {
            return Err(too_large());
        }
        Ok(bytes)
    }

    fn is_disk(&self) -> bool {
        true
    }

    fn identity(&self, path: &Path) -> PathBuf {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
    }

    fn inside(&self, folder: &Path) -> Vec<PathBuf> {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let names =
            fs::read_dir(here).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.file_name()));
        let mut paths: Vec<PathBuf> =
            names.take(limits::FOLDER_ENTRIES).map(|name| folder.join(name)).collect();
        paths.sort();
        paths
    }
}

/// How a refusal for size begins.
pub(crate) const TOO_LARGE: &str = "it is larger than the limit";

/// Files held in memory, by path; nothing touches the disk.
#[derive(Clone, Debug, Default)]
pub struct InMemory(pub BTreeMap<PathBuf, Vec<u8>>);

impl Files for InMemory {
    fn kind(&self, path: &Path) -> Kind {
        let path = plain_path(path);
        // The contents of a folder come right behind its name.
        match self.0.range(path.clone()..).next() {
            Some((found, _)) if *found == path => Kind::File,
            Some((found, _)) if found.starts_with(&path) => Kind::Folder,
            _ => Kind::Missing,
        }
    }

    fn read(&self, path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
        match self.0.get(&plain_path(path)) {
            Some(bytes) if bytes.len() as u64 <= max_bytes => Ok(bytes.clone()),
            Some(_) => Err(format!("{TOO_LARGE} of {max_bytes} bytes")),
            None => Err("there is no such file".into()),
        }
    }

    fn identity(&self, path: &Path) -> PathBuf {
        plain_path(path)
    }

    fn inside(&self, folder: &Path) -> Vec<PathBuf> {
        let plain = plain_path(folder);
        let below = self.0.range(plain.clone()..).take(limits::FOLDER_ENTRIES);
        let names = below.map_while(|(path, _)| Some(path.strip_prefix(&plain).ok()?.components().next()));
        let mut paths: Vec<PathBuf> = names.flatten().map(|name| folder.join(name)).collect();
        paths.dedup();
        paths
    }
}

/// The path without `.` and `..`, by text alone.
fn plain_path(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for c in path.components() {
        match c {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            c => out.push(c),
        }
    }
    out
}
