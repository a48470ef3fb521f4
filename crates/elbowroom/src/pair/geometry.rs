//! What meshes count as.

/// What a mesh counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Geometry {
    /// What it is: its triangles, solid if they close. Its convex hull contains it and so is a bound: it may
    /// prove that the mesh is far enough off, and then there is no upper bound.
    #[default]
    Mesh,
    /// Its convex hull, which the body is declared to be.
    Hull,
}
