//! SRDFs of a robot that lie where ROS packages keep them, near its URDF: hints for a person, never used by
//! themselves.
//!
//! ```
//! let urdf = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/arm.urdf");
//! for srdf in elbowroom_files::near::find_srdfs(urdf.as_ref(), "arm") {
//!     println!("did you mean to use {}?", srdf.display());
//! }
//! ```

use crate::fault::Log;
use crate::limits;
use crate::source::{Disk, Files};
use crate::xml::XmlText;
use std::path::{Component, Path, PathBuf};

/// Folders that hold SRDFs, seen from that of the URDF and from the one above it.
const FOLDERS: [&str; 3] = ["", "srdf", "config"];

/// The SRDFs for a robot of this name that are found beside its URDF, in the folders `srdf` and `config`
/// there and beside it, and in `config` of a MoveIt package (`*moveit*`) beside the URDF's package, or of one
/// in a folder of such packages there. In order of their paths.
pub fn find_srdfs(urdf: &Path, robot: &str) -> Vec<PathBuf> {
    let home = urdf.parent().unwrap_or(Path::new(""));
    let package = folder_above(home);
    let mut folders: Vec<PathBuf> =
        [home, &package].iter().flat_map(|at| FOLDERS.iter().map(|folder| at.join(folder))).collect();
    let moveit = |path: &PathBuf| path.file_name().is_some_and(|n| n.to_string_lossy().contains("moveit"));
    for packages in [home, &package, &folder_above(&package)] {
        for folder in folder_contents(packages).into_iter().filter(moveit) {
            let below = folder_contents(&folder).into_iter().filter(|p| p.extension().is_none());
            folders.extend(below.flat_map(|p| [p.join("config"), p]));
        }
    }
    let is_srdf = |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("srdf"));
    let files =
        folders.iter().flat_map(|folder| folder_contents(folder)).filter(is_srdf).take(limits::NEAR_FILES);
    let mut found: Vec<PathBuf> = files.filter(|path| is_srdf_for(path, robot)).collect();
    found.sort();
    // One file by several paths is told once.
    let mut seen = Vec::new();
    found.retain(|path| {
        let identity = Disk.identity(path);
        let new = !seen.contains(&identity);
        seen.push(identity);
        new
    });
    found
}

/// The folder above one, by the shorter name if that is the same.
fn folder_above(folder: &Path) -> PathBuf {
    let long = if folder.as_os_str().is_empty() { PathBuf::from("..") } else { folder.join("..") };
    let named = matches!(folder.components().next_back(), Some(Component::Normal(_)));
    match folder.parent().filter(|_| named) {
        Some(short) if Disk.identity(&openable_folder(short)) == Disk.identity(&long) => short.to_path_buf(),
        _ => long,
    }
}

/// A folder as it can be opened: the empty path is the present one.
fn openable_folder(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_path_buf() }
}

/// The contents of a folder, in order; none if it cannot be read.
fn folder_contents(folder: &Path) -> Vec<PathBuf> {
    let names = std::fs::read_dir(openable_folder(folder))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name()));
    let mut paths: Vec<PathBuf> = names.take(10 * limits::NEAR_FILES).map(|name| folder.join(name)).collect();
    paths.sort();
    paths
}

/// Whether a file is an SRDF that names this robot.
fn is_srdf_for(path: &Path, robot: &str) -> bool {
    let Ok(bytes) = Disk.read(path, limits::NEAR_BYTES) else { return false };
    let mut log = Log::default();
    let Some(text) = XmlText::new(path, &bytes, &mut log) else { return false };
    let document = text.parse(&mut log);
    document.is_some_and(|d| {
        let root = d.root_element();
        root.tag_name().name() == "robot" && root.attribute("name") == Some(robot)
    })
}
