//! How deep a point is inside a polytope of many facets: every one is looked at.
//!
//! The facets are a closed surface in A - B around the origin, as the search's own polytope is, and the same
//! proof holds ([`crate::pair::certify::enclosed::enclosed_ball`]); the search only has too few corners to
//! come near them all.

use super::part::Exit;
use crate::numeric::math::Vec3;
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::certify::enclosed::enclosed_triangle;
use crate::shape::hull::{Hull, Rank};

/// Where `point` leaves the hull. `None` if it is not inside.
pub(super) fn exit(hull: &Hull, point: Vec3) -> Option<Exit> {
    let (mut deep, mut out, mut behind) = (f64::INFINITY, Vec3::ZERO, false);
    for face in hull.faces() {
        let (way, low, side) = enclosed_triangle(face.map(|v| hull.vertex(v as usize) - point));
        // Also NaN.
        if side < 0 || !(low > 0.0) {
            return None;
        }
        behind |= side > 0;
        if low < deep {
            (deep, out) = (low, way);
        }
    }
    let out = out.normalized()?;
    // Its direction was divided by a rounded length.
    let deep = deep - 12.0 * ROUNDOFF * deep.abs();
    (hull.rank() == Rank::Solid && behind && deep > 0.0).then(|| Exit {
        near: point + out * deep,
        point,
        out,
        deep,
    })
}
