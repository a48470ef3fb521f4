//! A box of small volume around balls, along axes that the engine finds
//! ([`fit_box_axes`]).

use super::oriented_box::OrientedBox;
use elbowroom::bounds::Ball;
use elbowroom::bounds::fit::{BallSet, FitEffort, fit_aligned_box, fit_box_axes};
use elbowroom::math::{Mat3, Vec3, vec3};

/// A box around a set of balls, of small volume; `None` around nothing.
pub fn fit_oriented_box(set: &BallSet, effort: FitEffort) -> Option<OrientedBox> {
    let straight = fit_aligned_box(set)?;
    let middle = straight.center();
    let straight = OrientedBox::from_aligned(&straight);
    let axes = fit_box_axes(set, effort)?;
    // Twice: where it is in the middle, and, proved, what half extents all of them need.
    let (low, high) =
        extents_along_axes(set.balls().iter().map(|b| Ball { center: b.center - middle, ..*b }), &axes);
    let mut fitted = OrientedBox { center: middle + axes * ((low + high) * 0.5), axes, half: Vec3::ZERO };
    fitted.half = set.balls().iter().fold(Vec3::ZERO, |h, b| h.max(fitted.reach_of(b)));
    Some(if fitted.volume() < straight.volume() { fitted } else { straight })
}

fn extents_along_axes(balls: impl Iterator<Item = Ball>, axes: &Mat3) -> (Vec3, Vec3) {
    let inf = vec3(f64::INFINITY, f64::INFINITY, f64::INFINITY);
    balls.fold((inf, -inf), |(low, high), b| {
        let (p, r) = (axes.transpose_mul(b.center), vec3(b.radius, b.radius, b.radius));
        (low.min(p - r), high.max(p + r))
    })
}
