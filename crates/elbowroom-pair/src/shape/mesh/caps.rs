//! Holes that other faces cover.
//!
//! A box that stands on a face of a larger box may lack the face that they share. The larger face closes it,
//! though their edges have nothing in common. So where the rim of a hole is a polygon in a plane, the hole
//! gets a *cap*, triangles between its corners, if triangles of closed bodies in that plane *cover* it. A cap
//! is not part of the surface, as seams are not ([`super::cracks`]): it only helps to decide what is closed,
//! and a ray counts it where it closes something.
//!
//! To test whether a triangle is covered, each triangle near its plane is subtracted from it, which leaves
//! convex polygons. Nothing but rounding may be left. A covered point of a cap is no farther from the surface
//! than the corners of the cap are from the planes of the covering triangles, along the axis of projection.
//! Any other point is no farther from covered points than the radius of a disc in what is left; strips that
//! cover a disc are together at least as wide as the disc (Bang 1951).
//!
//! Rims are followed through vertices with two open edges; polygons are triangulated by clipping ears
//! (Meisters 1975). Both have a limit to the work.

use super::cycles::{Edge, edge_ends};
use crate::shape::tolerance::{CAP_PIECES, CAP_RIM, CRACK_WORK, CRACKS};
use crate::shape::triangle::Triangle;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;
use robust::{Coord, orient2d};

type Point = [f64; 2];

/// Twice the area, positive if the corners are counter-clockwise; the sign is exact.
fn doubled_area(a: Point, b: Point, c: Point) -> f64 {
    let at = |p: Point| Coord { x: p[0], y: p[1] };
    orient2d(at(a), at(b), at(c))
}

/// Triangles between corners of a surface, and a bound on their distance from the triangles that cover them
/// (metres).
pub(super) struct Caps {
    pub(super) corners: Vec<[u32; 3]>,
    pub(super) width: f64,
}

/// The rims of a surface: closed chains of odd edges through vertices with two of them, in the direction
/// opposite to a triangle there.
fn find_rims(edges: &[Edge]) -> Vec<Vec<u32>> {
    let mut next: BTreeMap<u32, Vec<(u32, bool)>> = BTreeMap::new();
    for run in edges.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() % 2 == 1) {
        let (a, b) = edge_ends(run[0].0);
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

/// Triangulates a polygon, by indices into it; `None` if it is not simple, or if there is too much work.
fn clip_ears(polygon: &[Point], budget: &mut u64) -> Option<Vec<[usize; 3]>> {
    let n = polygon.len();
    let round: f64 = (1..n - 1).map(|i| doubled_area(polygon[0], polygon[i], polygon[i + 1])).sum();
    let left = |i: usize, j: usize, k: usize| {
        let a = doubled_area(polygon[i], polygon[j], polygon[k]);
        if round > 0.0 { a } else { -a }
    };
    let mut rest: Vec<usize> = (0..n).collect();
    let mut triangles = Vec::new();
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
        triangles.push([ear + m - 1, ear, ear + 1].map(|x| rest[x % m]));
        rest.remove(ear);
    }
    triangles.push([rest[0], rest[1], rest[2]]);
    triangles.iter().all(|t| left(t[0], t[1], t[2]) >= 0.0).then_some(triangles)
}

