//! How far two shapes are apart at least: GJK in f32, with a bound that needs no convergence.
//!
//! For any direction `n` of length 1 the gap is the height of the second shape's lowest point along `n` less
//! that of the first's highest. No distance is less than any gap, whichever directions are tried. So GJK
//! (Gilbert, Johnson and Keerthi 1988) only proposes directions; the largest gap is the bound. It ends when
//! the bound is enough, when it is near the distance of the points found, and after
//! [`MAX_ITERATIONS`] directions in any case.

use crate::arithmetic::{add, difference, dot, norm, scaled};
use crate::simplex::Simplex;
use crate::support::Placed;
use crate::tolerance::{BOUND_SHARE, LEAST_LENGTH, MAX_ITERATIONS};

/// When a search may end.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// A bound above it is enough (metres).
    pub enough: f32,
    /// Whether a distance that cannot reach it ends the search.
    pub all_or_nothing: bool,
    /// A bound is near the distance if less is missing (metres).
    pub error: f32,
}

/// The bound between the balls of two shapes (metres).
#[inline]
pub(crate) fn ball_gap(a: [f32; 3], radius_a: f32, b: [f32; 3], radius_b: f32) -> f32 {
    norm(difference(b, a)) - radius_a - radius_b
}

/// The largest gap that was found, before the error of rounding is taken off, and how many directions were
/// tried.
pub(crate) fn shape_gap(a: &Placed<'_>, b: &Placed<'_>, wanted: Wanted) -> (f32, u32) {
    let between = difference(b.center, a.center);
    let far = norm(between);
    let radii = a.shape.radius + b.shape.radius;
    let mut best = far - a.shape.ball - b.shape.ball;
    if best > wanted.enough {
        return (best, 0);
    }
    let mut direction = if far > LEAST_LENGTH { scaled(between, 1.0 / far) } else { [1.0, 0.0, 0.0] };
    let mut simplex = Simplex::EMPTY;
    for tried in 1..=MAX_ITERATIONS {
        let top = a.farthest_along(direction);
        let bottom = b.farthest_along(scaled(direction, -1.0));
        let gap = dot(direction, between) - top.height - bottom.height - radii;
        if gap > best {
            best = gap;
        }
        let corner = add(between, difference(bottom.point, top.point));
        if best > wanted.enough || simplex.has_point(corner) {
            return (best, tried);
        }
        let Some(nearest) = simplex.nearest_with(corner) else { return (best, tried) };
        let length = norm(nearest);
        // Near the distance of two points, or of cores that meet.
        let upper = length - radii;
        let is_near = upper - best <= wanted.error + BOUND_SHARE * upper;
        if !(length > LEAST_LENGTH) || is_near || (wanted.all_or_nothing && upper <= wanted.enough) {
            return (best, tried);
        }
        direction = scaled(nearest, 1.0 / length);
    }
    (best, MAX_ITERATIONS)
}
