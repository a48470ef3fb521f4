//! The distance between two triangles as a proved interval.
//!
//! [`triangle_gap`] takes two triangles in one frame. It returns an interval that contains their signed
//! distance. Where they are apart, the upper end is the distance of two points, one in each triangle. The
//! lower end comes from a plane between them.
//!
//! Two disjoint triangles are closest either between two edges (nine pairs) or between a vertex and the
//! inside of the other triangle (six). All fifteen are computed, four lanes at a time without branches, and
//! the nearest is taken. The vector between its points is tried as the normal of a separating plane: the six
//! vertices are projected on it, and the gap between the two projections, less the rounding, is the lower
//! bound. This check is independent of how the vector was computed. So slivers, needles and points at worst
//! cost accuracy, never soundness. Where the interval stays wide (the triangles cross, nearly touch, or are
//! ill shaped), the two face normals and the nine products of edges are tried as well: the Minkowski
//! difference of two triangles has no other facet normals.
//!
//! A crossing is proved by an edge of one triangle that pierces the other. Let `h` and `k` be the distances
//! of its ends from the plane, `r` the distance of the piercing point from the border of the pierced
//! triangle, and `c` the cosine between edge and normal. A translation by `v` moves the piercing point by at
//! most `|v| / c`. So while `|v| < min(h, k, r c)` the edge still pierces, and no shorter translation
//! separates the two.
//!
//! All arithmetic is relative to one vertex, so the rounding depends on the size of the triangles and their
//! distance, not on the distance from the origin. The bounds are derived in the room's `tolerance`.

mod lanes;

use crate::numeric::tolerance::UNDERFLOW;
use crate::shape::tolerance::{
    FACE_NORMAL_LEAST, TRIANGLE_CROSSING, TRIANGLE_LOWER, TRIANGLE_OPEN, TRIANGLE_UPPER,
};
use elbowroom_describe::math::{Vec3, sqrt};
use lanes::{Lanes, Vec3x4, fill_lanes};

/// The corners of a triangle; any of them may coincide.
pub type Triangle = [Vec3; 3];

/// The proved distance of two triangles, in the frame they were given in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleGap {
    /// The signed distance is at least this (metres). If negative, a translation of this length along
    /// `direction` separates them.
    pub lower: f64,
    /// The signed distance is at most this; negative only if the triangles are proved to cross.
    pub upper: f64,
    /// Point of the first triangle that realizes `upper`, or where they cross.
    pub point_a: Vec3,
    /// Point of the second.
    pub point_b: Vec3,
    /// Unit normal of the plane that proves `lower`, pointing from B to A; zero where no direction exists.
    pub direction: Vec3,
}

/// The next corner of a triangle.
const NEXT: [usize; 3] = [1, 2, 0];

/// `x` between 0 and 1; NaN becomes 0.
#[inline(always)]
fn unit_interval(x: f64) -> f64 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

/// `n / d`, or 0 where `d` is not positive.
#[inline(always)]
fn ratio_or_zero(n: f64, d: f64) -> f64 {
    let q = n / d;
    if d > 0.0 { q } else { 0.0 }
}

/// Squared distances of one segment to three, with the parameters of the nearest points.
#[inline(always)]
fn edge_to_edges(p: Vec3, d: Vec3, q: &Vec3x4, e: &Vec3x4, ee: &Lanes) -> (Lanes, Lanes, Lanes) {
    let dd = d.norm_squared();
    let r = Vec3x4 {
        x: fill_lanes(|k| p.x - q.x[k]),
        y: fill_lanes(|k| p.y - q.y[k]),
        z: fill_lanes(|k| p.z - q.z[k]),
    };
    let (de, dr, er) = (e.dot(d), r.dot(d), e.dot_lanes(&r));
    // The nearest point of the first line, clamped to its segment; then each parameter from the other.
    let s = fill_lanes(|k| {
        unit_interval(ratio_or_zero(de[k] * er[k] - dr[k] * ee[k], dd * ee[k] - de[k] * de[k]))
    });
    let t = fill_lanes(|k| unit_interval(ratio_or_zero(de[k] * s[k] + er[k], ee[k])));
    let s = fill_lanes(|k| unit_interval(ratio_or_zero(de[k] * t[k] - dr[k], dd)));
    let w = Vec3x4 {
        x: fill_lanes(|k| r.x[k] + d.x * s[k] - e.x[k] * t[k]),
        y: fill_lanes(|k| r.y[k] + d.y * s[k] - e.y[k] * t[k]),
        z: fill_lanes(|k| r.z[k] + d.z * s[k] - e.z[k] * t[k]),
    };
    (w.dot_lanes(&w), s, t)
}

