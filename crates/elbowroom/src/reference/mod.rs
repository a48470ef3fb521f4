//! The slow, obvious truth that the engine is raced against. Shares no code with it (vectors apart).
//!
//! With `D = A - B` (all differences of a point of A and a point of B) the signed distance of two convex shapes is
//!
//! ```text
//!   max over unit n of gap(n),   gap(n) = min over v in D of v.n
//! ```
//!
//! which is the distance of `D` from the origin when the shapes are apart, and minus the length of the smallest
//! translation that separates them when they overlap. Three slow methods, chosen by what is asked:
//!
//! * apart ([`separated`]): the point of `D` nearest to the origin, by an active set that tries every subset of its at
//!   most four points, in double-double arithmetic (about 31 digits). `upper` is the length of a point of `D`, `lower`
//!   its worst support over *all* points: both are bounds whatever the iteration did.
//! * overlapping polytopes ([`facets`]): the smallest `D`-facet distance, over all face normals of A, of B, and all cross
//!   products of an edge of each. The features come from exact predicates on all triples of vertices.
//! * overlapping curved shapes ([`sphere`]): branch and bound over the sphere of directions, with a bound a cell that
//!   no direction in it can undercut. Global, not a local minimum.
//!
//! Meshes ([`triangles`]): every triangle against every triangle, and parity for a body inside a closed mesh. The depth
//! of meshes that are not convex is only bracketed: at most the depth of their hulls, at least the gap between their
//! surfaces when one lies inside the other.
//!
//! The answer is a bracket. It stops at [`TARGET`] of the scale, or earlier when a work limit is reached, and
//! then it is just wider. Rounding of the pose (rotations are orthonormal to about 1e-16 only) is part of `error`.

pub mod double;
pub mod facets;
pub mod separated;
pub mod solid;
pub mod sphere;
pub mod triangles;

use crate::model::describe::ShapeDescription;
use crate::numeric::math::{Transform, Vec3};
pub use solid::{Solid, prepare};

/// Width of the bracket, relative to the scale of the pair, at which the search stops.
pub const TARGET: f64 = 1e-13;
/// Width for overlapping curved shapes, where each further digit costs a level of the search.
pub const TARGET_CURVED_DEPTH: f64 = 2e-11;
/// Rounding of poses, vertices and supports in f64, relative to the scale of the pair: 16 operations' worth.
pub const ROUNDING: f64 = 16.0 * 1.2e-16;

/// The signed distance as a bracket, and where it is attained. Metres; A's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truth {
    /// The signed distance is at least this.
    pub lower: f64,
    /// The signed distance is at most this.
    pub upper: f64,
    /// Point of A: the nearest to B, or the deepest in B along `normal`.
    pub witness_a: Vec3,
    /// Point of B likewise.
    pub witness_b: Vec3,
    /// Unit vector along which A escapes from B.
    pub normal: Vec3,
    /// Size of the pair (metres): both shapes' reach and their offset. Errors are relative to it.
    pub scale: f64,
    /// How the bracket was found.
    pub method: Method,
    /// Points of A and of B that carry the nearest point of `D` (1 vertex, 2 edge, 3 face); 0 unless apart.
    pub rank: [u8; 2],
}

/// How a [`Truth`] was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Nearest point of `D`.
    Separated,
    /// All facet normals of `D`.
    Facets,
    /// Branch and bound over directions.
    Sphere,
    /// All triangles.
    Triangles,
}

/// Signed distance of two described shapes, each grown by its padding. `None` if a shape is nonsense (empty, not finite,
/// negative sizes, indices out of range).
pub fn truth(
    a: &ShapeDescription,
    padding_a: f64,
    b: &ShapeDescription,
    padding_b: f64,
    b_in_a: &Transform,
) -> Option<Truth> {
    Some(truth_of(&prepare(a, padding_a)?, &prepare(b, padding_b)?, b_in_a))
}

/// [`truth`] of shapes that are prepared already.
pub fn truth_of(a: &Solid, b: &Solid, b_in_a: &Transform) -> Truth {
    if a.triangles.is_empty() && b.triangles.is_empty() {
        convex(a, b, b_in_a)
    } else {
        triangles::truth(a, b, b_in_a)
    }
}

/// Signed distance of the convex hulls of two shapes.
pub fn convex(a: &Solid, b: &Solid, b_in_a: &Transform) -> Truth {
    let radius = a.radius + b.radius;
    let scale = a.reach + b.reach + b_in_a.translation.norm();
    let d = solid::Difference::new(a, b, b_in_a);
    let mut t = match separated::nearest(&d, TARGET * scale) {
        Some(t) => t,
        None if a.has_features() && b.has_features() => facets::deepest(&d),
        None => sphere::deepest(&d, TARGET_CURVED_DEPTH * scale),
    };
    // The radii, once: a core distance less both.
    let error = ROUNDING * scale;
    t.lower = t.lower - radius - error;
    t.upper = t.upper - radius + error;
    t.witness_a -= t.normal * a.radius;
    t.witness_b += t.normal * b.radius;
    t.scale = scale;
    t
}
