//! The query of two shapes, and its result.

use crate::pair::geometry::Geometry;
use crate::pair::interval::Interval;
use crate::pair::tolerance::{LEAST_DEPTH, ORDINARY_DEPTH, TIGHT_DEPTH};
use elbowroom_describe::math::Vec3;

/// The question; each stops earlier than the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Only whether the shapes are farther apart than the cutoff, or overlap: stops at the first proof.
    Test,
    /// A proved lower bound, without searching for the last digits.
    LowerBound,
    /// Signed distance to full accuracy.
    Distance,
}

/// How narrowly to bracket the depth of overlapping meshes that are not convex, if the signed distance is
/// asked for. All other depths are known to their last digits whatever it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Effort {
    /// What proving the overlap gives: the depth of the hulls, and that of a point.
    Rough,
    /// Usually within 20 %. It takes 0.1 ms to a few tenths.
    #[default]
    Ordinary,
    /// To within so much of the depth: 0.05 is a twentieth. The search begins where an ordinary one ends, so
    /// neither end of its bracket is worse, and one for less than [`Effort::TIGHT`] where that ends. It ends
    /// with what it has after some ten milliseconds' work, or twice that. Less than a thousandth counts as
    /// that, and NaN as [`Effort::TIGHT`].
    Within(f64),
}

impl Effort {
    /// To within a hundredth, usually in about a millisecond.
    pub const TIGHT: Effort = Effort::Within(TIGHT_DEPTH);

    /// The share of a depth to which it is bracketed.
    pub(crate) fn share(self) -> f64 {
        match self {
            Effort::Rough | Effort::Ordinary => ORDINARY_DEPTH,
            Effort::Within(share) if share.is_nan() => TIGHT_DEPTH,
            Effort::Within(share) => share.clamp(LEAST_DEPTH, ORDINARY_DEPTH),
        }
    }
}

/// Why a query stopped. It explains how wide the interval is; the interval is proved whatever it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Stop {
    /// A formula gave the answer.
    ClosedForm,
    /// The interval is as narrow as asked.
    Converged,
    /// The question was answered before the interval was narrow.
    Decided,
    /// Rounding: no vertex improves the interval further.
    Stalled,
    /// The iteration limit was reached; the interval is proved all the same.
    IterationLimit,
    /// Overlap is proved, but its depth only bracketed: at most the length of a way out, at least what is
    /// proved to overlap. How narrowly, [`Query::depth`] says. Only for meshes that are not convex.
    Bracketed,
    /// The surfaces are apart, but an open mesh shuts one body in: hardly a ray from it leads out without
    /// meeting a triangle. The body is clear of the mesh as a surface (by the upper end), and inside the mesh
    /// if it was meant to be solid.
    ShutIn,
}

/// A proved answer for two shapes. Points and directions are in the frame named by the function that returns
/// it: [`clearance()`](crate::clearance()) has those of the first shape,
/// [`posed::clearance`](crate::pair::posed::clearance) those of the world. The interval is what is proved;
/// the points show where. The examples of both read it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Clearance {
    /// The signed distance.
    pub interval: Interval,
    /// Point of A nearest to B; where they overlap, A's deepest point. If that depth is bracketed
    /// ([`Stop::Bracketed`]), the point of A that touches B last on the way out, or a point of the overlap
    /// where depths are rough or nothing was proved of the end of the way. Where the upper end is infinite
    /// neither point means anything.
    pub witness_a: Vec3,
    /// Point of B, likewise. If the depth is bracketed, where `witness_a` is after A was moved by the way
    /// out: the point of B that touches last is no farther from it than twice the gap that is left there,
    /// usually a thousandth of the depth.
    pub witness_b: Vec3,
    /// Unit vector along which A escapes from B. `witness_a - witness_b` is the signed distance along it. If
    /// the depth is bracketed that is the lower end: to move A by minus that vector is proved to separate
    /// them, perhaps not by the shortest way.
    pub normal: Vec3,
    /// Why the query stopped.
    pub stop: Stop,
    /// Steps of the searches.
    pub steps: u32,
}

impl Clearance {
    /// Nothing is proved.
    pub(crate) const NOTHING: Clearance = Clearance {
        interval: Interval::nothing(Geometry::Mesh),
        witness_a: Vec3::ZERO,
        witness_b: Vec3::ZERO,
        normal: Vec3::Z,
        stop: Stop::IterationLimit,
        steps: 0,
    };
}

/// What is asked of a pair. The default is the signed distance to full accuracy, over triangles.
///
/// ```
/// use elbowroom_pair::{Ask, Query};
///
/// // Only whether they are more than 5 cm apart, at a pose that is known to a tenth of a millimetre.
/// let query = Query { ask: Ask::Test, cutoff: 0.05, slack: 1e-4, ..Query::default() };
/// assert!(Query::default().cutoff == f64::INFINITY && query.margin == 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The question.
    pub ask: Ask,
    /// Distances proved to be above this need not be exact (metres): the search stops there, whatever is
    /// asked. Infinite: all distances are wanted.
    pub cutoff: f64,
    /// What meshes count as.
    pub geometry: Geometry,
    /// Only under [`Ask::LowerBound`], and only of meshes: where their hulls are farther apart than this, the
    /// bound of the hulls is the answer, and no triangle is asked (metres, >= 0). Other than `cutoff` it
    /// changes nothing for convex shapes.
    pub margin: f64,
    /// How far the pose may be off already (metres, >= 0): the lower end goes down by this, the upper end up.
    /// Zero for a pose that is exact as it is given.
    pub slack: f64,
    /// How narrowly to bracket depths that are known in no other way.
    pub depth: Effort,
}

impl Default for Query {
    fn default() -> Query {
        let geometry = Geometry::Mesh;
        let depth = Effort::Ordinary;
        Query { ask: Ask::Distance, cutoff: f64::INFINITY, geometry, margin: 0.0, slack: 0.0, depth }
    }
}