/// Squared distances of three points to the inside of a triangle at `o` with edges `e` and `f`, infinite
/// where the projection lies outside; with the two barycentric coordinates.
#[inline(always)]
fn points_to_face(p: &Vec3x4, o: Vec3, e: Vec3, f: Vec3) -> (Lanes, Lanes, Lanes) {
    let normal = e.cross(f);
    let area = normal.norm_squared();
    let scale = ratio_or_zero(1.0, area);
    let (g, h) = (f.cross(normal) * scale, normal.cross(e) * scale);
    let r = Vec3x4 {
        x: fill_lanes(|k| p.x[k] - o.x),
        y: fill_lanes(|k| p.y[k] - o.y),
        z: fill_lanes(|k| p.z[k] - o.z),
    };
    let (v, w) = (r.dot(g), r.dot(h));
    let x = Vec3x4 {
        x: fill_lanes(|k| r.x[k] - e.x * v[k] - f.x * w[k]),
        y: fill_lanes(|k| r.y[k] - e.y * v[k] - f.y * w[k]),
        z: fill_lanes(|k| r.z[k] - e.z * v[k] - f.z * w[k]),
    };
    let n = x.dot_lanes(&x);
    let inside = |k: usize| (v[k] >= 0.0) & (w[k] >= 0.0) & (v[k] + w[k] <= 1.0) & (area > 0.0);
    (fill_lanes(|k| if inside(k) { n[k] } else { f64::INFINITY }), v, w)
}

/// The gap from B to A along `n`: the least of `n . a` less the largest of `n . b`. Rounding is not taken
/// off.
#[inline(always)]
pub(crate) fn gap_along(a: &Triangle, b: &Triangle, n: Vec3) -> f64 {
    let low = |x: f64, y: f64| if x < y { x } else { y };
    let high = |x: f64, y: f64| if x > y { x } else { y };
    low(low(n.dot(a[0]), n.dot(a[1])), n.dot(a[2])) - high(high(n.dot(b[0]), n.dot(b[1])), n.dot(b[2]))
}

/// Whether the gap along a face normal is more than `threshold`. Rounding is not taken off; normals of
/// needles are ignored.
#[inline(always)]
pub(crate) fn face_gap_exceeds(a: &Triangle, b: &Triangle, threshold: f64) -> bool {
    let exceeds = |n: Vec3| {
        let low = |x: f64, y: f64| if x < y { x } else { y };
        let high = |x: f64, y: f64| if x > y { x } else { y };
        let (pa, pb) = (a.map(|p| n.dot(p)), b.map(|p| n.dot(p)));
        let over = low(low(pa[0], pa[1]), pa[2]) - high(high(pb[0], pb[1]), pb[2]);
        let under = low(low(pb[0], pb[1]), pb[2]) - high(high(pa[0], pa[1]), pa[2]);
        let length = n.norm();
        (high(over, under) > threshold * length) & (length > FACE_NORMAL_LEAST)
    };
    exceeds((a[1] - a[0]).cross(a[2] - a[0])) || exceeds((b[1] - b[0]).cross(b[2] - b[0]))
}

/// Largest absolute coordinate of six points.
#[inline(always)]
fn max_coordinate(a: &Triangle, b: &Triangle) -> f64 {
    let m = a[0].abs().max(a[1].abs()).max(a[2].abs());
    m.max(b[0].abs().max(b[1].abs()).max(b[2].abs())).max_abs()
}

