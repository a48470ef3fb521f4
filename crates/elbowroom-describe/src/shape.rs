//! Shapes as plain, unchecked values.

use alloc::vec::Vec;

/// A shape in its own frame (metres). The words are those of world files and JSON cases.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum ShapeDescription {
    /// Ball about the origin.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// Box about the origin.
    Box {
        /// Full extents along x, y, z.
        size: [f64; 3],
    },
    /// All points within `radius` of the segment from `-length/2` to `+length/2` on z.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of the segment, without the caps.
        length: f64,
    },
    /// Flat-capped cylinder along z about the origin.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Full length.
        length: f64,
    },
    /// Cone along z: base at `-length/2`, apex at `+length/2`.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Full length.
        length: f64,
    },
    /// Ellipsoid about the origin.
    Ellipsoid {
        /// Half axes along x, y, z.
        radii: [f64; 3],
    },
    /// The convex hull of points.
    Convex {
        /// The points; at least one.
        vertices: Vec<[f64; 3]>,
    },
    /// Triangles: a solid if they close, a surface otherwise.
    Mesh {
        /// Corner points.
        vertices: Vec<[f64; 3]>,
        /// Three indices into `vertices` each.
        triangles: Vec<[u32; 3]>,
    },
}

impl ShapeDescription {
    /// The radius around its core, without padding (metres): that of a sphere or a capsule, otherwise zero.
    pub fn own_radius(&self) -> f64 {
        match self {
            ShapeDescription::Sphere { radius } | ShapeDescription::Capsule { radius, .. } => *radius,
            ShapeDescription::Box { .. }
            | ShapeDescription::Cylinder { .. }
            | ShapeDescription::Cone { .. }
            | ShapeDescription::Ellipsoid { .. }
            | ShapeDescription::Convex { .. }
            | ShapeDescription::Mesh { .. } => 0.0,
        }
    }
}
