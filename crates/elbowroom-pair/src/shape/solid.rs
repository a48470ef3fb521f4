//! A compiled shape: a core plus a radius.
//!
//! A shape is a core swept by a ball. A sphere is a point and a radius, a capsule a segment and a radius;
//! padding adds to the radius of any shape. Distances are computed between cores. `pair::narrow`
//! subtracts the radii once, at the end.

use crate::numeric::tolerance::NORM_ROUNDING;
use crate::shape::hull::{Hull, Rank};
use crate::shape::mesh::Mesh;
use alloc::sync::Arc;
use elbowroom_describe::math::Vec3;

/// A shape without its radius. Frame: the shape's own.
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
    Hull(Hull),
    /// Triangles and their hull.
    Mesh {
        /// Convex hull of all vertices. A lower bound on its distance is one on the distance of the mesh.
        hull: Arc<Hull>,
        /// The triangles.
        mesh: Arc<Mesh>,
    },
}

impl Core {
    /// The polytope, if it is one; for a mesh its hull.
    #[inline(always)]
    pub fn hull(&self) -> Option<&Hull> {
        match self {
            Core::Hull(hull) => Some(hull),
            Core::Mesh { hull, .. } => Some(hull),
            Core::Point
            | Core::Segment { .. }
            | Core::Box { .. }
            | Core::Cylinder { .. }
            | Core::Cone { .. }
            | Core::Ellipsoid { .. } => None,
        }
    }
}

/// A shape made ready: a core, a radius and a ball around both. Frame: the shape's own; metres. Made by
/// [`Shape::new`] only, so its bounds hold.
#[derive(Clone, Debug)]
pub struct Shape {
    pub(crate) core: Core,
    pub(crate) radius: f64,
    pub(crate) center: Vec3,
    pub(crate) bounding_radius: f64,
}

impl Shape {
    /// A ball about the origin (metres); a radius of zero is a point. Nothing is checked: of a radius that is
    /// not a number nothing is proved.
    pub fn ball(radius: f64) -> Shape {
        Shape { core: Core::Point, radius, center: Vec3::ZERO, bounding_radius: radius }
    }
    /// The core, which a ball of [`Shape::radius`] sweeps.
    #[inline]
    pub fn core(&self) -> &Core {
        &self.core
    }
    /// The radius around the core: of a sphere or capsule, plus padding.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }
    /// The shape of this core and another radius around it (metres).
    pub fn with_radius(&self, radius: f64) -> Shape {
        let bounding_radius = (self.bounding_radius + (radius - self.radius)) * (1.0 + NORM_ROUNDING);
        Shape { core: self.core.clone(), radius, center: self.center, bounding_radius }
    }
    /// The shape with the hull of its triangles in their place; any other as it is.
    #[must_use]
    pub fn hull_of_mesh(self) -> Shape {
        match self.core {
            Core::Mesh { hull, .. } => Shape { core: Core::Hull(Hull::clone(&hull)), ..self },
            _ => self,
        }
    }
    /// The centre of a ball that contains the shape.
    #[inline]
    pub fn center(&self) -> Vec3 {
        self.center
    }
    /// The radius of that ball, rounded up.
    #[inline]
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }
    /// Whether it has an inside: not a mesh that is open, nor what lies in a plane.
    pub fn has_inside(&self) -> bool {
        match &self.core {
            Core::Mesh { mesh, .. } => mesh.is_closed(),
            Core::Hull(hull) => hull.rank() == Rank::Solid,
            _ => true,
        }
    }
    /// The triangles, if the shape has any.
    #[inline]
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
    /// Makes what was left for the first question
    /// ([`Preparation::OnDemand`](crate::shape::compile::Preparation)).
    pub fn prepare_all(&self) {
        if let Some(mesh) = self.mesh() {
            mesh.make_node_hulls();
        }
    }
    /// Levels of the mesh's tree, zero without one: what [`Scratch`](crate::Scratch) must be made for.
    pub fn mesh_depth(&self) -> usize {
        self.mesh().map_or(0, Mesh::depth)
    }
}
