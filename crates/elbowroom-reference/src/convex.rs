//! The convex hulls of two shapes: the method that suits the pair, then the radii, once.

use crate::math::Transform;
use crate::solid::{Difference, Solid};
use crate::truth::{ROUNDING, TARGET, TARGET_CURVED_DEPTH, Truth};
use crate::{facets, separated, sphere};

/// Signed distance of the convex hulls of two shapes.
pub fn convex_distance(a: &Solid, b: &Solid, b_in_a: &Transform) -> Truth {
    let radius = a.radius + b.radius;
    let scale = a.reach + b.reach + b_in_a.translation.norm();
    let d = Difference::new(a, b, b_in_a);
    let mut t = match separated::nearest_core_points(&d, TARGET * scale) {
        Some(t) => t,
        None if a.has_features() && b.has_features() => facets::polytope_depth(&d),
        None => sphere::curved_depth(&d, TARGET_CURVED_DEPTH * scale),
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
