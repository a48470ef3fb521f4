//! The hull laid out for queries: triangles, and the graph with neighbours, direction table and climb slack.

use super::block::Block;
use super::cell::direction_cell;
use super::rank::Rank;
use crate::numeric::tolerance::ROUNDOFF;
use crate::shape::hull::outline::{Cycles, from_least};
use crate::shape::tolerance::{
    HULL_LARGE_FACET, HULL_SLACK_GAP, HULL_SLACK_STEPS, HULL_TABLE_FROM, HULL_TABLE_SIDE,
};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Vec3, sqrt, vec3};

/// Rows of different length in one array: row v is `items[starts[v]..starts[v + 1]]`.
pub(super) struct Rows {
    pub starts: Vec<u32>,
    pub items: Vec<u32>,
}

impl Rows {
    /// From (row, item) pairs; rows are sorted and without duplicates.
    pub fn new(count: usize, mut pairs: Vec<(u32, u32)>) -> Rows {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; count + 1];
        for &(v, _) in &pairs {
            starts[v as usize + 1] += 1;
        }
        for v in 0..count {
            starts[v + 1] += starts[v];
        }
        Rows { starts, items: pairs.into_iter().map(|(_, w)| w).collect() }
    }
    pub fn row_items(&self, v: usize) -> &[u32] {
        &self.items[self.starts[v] as usize..self.starts[v + 1] as usize]
    }
}

/// Edges of the hull in both directions, and the same with diagonals of large facets.
pub(super) struct Links {
    pub edges: Rows,
    pub neighbours: Rows,
}

/// What a climb needs beside the vertices.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    // Neighbours of v: neighbours[neighbour_starts[v]..neighbour_starts[v + 1]].
    pub neighbour_starts: Box<[u32]>,
    pub neighbours: Box<[u32]>,
    // Packed neighbours of v: link_blocks and link_ids [link_starts[v]..link_starts[v + 1]].
    pub link_starts: Box<[u32]>,
    pub link_blocks: Box<[Block]>,
    pub link_ids: Box<[[u32; 4]]>,
    // Six squares of cells, or empty.
    pub table: Box<[u16]>,
    pub slack: Box<[f64]>,
}

impl Graph {
    #[inline(always)]
    pub fn neighbours(&self, v: usize) -> &[u32] {
        &self.neighbours[self.neighbour_starts[v] as usize..self.neighbour_starts[v + 1] as usize]
    }
    #[inline(always)]
    pub fn neighbour_blocks(&self, v: usize) -> (&[Block], &[[u32; 4]]) {
        let span = self.link_starts[v] as usize..self.link_starts[v + 1] as usize;
        (&self.link_blocks[span.clone()], &self.link_ids[span])
    }
    #[inline(always)]
    pub fn start_vertex(&self, direction: Vec3) -> u32 {
        match self.table.get(direction_cell(direction, HULL_TABLE_SIDE)) {
            Some(&v) => v as u32,
            None => 0,
        }
    }
    #[inline(always)]
    pub fn vertex_slack(&self, v: usize) -> f64 {
        self.slack[v]
    }
    pub fn climb_from(&self, p: impl Fn(u32) -> Vec3, from: u32, d: Vec3) -> u32 {
        climb_steepest(p, &self.neighbour_starts, &self.neighbours, from, d)
    }
}

/// The facets as triangles, sorted, each beginning with its smallest corner.
pub(super) fn triangulate_facets(cycles: &Cycles) -> Vec<[u32; 3]> {
    let Cycles { corners: cycles, starts: cycle_starts } = cycles;
    let mut faces = Vec::with_capacity(cycles.len() - 2 * (cycle_starts.len() - 1));
    let mut stack = Vec::new();
    for span in cycle_starts.windows(2) {
        let cycle = &cycles[span[0] as usize..span[1] as usize];
        triangulate_polygon(cycle.len(), &mut stack, |low, middle, high| {
            faces.push(from_least([cycle[low], cycle[middle], cycle[high]]));
        });
    }
    faces.sort_unstable();
    faces
}

/// The triangles of a polygon of `k` corners, by halving: a corner gets at most about 2 log2 k diagonals, and
/// any two corners are at most about so many steps apart.
fn triangulate_polygon(
    k: usize,
    stack: &mut Vec<(usize, usize)>,
    mut triangle: impl FnMut(usize, usize, usize),
) {
    stack.push((0, k - 1));
    while let Some((low, high)) = stack.pop() {
        if high - low < 2 {
            continue;
        }
        let middle = low + (high - low) / 2;
        triangle(low, middle, high);
        stack.push((middle, high));
        stack.push((low, middle));
    }
}

