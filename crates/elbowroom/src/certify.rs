//! Witnesses and planes to intervals, knowing nothing of how they were found.
//!
//! A claim about two cores comes as points of the cores and a direction, or as a closed surface of points of
//! A - B around the origin. Each bound is recomputed here from the cores and widened by its rounding
//! ([`CERTIFY_ROUNDING`]); a wrong claim can only give a wide interval.

use crate::gjk::{Cores, Corner, Simplex};
use crate::math::Vec3;
use crate::simd::Lanes;
use crate::support::Support;
use crate::tolerance::{CERTIFY_ROUNDING, NEEDLE, ROUNDOFF};

/// A proved interval for the distance between two cores, with the points behind the upper bound (A's frame).
#[derive(Clone, Copy)]
pub(crate) struct Gap {
    pub lower: f64,
    pub upper: f64,
    pub a: Vec3,
    pub b: Vec3,
}

/// What rounding may add to a bound of this pair (metres).
#[inline(always)]
pub(crate) fn rounding<A: Support, B: Support>(cores: &Cores<A, B>) -> f64 {
    CERTIFY_ROUNDING * ROUNDOFF * cores.scale
}

/// Proved: no point of A - B is below the result along `v`, `v` from B to A and of any length. The hints are
/// vertices to start looking from.
#[inline(always)]
pub(crate) fn plane<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    v: Vec3,
    hints: (u32, u32),
) -> f64 {
    let high_a = cores.a.height(l, -v, hints.0);
    let high_b = cores.b.height(l, cores.rotation.transpose_mul(v), hints.1);
    let low = -high_a - high_b - v.dot(cores.translation);
    let bound = low / v.norm() - rounding(cores);
    // NaN, from a direction of no length, proves nothing.
    if bound.is_nan() { f64::NEG_INFINITY } else { bound }
}

/// Points of both cores by their weights in a simplex: combinations of points of the cores, whatever the weights.
#[inline(always)]
pub(crate) fn witnesses(s: &Simplex) -> (Vec3, Vec3) {
    let mut sum = 0.0;
    let (mut a, mut b) = (Vec3::ZERO, Vec3::ZERO);
    for i in 0..s.len {
        let w = s.weight[i].max(0.0);
        sum += w;
        a += s.corner(i).a * w;
        b += s.corner(i).b * w;
    }
    let inv = 1.0 / sum;
    (a * inv, b * inv)
}

/// The interval that a simplex and a direction prove.
#[inline(always)]
pub(crate) fn gap<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    s: &Simplex,
    v: Vec3,
    hints: (u32, u32),
) -> Gap {
    let lower = plane(l, cores, v, hints);
    let (a, b) = witnesses(s);
    Gap { lower, upper: (a - b).norm() + rounding(cores), a, b }
}

/// A triangle of a closed surface in A - B, with its neighbours across the edges 0-1, 1-2, 2-0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceFace {
    pub corner: [u16; 3],
    pub next: [u16; 3],
    pub alive: bool,
}

/// A direction and a distance such that no point of the triangle is nearer to the origin: every corner is at least so
/// far along it. The normal, or for needles, whose normal is rounding, the direction of their nearest point.
#[inline(always)]
pub(crate) fn beyond(p: Vec3, q: Vec3, r: Vec3) -> (Vec3, f64) {
    let (e, f) = (q - p, r - p);
    let n = e.cross(f);
    let nn = n.norm_squared();
    if nn > NEEDLE * e.norm_squared() * f.norm_squared() {
        return (n, n.dot(p).min(n.dot(q)).min(n.dot(r)) / crate::math::sqrt(nn));
    }
    let mut best = (if nn > 0.0 { n } else { p }, f64::NEG_INFINITY);
    for m in [n, foot_on_edge(p, q), foot_on_edge(q, r), foot_on_edge(r, p)] {
        let low = m.dot(p).min(m.dot(q)).min(m.dot(r)) / m.norm();
        if low > best.1 {
            best = (m, low);
        }
    }
    best
}

/// The point of an edge nearest to the origin.
fn foot_on_edge(p: Vec3, q: Vec3) -> Vec3 {
    let d = q - p;
    let t = -(p.dot(d)) / d.norm_squared();
    // NaN, from an edge of no length, becomes its end.
    if t > 0.0 { p + d * t.min(1.0) } else { p }
}

/// Radius of a ball about the origin that lies in A - B: the overlap is at least this deep. Zero or less, and
/// meaningless, if the surface does not prove any.
///
/// If the living faces form a closed oriented surface (every edge is shared with one face that runs along it the
/// other way), all of them are farther than the ball's radius, and the origin is in front of none, then the surface
/// winds around the origin: the solid angles are all of one sign and sum to a multiple of the full sphere. So each
/// point that no face comes near is wound around as well and lies in the hull of the corners. The surface need not be
/// convex. The corners are rounded points of A - B: moving them by their rounding moves the ball's radius by no more.
pub(crate) fn enclosed_ball(corners: &[Corner], faces: &[SurfaceFace], rounding: f64) -> f64 {
    let (mut least, mut behind) = (f64::INFINITY, false);
    for (i, f) in faces.iter().enumerate().filter(|(_, f)| f.alive) {
        let [p, q, r] = f.corner.map(|k| corners[k as usize].w);
        for e in 0..3 {
            let (from, to) = (f.corner[e], f.corner[(e + 1) % 3]);
            let back = &faces[f.next[e] as usize];
            let meets = (0..3).any(|k| {
                back.corner[k] == to && back.corner[(k + 1) % 3] == from && back.next[k] as usize == i
            });
            if !(back.alive && meets) {
                return f64::NEG_INFINITY;
            }
        }
        // The side of the origin: the sign of the determinant, exactly where rounding could turn it.
        let det = p.dot(q.cross(r));
        let det_error = 16.0 * ROUNDOFF * p.abs().dot(vec_permanent(q, r));
        let side = if det.abs() > det_error { det } else { exact_side(p, q, r) };
        if side < 0.0 {
            return f64::NEG_INFINITY;
        }
        behind |= side > 0.0;
        let (_, low) = beyond(p, q, r);
        least = least.min(low);
        if low.is_nan() {
            return f64::NEG_INFINITY;
        }
    }
    if behind && least.is_finite() { least - rounding } else { f64::NEG_INFINITY }
}

/// Magnitudes behind the products of `q x r`.
fn vec_permanent(q: Vec3, r: Vec3) -> Vec3 {
    let (q, r) = (q.abs(), r.abs());
    Vec3 { x: q.y * r.z + q.z * r.y, y: q.z * r.x + q.x * r.z, z: q.x * r.y + q.y * r.x }
}

/// Sign of `p . (q x r)`, exact.
fn exact_side(p: Vec3, q: Vec3, r: Vec3) -> f64 {
    let c = |v: Vec3| robust::Coord3D { x: v.x, y: v.y, z: v.z };
    robust::orient3d(c(p), c(q), c(r), c(Vec3::ZERO))
}
