//! Point clouds: PCD, PLY, NPY and text, told apart by what they hold, not by what they are called.
//!
//! Points are read in the file's own frame and unit, normally metres. Nothing else of a cloud is kept:
//! colours, normals and faces are passed over.
//!
//! ```
//! use elbowroom_files::{Options, cloud::load_cloud_from, source::InMemory};
//!
//! let mut files = InMemory::default();
//! let text = "# x y z intensity\n0.5 0 1.25 17\n0.5 0.01 1.25 16\nnan nan nan 0\n";
//! files.0.insert("scan.xyz".into(), text.into());
//! let scan = load_cloud_from(&files, "scan.xyz".as_ref(), &Options::default())?;
//! assert_eq!(scan.value.points, [[0.5, 0.0, 1.25], [0.5, 0.01, 1.25]]);
//! // The last ray hit nothing, so it gives no point. It is counted, and a warning says so.
//! assert_eq!((scan.value.not_finite, scan.warnings.len()), (1, 1));
//! # Ok::<(), elbowroom_files::Faults>(())
//! ```
//!
//! - PCD: versions 0.5 to 0.7, as text, binary or compressed; fields in any order and of any type.
//! - PLY: text, and binary of both byte orders; the element `vertex` with its properties `x`, `y` and `z`.
//! - NPY: float32 or float64, a point a row; the first three columns.
//! - Text: a point a line, with white space, commas or semicolons between its numbers. The columns titled
//!   `x`, `y` and `z` are read; without titles, the first three.

mod array;
mod lzf;
mod pcd;
mod ply;
mod points;
mod text;

use crate::fault::{Faults, Loaded, Log};
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use elbowroom::math::Transform;
use std::path::Path;

/// Points that a sensor saw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointCloud {
    /// The points, all finite, in the order of the file.
    pub points: Vec<[f64; 3]>,
    /// How many points were left out because a coordinate is not a finite number. Depth cameras write such
    /// points where they saw nothing.
    pub not_finite: usize,
    /// Where the sensor was, in the frame of the points, if the file tells it. The points are not moved by
    /// it.
    pub viewpoint: Option<Transform>,
}

/// Reads a cloud from the disk.
///
/// Points that are not finite are a warning; a viewpoint that is not the identity is one too.
///
/// # Errors
/// All faults of the file, or that it is too large. A file without a finite point is refused, and so is one
/// with points beyond a million kilometres, which no world has room for.
pub fn load_cloud(path: &Path, options: &Options) -> Result<Loaded<PointCloud>, Faults> {
    load_cloud_from(&Disk, path, options)
}

/// Reads a cloud from any [`Files`].
///
/// # Errors
/// See [`load_cloud`].
pub fn load_cloud_from(
    files: &dyn Files,
    path: &Path,
    options: &Options,
) -> Result<Loaded<PointCloud>, Faults> {
    Session::load_alone(files, path, options, |bytes, log| parse_cloud(path, bytes, log))
}

fn parse_cloud(path: &Path, bytes: &[u8], log: &mut Log) -> Option<PointCloud> {
    let before = log.fault_count();
    let (points, viewpoint) = match detect_cloud_format(path, bytes) {
        CloudFormat::Pcd => pcd::read(path, bytes, log)?,
        CloudFormat::Ply => (ply::read(path, bytes, log)?, None),
        CloudFormat::Npy => (array::read(path, bytes, log)?, None),
        CloudFormat::Text => (text::read(path, bytes, log)?, None),
        CloudFormat::Other(what) => {
            log.add_fault(path, "", what, "give a point cloud as PCD, PLY, NPY or text");
            return None;
        }
    };
    points.fault_far(path, log);
    if log.fault_count() > before {
        return None;
    }
    let (finite, left_out) = (points.finite.len(), points.not_finite);
    if finite == 0 {
        let what = match left_out {
            0 => "holds no point".to_string(),
            n => format!("none of its {n} points is finite"),
        };
        log.add_fault(path, "", what, "give a cloud with points");
        return None;
    }
    if left_out > 0 {
        let verb = if left_out == 1 { "is" } else { "are" };
        let what = format!("{left_out} of {} points {verb} not finite and left out", finite + left_out);
        let first = if left_out == 1 { "it is" } else { "the first is" };
        log.add_warning(path, "", what, format!("{first} {}", points.first_not_finite));
    }
    Some(PointCloud { points: points.finite, not_finite: left_out, viewpoint })
}

enum CloudFormat {
    Pcd,
    Ply,
    Npy,
    Text,
    Other(&'static str),
}

/// How files of other formats begin that may be given by mistake, and what they are.
const OTHERS: [(&[u8], &str); 12] = [
    (b"# Octomap", "this is an OctoMap, not a point cloud"),
    (b"LASF", "this is a LAS or LAZ file, which is not supported"),
    (b"ASTM-E57", "this is an E57 file, which is not supported"),
    (b"PK\x03\x04", "this is a ZIP archive (NPZ?), which is not supported"),
    (b"\x89PNG", "this is a picture, not a point cloud"),
    (b"#ROSBAG", "this is a ROS bag, which is not supported"),
    (b"\x89MCAP", "this is an MCAP file, which is not supported"),
    (b"SQLite format 3", "this is a database (a ROS 2 bag?), which is not supported"),
    (b"# vtk", "this is a VTK file, which is not supported"),
    (b"glTF", "this is a binary glTF file, which is not supported"),
    (b"version https://git-lfs", "this is a Git LFS pointer, not the cloud itself; run `git lfs pull`"),
    (b"solid", "this is a mesh (STL), not a point cloud"),
];

/// The format of the bytes. The file's name decides only where the bytes do not.
fn detect_cloud_format(path: &Path, bytes: &[u8]) -> CloudFormat {
    if bytes.is_empty() {
        return CloudFormat::Other("this file is empty");
    }
    if bytes.starts_with(crate::npy::MAGIC) {
        return CloudFormat::Npy;
    }
    if let Some((_, what)) = OTHERS.iter().find(|(start, _)| bytes.starts_with(start)) {
        return CloudFormat::Other(what);
    }
    if bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r") || bytes == b"ply" {
        return CloudFormat::Ply;
    }
    if pcd::looks_like_pcd(bytes) {
        return CloudFormat::Pcd;
    }
    match path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).as_deref() {
        Some("pcd") => CloudFormat::Pcd,
        Some("ply") => CloudFormat::Other("is not a PLY file: its first line is not `ply`"),
        Some("npy") => CloudFormat::Other("is not an NPY file"),
        _ if bytes.iter().take(4096).any(|&b| b == 0) => {
            CloudFormat::Other("is neither text nor a point cloud of a format that is read")
        }
        _ => CloudFormat::Text,
    }
}
