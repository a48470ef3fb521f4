//! Holes that other faces cover.
//!
//! A box that stands on the middle of a larger one's face may lack the face they share: what it encloses is
//! closed by the larger face all the same, though their edges have nothing in common. So where the rim of a
//! hole is a polygon in a plane, the hole is given a *cap*, triangles between its corners, if triangles of
//! closed bodies that lie in that plane *cover* it. A cap is no part of the surface, as the seams are not
//! ([`super::cracks`]): it adds its rim to what is looked at for being closed, and where it closes something
//! a ray counts it.
//!
//! Whether a triangle is covered is found by taking it apart: from what is left of it, convex polygons at
//! first the triangle itself, each triangle near its plane takes what it overlaps. Nothing may be left but
//! rounding. A point of a cap that is covered is no farther from the surface than the corners of the cap are
//! from the planes of what covers it, seen along the axis; one that is not is no farther from those than the
//! radius of a disc in what is left over, and strips that cover a disc are together as wide as it
//! (Bang 1951).
//!
//! Rims are followed through vertices with two open edges, polygons are cut at their ears (Meisters 1975),
//! both with a limit to the work.

use super::cycles::{Edge, ends};
use crate::numeric::math::Vec3;
use crate::shape::tolerance::{CAP_PIECES, CAP_RIM, CRACK_WORK, CRACKS};
use crate::shape::triangle::Triangle;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use robust::{Coord, orient2d};

type Point = [f64; 2];

/// Twice the area, positive if the corners go round to the left; its sign is exact.
fn area(a: Point, b: Point, c: Point) -> f64 {
    let at = |p: Point| Coord { x: p[0], y: p[1] };
    orient2d(at(a), at(b), at(c))
}

/// Triangles between corners of a surface, and how far they are from what covers them at most (metres).
pub(super) struct Caps {
    pub(super) corners: Vec<[u32; 3]>,
    pub(super) width: f64,
}

/// The rims of a surface: its edges of which it has an odd number, by closed ways through vertices that have
/// two of them, in the direction of a triangle there turned over.
fn rims(edges: &[Edge]) -> Vec<Vec<u32>> {
    let mut next: BTreeMap<u32, Vec<(u32, bool)>> = BTreeMap::new();
    for run in edges.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() % 2 == 1) {
        let (a, b) = ends(run[0].0);
        let along = run[0].1 & 1 == 1;
        next.entry(a).or_default().push((b, along));
        next.entry(b).or_default().push((a, !along));
    }
    let (mut rims, mut seen) = (Vec::new(), alloc::collections::BTreeSet::new());
    for &start in next.keys() {
        if seen.contains(&start) {
            continue;
        }
        let (mut rim, mut at, mut from, mut whole) = (Vec::new(), start, None, true);
        loop {
            seen.insert(at);
            rim.push(at);
            let Some([first, second]) = next.get(&at).map(Vec::as_slice) else {
                whole = false;
                break;
            };
            let step = match from {
                None if first.1 => first,
                None => second,
                Some(f) if first.0 == f => second,
                Some(_) => first,
            };
            (from, at) = (Some(at), step.0);
            if at == start {
                break;
            }
            if seen.contains(&at) {
                whole = false;
                break;
            }
        }
        if whole && (3..=CAP_RIM).contains(&rim.len()) {
            rims.push(rim);
        }
    }
    rims
}

/// Cuts a polygon into triangles, by places in it; `None` if it is not simple, or there is too much to do.
fn ears(polygon: &[Point], budget: &mut u64) -> Option<Vec<[usize; 3]>> {
    let n = polygon.len();
    let round: f64 = (1..n - 1).map(|i| area(polygon[0], polygon[i], polygon[i + 1])).sum();
    let left = |i: usize, j: usize, k: usize| {
        let a = area(polygon[i], polygon[j], polygon[k]);
        if round > 0.0 { a } else { -a }
    };
    let mut rest: Vec<usize> = (0..n).collect();
    let mut found = Vec::new();
    while rest.len() > 3 {
        let m = rest.len();
        let mut ear = None;
        for at in 0..m {
            let [i, j, k] = [at + m - 1, at, at + 1].map(|x| rest[x % m]);
            if left(i, j, k) <= 0.0 {
                continue;
            }
            *budget = budget.checked_sub(m as u64)?;
            let holds = |p: usize| left(i, j, p) >= 0.0 && left(j, k, p) >= 0.0 && left(k, i, p) >= 0.0;
            if !rest.iter().any(|&p| p != i && p != j && p != k && holds(p)) {
                ear = Some(at);
                break;
            }
        }
        let ear = ear?;
        found.push([ear + m - 1, ear, ear + 1].map(|x| rest[x % m]));
        rest.remove(ear);
    }
    found.push([rest[0], rest[1], rest[2]]);
    found.iter().all(|t| left(t[0], t[1], t[2]) >= 0.0).then_some(found)
}

