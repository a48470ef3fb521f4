//! The distance between two triangles as a proved interval.
//!
//! What: [`gap`] takes two triangles in one frame and returns a signed interval that contains their distance:
//! from above two points that lie in them, from below a plane between them.
//!
//! How: two disjoint triangles are closest either between two edges (nine pairs) or between a vertex and the
//! inside of the other triangle (six). All fifteen are computed, four lanes at a time without branches, and
//! the nearest is taken. The vector between its points is tried as the normal of a separating plane: the six
//! vertices are projected on it, and the room between the two triangles, less the rounding, is the lower
//! bound. That check knows nothing of how the vector was found, so slivers, needles and points cost accuracy
//! at worst, never soundness. Where the check leaves the interval open (the triangles cross, nearly touch, or
//! are ill shaped) the two face normals and the nine products of edges are tried as well: the Minkowski
//! difference of two triangles has no other facet normals.
//!
//! Crossing is proved by an edge of one that pierces the other. With `h` and `k` the distances of its ends
//! from the plane, `r` the distance of the piercing point from the border of the pierced triangle and `c` the
//! cosine between edge and normal, a translation by `v` moves the piercing point by at most `|v| / c`; so
//! while `|v| < min(h, k, r c)` the edge still pierces, and no shorter translation separates the two.
//!
//! All arithmetic is relative to one vertex, so the rounding depends on the size of the configuration and not
//! on how far off it lies. See `numeric::tolerance` for the bounds.

use crate::numeric::math::{Vec3, sqrt};
use crate::numeric::tolerance::UNDERFLOW;
use crate::shape::tolerance::{
    FACE_NORMAL_LEAST, TRIANGLE_CROSSING, TRIANGLE_LOWER, TRIANGLE_OPEN, TRIANGLE_UPPER,
};

/// The corners of a triangle; any of them may coincide.
pub type Triangle = [Vec3; 3];

/// The proved distance of two triangles, in the frame they were given in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleGap {
    /// The signed distance is at least this (metres). Negative: no translation longer than this much is
    /// needed to separate them.
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

/// Four numbers, worked on together.
type Lanes = [f64; 4];

/// Four vectors, by coordinate.
#[derive(Clone, Copy)]
struct Vec3x4 {
    x: Lanes,
    y: Lanes,
    z: Lanes,
}

/// The next corner of a triangle.
const NEXT: [usize; 3] = [1, 2, 0];

#[inline(always)]
fn lanes(f: impl Fn(usize) -> f64) -> Lanes {
    [f(0), f(1), f(2), f(3)]
}

impl Vec3x4 {
    /// Three vectors; the last fills the fourth lane.
    #[inline(always)]
    fn from_three(v: &[Vec3; 3]) -> Vec3x4 {
        Vec3x4 {
            x: [v[0].x, v[1].x, v[2].x, v[2].x],
            y: [v[0].y, v[1].y, v[2].y, v[2].y],
            z: [v[0].z, v[1].z, v[2].z, v[2].z],
        }
    }
    #[inline(always)]
    fn dot(&self, v: Vec3) -> Lanes {
        lanes(|k| self.x[k] * v.x + self.y[k] * v.y + self.z[k] * v.z)
    }
    #[inline(always)]
    fn dot_lanes(&self, v: &Vec3x4) -> Lanes {
        lanes(|k| self.x[k] * v.x[k] + self.y[k] * v.y[k] + self.z[k] * v.z[k])
    }
}

/// `x` between 0 and 1; NaN becomes 0.
#[inline(always)]
fn unit_interval(x: f64) -> f64 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

/// `n / d`, or 0 where `d` is not positive.
#[inline(always)]
fn ratio(n: f64, d: f64) -> f64 {
    let q = n / d;
    if d > 0.0 { q } else { 0.0 }
}

/// Squared distances of one segment to three, with the parameters of the nearest points.
#[inline(always)]
fn edge_to_edges(p: Vec3, d: Vec3, q: &Vec3x4, e: &Vec3x4, ee: &Lanes) -> (Lanes, Lanes, Lanes) {
    let dd = d.norm_squared();
    let r = Vec3x4 { x: lanes(|k| p.x - q.x[k]), y: lanes(|k| p.y - q.y[k]), z: lanes(|k| p.z - q.z[k]) };
    let (de, dr, er) = (e.dot(d), r.dot(d), e.dot_lanes(&r));
    // The lines' nearest points, clamped to the first segment; then each parameter for the other.
    let s = lanes(|k| unit_interval(ratio(de[k] * er[k] - dr[k] * ee[k], dd * ee[k] - de[k] * de[k])));
    let t = lanes(|k| unit_interval(ratio(de[k] * s[k] + er[k], ee[k])));
    let s = lanes(|k| unit_interval(ratio(de[k] * t[k] - dr[k], dd)));
    let w = Vec3x4 {
        x: lanes(|k| r.x[k] + d.x * s[k] - e.x[k] * t[k]),
        y: lanes(|k| r.y[k] + d.y * s[k] - e.y[k] * t[k]),
        z: lanes(|k| r.z[k] + d.z * s[k] - e.z[k] * t[k]),
    };
    (w.dot_lanes(&w), s, t)
}

