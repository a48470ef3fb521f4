//! Closing cracks: edges of a surface that are one edge to within a tolerance.
//!
//! Files write the same corner twice with different roundings. They also put corners on the middle of a
//! neighbour's edge. Both leave *odd* edges: edges that are used an odd number of times. Each odd edge is
//! replaced by a *path*, in two steps. First, corners of odd edges that are nearer to each other than the
//! tolerance get one of them as their representative. Second, an edge that is still odd passes through the
//! corners that lie on it to within the tolerance. The thin triangles between an edge and its path are a
//! *seam*. Where the paths of a shell cancel, the shell and its seams together are a cycle. With `e` the
//! edges of the shell's boundary, `c` the multiplicity of each, and `P(e)` its path:
//!
//! `boundary(triangles) = sum c e`, `boundary(seam of e) = P(e) - e + (segments that join their ends)`, `sum
//! c P(e) = 0`.
//!
//! The segments that join the ends cancel, since a boundary has no ends. Every corner of a seam is within
//! twice the tolerance of its edge, and so is the seam, because the points that near to a segment form a
//! convex set. No corner is moved, and no distance is measured to a seam.
//!
//! Corners are put into cells, and edges are searched in a tree ([`super::tree`]) of corners: n log n, with a
//! limit to the work, beyond which the surface stays open.

use super::cycles::{Edge, directed_edge, edge_ends};
use super::inside;
use super::tree::{self, Extent, MeshTreeBuild};
use crate::numeric::tolerance::{NORM_ROUNDING, ROUNDOFF, UNDERFLOW};
use crate::shape::tolerance::{CRACK_GROWTH, CRACK_WORK};
use crate::shape::triangle::Triangle;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;
use robust::{Coord, orient2d};

/// The edges whose multiplicity is accepted, each once. `edges` is sorted.
fn by_multiplicity(edges: &[u64], often: impl Fn(usize) -> bool) -> Vec<u64> {
    edges.chunk_by(|a, b| a == b).filter(|run| often(run.len())).map(|run| run[0]).collect()
}

/// The ends of edges, each once.
fn ends_of(edges: &[u64]) -> Vec<u32> {
    let mut on: Vec<u32> = edges.iter().flat_map(|&key| [edge_ends(key).0, edge_ends(key).1]).collect();
    on.sort_unstable();
    on.dedup();
    on
}

/// The paths that replace edges, at one tolerance.
pub(super) struct Paths {
    /// The width of the cracks (metres).
    pub(super) tolerance: f64,
    /// The representative of each corner.
    representative: Vec<u32>,
    /// Corners on an edge between representatives, from its smaller end to its larger.
    between: BTreeMap<u64, Vec<u32>>,
}

impl Paths {
    /// The paths of an open surface with the edges `edges` (sorted) between `corners`; `None` if there is too
    /// much work.
    pub(super) fn new(corners: &[Vec3], edges: &[Edge], tolerance: f64) -> Option<Paths> {
        let odd = |count: usize| count % 2 == 1;
        let (mut paths, renamed) = Paths::find_representatives(corners, edges, tolerance, odd)?;
        // Edges that are still odd.
        let left = by_multiplicity(&renamed, odd);
        if !left.is_empty() {
            paths.between = corners_on_edges(corners, &left, &ends_of(&left), tolerance)?;
        }
        Some(paths)
    }

    /// The paths of a surface with the edges `edges` (sorted) between `corners`, where any number of
    /// triangles may share an edge: edges that two triangles share are also cut, at the corners of edges that
    /// another number of triangles share. `None` if there is too much work.
    pub(super) fn of_all(corners: &[Vec3], edges: &[Edge], tolerance: f64) -> Option<Paths> {
        let special = |count: usize| count != 2;
        let (mut paths, renamed) = Paths::find_representatives(corners, edges, tolerance, special)?;
        let (some, all) = (by_multiplicity(&renamed, special), by_multiplicity(&renamed, |_| true));
        if !some.is_empty() {
            paths.between = corners_on_edges(corners, &all, &ends_of(&some), tolerance)?;
            paths.between.extend(corners_on_edges(corners, &some, &ends_of(&all), tolerance)?);
        }
        Some(paths)
    }

