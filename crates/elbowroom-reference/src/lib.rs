//! The slow, obvious truth that the engine is raced against. It shares no code with it, vectors included: a
//! crate that does not know the engine. What both take from elsewhere are the exact predicates of `robust`
//! and the sines of `libm`.
//!
//! With `D = A - B` (all differences of a point of A and a point of B) the signed distance of two convex
//! shapes is
//!
//! ```text
//!   max over unit n of gap(n),   gap(n) = min over v in D of v.n
//! ```
//!
//! which is the distance of `D` from the origin when the shapes are apart, and minus the length of the
//! smallest translation that separates them when they overlap. Three slow methods, chosen by what is asked:
//!
//! * apart ([`separated`]): the point of `D` nearest to the origin, by an active set that tries every subset
//!   of its at most four points, in double-double arithmetic (about 31 digits). `upper` is the length of a
//!   point of `D`, `lower` its worst support over *all* points: both are bounds whatever the iteration did.
//! * overlapping polytopes ([`facets`]): the smallest `D`-facet distance, over all face normals of A, of B,
//!   and all cross products of an edge of each. The features come from exact predicates on all triples of
//!   vertices.
//! * overlapping curved shapes ([`sphere`]): branch and bound over the sphere of directions, with a bound a
//!   cell that no direction in it can undercut. Global, not a local minimum.
//!
//! Meshes ([`triangles`]): every triangle against every triangle, and parity for a body inside a closed mesh.
//! The depth of meshes that are not convex is only bracketed: at most the depth of their hulls, at least the
//! gap between their surfaces when one lies inside the other.
//!
//! The answer is a bracket. It stops at [`TARGET`] of the scale, or earlier when a work limit is reached, and
//! then it is just wider. Rounding of the pose (rotations are orthonormal to about 1e-16 only) is part of
//! `error`.

// `engine` names this crate as its users do.
#[cfg(feature = "engine")]
extern crate self as elbowroom_reference;

mod convex;
pub mod double;
#[cfg(feature = "engine")]
pub mod engine;
pub mod facets;
pub mod math;
pub mod nearest;
pub mod separated;
mod shape;
mod shells;
pub mod solid;
pub mod sphere;
pub mod triangles;
mod truth;

pub use convex::convex_distance;
use math::Transform;
pub use shape::Shape;
pub use solid::{Solid, prepare_shape};
pub use truth::{Method, ROUNDING, TARGET, TARGET_CURVED_DEPTH, Truth};

/// Signed distance of two described shapes, each grown by its padding. `None` if a shape is nonsense (empty,
/// not finite, negative sizes, indices out of range).
pub fn shape_distance(
    a: &Shape,
    padding_a: f64,
    b: &Shape,
    padding_b: f64,
    b_in_a: &Transform,
) -> Option<Truth> {
    Some(truth_of(&prepare_shape(a, padding_a)?, &prepare_shape(b, padding_b)?, b_in_a))
}

/// [`shape_distance`] of shapes that are prepared already.
pub fn truth_of(a: &Solid, b: &Solid, b_in_a: &Transform) -> Truth {
    if a.triangles.is_empty() && b.triangles.is_empty() {
        convex_distance(a, b, b_in_a)
    } else {
        triangles::mesh_distance(a, b, b_in_a)
    }
}
