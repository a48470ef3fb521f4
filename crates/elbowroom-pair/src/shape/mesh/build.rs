//! Building a mesh from vertices and triangles.

use super::data::{Mesh, MeshPiece};
use super::on_demand::HullsOnDemand;
use super::{closed, outward, sheets, tree};
use crate::numeric::parallel;
use crate::shape::triangle::Triangle;
use alloc::vec::Vec;
use elbowroom_describe::fault::MeshFault;
use elbowroom_describe::limits::MESH_COORDINATE_LIMIT;
use elbowroom_describe::math::Vec3;

impl Mesh {
    /// Checks vertices (metres) and triangles (three vertex numbers each), and builds the tree, in n log n
    /// time.
    ///
    /// The winding of triangles matters only where it is consistent; `closed` says which surfaces are
    /// solid.
    ///
    /// # Errors
    /// No triangles, too many, an index without a vertex, a coordinate that is not finite or beyond 1e12 m.
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<Mesh, MeshFault> {
        if triangles.is_empty() {
            return Err(MeshFault::Empty);
        }
        if triangles.len() > tree::TRIANGLE_LIMIT {
            return Err(MeshFault::TooMany { triangles: triangles.len() });
        }
        for (vertex, v) in vertices.iter().enumerate() {
            if !v.is_finite() {
                return Err(MeshFault::NotFinite { vertex });
            }
            if v.max_abs() > MESH_COORDINATE_LIMIT {
                return Err(MeshFault::TooFar { vertex });
            }
        }
        for (triangle, t) in triangles.iter().enumerate() {
            if let Some(&index) = t.iter().find(|&&i| i as usize >= vertices.len()) {
                return Err(MeshFault::IndexOutOfRange { triangle, index });
            }
        }
        let corners: Vec<Triangle> = triangles.iter().map(|t| t.map(|i| vertices[i as usize])).collect();
        let extent = tree::Extent::around_triangles(&corners);
        let searched = || {
            let built = tree::build(&corners, &extent);
            let ordered: Vec<Triangle> = built.order.iter().map(|&i| corners[i as usize]).collect();
            (built, ordered)
        };
        let ((built, triangles), surface) = parallel::both(searched, || {
            closed::analyse_surface(vertices, triangles, &corners, extent.radius)
        });
        let sources = built.order;
        let mut mesh = Mesh {
            hulls: HullsOnDemand::plan_hulls(&built.nodes, &triangles),
            triangles,
            winding: sources.iter().map(|&i| surface.winding[i as usize]).collect(),
            sources,
            nodes: built.nodes,
            depth: built.depth,
            origin: extent.origin,
            half: extent.half,
            radius: extent.radius,
            extent: extent.reach,
            pieces: surface.pieces.iter().map(|&i| MeshPiece { vertex: corners[i as usize][0] }).collect(),
            shells: surface.shells,
            seams: surface.seams,
            doubtful: surface.doubtful,
            hollow: None,
        };
        outward::settle_voids(&mut mesh, &surface.inverted, &surface.shell_of);
        mesh.shells.open += sheets::open(&mesh, &corners, &surface.sheets);
        Ok(mesh)
    }
}