    /// Finds representatives for the corners of edges that an accepted number of triangles share. Also
    /// returns the edges between representatives, sorted, as often as they are used.
    fn find_representatives(
        corners: &[Vec3],
        edges: &[Edge],
        tolerance: f64,
        shared: impl Fn(usize) -> bool,
    ) -> Option<(Paths, Vec<u64>)> {
        // Cells of a smaller size would underflow.
        if !(tolerance > UNDERFLOW) {
            return None;
        }
        let mut loose = vec![false; corners.len()];
        for run in edges.chunk_by(|a, b| a.0 == b.0).filter(|run| shared(run.len())) {
            let (a, b) = edge_ends(run[0].0);
            (loose[a as usize], loose[b as usize]) = (true, true);
        }
        let loose: Vec<u32> = (0..corners.len() as u32).filter(|&i| loose[i as usize]).collect();
        let paths =
            Paths { tolerance, representative: merge(corners, &loose, tolerance), between: BTreeMap::new() };
        let mut renamed: Vec<u64> = edges
            .iter()
            .map(|e| edge_ends(e.0))
            .map(|(a, b)| {
                directed_edge(paths.representative[a as usize], paths.representative[b as usize], 0).0
            })
            .filter(|&key| edge_ends(key).0 != edge_ends(key).1)
            .collect();
        renamed.sort_unstable();
        Some((paths, renamed))
    }

    /// Whether every edge is its own path: within the tolerance nothing is an edge that is not one exactly.
    pub(super) fn change_nothing(&self) -> bool {
        self.between.is_empty() && (0..).zip(&self.representative).all(|(i, own)| i == *own)
    }

    /// The representative of a corner.
    pub(super) fn representative(&self, corner: u32) -> u32 {
        self.representative[corner as usize]
    }

    /// The corners of the path from the smaller to the larger end of an edge; empty if the path is the edge.
    fn find_path(&self, key: u64, path: &mut Vec<u32>) {
        path.clear();
        let (a, b) = edge_ends(key);
        let (first, last) = (self.representative[a as usize], self.representative[b as usize]);
        let renamed = directed_edge(first, last, 0);
        let middle = self.between.get(&renamed.0);
        if (first, last) == (a, b) && middle.is_none() {
            return;
        }
        path.push(first);
        if first != last {
            // The first of the two representatives may be the larger.
            match middle {
                Some(m) if renamed.1 == 0 => path.extend(m),
                Some(m) => path.extend(m.iter().rev()),
                None => {}
            }
            path.push(last);
        }
    }