/// Subtracts a counter-clockwise triangle from a convex polygon. The remaining pieces are added to `left`.
fn subtract_triangle(piece: &[Point], from: &[Point; 3], left: &mut Vec<Vec<Point>>) {
    let mut inside = piece.to_vec();
    for k in 0..3 {
        let (a, b) = (from[k], from[(k + 1) % 3]);
        let side: Vec<f64> = inside.iter().map(|&p| doubled_area(a, b, p)).collect();
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
                let share = s / (s - t);
                let cut = [0, 1].map(|k| p[k] + (q[k] - p[k]) * share);
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

/// Caps for those holes of the surface with the edges `edges` (sorted) that `triangles`, which belong to
/// other surfaces, cover.
pub(super) fn find_caps(triangles: &[Triangle], vertices: &[Vec3], edges: &[Edge], radius: f64) -> Caps {
    let mut caps = Caps { corners: Vec::new(), width: 0.0 };
    if triangles.is_empty() {
        return caps;
    }
    let tolerance = CRACKS[2] * radius;
    let mut budget = CRACK_WORK.saturating_mul(triangles.len() as u64 + 1024);
    for rim in find_rims(edges) {
        let at = |k: usize| vertices[rim[k % rim.len()] as usize];
        // Twice its area, as a vector.
        let normal =
            (1..rim.len() - 1).fold(Vec3::ZERO, |sum, k| sum + (at(k) - at(0)).cross(at(k + 1) - at(0)));
        let Some(normal) = normal.normalized() else { continue };
        if (0..rim.len()).any(|k| normal.dot(at(k) - at(0)).abs() > tolerance) {
            continue;
        }
        // Projected along the axis nearest to the normal.
        let axis = (0..3).fold(0, |best, k| if normal[k].abs() > normal[best].abs() { k } else { best });
        let polygon: Vec<Point> = (0..rim.len()).map(|k| project_along(at(k), axis)).collect();
        let Some(cut) = clip_ears(&polygon, &mut budget) else { continue };
        let work = (cut.len() as u64).saturating_mul(triangles.len() as u64);
        let Some(rest) = budget.checked_sub(work) else { break };
        budget = rest;
        let covered: Option<Vec<f64>> = cut
            .iter()
            .map(|t| cover_distance(triangles, t.map(at), axis, tolerance, radius, &mut budget))
            .collect();
        if let Some(widths) = covered {
            caps.corners.extend(cut.iter().map(|t| t.map(|k| rim[k])));
            caps.width = widths.into_iter().fold(caps.width, f64::max);
        }
    }
    caps
}

/// A point projected along an axis.
fn project_along(p: Vec3, axis: usize) -> Point {
    [p[(axis + 1) % 3], p[(axis + 2) % 3]]
}

/// A bound on the least width of a convex polygon: its area is at least half of that width times its extent.
fn polygon_width(piece: &[Point]) -> f64 {
    let twice: f64 =
        (1..piece.len().max(2) - 1).map(|i| doubled_area(piece[0], piece[i], piece[i + 1])).sum();
    let extent = (0..2).map(|k| coordinate_range(piece, k)).map(|(low, high)| high - low).fold(0.0, f64::max);
    if twice == 0.0 { 0.0 } else { twice.abs() / extent }
}

/// The least and greatest of a coordinate.
fn coordinate_range(points: &[Point], k: usize) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p[k]), high.max(p[k])))
}

/// Bound on the distance of a triangle from others that cover it (metres), along an axis that is steep to it;
/// `None` if they do not cover it to within the tolerance.
fn cover_distance(
    triangles: &[Triangle],
    cap: Triangle,
    axis: usize,
    tolerance: f64,
    radius: f64,
    budget: &mut u64,
) -> Option<f64> {
    let corners = cap.map(|p| project_along(p, axis));
    let narrow = CRACKS[0] * radius;
    let (mut left, mut far, mut bare) = (vec![corners.to_vec()], 0.0_f64, 0.0_f64);
    for t in triangles {
        left.retain(|piece| {
            let width = polygon_width(piece);
            if width <= narrow {
                bare += width;
            }
            width > narrow
        });
        if left.is_empty() {
            break;
        }
        let mut other = t.map(|p| project_along(p, axis));
        let beside = |k: usize| {
            let ((a, b), (c, d)) = (coordinate_range(&corners, k), coordinate_range(&other, k));
            b < c || d < a
        };
        if beside(0) || beside(1) {
            continue;
        }
        let Some(normal) = (t[1] - t[0]).cross(t[2] - t[0]).normalized() else { continue };
        let orientation = doubled_area(other[0], other[1], other[2]);
        // Along the axis a tilted plane is farther.
        let height = cap.iter().map(|p| normal.dot(*p - t[0]).abs()).fold(0.0, f64::max) / normal[axis].abs();
        if !(height <= tolerance) || orientation == 0.0 {
            continue;
        }
        if orientation < 0.0 {
            other.swap(1, 2);
        }
        far = far.max(height);
        let mut rest = Vec::new();
        left.iter().for_each(|piece| subtract_triangle(piece, &other, &mut rest));
        if rest.len() > CAP_PIECES {
            return None;
        }
        *budget = budget.checked_sub(rest.len() as u64)?;
        left = rest;
    }
    bare += left.iter().map(|piece| polygon_width(piece)).sum::<f64>();
    // A length in the plane is less than twice its projection.
    (bare <= tolerance).then_some(far + bare)
}
