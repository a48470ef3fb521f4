//! What is asked of two meshes, and what is answered.

use crate::numeric::math::Vec3;

/// What is asked of two meshes, and what is known before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshAsk {
    /// The distance is known to be at most this (metres), from anything proved elsewhere; infinite if nothing
    /// is.
    pub upper: f64,
    /// The signed distance is known to be at least this (metres), as a rule that of the hulls; the search
    /// stops when it is reached, and above zero nothing is tested for being inside. Minus infinity if nothing
    /// is known.
    pub lower: f64,
    /// A direction that may separate, pointing from B to A, in A's frame; need not be right. Zero if none.
    pub normal: Vec3,
    /// Where the pair is thought to be nearest, a point near each surface in A's frame, as a rule the hulls'
    /// witnesses; the triangles nearest to them are measured first.
    pub witnesses: Option<(Vec3, Vec3)>,
    /// Stop when the distance is proved to be at least this (metres); infinite for the full distance.
    pub stop_above: f64,
    /// Stop when it is proved to be below this (metres); minus infinity for the full distance.
    pub stop_below: f64,
}

impl MeshAsk {
    /// The full distance, nothing known.
    pub const DISTANCE: MeshAsk = MeshAsk {
        upper: f64::INFINITY,
        lower: f64::NEG_INFINITY,
        normal: Vec3::ZERO,
        witnesses: None,
        stop_above: f64::INFINITY,
        stop_below: f64::NEG_INFINITY,
    };
}

/// Memory of the last query of a pair, owned by the caller. `Default` is a cold start. Any content is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshWarm {
    /// Triangle of A by its place in the tree.
    pub triangle_a: u32,
    /// Triangle of B.
    pub triangle_b: u32,
}

impl Default for MeshWarm {
    fn default() -> MeshWarm {
        MeshWarm { triangle_a: u32::MAX, triangle_b: u32::MAX }
    }
}

/// How two meshes lie to each other, as far as proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Neither surfaces nor solids meet: `lower` is above zero.
    Apart,
    /// The surfaces cross: `upper` is below zero. `lower` is minus infinity.
    Crossing,
    /// A point of one surface lies in the solid that the other bounds: `upper` is below zero. `lower` is
    /// minus infinity.
    Inside,
    /// The surfaces are apart, and part of one mesh is shut in by an open surface of the other
    /// ([`crate::shape::mesh::inside`]): free of it as a surface, and inside it if it was meant to close.
    /// `lower` is minus infinity. Never clear.
    ShutIn,
    /// Neither overlap nor freedom is proved: they touch to within rounding, a point could not be placed
    /// inside or outside, or the search stopped below `stop_below`. `lower` is minus infinity. Never clear.
    Open,
}

/// How much work a query was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshCounts {
    /// Nodes opened, each bounding up to eight boxes.
    pub nodes: u32,
    /// Triangle pairs that the plane bound did not drop.
    pub triangles: u32,
    /// Triangle pairs that it did.
    pub dropped: u32,
}

/// The proved distance of two meshes. Points and directions in A's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshGap {
    /// The signed distance is at least this (metres); minus infinity where overlap is proved or possible, for
    /// the caller to replace by what the hulls prove.
    pub lower: f64,
    /// The signed distance is at most this (metres); negative only where overlap is proved.
    pub upper: f64,
    /// Point on A that realizes `upper`; only if `triangles` is there.
    pub point_a: Vec3,
    /// Point on B.
    pub point_b: Vec3,
    /// Unit vector from B's point to A's, or the best known direction.
    pub normal: Vec3,
    /// The triangles of the two points, by their places in the trees; none if nothing was nearer than
    /// `MeshAsk::upper`.
    pub triangles: Option<(u32, u32)>,
    /// What is proved.
    pub relation: Relation,
    /// The search ended at its limit of work, not because nothing was left to look at.
    pub limited: bool,
    /// Work done.
    pub counts: MeshCounts,
}
