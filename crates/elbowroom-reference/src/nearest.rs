//! Nearest points of triangles in f64. They are points of the triangles up to rounding, and so no more than a
//! candidate: nothing is proved by them.

use crate::math::Vec3;

/// The nearest points of two triangles in f64: of two sides, or of a corner and the inside.
pub fn nearest_points(a: &[Vec3; 3], b: &[Vec3; 3]) -> (Vec3, Vec3) {
    let mut best = (a[0], b[0]);
    let mut least = f64::INFINITY;
    let mut offer = |p: Vec3, q: Vec3| {
        let d = (p - q).dot(p - q);
        if d < least {
            (best, least) = ((p, q), d);
        }
    };
    for k in 0..3 {
        offer(a[k], nearest_point(b, a[k]));
        offer(nearest_point(a, b[k]), b[k]);
        for l in 0..3 {
            let (p, q) = nearest_segment_points([a[k], a[(k + 1) % 3]], [b[l], b[(l + 1) % 3]]);
            offer(p, q);
        }
    }
    best
}

/// The nearest points of two segments: of the lines, cut to the segments, twice.
fn nearest_segment_points([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> (Vec3, Vec3) {
    let (e, f, r) = (b - a, d - c, a - c);
    let (ee, ff, ef) = (e.dot(e), f.dot(f), e.dot(f));
    let cut = |x: f64| if x > 0.0 { x.min(1.0) } else { 0.0 };
    let s = cut((ef * f.dot(r) - e.dot(r) * ff) / (ee * ff - ef * ef));
    let t = cut((ef * s + f.dot(r)) / ff);
    let s = cut((ef * t - e.dot(r)) / ee);
    (a + e * s, c + f * t)
}

/// The point of a triangle nearest to a point: of the inside, or of a side. Always a point of the triangle.
pub fn nearest_point(t: &[Vec3; 3], p: Vec3) -> Vec3 {
    let [a, b, c] = *t;
    let (e, f, r) = (b - a, c - a, p - a);
    let n = e.cross(f);
    let (area, v, w) = (n.dot(n), r.cross(f).dot(n), e.cross(r).dot(n));
    if area > 0.0 && v >= 0.0 && w >= 0.0 && v + w <= area {
        return a + e * (v / area) + f * (w / area);
    }
    let (mut best, mut least) = (a, f64::INFINITY);
    for (a, b) in [(a, b), (b, c), (c, a)] {
        let (e, r) = (b - a, p - a);
        let (along, length) = (r.dot(e), e.dot(e));
        let s = if along <= 0.0 { 0.0 } else { (along / length).min(1.0) };
        let apart = r - e * s;
        if apart.dot(apart) < least {
            (best, least) = (a + e * s, apart.dot(apart));
        }
    }
    best
}
