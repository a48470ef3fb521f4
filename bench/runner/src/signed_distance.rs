//! The interval of the signed distance of two hulls, in the most obvious way; both ends are widened by
//! [`ROUNDING`].
//!
//! Separation: the point of the Minkowski difference nearest to the origin, by trying *all* subsets of at
//! most four points for the nearest point of a simplex and scanning *all* vertices for the next point (Wolfe
//! 1976, Gilbert 1988). Upper bound: the length of that point, a convex combination of vertices. Lower bound:
//! the gap along it, over all vertices.
//!
//! Depth: the smallest width over every face normal of either hull and every pair of their edges. It is
//! exact, and quadratic.

use crate::{
    hull::Hull,
    limits::{MAX_STEPS, ROUNDING},
};
use elbowroom::math::{Transform, Vec3};

/// Point of A minus B farthest along a direction, in A's frame.
fn difference_support(a: &Hull, b: &Hull, b_in_a: &Transform, direction: Vec3) -> Vec3 {
    a.support_vertex(direction) - b_in_a.point(b.support_vertex(b_in_a.rotation.transpose_mul(-direction)))
}

/// Interval of the separation. `upper < 0` only if the origin is inside a simplex of the difference, by more
/// than rounding.
pub fn separation_interval(a: &Hull, b: &Hull, b_in_a: &Transform, only_sign: bool) -> [f64; 2] {
    let start = if b_in_a.translation.norm_squared() > 0.0 { b_in_a.translation } else { Vec3::X };
    let mut simplex = vec![difference_support(a, b, b_in_a, start)];
    let mut lower = f64::NEG_INFINITY;
    let mut upper = f64::INFINITY;
    for _ in 0..MAX_STEPS {
        let (nearest, kept) = nearest_of_simplex(&simplex);
        if kept.len() == 4 {
            let inside = inner_radius(&kept);
            return if inside > ROUNDING { [f64::NEG_INFINITY, -ROUNDING] } else { [-ROUNDING, ROUNDING] };
        }
        let length = nearest.norm();
        upper = upper.min(length);
        if length <= ROUNDING {
            return [-ROUNDING, ROUNDING];
        }
        let next = difference_support(a, b, b_in_a, -nearest);
        lower = lower.max(next.dot(nearest) / length);
        let decided = only_sign && lower > 1e3 * ROUNDING;
        if decided || upper - lower <= ROUNDING || kept.contains(&next) {
            break;
        }
        simplex = kept;
        simplex.push(next);
    }
    [lower - ROUNDING, upper + ROUNDING]
}

/// Nearest point to the origin of the hull of one to four points, and the points it is made of: every subset
/// is tried.
fn nearest_of_simplex(points: &[Vec3]) -> (Vec3, Vec<Vec3>) {
    let mut best = (points[0], vec![points[0]]);
    for mask in 1..1_usize << points.len() {
        let subset: Vec<Vec3> = (0..points.len()).filter(|i| mask >> i & 1 == 1).map(|i| points[i]).collect();
        let Some(nearest) = inside_nearest(&subset) else { continue };
        let closer = nearest.norm_squared() < best.0.norm_squared();
        if closer || subset.len() == 4 {
            best = (nearest, subset);
        }
    }
    best
}

/// The nearest point of the points' affine hull if all its weights are positive.
fn inside_nearest(points: &[Vec3]) -> Option<Vec3> {
    let p = points[0];
    match *points {
        [_] => Some(p),
        [_, q] => {
            let d = q - p;
            let t = -p.dot(d) / d.norm_squared();
            (t > 0.0 && t < 1.0).then(|| p + d * t)
        }
        [_, q, r] => {
            let normal = (q - p).cross(r - p);
            let square = normal.norm_squared();
            let weights = [q.cross(r), r.cross(p), p.cross(q)].map(|w| w.dot(normal));
            (square > 0.0 && weights.iter().all(|&w| w > 0.0)).then(|| normal * (p.dot(normal) / square))
        }
        [_, q, r, s] => {
            let volume = (q - p).cross(r - p).dot(s - p);
            let parts = [q.cross(r).dot(s), -(p.cross(r).dot(s)), p.cross(q).dot(s), -(p.cross(q).dot(r))];
            (volume != 0.0 && parts.iter().all(|part| part / volume > 0.0)).then_some(Vec3::ZERO)
        }
        _ => None,
    }
}

/// Distance of the origin, which is inside, to the nearest face of a tetrahedron.
fn inner_radius(points: &[Vec3]) -> f64 {
    (0..4)
        .filter_map(|left_out| {
            let face: Vec<Vec3> = (0..4).filter(|&i| i != left_out).map(|i| points[i]).collect();
            let normal = (face[1] - face[0]).cross(face[2] - face[0]).normalized()?;
            Some(normal.dot(face[0]).abs())
        })
        .fold(f64::INFINITY, f64::min)
}

/// Interval of the signed distance of overlapping hulls.
pub fn depth_interval(a: &Hull, b: &Hull, b_in_a: &Transform) -> [f64; 2] {
    let width = |normal: Vec3| difference_support(a, b, b_in_a, normal).dot(normal);
    let mut least = f64::INFINITY;
    for &normal in &a.normals {
        least = least.min(width(normal));
    }
    for &normal in &b.normals {
        least = least.min(width(-b_in_a.direction(normal)));
    }
    for &edge_a in &a.edges {
        for &edge_b in &b.edges {
            let Some(normal) = edge_a.cross(b_in_a.direction(edge_b)).normalized() else { continue };
            least = least.min(width(normal)).min(width(-normal));
        }
    }
    [-least - ROUNDING, -least + ROUNDING]
}
