//! A finished mesh: triangles with their tree.

use crate::shape::mesh::node_hulls::NodeHulls;
use crate::shape::mesh::on_demand::HullsOnDemand;
use crate::shape::mesh::surface::{Seams, Shells};
use crate::shape::mesh::tree::Node;
use crate::shape::triangle::Triangle;
use alloc::boxed::Box;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// A piece of the surface that is connected by shared vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeshPiece {
    /// One of its vertices.
    pub(crate) vertex: Vec3,
}

/// Triangles with a BVH. Frame: the mesh's own; metres. Immutable.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Corners, in the order of the tree's leaves.
    pub triangles: Vec<Triangle>,
    /// What each triangle adds to the winding number (see [`super::closed`]), in the same order.
    pub(crate) winding: Vec<i8>,
    /// Index of each triangle in the caller's list, in the same order.
    pub(crate) sources: Vec<u32>,
    /// The tree; node 0 holds the root's box and nothing else.
    pub nodes: Vec<Node>,
    /// The convex hulls of the nodes.
    pub(super) hulls: HullsOnDemand,
    /// Levels of the tree, node 0 included.
    pub(crate) depth: usize,
    /// Centre of the box around all triangles: the tree's coordinates are relative to it.
    pub(crate) origin: Vec3,
    /// Half extents of that box, rounded up.
    pub(crate) half: Vec3,
    /// Largest distance of a vertex from `origin`, rounded up.
    pub radius: f64,
    /// Largest distance of a vertex from the frame's origin, rounded up.
    pub extent: f64,
    pub(crate) pieces: Vec<MeshPiece>,
    pub(crate) shells: Shells,
    /// The triangles that close its cracks.
    pub(crate) seams: Option<Box<Seams>>,
    pub(crate) doubtful: bool,
    /// If the solid is convex but for the rounding of its file: by how much its hull extends, at most, beyond
    /// a convex body inside it (metres).
    pub(crate) hollow: Option<f64>,
}

impl Mesh {
    /// Whether the mesh is the solid that it bounds: every triangle belongs to a closed surface, or lies
    /// inside one.
    pub fn is_closed(&self) -> bool {
        self.shells.open == 0 && self.encloses_volume()
    }
    /// Whether some piece of the surface encloses a volume.
    pub fn encloses_volume(&self) -> bool {
        self.shells.wound + self.shells.parity > 0
    }
    /// Half the width (metres) of the widest crack that was closed to make the mesh solid; 0 without cracks.
    /// For a point no farther from the surface than this it is not known on which side it lies. See `closed`.
    pub fn crack_half_width(&self) -> f64 {
        self.seams.as_ref().map_or(0.0, |s| s.width)
    }
    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }
    /// Corners of a triangle by its index in the tree, as in
    /// [`MeshGap::triangles`](crate::pair::mesh::MeshGap::triangles) (metres, the mesh's frame).
    pub fn triangle(&self, leaf: u32) -> Option<&Triangle> {
        self.triangles.get(leaf as usize)
    }
    /// Whether a triangle, given by its index in the tree, is part of a surface that encloses something.
    pub(crate) fn has_inside_at(&self, leaf: u32) -> bool {
        self.winding.get(leaf as usize).is_some_and(|winding| *winding != 0)
    }
    /// Index in the caller's list of a triangle, given by its index in the tree.
    pub fn source_index(&self, leaf: u32) -> Option<u32> {
        self.sources.get(leaf as usize).copied()
    }
    /// The convex hulls of the tree's nodes. The first call makes them, where that was left for later.
    #[inline(always)]
    pub fn node_hulls(&self) -> &NodeHulls {
        self.hulls.get_or_make(&self.nodes, &self.triangles)
    }
    /// Makes the hulls of the nodes now, so that no question does.
    pub(crate) fn make_node_hulls(&self) {
        self.hulls.make_now(&self.nodes, &self.triangles);
    }
    /// Levels of the tree, for the size of [`MeshScratch`](crate::pair::mesh::MeshScratch).
    pub fn depth(&self) -> usize {
        self.depth
    }
    /// Centre and half extents (metres) of a box that contains the mesh.
    pub fn bounding_box(&self) -> (Vec3, Vec3) {
        (self.origin, self.half)
    }
    /// Whether a point (the mesh's frame) lies in the box around the mesh, or at most `slack` outside along
    /// each axis.
    pub(crate) fn box_contains(&self, p: Vec3, slack: f64) -> bool {
        let d = (p - self.origin).abs();
        let h = self.half;
        d.x <= h.x + slack && d.y <= h.y + slack && d.z <= h.z + slack
    }
}
