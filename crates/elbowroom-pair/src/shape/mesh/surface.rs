//! The analysis of a surface: its shells and seams.

use crate::shape::mesh::tree::Node;
use crate::shape::triangle::Triangle;
use alloc::boxed::Box;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// Numbers of shells of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shells {
    /// Closed, with a consistent winding.
    pub wound: u32,
    /// Closed, without a consistent winding.
    pub parity: u32,
    /// Not closed: pieces that are connected by edges, sheets included.
    pub open: u32,
}

/// `winding` of the triangles of the first parity shell; further parity shells have the next numbers.
/// Triangles of wound shells have ±1, of open shells 0.
pub(crate) const PARITY: i8 = 2;

/// Triangles that close cracks, with their own tree. They count only in deciding what is inside.
#[derive(Clone, Debug)]
pub(crate) struct Seams {
    pub(crate) triangles: Vec<Triangle>,
    /// Their windings, as for the triangles of the mesh.
    pub(crate) winding: Vec<i8>,
    /// The shell that each closes.
    pub(crate) shells: Vec<u32>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) origin: Vec3,
    /// Largest distance of their points from the triangles of the mesh (metres, rounded up).
    pub(crate) width: f64,
}

/// The result of the analysis; triangles are numbered as given.
pub(crate) struct MeshSurface {
    /// What each triangle adds to the winding number where a ray leaves through its front.
    pub(crate) winding: Vec<i8>,
    /// One triangle of each piece that is connected by vertices.
    pub(crate) pieces: Vec<u32>,
    pub(crate) shells: Shells,
    /// Shell of each triangle.
    pub(crate) shell_of: Vec<u32>,
    /// Shells of negative volume as they were wound in the file, each with one of its triangles.
    pub(crate) inverted: Vec<(u32, u32)>,
    pub(crate) seams: Option<Box<Seams>>,
    /// Layers may cancel out: only a point that sees the outside is outside.
    pub(crate) doubtful: bool,
    /// For each sheet that closes nothing: the piece that it is connected with, and one triangle.
    pub(crate) sheets: Vec<(u32, u32)>,
}

/// The analysis in progress.
pub(super) struct Analysis<'a> {
    pub(super) triangles: &'a [Triangle],
    /// Merged corners, three a triangle.
    pub(super) merged: &'a [u32],
    pub(super) vertices: &'a [Vec3],
    pub(super) radius: f64,
    pub(super) winding: Vec<i8>,
    pub(super) shell_of: Vec<u32>,
    /// Whether a shell keeps the winding of the file, by the number of its first triangle.
    pub(super) wound: Vec<bool>,
    pub(super) shells: Shells,
    pub(super) seams: Vec<Triangle>,
    /// Shell and winding of each seam.
    pub(super) seam_of: Vec<(u32, i8)>,
    pub(super) width: f64,
    /// Some shells are the boundaries of cavities.
    pub(super) has_cavities: bool,
    /// Triangles between two cavities.
    pub(super) walls: Vec<bool>,
}