/// The distance of two triangles given in one frame (metres), as a proved signed interval.
///
/// Coordinates must be finite; where they are not, nothing is proved (`lower` is minus infinity, `upper`
/// infinity).
#[inline(always)]
pub fn triangle_gap(a: &Triangle, b: &Triangle) -> TriangleGap {
    let origin = a[0];
    let a = &[Vec3::ZERO, a[1] - origin, a[2] - origin];
    let b = &[b[0] - origin, b[1] - origin, b[2] - origin];
    let da = [a[1], a[2] - a[1], -a[2]];
    let db = [b[1] - b[0], b[2] - b[1], b[0] - b[2]];
    let (ax, bx, ex) = (Vec3x4::from_three(a), Vec3x4::from_three(b), Vec3x4::from_three(&db));
    let ee = ex.dot_lanes(&ex);
    let e0 = edge_to_edges(a[0], da[0], &bx, &ex, &ee);
    let e1 = edge_to_edges(a[1], da[1], &bx, &ex, &ee);
    let e2 = edge_to_edges(a[2], da[2], &bx, &ex, &ee);
    let fa = points_to_face(&bx, a[0], a[1], a[2]);
    let fb = points_to_face(&ax, b[0], db[0], -db[2]);

    // The nearest of the fifteen.
    let all = [&e0, &e1, &e2, &fa, &fb];
    let (mut best, mut which) = (f64::INFINITY, (0, 0));
    for (i, c) in all.iter().enumerate() {
        for k in 0..3 {
            if c.0[k] < best {
                (best, which) = (c.0[k], (i, k));
            }
        }
    }
    let (i, k) = which;
    let (s, t) = (all[i].1[k], all[i].2[k]);
    let (p, q) = match i {
        0..3 => (a[i] + da[i] * s, b[k] + db[k] * t),
        3 => (a[1] * s + a[2] * t, b[k]),
        _ => (a[k], b[0] + db[0] * s - db[2] * t),
    };
    let l = max_coordinate(a, b);
    let w = p - q;
    let length = w.norm();
    let upper = length + (TRIANGLE_UPPER * l + UNDERFLOW);
    let direction = w * ratio_or_zero(1.0, length);
    let lower = gap_along(a, b, direction) - (TRIANGLE_LOWER * l + UNDERFLOW);
    if length > 0.0 && upper - lower <= TRIANGLE_OPEN * l {
        return TriangleGap { lower, upper, point_a: origin + p, point_b: origin + q, direction };
    }
    let start = TriangleGap { lower, upper, point_a: p, point_b: q, direction };
    let mut gap = open(a, b, l, start);
    gap.point_a += origin;
    gap.point_b += origin;
    gap
}

/// The rare part of [`triangle_gap`]: more planes, and whether an edge pierces. Coordinates are relative to
/// its origin.
#[cold]
#[inline(never)]
fn open(a: &Triangle, b: &Triangle, l: f64, start: TriangleGap) -> TriangleGap {
    let mut gap = start;
    if !(l.is_finite() && gap.upper.is_finite() && gap.lower.is_finite()) {
        gap.lower = f64::NEG_INFINITY;
        gap.direction = Vec3::ZERO;
        if !(l.is_finite() && gap.upper.is_finite()) {
            gap.upper = f64::INFINITY;
            return gap;
        }
    }
    let edges = |t: &Triangle| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (da, db) = (edges(a), edges(b));
    let mut attempt = |n: Vec3| {
        let Some(n) = n.normalized() else { return };
        for n in [n, -n] {
            let lower = gap_along(a, b, n) - (TRIANGLE_LOWER * l + UNDERFLOW);
            if lower > gap.lower {
                (gap.lower, gap.direction) = (lower, n);
            }
        }
    };
    let (na, nb) = (da[0].cross(da[1]), db[0].cross(db[1]));
    attempt(na);
    attempt(nb);
    for d in da {
        for e in db {
            attempt(d.cross(e));
        }
        // For a segment or a point the nearest vector may be no product of edges.
        attempt(na.cross(d));
    }
    for e in db {
        attempt(nb.cross(e));
    }
    if gap.lower > 0.0 {
        return gap;
    }
    for i in 0..3 {
        let (on_a, on_b) =
            (pierce_triangle(a, na, b[i], b[NEXT[i]], l), pierce_triangle(b, nb, a[i], a[NEXT[i]], l));
        for (hit, face_is_a) in [(on_a, true), (on_b, false)] {
            let Some((depth, on_face, on_edge)) = hit else { continue };
            let upper = if depth > 0.0 {
                -depth
            } else {
                (on_face - on_edge).norm() + (TRIANGLE_UPPER * l + UNDERFLOW)
            };
            if upper < gap.upper {
                gap.upper = upper;
                (gap.point_a, gap.point_b) = if face_is_a { (on_face, on_edge) } else { (on_edge, on_face) };
            }
        }
    }
    gap
}

