//! Triangle meshes and the distance between them.

use crate::math::Vec3;

/// Triangles with a bounding-volume hierarchy.
#[derive(Clone, Debug)]
pub struct Mesh {}

/// Why triangles are no mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFault {}

impl core::fmt::Display for MeshFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("no mesh")
    }
}

impl Mesh {
    /// From corner points and index triples.
    pub fn new(_vertices: &[Vec3], _triangles: &[[u32; 3]]) -> Result<Mesh, MeshFault> {
        Ok(Mesh {})
    }
}
