//! Why a described shape is none.

use crate::hull_fault::HullFault;
use crate::limits::{MAX_COORDINATE, MIN_EXTENT};
use crate::mesh_fault::MeshFault;
use crate::numeral::Numeral;
use core::fmt;

/// Why a shape cannot be compiled.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeFault {
    /// An extent is not finite, not positive, or beyond what is accepted.
    Extent {
        /// Which one, in the words of [`ShapeDescription`](crate::ShapeDescription).
        what: &'static str,
        /// Its value (metres).
        value: f64,
    },
    /// The padding is negative or not finite.
    Padding {
        /// Its value (metres).
        value: f64,
    },
    /// A coordinate of a vertex is not finite or beyond 1e9 m.
    Vertex {
        /// Which vertex, from 0.
        index: usize,
        /// Its coordinates (metres).
        vertex: [f64; 3],
    },
    /// No vertices.
    NoVertices,
    /// No triangles.
    NoTriangles,
    /// A triangle names a vertex that does not exist.
    Index {
        /// Which triangle, from 0.
        triangle: usize,
        /// The index it names.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// No triangle has an area: the corners of each are collinear or equal.
    NoArea {
        /// How many triangles there are.
        triangles: usize,
    },
    /// The hull of the points could not be built.
    Hull(HullFault),
    /// A mesh could not be built of the triangles.
    Mesh(MeshFault),
}

impl fmt::Display for ShapeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeFault::Extent { what, value } => write!(
                f,
                "{what} is {}: give a number of metres above {MIN_EXTENT:e} and up to {MAX_COORDINATE:e}",
                Numeral(*value)
            ),
            ShapeFault::Padding { value } => {
                let value = Numeral(*value);
                write!(f, "padding is {value}: give a number of metres from 0 to {MAX_COORDINATE:e}")
            }
            ShapeFault::Vertex { index, vertex } => {
                let [x, y, z] = vertex.map(Numeral);
                write!(
                    f,
                    "vertex {index} is ({x}, {y}, {z}): coordinates must be finite and within \
                     {MAX_COORDINATE:e} m; repair or export the mesh again"
                )
            }
            ShapeFault::NoVertices => {
                f.write_str("there are no vertices: give at least one, or remove the shape")
            }
            ShapeFault::NoTriangles => f.write_str(
                "there are no triangles: export the mesh with faces, or describe the points as a \
                 convex shape",
            ),
            ShapeFault::Index { triangle, index, vertices } => write!(
                f,
                "triangle {triangle} names vertex {index}, but there are {vertices} (counted from 0): repair \
                 or export the mesh again"
            ),
            ShapeFault::NoArea { triangles } => write!(
                f,
                "no triangle of {triangles} has an area, all are segments or points: export the mesh again, \
                 or describe the points as a convex shape"
            ),
            ShapeFault::Hull(fault) => write!(f, "{fault}"),
            ShapeFault::Mesh(fault) => write!(f, "{fault}"),
        }
    }
}

impl core::error::Error for ShapeFault {}