    /// The edges replaced by their paths, sorted. Edges that a triangle then has in both directions are left
    /// out. `None` if there are too many.
    pub(super) fn replace_edges(&self, edges: &[Edge]) -> Option<Vec<Edge>> {
        let (mut replaced, mut path) = (Vec::with_capacity(edges.len()), Vec::new());
        let limit = CRACK_GROWTH.saturating_mul(edges.len() + 1024);
        for run in edges.chunk_by(|a, b| a.0 == b.0) {
            self.find_path(run[0].0, &mut path);
            if path.is_empty() {
                replaced.extend_from_slice(run);
                continue;
            }
            if path.len().saturating_mul(run.len()).saturating_add(replaced.len()) > limit {
                return None;
            }
            for e in run {
                for pair in path.windows(2) {
                    let (from, to) = if e.1 & 1 == 0 { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
                    replaced.push(directed_edge(from, to, e.1 >> 1));
                }
            }
        }
        replaced.sort_unstable();
        let mut left: Vec<Edge> = Vec::with_capacity(replaced.len());
        for e in replaced {
            // The forward edge of a triangle comes before its backward edge.
            match left.last() {
                Some(l) if l.0 == e.0 && l.1 ^ 1 == e.1 => {
                    left.pop();
                }
                _ => left.push(e),
            }
        }
        Some(left)
    }

    /// The seam of an edge, empty if the path is the edge, and a bound on its distance from the edge
    /// (metres), 0 where the path lies on the edge exactly.
    pub(super) fn edge_seam(&self, corners: &[Vec3], key: u64) -> (Vec<Triangle>, f64) {
        let mut path = Vec::new();
        self.find_path(key, &mut path);
        let (a, b) = edge_ends(key);
        let at = |i: u32| corners[i as usize];
        let (p, q) = (at(a), at(b));
        let inner = path.len().saturating_sub(2);
        let exact = path.first() == Some(&a)
            && path.last() == Some(&b)
            && path.iter().skip(1).take(inner).all(|&i| are_collinear(p, q, at(i)));
        if path.is_empty() {
            return (Vec::new(), 0.0);
        }
        let far = path.iter().map(|&i| from_segment(p, q, at(i)).0).fold(0.0, f64::max);
        let largest = p.max_abs().max(q.max_abs()).max(far);
        let mut seam: Vec<Triangle> = Vec::new();
        path.push(b);
        for pair in path.windows(2).filter(|w| w[0] != w[1] && w[0] != a && w[1] != a) {
            seam.push([p, at(pair[0]), at(pair[1])]);
        }
        if exact {
            return (seam, 0.0);
        }
        (seam, far * (1.0 + NORM_ROUNDING) + 16.0 * ROUNDOFF * largest)
    }
}

/// Whether three points are exactly collinear: they are so in all three projections.
fn are_collinear(a: Vec3, b: Vec3, c: Vec3) -> bool {
    let flat = |i: usize, j: usize| {
        let [a, b, c] = [a, b, c].map(|v| Coord { x: v[i], y: v[j] });
        orient2d(a, b, c) == 0.0
    };
    flat(0, 1) && flat(1, 2) && flat(2, 0)
}

/// Distance of a point from a segment, and where along it (0 to 1) the nearest point is.
fn from_segment(a: Vec3, b: Vec3, p: Vec3) -> (f64, f64) {
    let (along, from) = (b - a, p - a);
    let square = along.dot(along);
    let s = if square > 0.0 { (along.dot(from) / square).clamp(0.0, 1.0) } else { 0.0 };
    ((from - along * s).norm(), s)
}

/// The representative of each corner: one of `loose` within the tolerance, or itself.
///
/// In the order of their numbers, a corner takes the nearest earlier representative within the tolerance, or
/// becomes one. Representatives are more than the tolerance apart, so that a cell holds few.
fn merge(corners: &[Vec3], loose: &[u32], tolerance: f64) -> Vec<u32> {
    let mut representative: Vec<u32> = (0..corners.len() as u32).collect();
    let Some(&first) = loose.first() else { return representative };
    let low = loose.iter().fold(corners[first as usize], |low, &i| low.min(corners[i as usize]));
    let cells_per_metre = 1.0 / (4.0 * tolerance);
    let grid_cell = |p: Vec3| [0, 1, 2].map(|k| ((p[k] - low[k]) * cells_per_metre) as i64);
    let mut cells: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
    let slack = Vec3 { x: tolerance, y: tolerance, z: tolerance };
    for &i in loose {
        let p = corners[i as usize];
        let (from, to) = (grid_cell(p - slack), grid_cell(p + slack));
        let mut nearest: Option<(f64, u32)> = None;
        for x in from[0]..=to[0] {
            for y in from[1]..=to[1] {
                for z in from[2]..=to[2] {
                    for &j in cells.get(&[x, y, z]).into_iter().flatten() {
                        let d = (corners[j as usize] - p).norm();
                        if d <= tolerance && nearest.is_none_or(|n| d < n.0) {
                            nearest = Some((d, j));
                        }
                    }
                }
            }
        }
        match nearest {
            Some((_, j)) => representative[i as usize] = j,
            None => cells.entry(grid_cell(p)).or_default().push(i),
        }
    }
    representative
}

/// For each of the edges `odd`, the corners among `on` that lie on it, from its smaller end to its larger;
/// `None` if there is too much work.
///
/// The tree is built over those of which there are fewer, corners or edges, and searched with the others.
fn corners_on_edges(
    corners: &[Vec3],
    odd: &[u64],
    on: &[u32],
    tolerance: f64,
) -> Option<BTreeMap<u64, Vec<u32>>> {
    let at = |i: u32| corners[i as usize];
    let line = |key: u64| (at(edge_ends(key).0), at(edge_ends(key).1));
    let mut left = CRACK_GROWTH.saturating_mul(odd.len() + 1024);
    // By edge (its number among `odd`) how far along it corners lie.
    let mut met: Vec<(u32, f64, u32)> = Vec::new();
    let mut meet = |k: usize, i: u32| {
        let ((a, b), (p, q)) = (edge_ends(odd[k]), line(odd[k]));
        let (d, s) = from_segment(p, q, at(i));
        if i != a && i != b && d <= tolerance && s > 0.0 && s < 1.0 {
            left = left.checked_sub(1)?;
            met.push((k as u32, s, i));
        }
        Some(())
    };
    let few_edges = odd.len() < on.len();
    let leaves: Vec<Triangle> = if few_edges {
        odd.iter().map(|key| line(*key)).map(|(p, q)| [p, q, q]).collect()
    } else {
        on.iter().map(|&i| [at(i); 3]).collect()
    };
    let extent = Extent::around_triangles(&leaves);
    let MeshTreeBuild { nodes, order, .. } = tree::build(&leaves, &extent);
    let searches = odd.len().max(on.len()) as u64;
    let mut budget = CRACK_WORK.saturating_mul(searches + 1024);
    let (origin, slack) = (extent.origin, 2.0 * tolerance);
    if few_edges {
        for &i in on {
            inside::visit_segment(&nodes, at(i) - origin, Vec3::ZERO, slack, &mut budget, |leaf| {
                meet(order[leaf] as usize, i)
            })?;
        }
    } else {
        for (k, (p, q)) in odd.iter().map(|key| line(*key)).enumerate() {
            inside::visit_segment(&nodes, p - origin, q - p, slack, &mut budget, |leaf| {
                meet(k, on[order[leaf] as usize])
            })?;
        }
    }
    met.sort_unstable_by(|x, y| x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)).then(x.2.cmp(&y.2)));
    let of = |run: &[(u32, f64, u32)]| (odd[run[0].0 as usize], run.iter().map(|m| m.2).collect());
    Some(met.chunk_by(|x, y| x.0 == y.0).map(of).collect())
}
