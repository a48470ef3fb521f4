//! A tree of boxes over triangles, eight children a node.
//!
//! Built from the top: a range of triangles is split where the surface area heuristic over sixteen bins of
//! the longest axes is least, the largest part again, until there are eight; each part becomes a child. A
//! leaf is one triangle. Where bins cannot split (all centres equal) or the tree has grown deep (an
//! adversary's spacing), the range is halved by number, so the depth is bounded. Work is kept in lists, not
//! on the call stack. After Wald, "On fast construction of SAH-based bounding volume hierarchies" (2007) and
//! Wald, Benthin, Boulos, "Getting rid of packets" (2008) for the wide nodes.
//!
//! Boxes are f32, as centre and half extents relative to the mesh's origin, and rounded outwards: they
//! contain the f64 triangles exactly. So a node of eight fills three cache lines, and eight boxes are bounded
//! at once.

use crate::numeric::math::{Vec3, round_down, round_up};
use crate::numeric::tolerance::ROUNDOFF;
use crate::shape::triangle::Triangle;
use alloc::vec;
use alloc::vec::Vec;

/// Children of a node.
pub const WIDTH: usize = 8;
/// A child with this bit is a triangle.
pub(crate) const LEAF: u32 = 1 << 31;
/// Triangles one mesh may have: slots and edges are numbered in 32 bits.
pub(crate) const TRIANGLE_LIMIT: usize = 1 << 28;
/// From this level on ranges are halved by number.
const HALVE_BELOW: usize = 24;
const BINS: usize = 16;

/// Up to eight boxes, by coordinate. Lanes from `count` on are empty.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Node {
    pub(crate) center: [[f32; WIDTH]; 3],
    pub(crate) half: [[f32; WIDTH]; 3],
    pub(crate) child: [u32; WIDTH],
    pub(crate) count: u32,
}

impl Node {
    const EMPTY: Node =
        Node { center: [[0.0; WIDTH]; 3], half: [[0.0; WIDTH]; 3], child: [LEAF; WIDTH], count: 0 };
}

/// What [`build`] returns.
pub(crate) struct Built {
    pub(crate) nodes: Vec<Node>,
    pub(crate) order: Vec<u32>,
    pub(crate) depth: usize,
    pub(crate) origin: Vec3,
    pub(crate) half: Vec3,
    pub(crate) reach: f64,
    pub(crate) extent: f64,
}

/// A box by its corners, f32.
#[derive(Clone, Copy)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

impl Bounds {
    const EMPTY: Bounds = Bounds { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    fn add(&mut self, b: &Bounds) {
        for k in 0..3 {
            self.min[k] = if b.min[k] < self.min[k] { b.min[k] } else { self.min[k] };
            self.max[k] = if b.max[k] > self.max[k] { b.max[k] } else { self.max[k] };
        }
    }
    /// Half the surface; 0 for the empty box.
    fn area(&self) -> f32 {
        let [x, y, z] = core::array::from_fn(|k| (self.max[k] - self.min[k]).max(0.0));
        x * y + y * z + z * x
    }
    fn middle(&self, k: usize) -> f32 {
        0.5 * self.min[k] + 0.5 * self.max[k]
    }
}

/// Smallest and largest corner of a triangle.
fn corners_of(t: &Triangle) -> (Vec3, Vec3) {
    (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]))
}

/// A run of `order` waiting to become a node.
struct Range {
    start: usize,
    end: usize,
    level: usize,
    bounds: Bounds,
}

/// Builds the tree over checked triangles (at least one).
pub(crate) fn build(triangles: &[Triangle]) -> Built {
    let (mut low, mut high) = corners_of(&triangles[0]);
    for t in triangles {
        let (a, b) = corners_of(t);
        (low, high) = (low.min(a), high.max(b));
    }
    let origin = low * 0.5 + high * 0.5;
    let (mut reach, mut extent) = (0.0_f64, 0.0_f64);
    for p in triangles.iter().flatten() {
        reach = reach.max((*p - origin).norm());
        extent = extent.max(p.norm());
    }
    let (reach, extent) = (reach * (1.0 + 8.0 * ROUNDOFF), extent * (1.0 + 8.0 * ROUNDOFF));
    // The difference to the origin rounds by at most u of itself; a little more is given away.
    let give = 4.0 * ROUNDOFF * reach;
    let half = Vec3::max(high - origin, origin - low) + Vec3 { x: give, y: give, z: give };
    let boxes: Vec<Bounds> = triangles
        .iter()
        .map(|t| {
            let (a, b) = corners_of(t);
            let (a, b) = (a - origin, b - origin);
            Bounds {
                min: core::array::from_fn(|k| round_down(a[k] - give)),
                max: core::array::from_fn(|k| round_up(b[k] + give)),
            }
        })
        .collect();

    let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
    let mut nodes = vec![Node::EMPTY];
    let mut all = Bounds::EMPTY;
    boxes.iter().for_each(|b| all.add(b));
    let mut depth = 1;
    // Node and lane that wait for each range.
    let mut work: Vec<(usize, usize, Range)> =
        vec![(0, 0, Range { start: 0, end: triangles.len(), level: 1, bounds: all })];
    nodes[0].count = 1;
    while let Some((parent, lane, range)) = work.pop() {
        put_box(&mut nodes[parent], lane, &range.bounds);
        depth = depth.max(range.level);
        if range.end - range.start == 1 {
            nodes[parent].child[lane] = LEAF | range.start as u32;
            continue;
        }
        let here = nodes.len();
        nodes[parent].child[lane] = here as u32;
        nodes.push(Node::EMPTY);
        let level = range.level + 1;
        let mut parts = vec![range];
        while parts.len() < WIDTH {
            // The part most likely to be looked into: the largest surface.
            let mut pick: Option<(usize, f32)> = None;
            for (i, p) in parts.iter().enumerate() {
                let a = p.bounds.area();
                if p.end - p.start > 1 && pick.is_none_or(|(_, b)| a > b) {
                    pick = Some((i, a));
                }
            }
            let Some((i, _)) = pick else { break };
            let (l, r) = split(&mut order, &boxes, &parts[i]);
            parts[i] = l;
            parts.insert(i + 1, r);
        }
        nodes[here].count = parts.len() as u32;
        for (lane, mut p) in parts.into_iter().enumerate().rev() {
            p.level = level;
            work.push((here, lane, p));
        }
    }
    Built { nodes, order, depth, origin, half, reach, extent }
}