/// Squared distances of three points to the inside of a triangle at `o` with edges `e` and `f`, infinite
/// where the projection lies outside; with the two barycentric coordinates.
#[inline(always)]
fn points_to_face(p: &Vec3x4, o: Vec3, e: Vec3, f: Vec3) -> (Lanes, Lanes, Lanes) {
    let normal = e.cross(f);
    let area = normal.norm_squared();
    let scale = ratio(1.0, area);
    let (g, h) = (f.cross(normal) * scale, normal.cross(e) * scale);
    let r = Vec3x4 { x: lanes(|k| p.x[k] - o.x), y: lanes(|k| p.y[k] - o.y), z: lanes(|k| p.z[k] - o.z) };
    let (v, w) = (r.dot(g), r.dot(h));
    let x = Vec3x4 {
        x: lanes(|k| r.x[k] - e.x * v[k] - f.x * w[k]),
        y: lanes(|k| r.y[k] - e.y * v[k] - f.y * w[k]),
        z: lanes(|k| r.z[k] - e.z * v[k] - f.z * w[k]),
    };
    let n = x.dot_lanes(&x);
    let inside = |k: usize| (v[k] >= 0.0) & (w[k] >= 0.0) & (v[k] + w[k] <= 1.0) & (area > 0.0);
    (lanes(|k| if inside(k) { n[k] } else { f64::INFINITY }), v, w)
}

/// Smallest of `n . a` less largest of `n . b`, no rounding taken off.
#[inline(always)]
pub(crate) fn room_along(a: &Triangle, b: &Triangle, n: Vec3) -> f64 {
    let low = |x: f64, y: f64| if x < y { x } else { y };
    let high = |x: f64, y: f64| if x > y { x } else { y };
    low(low(n.dot(a[0]), n.dot(a[1])), n.dot(a[2])) - high(high(n.dot(b[0]), n.dot(b[1])), n.dot(b[2]))
}

/// True if the room along one of the face normals is more than `enough`, no rounding taken off. Needles are
/// not asked.
#[inline(always)]
pub(crate) fn face_room_exceeds(a: &Triangle, b: &Triangle, enough: f64) -> bool {
    let exceeds = |n: Vec3| {
        let low = |x: f64, y: f64| if x < y { x } else { y };
        let high = |x: f64, y: f64| if x > y { x } else { y };
        let (pa, pb) = (a.map(|p| n.dot(p)), b.map(|p| n.dot(p)));
        let over = low(low(pa[0], pa[1]), pa[2]) - high(high(pb[0], pb[1]), pb[2]);
        let under = low(low(pb[0], pb[1]), pb[2]) - high(high(pa[0], pa[1]), pa[2]);
        let length = n.norm();
        (high(over, under) > enough * length) & (length > FACE_NORMAL_LEAST)
    };
    exceeds((a[1] - a[0]).cross(a[2] - a[0])) || exceeds((b[1] - b[0]).cross(b[2] - b[0]))
}

/// Largest absolute coordinate of six points.
#[inline(always)]
fn size(a: &Triangle, b: &Triangle) -> f64 {
    let m = a[0].abs().max(a[1].abs()).max(a[2].abs());
    m.max(b[0].abs().max(b[1].abs()).max(b[2].abs())).max_abs()
}

/// The distance of two triangles given in one frame (metres), as a proved signed interval.
///
/// Coordinates must be finite; where they are not, nothing is proved (`lower` is minus infinity, `upper`
/// infinity).
#[inline(always)]
pub fn gap(a: &Triangle, b: &Triangle) -> TriangleGap {
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
    let l = size(a, b);
    let w = p - q;
    let length = w.norm();
    let upper = length + (TRIANGLE_UPPER * l + UNDERFLOW);
    let direction = w * ratio(1.0, length);
    let lower = room_along(a, b, direction) - (TRIANGLE_LOWER * l + UNDERFLOW);
    if length > 0.0 && upper - lower <= TRIANGLE_OPEN * l {
        return TriangleGap { lower, upper, point_a: origin + p, point_b: origin + q, direction };
    }
    let start = TriangleGap { lower, upper, point_a: p, point_b: q, direction };
    let mut found = open(a, b, l, start);
    found.point_a += origin;
    found.point_b += origin;
    found
}

