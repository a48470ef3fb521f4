//! Triangles with their tree: what a mesh is once it is made.

use crate::numeric::heap_bytes::heap_bytes;
use crate::numeric::math::Vec3;
use crate::shape::mesh::surface::{Seams, Shells};
use crate::shape::mesh::tree::Node;
use crate::shape::tolerance::MESH_COORDINATE_LIMIT;
use crate::shape::triangle::Triangle;
use alloc::boxed::Box;
use alloc::vec::Vec;
/// Why a mesh was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFault {
    /// There is no triangle.
    Empty,
    /// More triangles than can be numbered.
    TooMany {
        /// How many there are.
        triangles: usize,
    },
    /// A triangle names a vertex that does not exist.
    IndexOutOfRange {
        /// Which triangle.
        triangle: usize,
        /// The index it names.
        index: u32,
    },
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// Which vertex.
        vertex: usize,
    },
    /// A coordinate is beyond 1e12 m.
    TooFar {
        /// Which vertex.
        vertex: usize,
    },
}

impl core::fmt::Display for MeshFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            MeshFault::Empty => write!(f, "the mesh has no triangles"),
            MeshFault::TooMany { triangles } => write!(f, "{triangles} triangles are too many for one mesh"),
            MeshFault::IndexOutOfRange { triangle, index } => {
                write!(f, "triangle {triangle} names vertex {index}, which does not exist")
            }
            MeshFault::NotFinite { vertex } => {
                write!(f, "vertex {vertex} has a coordinate that is not a number")
            }
            MeshFault::TooFar { vertex } => {
                write!(f, "vertex {vertex} lies more than {MESH_COORDINATE_LIMIT:e} m from the origin")
            }
        }
    }
}

impl core::error::Error for MeshFault {}

/// A piece of the surface that hangs together by shared vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// One of its vertices.
    pub(crate) vertex: Vec3,
}

/// Triangles with a bounding-volume hierarchy. Frame: the mesh's own; metres. Immutable.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Corners, in the order of the tree's leaves.
    pub(crate) triangles: Vec<Triangle>,
    /// What each triangle adds to the winding number (see [`closed`]), in the same order.
    pub(crate) turns: Vec<i8>,
    /// Number of each triangle in the caller's list, in the same order.
    pub(crate) sources: Vec<u32>,
    /// The tree; node 0 holds the root's box and nothing else.
    pub(crate) nodes: Vec<Node>,
    /// Levels of the tree, node 0 included.
    pub(crate) depth: usize,
    /// Centre of the box around all triangles: the tree's coordinates are relative to it.
    pub(crate) origin: Vec3,
    /// Half extents of that box, rounded up.
    pub(crate) half: Vec3,
    /// No vertex is farther from `origin`.
    pub(crate) reach: f64,
    /// No vertex is farther from the frame's origin.
    pub(crate) extent: f64,
    pub(crate) parts: Vec<Part>,
    pub(crate) shells: Shells,
    /// What closes its cracks, if it has any.
    pub(crate) seams: Option<Box<Seams>>,
    pub(crate) doubtful: bool,
}

impl Mesh {
    /// Bytes it holds beside itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        let seams = |s: &Seams| {
            size_of_val(s)
                + heap_bytes(&s.triangles)
                + heap_bytes(&s.turns)
                + heap_bytes(&s.shells)
                + heap_bytes(&s.nodes)
        };
        heap_bytes(&self.triangles)
            + heap_bytes(&self.turns)
            + heap_bytes(&self.sources)
            + heap_bytes(&self.nodes)
            + heap_bytes(&self.parts)
            + self.seams.as_deref().map_or(0, seams)
    }

    /// True if every triangle that bounds something belongs to a closed surface or lies in what one encloses,
    /// so that the mesh is the solid it bounds.
    pub fn is_closed(&self) -> bool {
        self.shells.open == 0 && self.encloses()
    }
    /// True if some part of the surface encloses a volume.
    pub fn encloses(&self) -> bool {
        self.shells.wound + self.shells.parity > 0
    }
    /// Half the width (metres) of the widest crack that had to be closed for the mesh to be solid; 0 if none.
    /// A point no farther from the surface than this is on neither side of it. See `closed`.
    pub fn crack(&self) -> f64 {
        self.seams.as_ref().map_or(0.0, |s| s.width)
    }
    /// How many triangles there are.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }
    /// Corners of a triangle by its place in the tree, as in
    /// [`MeshGap::triangles`](crate::pair::mesh::MeshGap::triangles) (metres, the mesh's frame).
    pub fn triangle(&self, leaf: u32) -> Option<&Triangle> {
        self.triangles.get(leaf as usize)
    }
    /// Number in the caller's list of the triangle at a place in the tree.
    pub fn source(&self, leaf: u32) -> Option<u32> {
        self.sources.get(leaf as usize).copied()
    }
    /// Levels of the tree; what [`MeshScratch`](crate::pair::mesh::MeshScratch) must be sized for.
    pub fn depth(&self) -> usize {
        self.depth
    }
    /// Centre and half extents (metres) of a box that contains the mesh.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.origin, self.half)
    }
    /// True if a point (the mesh's frame) lies in the box around the mesh, or no farther than `give` from it.
    pub(crate) fn box_contains(&self, p: Vec3, give: f64) -> bool {
        let d = (p - self.origin).abs();
        let h = self.half;
        d.x <= h.x + give && d.y <= h.y + give && d.z <= h.z + give
    }
}