/// Where the segment from `p` to `q` meets the triangle with normal `normal`: a proved depth (not positive
/// where nothing is proved), the point of the triangle and the point of the segment. `None` where they do not
/// meet.
fn pierce_triangle(face: &Triangle, normal: Vec3, p: Vec3, q: Vec3, l: f64) -> Option<(f64, Vec3, Vec3)> {
    let area = normal.norm();
    if !(area > 0.0) {
        return None;
    }
    let n = normal * (1.0 / area);
    let (hp, hq) = (n.dot(p - face[0]), n.dot(q - face[0]));
    let rise = hp - hq;
    if !(hp.min(hq) <= 0.0 && hp.max(hq) >= 0.0 && rise.abs() > 0.0) {
        return None;
    }
    let s = unit_interval(hp / rise);
    let x = p + (q - p) * s;
    // Distance of the piercing point from the nearest side, and its barycentric coordinates.
    let (mut inset, mut weights) = (f64::INFINITY, [0.0; 3]);
    for i in 0..3 {
        let d = face[NEXT[i]] - face[i];
        let inner = n.cross(d);
        let r = inner.dot(x - face[i]);
        weights[NEXT[NEXT[i]]] = unit_interval(r / area);
        let d = d.norm();
        if !(d > 0.0) {
            return None;
        }
        inset = inset.min(r / d);
    }
    // Error of a height or of a distance from a side, by rounding of the normal and the coordinates.
    let error = TRIANGLE_CROSSING * l * (1.0 + l * l / area) + UNDERFLOW;
    if inset < -error {
        return None;
    }
    let sum = weights[0] + weights[1] + weights[2];
    let on_face = (face[0] * weights[0] + face[1] * weights[1] + face[2] * weights[2]) * (1.0 / sum);
    if !on_face.is_finite() {
        return None;
    }
    let length = (q - p).norm();
    let rise = rise.abs() - 2.0 * error;
    let steep = rise / length;
    let shift = 4.0 * error * length / rise + error;
    let depth =
        if rise > 0.0 { (hp.abs().min(hq.abs()) - error).min((inset - shift) * steep - error) } else { 0.0 };
    Some((if depth > 0.0 { depth } else { 0.0 }, on_face, x))
}

/// Directions from a point along which a triangle may lie beyond it: the triangle's own normal, and the way
/// to its nearest point. Unit vectors; none where rounding leaves none.
#[inline(always)]
pub fn parting_directions(t: &Triangle, p: Vec3) -> [Option<Vec3>; 2] {
    let own = (t[1] - t[0]).cross(t[2] - t[0]);
    let own = if own.dot(t[0] - p) < 0.0 { -own } else { own };
    [own.normalized(), (nearest_point(t, p) - p).normalized()]
}

/// The point of a triangle nearest to `p` (Ericson 2005, section 5.1.5). Proves nothing, and is rough on
/// needles.
#[inline(always)]
pub fn nearest_point(t: &Triangle, p: Vec3) -> Vec3 {
    let (e, f, r) = (t[1] - t[0], t[2] - t[0], p - t[0]);
    let (d1, d2) = (e.dot(r), f.dot(r));
    if d1 <= 0.0 && d2 <= 0.0 {
        return t[0];
    }
    let r1 = p - t[1];
    let (d3, d4) = (e.dot(r1), f.dot(r1));
    if d3 >= 0.0 && d4 <= d3 {
        return t[1];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return t[0] + e * ratio_or_zero(d1, d1 - d3);
    }
    let r2 = p - t[2];
    let (d5, d6) = (e.dot(r2), f.dot(r2));
    if d6 >= 0.0 && d5 <= d6 {
        return t[2];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return t[0] + f * ratio_or_zero(d2, d2 - d6);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return t[1] + (t[2] - t[1]) * ratio_or_zero(d4 - d3, (d4 - d3) + (d5 - d6));
    }
    let s = va + vb + vc;
    t[0] + e * ratio_or_zero(vb, s) + f * ratio_or_zero(vc, s)
}

/// Distance by dense sampling of both triangles: an upper bound that knows no features. Slow; for tests.
pub fn sampled_distance(a: &Triangle, b: &Triangle, steps: usize) -> f64 {
    let m = steps.max(1) as f64;
    let mut best = f64::INFINITY;
    let point = |t: &Triangle, i: usize, j: usize| {
        t[0] + (t[1] - t[0]) * (i as f64 / m) + (t[2] - t[0]) * (j as f64 / m)
    };
    for i in 0..=steps {
        for j in 0..=steps - i {
            let p = point(a, i, j);
            for k in 0..=steps {
                for n in 0..=steps - k {
                    best = best.min((p - point(b, k, n)).norm_squared());
                }
            }
        }
    }
    sqrt(best)
}

#[cfg(all(test, feature = "std"))]
mod tests;