pub(super) fn link_vertices(rank: Rank, count: usize, cycles: &Cycles) -> Links {
    let Cycles { corners: cycles, starts: cycle_starts } = cycles;
    let (mut edges, mut diagonals) = (Vec::new(), Vec::new());
    if rank == Rank::Segment {
        edges.extend([(0, 1), (1, 0)]);
    }
    let mut stack = Vec::new();
    for span in cycle_starts.windows(2) {
        let cycle = &cycles[span[0] as usize..span[1] as usize];
        let k = cycle.len();
        for i in 0..k {
            let (a, b) = (cycle[i], cycle[(i + 1) % k]);
            edges.extend([(a, b), (b, a)]);
        }
        if k > HULL_LARGE_FACET {
            triangulate_polygon(k, &mut stack, |low, middle, high| {
                for (i, j) in [(low, middle), (middle, high)] {
                    diagonals.extend([(cycle[i], cycle[j]), (cycle[j], cycle[i])]);
                }
            });
        }
    }
    let edges = Rows::new(count, edges);
    let neighbours = if diagonals.is_empty() {
        Rows { starts: edges.starts.clone(), items: edges.items.clone() }
    } else {
        let all = (0..count).flat_map(|v| edges.row_items(v).iter().map(move |&w| (v as u32, w)));
        diagonals.extend(all);
        Rows::new(count, diagonals)
    };
    Links { edges, neighbours }
}

/// Steepest ascent. It ends because each step is strictly higher in f64.
fn climb_steepest(p: impl Fn(u32) -> Vec3, starts: &[u32], neighbours: &[u32], from: u32, d: Vec3) -> u32 {
    let mut at = from;
    let mut height = d.dot(p(at));
    loop {
        let here = at;
        for &w in &neighbours[starts[here as usize] as usize..starts[here as usize + 1] as usize] {
            let h = d.dot(p(w));
            if h > height {
                (at, height) = (w, h);
            }
        }
        if at == here {
            return at;
        }
    }
}

/// For each cell of the cube map the vertex that is highest along its centre, by climbing from the vertex of
/// the cell before.
pub(super) fn direction_table(p: &[Vec3], neighbours: &Rows) -> Vec<u32> {
    if p.len() < HULL_TABLE_FROM {
        return Vec::new();
    }
    const SIDE: usize = HULL_TABLE_SIDE;
    let mut table = vec![0u32; 6 * SIDE * SIDE];
    let mut at = 0;
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            for i in 0..SIDE {
                for j in 0..SIDE {
                    // Back and forth, so that each cell is next to the one before.
                    let j = if i % 2 == 0 { j } else { SIDE - 1 - j };
                    let middle = |k: usize| (2 * k + 1) as f64 / SIDE as f64 - 1.0;
                    let mut d = vec3(0.0, 0.0, 0.0);
                    d[axis] = sign;
                    d[(axis + 1) % 3] = middle(i);
                    d[(axis + 2) % 3] = middle(j);
                    at = climb_steepest(|v| p[v as usize], &neighbours.starts, &neighbours.items, at, d);
                    table[direction_cell(d, HULL_TABLE_SIDE)] = at;
                }
            }
        }
    }
    table
}

/// For each vertex v the least distance from v to the segment between its two neighbours in a facet, rounded
/// down; infinite where there are no facets.
pub(super) fn facet_bends(p: &[Vec3], cycles: &Cycles) -> Vec<f64> {
    let Cycles { corners: cycles, starts: cycle_starts } = cycles;
    let mut bends = vec![f64::INFINITY; p.len()];
    for span in cycle_starts.windows(2) {
        let cycle = &cycles[span[0] as usize..span[1] as usize];
        let k = cycle.len();
        for i in 0..k {
            let v = cycle[i] as usize;
            let (a, b) = (p[cycle[(i + k - 1) % k] as usize] - p[v], p[cycle[(i + 1) % k] as usize] - p[v]);
            let (_, square) = nearest_on_edge(a, b);
            bends[v] = bends[v].min(sqrt(square) - 32.0 * ROUNDOFF * (a.norm() + b.norm()));
        }
    }
    bends
}

