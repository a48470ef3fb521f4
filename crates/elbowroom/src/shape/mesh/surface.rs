//! What is found of a surface: its shells, its seams, and the work on them.

use crate::numeric::math::Vec3;
use crate::shape::mesh::tree::Node;
use crate::shape::triangle::Triangle;
use alloc::boxed::Box;
use alloc::vec::Vec;
/// How many shells there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shells {
    /// Closed, with a consistent winding.
    pub wound: u32,
    /// Closed, without one.
    pub parity: u32,
    /// Not closed: pieces that hang together by edges, sheets included.
    pub open: u32,
}

/// `turns` of the triangles of the first parity shell, and one more for each further; ±1 belong to wound
/// shells, 0 to open ones.
pub(crate) const PARITY: i8 = 2;

/// Triangles that close cracks, with their own tree. They count where something is inside, and nowhere else.
#[derive(Clone, Debug)]
pub(crate) struct Seams {
    pub(crate) triangles: Vec<Triangle>,
    /// As those of the mesh.
    pub(crate) turns: Vec<i8>,
    /// The shell that each closes.
    pub(crate) shells: Vec<u32>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) origin: Vec3,
    /// None of their points is farther than this from the triangles of the mesh (metres, rounded up).
    pub(crate) width: f64,
}

/// What [`analyse`] finds; triangles are numbered as given.
pub(crate) struct Surface {
    /// What each triangle adds to the winding number where a ray leaves through its front.
    pub(crate) turns: Vec<i8>,
    /// One triangle of each part that hangs together by vertices.
    pub(crate) parts: Vec<u32>,
    pub(crate) shells: Shells,
    /// Shell of each triangle.
    pub(crate) shell_of: Vec<u32>,
    /// Shells of negative volume as they were wound in the file, each with one of its triangles.
    pub(crate) inverted: Vec<(u32, u32)>,
    pub(crate) seams: Option<Box<Seams>>,
    /// Layers may cancel out: outside is only what sees the outside.
    pub(crate) doubtful: bool,
    /// One triangle of each sheet that closes nothing, with the piece that it hangs together with.
    pub(crate) sheets: Vec<(u32, u32)>,
}

/// Shells as they are found.
pub(super) struct Found<'a> {
    pub(super) triangles: &'a [Triangle],
    /// Merged corners, three a triangle.
    pub(super) merged: &'a [u32],
    pub(super) vertices: &'a [Vec3],
    pub(super) reach: f64,
    pub(super) turns: Vec<i8>,
    pub(super) shell_of: Vec<u32>,
    /// As wound in the file, by the first triangle.
    pub(super) wound: Vec<bool>,
    pub(super) shells: Shells,
    pub(super) seams: Vec<Triangle>,
    /// Shell and turn of each seam.
    pub(super) seam_of: Vec<(u32, i8)>,
    pub(super) width: f64,
    /// Some shells are the outsides of rooms.
    pub(super) roomy: bool,
    /// Triangles that lie between rooms.
    pub(super) walls: Vec<bool>,
}
