//! The dimension of a hull.

/// The dimension of a hull, decided exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// All points are equal.
    Point,
    /// All points lie on a line.
    Segment,
    /// All points lie in a plane.
    Polygon,
    /// The hull has a volume.
    Solid,
}
