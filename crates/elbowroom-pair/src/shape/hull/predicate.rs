//! Exact predicates: the side of a plane or line on which a point lies, and the order of points.

use crate::shape::tolerance::HULL_ORIENTATION;
use core::cmp::Ordering;
use elbowroom_describe::math::Vec3;
use robust::{Coord, Coord3D};

/// Positive if `x` lies on that side of the plane `a b c` from which they are seen counter-clockwise, zero if
/// in the plane. The sign is exact for coordinates that [`super::points`] accepts; the size means nothing.
///
/// Most signs are decided here, by the first of the tests of the adaptive predicate, so it is
/// inlined.
#[inline(always)]
pub(super) fn plane_side(a: Vec3, b: Vec3, c: Vec3, x: Vec3) -> f64 {
    let (p, q, r) = (a - x, b - x, c - x);
    let (qr, rq) = (q.x * r.y, r.x * q.y);
    let (rp, pr) = (r.x * p.y, p.x * r.y);
    let (pq, qp) = (p.x * q.y, q.x * p.y);
    let volume = p.z * (qr - rq) + q.z * (rp - pr) + r.z * (pq - qp);
    let bulk = (qr.abs() + rq.abs()) * p.z.abs()
        + (rp.abs() + pr.abs()) * q.z.abs()
        + (pq.abs() + qp.abs()) * r.z.abs();
    if volume.abs() > HULL_ORIENTATION * bulk { -volume } else { exact_plane_side(a, b, c, x) }
}

/// [`plane_side`] by all tests of the adaptive predicate.
#[cold]
fn exact_plane_side(a: Vec3, b: Vec3, c: Vec3, x: Vec3) -> f64 {
    // Most of them are in a plane across an axis, as machined faces are.
    if (0..3).any(|k| a[k] == x[k] && b[k] == x[k] && c[k] == x[k]) {
        return 0.0;
    }
    let p = |v: Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    -robust::orient3d(p(a), p(b), p(c), p(x))
}

/// Positive if `a b c` are counter-clockwise in the projection without axis `drop`, whose axes are the next
/// two in cyclic order.
pub(super) fn projected_orientation(drop: usize, a: Vec3, b: Vec3, c: Vec3) -> f64 {
    let (i, j) = ((drop + 1) % 3, (drop + 2) % 3);
    let p = |v: Vec3| Coord { x: v[i], y: v[j] };
    robust::orient2d(p(a), p(b), p(c))
}

/// True if the three points lie on a line, exactly.
pub(super) fn are_collinear(a: Vec3, b: Vec3, c: Vec3) -> bool {
    (0..3).all(|drop| projected_orientation(drop, a, b, c) == 0.0)
}

/// By x, then y, then z. The numbers are finite, so this is a total order.
pub(super) fn compare_points(a: Vec3, b: Vec3) -> Ordering {
    let by = |p: f64, q: f64| p.partial_cmp(&q).unwrap_or(Ordering::Equal);
    by(a.x, b.x).then_with(|| by(a.y, b.y)).then_with(|| by(a.z, b.z))
}
