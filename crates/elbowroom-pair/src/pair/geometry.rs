//! Whether a mesh counts as its triangles or as its hull.

/// What a mesh counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Geometry {
    /// Its triangles, solid if they close. Its convex hull contains it, and may prove that the mesh is far
    /// enough away; then there is no upper bound.
    #[default]
    Mesh,
    /// Its convex hull: the body is declared to be its hull.
    Hull,
}
