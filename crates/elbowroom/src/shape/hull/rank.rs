//! How many dimensions a set of points has.

/// How many dimensions a hull has, decided exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// All points are one.
    Point,
    /// All points lie on a line.
    Segment,
    /// All points lie in a plane.
    Polygon,
    /// The hull has a volume.
    Solid,
}