/// See [`Hull::climb_slack`](super::Hull::climb_slack): a bound s such that d . (x - v) <= s t for all x of
/// the hull, if d . e <= t for all edges e at v. It says how wrong a climb may be that stops at v because of
/// rounding. The smaller of two bounds:
///
/// Weights. x - v is a sum of edges with non-negative weights, so a bound on the sum of the weights is a
/// bound s. For a vector c with c . e >= h > 0 for every e, the sum is at most c . (x - v) / h, and with the
/// ball (m, r) c . (x - v) <= c . (m - v) + |c| r. The largest h for |c| = 1 belongs to the c along that
/// point of the edges' convex hull which is nearest to the origin. It is found as by Gilbert, Johnson and
/// Keerthi (1988): the lowest edge joins a triangle of edges, and the nearest face of the two is kept. Any c
/// gives a bound, so the iteration may stop at any step; only h and the quotient are proved. The bound is
/// good at sharp vertices and useless at blunt ones, where h is tiny.
///
/// Bend, for t < h and |d| = 1. Let d' be the point nearest to d in the cone N of the directions in which v
/// is extreme, and w = d - d'. By Moreau's decomposition w . d' = 0, and w is a sum, with weights u >= 0, of
/// edges e with e . d' = 0. Were d' zero, d would be a sum of edges, |d|^2 <= t sum u and |d| >= h sum u, so
/// that |d| <= t / h < 1. So d' is not zero, and the edges perpendicular to it are one, or the two of one
/// facet. Then |w|^2 = w . d <= t sum u and |w| >= g sum u, with g the least distance of v from the segment
/// between its neighbours in a facet. So |w| <= t / g, and d . (x - v) <= w . (x - v) <= (t / g) max |x - v|.
/// This is Hoffman's bound (1952) for the system d . e <= 0.
pub(super) fn climb_slack(
    p: &[Vec3],
    edges: &[u32],
    v: usize,
    ball: (Vec3, f64),
    bend: f64,
    allowed: f64,
) -> f64 {
    if edges.is_empty() {
        return 0.0;
    }
    let (m, r) = ball;
    let origin = p[v];
    // In units of the longest edge, against underflow.
    let longest = edges.iter().fold(0.0, |l: f64, &w| l.max((p[w as usize] - origin).max_abs()));
    let scale = 1.0 / longest;
    let e: Vec<Vec3> = edges.iter().map(|&w| (p[w as usize] - origin) * scale).collect();
    let to_middle = (m - origin) * scale;
    let radius = r * scale * (1.0 + 4.0 * ROUNDOFF);
    let mut h_best = 0.0_f64;
    let mut bound = |c: Vec3| {
        // Each e has an error of 2 roundings; the products and sums add 3.
        let floor = |x: Vec3| c.dot(x) - 8.0 * ROUNDOFF * c.abs().dot(x.abs());
        let h = e.iter().map(|&x| floor(x)).fold(f64::INFINITY, f64::min);
        let length = c.norm();
        h_best = h_best.max(h / length * (1.0 - 8.0 * ROUNDOFF));
        let far = c.dot(to_middle) + length * radius;
        let sum = (far + 16.0 * ROUNDOFF * length * (radius + to_middle.norm())) / h;
        if h > 0.0 && sum >= 0.0 { sum * (1.0 + 4.0 * ROUNDOFF) } else { f64::INFINITY }
    };
    let mean = e.iter().fold(Vec3::ZERO, |s, &x| s + x) * (1.0 / e.len() as f64);
    let mut best = bound(mean);
    let mut triangle = [e[0]; 3];
    let mut c = e[0];
    for _ in 0..HULL_SLACK_STEPS {
        best = best.min(bound(c));
        let low = e.iter().fold(e[0], |l, &x| if c.dot(x) < c.dot(l) { x } else { l });
        if c.norm_squared() - c.dot(low) <= HULL_SLACK_GAP * c.norm_squared() {
            break;
        }
        // The origin is outside the tetrahedron with the new corner, and its nearest point lies on a face
        // with that corner.
        let [a, b, d] = triangle;
        let mut nearest = f64::INFINITY;
        let before = c.norm_squared();
        for t in [[a, b, low], [b, d, low], [d, a, low]] {
            let (x, square) = nearest_on_triangle(t);
            if square < nearest {
                (triangle, c, nearest) = (t, x, square);
            }
        }
        if nearest >= before {
            best = best.min(bound(c));
            break;
        }
    }
    let bend = bend * scale;
    if h_best > 2.0 * allowed * scale && bend > 0.0 && bend.is_finite() {
        best = best.min((to_middle.norm() + radius) / bend * (1.0 + 16.0 * ROUNDOFF));
    }
    best
}

/// The point of a triangle nearest to the origin, and its squared distance. Inside the triangle the point is
/// computed along the normal, so its direction is accurate at any angle of view.
fn nearest_on_triangle([a, b, c]: [Vec3; 3]) -> (Vec3, f64) {
    let n = (b - a).cross(c - a);
    let inside = |p: Vec3, q: Vec3| n.dot((q - p).cross(-p)) >= 0.0;
    if n.norm_squared() > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        let x = n * (n.dot(a) / n.norm_squared());
        return (x, x.norm_squared());
    }
    let nearer = |x: (Vec3, f64), y: (Vec3, f64)| if y.1 < x.1 { y } else { x };
    nearer(nearer(nearest_on_edge(a, b), nearest_on_edge(b, c)), nearest_on_edge(c, a))
}

/// The point of a segment nearest to the origin, and its squared distance.
fn nearest_on_edge(p: Vec3, q: Vec3) -> (Vec3, f64) {
    let d = q - p;
    let t = -p.dot(d) / d.norm_squared();
    let x = if t > 0.0 && t < 1.0 {
        p + d * t
    } else if t >= 1.0 {
        q
    } else {
        p
    };
    (x, x.norm_squared())
}