/// Writes a box as centre and half extents, the latter rounded up.
fn put_box(node: &mut Node, lane: usize, b: &Bounds) {
    for k in 0..3 {
        let (min, max) = (f64::from(b.min[k]), f64::from(b.max[k]));
        let c = b.middle(k);
        let half = (max - f64::from(c)).max(f64::from(c) - min);
        node.center[k][lane] = c;
        node.half[k][lane] = round_up(half * (1.0 + 4.0 * ROUNDOFF));
    }
}

/// Splits a range of at least two triangles into two that are not empty.
fn split(order: &mut [u32], boxes: &[Bounds], range: &Range) -> (Range, Range) {
    let run = &mut order[range.start..range.end];
    let middle = if range.level < HALVE_BELOW { best_plane(run, boxes) } else { None };
    let (count, left, right) = match middle {
        Some(found) => found,
        None => {
            let count = run.len() / 2;
            let (mut l, mut r) = (Bounds::EMPTY, Bounds::EMPTY);
            run[..count].iter().for_each(|&i| l.add(&boxes[i as usize]));
            run[count..].iter().for_each(|&i| r.add(&boxes[i as usize]));
            (count, l, r)
        }
    };
    let at = range.start + count;
    (
        Range { start: range.start, end: at, level: range.level, bounds: left },
        Range { start: at, end: range.end, level: range.level, bounds: right },
    )
}

/// The cheapest of the planes between bins; partitions the run and returns the size of its left part and both
/// boxes.
fn best_plane(run: &mut [u32], boxes: &[Bounds]) -> Option<(usize, Bounds, Bounds)> {
    let mut centers = Bounds::EMPTY;
    for &i in run.iter() {
        let b = &boxes[i as usize];
        let c: [f32; 3] = core::array::from_fn(|k| b.middle(k));
        centers.add(&Bounds { min: c, max: c });
    }
    let span: [f32; 3] = core::array::from_fn(|k| centers.max[k] - centers.min[k]);
    let scale: [f32; 3] = core::array::from_fn(|k| {
        let s = BINS as f32 / span[k];
        if span[k] > 0.0 && s.is_finite() { s } else { 0.0 }
    });
    let bin = |b: &Bounds, k: usize| (((b.middle(k) - centers.min[k]) * scale[k]) as usize).min(BINS - 1);
    let mut bins = [[(0u32, Bounds::EMPTY); BINS]; 3];
    for &i in run.iter() {
        let b = &boxes[i as usize];
        for (k, axis) in bins.iter_mut().enumerate() {
            let slot = &mut axis[bin(b, k)];
            slot.0 += 1;
            slot.1.add(b);
        }
    }
    let mut best: Option<(f32, usize, usize, usize, Bounds, Bounds)> = None;
    for (k, axis) in bins.iter().enumerate() {
        if scale[k] == 0.0 {
            continue;
        }
        // Suffix boxes, then a sweep from the left.
        let mut right = [(0u32, Bounds::EMPTY); BINS + 1];
        for i in (0..BINS).rev() {
            right[i] = right[i + 1];
            right[i].0 += axis[i].0;
            right[i].1.add(&axis[i].1);
        }
        let (mut count, mut left) = (0u32, Bounds::EMPTY);
        for i in 0..BINS - 1 {
            count += axis[i].0;
            left.add(&axis[i].1);
            let (rest, r) = &right[i + 1];
            if count == 0 || *rest == 0 {
                continue;
            }
            let cost = left.area() * count as f32 + r.area() * *rest as f32;
            if best.as_ref().is_none_or(|b| cost < b.0) {
                best = Some((cost, k, i, count as usize, left, *r));
            }
        }
    }
    let (_, k, last, count, left, right) = best?;
    let (mut i, mut j) = (0, run.len());
    while i < j {
        if bin(&boxes[run[i] as usize], k) <= last {
            i += 1;
        } else {
            j -= 1;
            run.swap(i, j);
        }
    }
    debug_assert_eq!(i, count);
    Some((count, left, right))
}
