//! A compiled shape: a core plus a radius.
//!
//! Round shapes are a core swept by a ball: a sphere is a point and a radius, a capsule a segment and a
//! radius, a padded anything the thing and its padding. Distances are computed between cores, and the radii
//! are subtracted once, at the end, in `pair::narrow`.

use crate::numeric::math::Vec3;
use crate::shape::hull::Hull;
use crate::shape::mesh::Mesh;
use alloc::boxed::Box;

/// What is left of a shape when its radius is taken off. Frame: the shape's own.
#[derive(Clone, Debug)]
pub enum Core {
    /// The origin.
    Point,
    /// From `-half_length` to `+half_length` on z (metres).
    Segment {
        /// Half the length.
        half_length: f64,
    },
    /// Box about the origin.
    Box {
        /// Half extents.
        half: Vec3,
    },
    /// Flat-capped cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half the length.
        half_length: f64,
    },
    /// Cone along z, apex at `+half_length`.
    Cone {
        /// Radius of the base at `-half_length`.
        radius: f64,
        /// Half the length.
        half_length: f64,
    },
    /// Ellipsoid about the origin.
    Ellipsoid {
        /// Half axes.
        radii: Vec3,
    },
    /// A convex polytope.
    Hull(Box<Hull>),
    /// Triangles and their hull.
    Mesh {
        /// Convex hull of all vertices: every bound on it bounds the mesh from below.
        hull: Box<Hull>,
        /// The triangles.
        mesh: Box<Mesh>,
    },
}

/// A shape made ready: a core, a radius and a ball around both. Frame: the shape's own; metres.
#[derive(Clone, Debug)]
pub struct Shape {
    /// What is swept.
    #[doc(hidden)]
    pub core: Core,
    /// By how much: own rounding radius plus padding.
    pub radius: f64,
    /// Centre of a ball that contains the shape.
    pub center: Vec3,
    /// Radius of that ball, `radius` included.
    pub reach: f64,
}

impl Shape {
    /// The triangles, if the shape has any.
    #[doc(hidden)]
    pub fn mesh(&self) -> Option<&Mesh> {
        match &self.core {
            Core::Mesh { mesh, .. } => Some(mesh),
            Core::Point
            | Core::Segment { .. }
            | Core::Box { .. }
            | Core::Cylinder { .. }
            | Core::Cone { .. }
            | Core::Ellipsoid { .. }
            | Core::Hull(_) => None,
        }
    }
    /// Levels of the mesh's tree, zero without one: what [`Scratch`](crate::pair::Scratch) must be made for.
    pub fn mesh_depth(&self) -> usize {
        self.mesh().map_or(0, Mesh::depth)
    }
}
