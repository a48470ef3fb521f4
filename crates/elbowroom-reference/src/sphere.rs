//! Depth of overlapping convex cores of any kind: branch and bound over the sphere of directions.
//!
//! Depth is the least `h(n) = max over v in D of v.n` over unit `n`. A cell is a spherical triangle with
//! corners `n_i`. For any point `p` of `D`, `h(n) >= p.n`; and along a great arc `p.n` is a cosine, concave
//! where it is positive, so over the cell it is least at a corner. Hence for every cell
//!
//! ```text
//!   h >= max over p of min over i of p.n_i
//! ```
//!
//! where `p` runs over the triangle of the corners' support points: a 3 by 3 matrix game, solved exactly.
//! Cells that cannot undercut the best direction found by more than the target are dropped, the others are
//! cut in four. The bound is second order in the size of the cell, so around an isolated minimum a level
//! costs a few cells. Directions are spread evenly over the ellipsoid that fits `D`, not the sphere, so that
//! needles do not need needle-thin cells. Two bodies of revolution on one axis have a circle of minima: there
//! the cells are arcs of one meridian.

use crate::math::{Mat3, Vec3, sin_cos, vec3};
use crate::solid::Difference;
use crate::truth::{Method, Truth};

/// Cells looked at before the search gives up and reports what it has (a few tens of milliseconds).
pub const CELLS: usize = 60_000;

#[derive(Clone, Copy)]
struct Corner {
    /// Where the corner lies on the even sphere.
    even: Vec3,
    /// The direction.
    n: Vec3,
    /// Point of `D` farthest along it.
    p: Vec3,
}

