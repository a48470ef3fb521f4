//! The query of two meshes, and its result.

use elbowroom_describe::math::Vec3;

/// A query of two meshes, with what is known before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshQuery {
    /// The distance is known to be at most this (metres); infinite if nothing is known.
    pub upper: f64,
    /// The signed distance is known to be at least this (metres), usually from the hulls. The search stops
    /// when it is reached; if it is above zero, nothing is tested for being inside. Minus infinity if nothing
    /// is known.
    pub lower: f64,
    /// A guess of a separating direction, from B to A, in A's frame. Zero if there is none.
    pub normal: Vec3,
    /// A guess of the nearest points, in A's frame, usually the hulls' witnesses; the triangles nearest to
    /// them are measured first.
    pub witnesses: Option<(Vec3, Vec3)>,
    /// Stop when the distance is proved to be at least this (metres); infinite for the full distance.
    pub stop_above: f64,
    /// Stop when it is proved to be below this (metres); minus infinity for the full distance.
    pub stop_below: f64,
}

impl MeshQuery {
    /// The full distance, with nothing known.
    pub const DISTANCE: MeshQuery = MeshQuery {
        upper: f64::INFINITY,
        lower: f64::NEG_INFINITY,
        normal: Vec3::ZERO,
        witnesses: None,
        stop_above: f64::INFINITY,
        stop_below: f64::NEG_INFINITY,
    };
}

/// The warm start of a pair of meshes, from its last query; owned by the caller. `Default`, with numbers that
/// no triangle has, is a cold start. Any numbers are safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshWarm {
    /// Triangle of A, by its index in the tree.
    pub triangle_a: u32,
    /// Triangle of B.
    pub triangle_b: u32,
}

impl Default for MeshWarm {
    fn default() -> MeshWarm {
        MeshWarm { triangle_a: u32::MAX, triangle_b: u32::MAX }
    }
}

/// The proved relation of two meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Neither surfaces nor solids meet: `lower` is above zero.
    Apart,
    /// The surfaces cross: `upper` is below zero. `lower` is minus infinity.
    Crossing,
    /// A point of one surface lies in the solid that the other bounds: `upper` is below zero. `lower` is
    /// minus infinity.
    Inside,
    /// The surfaces are apart, and an open surface of one mesh shuts a piece of the other in
    /// ([`crate::shape::mesh::inside`]): the piece is clear of the surface, and inside it if it was meant to
    /// close. `lower` is minus infinity. Never clear.
    ShutIn,
    /// Neither is proved: they touch to within rounding, a point could not be decided to be inside or
    /// outside, or the search stopped below `stop_below`. `lower` is minus infinity. Never clear.
    Open,
}

/// The work of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshCounts {
    /// Expanded nodes, each with up to eight bounded boxes.
    pub nodes: u32,
    /// Pairs of hulls whose distance was measured.
    pub hulls: u32,
    /// Measured triangle pairs.
    pub triangles: u32,
    /// Triangle pairs that the bound by a plane pruned.
    pub dropped: u32,
}

/// The proved distance of two meshes. Points and directions in A's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshGap {
    /// The signed distance is at least this (metres); minus infinity where overlap is proved or possible; the
    /// caller then uses the bound of the hulls.
    pub lower: f64,
    /// The signed distance is at most this (metres); negative only where overlap is proved.
    pub upper: f64,
    /// Point on A of the distance `upper`; valid only with `triangles`.
    pub point_a: Vec3,
    /// Point on B.
    pub point_b: Vec3,
    /// Unit vector from B's point to A's, or the best known direction.
    pub normal: Vec3,
    /// The triangles of the two points, by their indices in the trees; `None` if no pair was nearer than
    /// `MeshQuery::upper`.
    pub triangles: Option<(u32, u32)>,
    /// The proved relation.
    pub relation: Relation,
    /// The search ended at its limit of work.
    pub limited: bool,
    /// Work done.
    pub counts: MeshCounts,
}
