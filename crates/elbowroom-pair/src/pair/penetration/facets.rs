//! The depth of a point inside a polytope, by a visit to every facet.
//!
//! The facets are a closed surface in A - B around the origin, like the polytope of the search, and the same
//! proof holds ([`crate::pair::certify::enclosed::enclosed_ball`]). The search has too few corners for a
//! polytope of many facets.

use super::remainder::Exit;
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::certify::enclosed::enclosed_triangle;
use crate::shape::hull::{Hull, Rank};
use elbowroom_describe::math::Vec3;

/// The exit of `point` from the hull; `None` if it is not inside.
pub(super) fn exit(hull: &Hull, point: Vec3) -> Option<Exit> {
    let (mut depth, mut out, mut behind) = (f64::INFINITY, Vec3::ZERO, false);
    for face in hull.faces() {
        let (direction, low, side) = enclosed_triangle(face.map(|v| hull.vertex(v as usize) - point));
        // True also for NaN.
        if side < 0 || !(low > 0.0) {
            return None;
        }
        behind |= side > 0;
        if low < depth {
            (depth, out) = (low, direction);
        }
    }
    let out = out.normalized()?;
    // The rounding of the length that `low` was divided by.
    let depth = depth - 12.0 * ROUNDOFF * depth.abs();
    (hull.rank() == Rank::Solid && behind && depth > 0.0).then(|| Exit {
        near: point + out * depth,
        point,
        out,
        depth,
    })
}
