//! Triangle meshes and the distance between them.

/// Triangles with a bounding-volume hierarchy.
#[derive(Clone, Debug)]
pub struct Mesh {}