/// The signed distance of overlapping cores: minus their depth, to `target` (metres) or the work limit.
pub fn curved_depth(d: &Difference, target: f64) -> Truth {
    let fit = fit_ellipsoid(d);
    let mut best = (f64::INFINITY, Vec3::Z);
    let look = |n: Vec3, best: &mut (f64, Vec3)| {
        let (a, b) = d.least_rounded(-n);
        let p = a - b;
        if p.dot(n) < best.0 {
            *best = (p.dot(n), n);
        }
        p
    };
    let at = |even: Vec3, best: &mut (f64, Vec3)| {
        let even = even.normalized().unwrap_or(Vec3::Z);
        let n = even_to_direction(&fit, even);
        Corner { even, n, p: look(n, best) }
    };
    for n in d.a.normals.iter().copied().chain(d.b.normals.iter().map(|&n| -d.b_in_a.transform_direction(n)))
    {
        look(n.normalized().unwrap_or(Vec3::Z), &mut best);
    }
    let mut cells: Vec<[Corner; 3]> = Vec::new();
    if common_axis(d) {
        // One meridian; a cell with two equal corners is an arc.
        let mut ring: Vec<Corner> = Vec::new();
        for i in 0..=8 {
            let (s, c) = sin_cos(std::f64::consts::FRAC_PI_8 * i as f64);
            let n = vec3(s, 0.0, c);
            ring.push(Corner { even: n, n, p: look(n, &mut best) });
        }
        cells.extend(ring.windows(2).map(|w| [w[0], w[1], w[1]]));
    } else {
        let corner =
            |i: usize, s: usize| vec3(0.0, 0.0, 0.0) + [Vec3::X, Vec3::Y, Vec3::Z][i] * [1.0, -1.0][s & 1];
        for s in 0..8 {
            cells.push([0, 1, 2].map(|i| at(corner(i, s >> i), &mut best)));
        }
    }
    let arcs = common_axis(d);
    let (mut looked, mut floor) = (0, f64::INFINITY);
    let mut next: Vec<(f64, [Corner; 3])> = Vec::new();
    let mut level = 0;
    while !cells.is_empty() && level < 60 {
        level += 1;
        next.clear();
        for c in &cells {
            let bound = game_value(c);
            // The first levels are always cut: the matrix game wants cells well within a half sphere.
            if level > 2 && bound >= best.0 - target {
                continue;
            }
            // The plane through the corners' points is a good guess at the nearest facet.
            if let Some(n) = (c[1].p - c[0].p).cross(c[2].p - c[0].p).normalized() {
                let n = if n.dot(c[0].n) < 0.0 { -n } else { n };
                look(n, &mut best);
            }
            next.push((if level > 2 { bound } else { f64::NEG_INFINITY }, *c));
        }
        cells.clear();
        looked += next.len();
        if looked > CELLS {
            floor = next.iter().fold(f64::INFINITY, |m, c| m.min(c.0));
            break;
        }
        for (bound, [a, b, c]) in next.drain(..) {
            if bound >= best.0 - target {
                continue;
            }
            if arcs {
                let n = (a.n + b.n).normalized().unwrap_or(Vec3::Z);
                let m = Corner { even: n, n, p: look(n, &mut best) };
                cells.extend([[a, m, m], [m, b, b]]);
                continue;
            }
            let mut middle = |p: Corner, q: Corner| at(p.even + q.even, &mut best);
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            cells.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
    }
    let normal = -best.1;
    let (witness_a, witness_b) = d.least_rounded(normal);
    Truth {
        lower: -best.0,
        upper: -floor.min(best.0 - target),
        witness_a,
        witness_b,
        normal,
        scale: 0.0,
        method: Method::Sphere,
        rank: [0, 0],
    }
}

/// Both cores turn about one line: A's z axis.
fn common_axis(d: &Difference) -> bool {
    let (z, t) = (d.b_in_a.rotation.cols[2], d.b_in_a.translation);
    d.a.is_round() && d.b.is_round() && t.x == 0.0 && t.y == 0.0 && (z.x == 0.0 && z.y == 0.0 || is_point(d))
}

fn is_point(d: &Difference) -> bool {
    d.rounded_vertices().1.len() == 1
}

/// Lower triangle `L` with `D` about as large as the ellipsoid `L * ball`: from the support points of even
/// directions, twice.
fn fit_ellipsoid(d: &Difference) -> Mat3 {
    let mut l = Mat3::IDENTITY;
    for _ in 0..3 {
        let mut m = [[0.0; 3]; 3];
        for i in 0..27_u32 {
            let even = vec3((i % 3) as f64 - 1.0, (i / 3 % 3) as f64 - 1.0, (i / 9) as f64 - 1.0);
            let Some(even) = even.normalized() else { continue };
            let n = even_to_direction(&l, even);
            let (a, b) = d.least_rounded(-n);
            let p = (a - b).to_array();
            for r in 0..3 {
                for c in 0..3 {
                    m[r][c] += p[r] * p[c];
                }
            }
        }
        let ridge = 1e-14 * (m[0][0] + m[1][1] + m[2][2]);
        let a = (m[0][0] + ridge).sqrt();
        let (b, c) = (m[1][0] / a, m[2][0] / a);
        let e = (m[1][1] + ridge - b * b).max(ridge).sqrt();
        let f = (m[2][1] - b * c) / e;
        let g = (m[2][2] + ridge - c * c - f * f).max(ridge).sqrt();
        let next = Mat3 { cols: [vec3(a, b, c), vec3(0.0, e, f), vec3(0.0, 0.0, g)] };
        if !(ridge > 0.0 && next.cols.iter().all(|c| c.is_finite())) {
            break;
        }
        l = next;
    }
    l
}

/// Unit direction `L^-T even`.
fn even_to_direction(l: &Mat3, even: Vec3) -> Vec3 {
    let [a, b, c] = l.cols;
    let z = even.z / c.z;
    let y = (even.y - b.z * z) / b.y;
    let x = (even.x - a.y * y - a.z * z) / a.x;
    let n = vec3(x, y, z);
    (n * (1.0 / n.max_abs())).normalized().unwrap_or(even)
}

/// Value of the game `p_j . n_i`: the best mixture of the points against the worst corner.
fn game_value(c: &[Corner; 3]) -> f64 {
    let m = [0, 1, 2].map(|i| [0, 1, 2].map(|j| c[j].p.dot(c[i].n)));
    let worth = |w: [f64; 3]| {
        (0..3).fold(f64::INFINITY, |v: f64, i| v.min(m[i][0] * w[0] + m[i][1] * w[1] + m[i][2] * w[2]))
    };
    let mut best = worth([1.0, 0.0, 0.0]).max(worth([0.0, 1.0, 0.0])).max(worth([0.0, 0.0, 1.0]));
    // Two points: where two corners are equally bad.
    for (j, k) in [(0, 1), (1, 2), (2, 0)] {
        for (r, s) in [(0, 1), (1, 2), (2, 0)] {
            let (p, q) = (m[r][j] - m[s][j], m[r][k] - m[s][k]);
            let t = p / (p - q);
            if t > 0.0 && t < 1.0 {
                let mut w = [0.0; 3];
                (w[j], w[k]) = (1.0 - t, t);
                best = best.max(worth(w));
            }
        }
    }
    // Three points: all corners equally bad (Cramer).
    let u = [0, 1, 2].map(|j| vec3(m[0][j], m[1][j], m[2][j]));
    let ones = vec3(1.0, 1.0, 1.0);
    let w = [u[1].cross(u[2]).dot(ones), u[2].cross(u[0]).dot(ones), u[0].cross(u[1]).dot(ones)];
    let sum = w[0] + w[1] + w[2];
    let w = w.map(|w| w / sum);
    if w.iter().all(|w| *w > 0.0) {
        best = best.max(worth(w));
    }
    best
}
