//! Why triangles are no mesh.

use crate::limits::MESH_COORDINATE_LIMIT;
use core::fmt;

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

impl fmt::Display for MeshFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