/// The rare rest of [`gap`]: more planes, and whether an edge pierces. Coordinates relative to the origin of
/// [`gap`].
#[cold]
#[inline(never)]
fn open(a: &Triangle, b: &Triangle, l: f64, start: TriangleGap) -> TriangleGap {
    let mut found = start;
    if !(l.is_finite() && found.upper.is_finite() && found.lower.is_finite()) {
        found.lower = f64::NEG_INFINITY;
        found.direction = Vec3::ZERO;
        if !(l.is_finite() && found.upper.is_finite()) {
            found.upper = f64::INFINITY;
            return found;
        }
    }
    let edges = |t: &Triangle| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (da, db) = (edges(a), edges(b));
    let mut attempt = |n: Vec3| {
        let Some(n) = n.normalized() else { return };
        for n in [n, -n] {
            let lower = room_along(a, b, n) - (TRIANGLE_LOWER * l + UNDERFLOW);
            if lower > found.lower {
                (found.lower, found.direction) = (lower, n);
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
        // A segment or a point is nearest along vectors that no product of edges gives.
        attempt(na.cross(d));
    }
    for e in db {
        attempt(nb.cross(e));
    }
    if found.lower > 0.0 {
        return found;
    }
    for i in 0..3 {
        let (on_a, on_b) = (pierce(a, na, b[i], b[NEXT[i]], l), pierce(b, nb, a[i], a[NEXT[i]], l));
        for (hit, face_is_a) in [(on_a, true), (on_b, false)] {
            let Some((depth, on_face, on_edge)) = hit else { continue };
            let upper = if depth > 0.0 {
                -depth
            } else {
                (on_face - on_edge).norm() + (TRIANGLE_UPPER * l + UNDERFLOW)
            };
            if upper < found.upper {
                found.upper = upper;
                (found.point_a, found.point_b) =
                    if face_is_a { (on_face, on_edge) } else { (on_edge, on_face) };
            }
        }
    }
    found
}

/// Where the segment from `p` to `q` meets the triangle with normal `normal`: a proved depth (not positive
/// where nothing is proved), the point of the triangle and the point of the segment. `None` where they do not
/// meet.
fn pierce(face: &Triangle, normal: Vec3, p: Vec3, q: Vec3, l: f64) -> Option<(f64, Vec3, Vec3)> {
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
    // Distance of the piercing point from the nearest side, and barycentric coordinates for a point of the
    // triangle.
    let (mut room, mut weights) = (f64::INFINITY, [0.0; 3]);
    for i in 0..3 {
        let d = face[NEXT[i]] - face[i];
        let inner = n.cross(d);
        let r = inner.dot(x - face[i]);
        weights[NEXT[NEXT[i]]] = unit_interval(r / area);
        let d = d.norm();
        if !(d > 0.0) {
            return None;
        }
        room = room.min(r / d);
    }
    // What the rounding of the normal and of the coordinates can move a height or a side distance by.
    let error = TRIANGLE_CROSSING * l * (1.0 + l * l / area) + UNDERFLOW;
    if room < -error {
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
        if rise > 0.0 { (hp.abs().min(hq.abs()) - error).min((room - shift) * steep - error) } else { 0.0 };
    Some((if depth > 0.0 { depth } else { 0.0 }, on_face, x))
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
        return t[0] + e * ratio(d1, d1 - d3);
    }
    let r2 = p - t[2];
    let (d5, d6) = (e.dot(r2), f.dot(r2));
    if d6 >= 0.0 && d5 <= d6 {
        return t[2];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return t[0] + f * ratio(d2, d2 - d6);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return t[1] + (t[2] - t[1]) * ratio(d4 - d3, (d4 - d3) + (d5 - d6));
    }
    let s = va + vb + vc;
    t[0] + e * ratio(vb, s) + f * ratio(vc, s)
}

/// Distance by dense sampling of both triangles: an upper bound that knows no features. Slow; for tests.
pub fn sampled(a: &Triangle, b: &Triangle, steps: usize) -> f64 {
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
mod tests {
    use super::*;
    use crate::numeric::math::vec3;
    use crate::rng::Rng;

    /// Least distance by projecting back and forth between the triangles from many starts: knows nothing of
    /// edges.
    fn alternating(a: &Triangle, b: &Triangle) -> f64 {
        let mut best = f64::INFINITY;
        for i in 0..28 {
            let (s, t) = ((i % 7) as f64 / 6.0, (i / 7) as f64 / 3.0);
            let mut p = a[0] + (a[1] - a[0]) * (s * (1.0 - t)) + (a[2] - a[0]) * t;
            for _ in 0..300 {
                let q = nearest_point(b, p);
                p = nearest_point(a, q);
                best = best.min((p - q).norm());
            }
        }
        best
    }

    #[test]
    fn intervals_hold_the_truth_at_every_scale() {
        let mut rng = Rng::new(21);
        let (mut apart, mut crossing, mut needles) = (0, 0, 0);
        for case in 0..4000 {
            let scale = [1e-3, 1.0, 1e3][case % 3];
            let far = rng.direction() * [0.0, 1.0, 1e3][(case / 3) % 3] * scale;
            let mut make = |spread: f64| {
                let c = rng.point(spread * scale) + far;
                let mut t = [(); 3].map(|()| c + rng.point(scale));
                match case % 7 {
                    0 => t[2] = t[0] + (t[1] - t[0]) * 0.4 + rng.point(1e-12 * scale),
                    1 => t[2] = t[1],
                    2 => t = [t[0]; 3],
                    _ => {}
                }
                t
            };
            let (a, b) = (make(0.8), make(0.8));
            let g = gap(&a, &b);
            let rounding = 1e-13 * (scale + far.norm());
            assert!(g.lower <= g.upper, "{a:?} {b:?} {g:?}");
            if g.upper < 0.0 {
                crossing += 1;
                // Moved by less than the depth, in any direction, they still meet.
                for _ in 0..20 {
                    let d = rng.direction() * (-g.upper * 0.999);
                    let moved = gap(&a, &b.map(|p| p + d));
                    assert!(moved.lower <= rounding, "{a:?} {b:?} {g:?} {moved:?}");
                }
                // And the bound from below is a plane along which they come free.
                let free = gap(&a.map(|p| p + g.direction * (-g.lower + rounding)), &b);
                assert!(free.lower >= -rounding);
                continue;
            }
            let truth = alternating(&a, &b);
            assert!(
                g.lower <= truth + rounding && g.upper <= truth * (1.0 + 1e-9) + 1e-6 * scale,
                "{a:?} {b:?} {g:?} {truth}"
            );
            if g.lower > 0.0 {
                apart += 1;
                needles += usize::from(case % 7 < 3);
                assert!(g.upper - g.lower <= 1e-9 * scale, "{a:?} {b:?} {g:?}");
                assert!((g.point_a - g.point_b).norm() <= g.upper + rounding);
                assert!(gap(&a, &[g.point_a; 3]).upper <= rounding);
                assert!(gap(&b, &[g.point_b; 3]).upper <= rounding);
            }
        }
        assert!(apart > 1500 && crossing > 100 && needles > 500, "{apart} {crossing} {needles}");
    }

    #[test]
    fn known_configurations() {
        let a = [vec3(0.0, 0.0, 0.0), vec3(2.0, 0.0, 0.0), vec3(0.0, 2.0, 0.0)];
        let at = |z: f64| [vec3(0.5, 0.5, z), vec3(0.5, 0.5, z + 1.0), vec3(0.7, 0.5, z + 1.0)];
        // A tip over the inside.
        for z in [1.0, 1e-3, 1e-9] {
            let g = gap(&a, &at(z));
            assert!(g.lower <= z && z <= g.upper && g.upper - g.lower < 1e-13, "{g:?}");
            assert!((g.direction + Vec3::Z).norm() < 1e-5);
        }
        // Touching: neither apart nor crossing.
        let g = gap(&a, &at(0.0));
        assert!(g.lower <= 0.0 && g.upper >= 0.0 && g.upper < 1e-13, "{g:?}");
        // Piercing by a tenth.
        let g = gap(&a, &at(-0.1));
        assert!(g.upper < -0.099 && g.upper >= -0.1 && g.lower <= -0.1 && g.lower > -0.1 - 1e-12, "{g:?}");
        // Coplanar and overlapping has no depth.
        let g = gap(&a, &a.map(|p| p + vec3(0.1, 0.1, 0.0)));
        assert!(g.lower <= 0.0 && g.lower > -1e-12 && g.upper >= 0.0 && g.upper < 1e-12, "{g:?}");
        // Parallel edges.
        let b = a.map(|p| p + vec3(0.0, -0.5, 0.0)).map(|p| vec3(p.x, -p.y - 1.0, p.z));
        let g = gap(&a, &b);
        assert!(g.lower <= 0.5 && g.upper >= 0.5 && g.upper - g.lower < 1e-12, "{g:?}");
        // Not a number.
        let g = gap(&a, &[vec3(f64::NAN, 0.0, 0.0); 3]);
        assert!(g.lower == f64::NEG_INFINITY && !(g.upper < f64::MAX), "{g:?}");
    }
}