/// What of a convex polygon is left when a triangle that goes round to the left is taken from it: pieces,
/// added to `left`.
fn take(piece: &[Point], from: &[Point; 3], left: &mut Vec<Vec<Point>>) {
    let mut inside = piece.to_vec();
    for k in 0..3 {
        let (a, b) = (from[k], from[(k + 1) % 3]);
        let side: Vec<f64> = inside.iter().map(|&p| area(a, b, p)).collect();
        if side.iter().all(|s| *s <= 0.0) {
            left.push(inside);
            return;
        }
        let (mut kept, mut outside): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
        for (i, &p) in inside.iter().enumerate() {
            let j = (i + 1) % inside.len();
            let (s, t, q) = (side[i], side[j], inside[j]);
            if s >= 0.0 {
                kept.push(p);
            }
            if s <= 0.0 {
                outside.push(p);
            }
            if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
                let part = s / (s - t);
                let cut = [0, 1].map(|k| p[k] + (q[k] - p[k]) * part);
                kept.push(cut);
                outside.push(cut);
            }
        }
        if side.iter().any(|s| *s < 0.0) {
            left.push(outside);
        }
        inside = kept;
    }
}

/// Caps for the holes of the surface with the edges `edges` (sorted), as far as `triangles`, which are none
/// of that surface, cover them.
pub(super) fn caps(triangles: &[Triangle], vertices: &[Vec3], edges: &[Edge], reach: f64) -> Caps {
    let mut caps = Caps { corners: Vec::new(), width: 0.0 };
    if triangles.is_empty() {
        return caps;
    }
    let tolerance = CRACKS[2] * reach;
    let mut budget = CRACK_WORK.saturating_mul(triangles.len() as u64 + 1024);
    for rim in rims(edges) {
        let at = |k: usize| vertices[rim[k % rim.len()] as usize];
        // Twice its area, as a vector.
        let normal =
            (1..rim.len() - 1).fold(Vec3::ZERO, |sum, k| sum + (at(k) - at(0)).cross(at(k + 1) - at(0)));
        let Some(normal) = normal.normalized() else { continue };
        if (0..rim.len()).any(|k| normal.dot(at(k) - at(0)).abs() > tolerance) {
            continue;
        }
        // Seen along the axis nearest to the normal.
        let axis = (0..3).fold(0, |best, k| if normal[k].abs() > normal[best].abs() { k } else { best });
        let polygon: Vec<Point> = (0..rim.len()).map(|k| flat(at(k), axis)).collect();
        let Some(cut) = ears(&polygon, &mut budget) else { continue };
        let work = (cut.len() as u64).saturating_mul(triangles.len() as u64);
        let Some(rest) = budget.checked_sub(work) else { break };
        budget = rest;
        let covered: Option<Vec<f64>> =
            cut.iter().map(|t| covered(triangles, t.map(at), axis, tolerance, reach, &mut budget)).collect();
        if let Some(widths) = covered {
            caps.corners.extend(cut.iter().map(|t| t.map(|k| rim[k])));
            caps.width = widths.into_iter().fold(caps.width, f64::max);
        }
    }
    caps
}

/// A point seen along an axis.
fn flat(p: Vec3, axis: usize) -> Point {
    [p[(axis + 1) % 3], p[(axis + 2) % 3]]
}

/// At most how wide a convex polygon is where it is narrowest: its area is no less than half of that times
/// its extent.
fn width(piece: &[Point]) -> f64 {
    let twice: f64 = (1..piece.len().max(2) - 1).map(|i| area(piece[0], piece[i], piece[i + 1])).sum();
    let extent = (0..2).map(|k| bounds(piece, k)).map(|(low, high)| high - low).fold(0.0, f64::max);
    if twice == 0.0 { 0.0 } else { twice.abs() / extent }
}

/// The least and greatest of a coordinate.
fn bounds(points: &[Point], k: usize) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p[k]), high.max(p[k])))
}

/// How far a triangle is from others that cover it (metres), seen along an axis that is far from lying in it;
/// `None` if they do not to within the tolerance.
fn covered(
    triangles: &[Triangle],
    cap: Triangle,
    axis: usize,
    tolerance: f64,
    reach: f64,
    budget: &mut u64,
) -> Option<f64> {
    let corners = cap.map(|p| flat(p, axis));
    let narrow = CRACKS[0] * reach;
    let (mut left, mut far, mut bare) = (vec![corners.to_vec()], 0.0_f64, 0.0_f64);
    for t in triangles {
        left.retain(|piece| {
            let width = width(piece);
            if width <= narrow {
                bare += width;
            }
            width > narrow
        });
        if left.is_empty() {
            break;
        }
        let mut other = t.map(|p| flat(p, axis));
        let beside = |k: usize| {
            let ((a, b), (c, d)) = (bounds(&corners, k), bounds(&other, k));
            b < c || d < a
        };
        if beside(0) || beside(1) {
            continue;
        }
        let Some(normal) = (t[1] - t[0]).cross(t[2] - t[0]).normalized() else { continue };
        let turn = area(other[0], other[1], other[2]);
        // Seen along the axis a plane that is tilted is farther.
        let height = cap.iter().map(|p| normal.dot(*p - t[0]).abs()).fold(0.0, f64::max) / normal[axis].abs();
        if !(height <= tolerance) || turn == 0.0 {
            continue;
        }
        if turn < 0.0 {
            other.swap(1, 2);
        }
        far = far.max(height);
        let mut rest = Vec::new();
        left.iter().for_each(|piece| take(piece, &other, &mut rest));
        if rest.len() > CAP_PIECES {
            return None;
        }
        *budget = budget.checked_sub(rest.len() as u64)?;
        left = rest;
    }
    bare += left.iter().map(|piece| width(piece)).sum::<f64>();
    // Seen along the axis a length in the plane is less than twice as short.
    (bare <= tolerance).then_some(far + bare)
}
