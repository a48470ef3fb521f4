//! Volume of what primitives are fitted around.

use elbowroom::bounds::fit::{BallSet, fit_aligned_box};
use elbowroom::math::{Vec3, sin_cos, vec3};
use elbowroom::pair::shape::hull::{Hull, InBall, Rank};
use elbowroom::tolerance::{FIT_DIRECTIONS, FIT_FLAT as THIN};
use std::f64::consts::PI;

/// Volume of the convex hull of a set of balls (cubic metres), as computed; where the radii differ, of the
/// hull of balls of the smallest. Zero of nothing. Of thin hulls widened to within a thousandth.
///
/// Steiner's formula: a hull of volume V and surface S whose edges have lengths l and exterior angles w,
/// widened by r, has `V + S r + sum(l w) r² / 2 + 4/3 pi r³`.
pub fn hull_volume(set: &BallSet) -> f64 {
    if fit_aligned_box(set).is_none() {
        return 0.0;
    }
    let centers: Vec<Vec3> = set.balls().iter().map(|b| b.center).collect();
    let r = set.balls().iter().fold(f64::INFINITY, |r, b| r.min(b.radius));
    let Ok(InBall { hull, center, .. }) = Hull::with_ball(&centers) else { return 0.0 };
    let [volume, surface, bend] = hull_measures(&hull, center);
    volume + r * (surface + r * (0.5 * bend + r * (4.0 / 3.0 * PI)))
}

/// Volume, surface, and the sum over edges of length times exterior angle. `center` is near the hull.
fn hull_measures(hull: &Hull, center: Vec3) -> [f64; 3] {
    let at = |i: u32| hull.vertex(i as usize) - center;
    if hull.rank() == Rank::Segment {
        return [0.0, 0.0, 2.0 * PI * (at(1) - at(0)).norm()];
    }
    let (mut volume, mut surface) = (0.0, 0.0);
    let mut edges: Vec<(u32, u32, bool, Vec3)> = Vec::with_capacity(3 * hull.faces().len());
    for f in hull.faces() {
        let [p, q, r] = f.map(at);
        let n = (q - p).cross(r - p);
        volume += p.dot(q.cross(r)) / 6.0;
        surface += 0.5 * n.norm();
        for (a, b) in [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])] {
            edges.push((a.min(b), a.max(b), a < b, n));
        }
    }
    edges.sort_by_key(|e| (e.0, e.1, e.2));
    let solid = hull.rank() == Rank::Solid;
    if solid && volume < THIN * surface * surface.sqrt() {
        // Too thin for its normals: by the mean of its width over all directions, which bends do not need.
        let width = |d: Vec3| {
            let span = |(l, h): (f64, f64), p: Vec3| (l.min(d.dot(p)), h.max(d.dot(p)));
            let (low, high) = hull.vertices().fold((f64::INFINITY, f64::NEG_INFINITY), span);
            high - low
        };
        let mean = (0..FIT_DIRECTIONS).map(|k| width(spiral_direction(k, FIT_DIRECTIONS))).sum::<f64>();
        return [volume, surface, 4.0 * PI * mean / FIT_DIRECTIONS as f64];
    }
    let mut bend = 0.0;
    let mut i = 0;
    while i < edges.len() {
        let same = edges[i..].iter().take_while(|e| (e.0, e.1) == (edges[i].0, edges[i].1)).count();
        // More than two faces meet in the diagonals of polygons only, where nothing bends.
        if let [e, f] = edges[i..i + same] {
            let angle = e.3.cross(f.3).norm().atan2(e.3.dot(f.3));
            bend += angle * (at(e.1) - at(e.0)).norm();
        }
        i += same;
    }
    [if solid { volume } else { 0.0 }, surface, bend]
}

/// One of `n` directions spread evenly (Fibonacci's spiral).
fn spiral_direction(k: usize, n: usize) -> Vec3 {
    let z = 1.0 - (2 * k + 1) as f64 / n as f64;
    let (s, c) = sin_cos(k as f64 * 2.399_963_229_728_653);
    let r = (1.0 - z * z).max(0.0).sqrt();
    vec3(r * c, r * s, z)
}
