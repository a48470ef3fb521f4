//! Lower bounds on the distance of a body to the eight boxes of a node.
//!
//! As [`crate::bounds::box_gap`] in f32: the distance of the boxes, or minus the least way along an axis that
//! takes them apart. Both boxes were rounded outwards, differences of f32 are correctly rounded, and what
//! remains is a few relative roundings of the gap itself, which are taken off: so each is a lower bound on
//! the signed distance of whatever the boxes contain.

use super::split::Bounds;
use super::wide::{LEAF, Node, WIDTH, WideTree};
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::{CAPSULE_ROUNDING_F32, GAP_ROUNDING_F32, WIDE_LIMIT};
use crate::numeric::math::{Vec3, round_up, vec3};
use crate::numeric::simd::{Kernel, Lanes, dispatch};
use crate::numeric::tolerance::{ROUNDOFF, UNDERFLOW_F32};

/// What a tree is asked about: a box in the tree's frame, and, if known, a capsule around the same body.
#[derive(Clone, Copy, Debug)]
pub struct WideQuery {
    low: [f32; 3],
    high: [f32; 3],
    /// Longest edge of the box.
    pub(super) size: f32,
    capsule: Option<Capsule32>,
}

/// A capsule: middle and half of its segment, radius, and the reciprocal of the half's squared length.
#[derive(Clone, Copy, Debug)]
struct Capsule32 {
    mid: [f32; 3],
    half: [f32; 3],
    radius: f32,
    per_square: f32,
}

/// Where a lane of a node leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// To another node.
    Node(u32),
    /// To a leaf: the number of a box given to the build.
    Leaf(u32),
}

/// The children of a node and lower bounds on the signed distance to each (metres).
#[derive(Clone, Copy, Debug)]
pub struct Gaps {
    /// Lower bounds; infinite in the lanes from `count` on.
    pub lower: [f32; WIDTH],
    /// How many children there are.
    pub count: usize,
    child: [u32; WIDTH],
}

impl Gaps {
    /// The child in a lane below `count`.
    #[inline(always)]
    pub fn child(&self, lane: usize) -> Child {
        let c = self.child[lane];
        if c & LEAF != 0 { Child::Leaf(c & !LEAF) } else { Child::Node(c) }
    }
}

impl WideTree {
    /// Makes a question of a box in the frame of the boxes the tree was built of.
    #[inline]
    pub fn query(&self, around: &AlignedBox) -> WideQuery {
        let b = Bounds::about(around, self.origin);
        let (low, high) = ([b.low[0], b.low[1], b.low[2]], [b.high[0], b.high[1], b.high[2]]);
        WideQuery { low, high, size: longest(low, high), capsule: None }
    }

    /// The same for a body that is also within `radius` of the segment between two points of that frame: long
    /// bodies that lie askew are much smaller than their boxes. Where leaves are, a bound is then the larger
    /// of the two.
    #[inline]
    pub fn capsule_query(&self, around: &AlignedBox, ends: [Vec3; 2], radius: f64) -> WideQuery {
        let [a, b] = ends.map(|p| p - self.origin);
        let (mid, half) = ((a + b) * 0.5, (b - a) * 0.5);
        let single = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
        let double = |v: [f32; 3]| vec3(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]));
        let (mid, half) = (single(mid), single(half));
        // The segments are as far from each other as their ends are; the difference to the origin was rounded
        // too.
        let off = (double(mid) + double(half) - b).norm().max((double(mid) - double(half) - a).norm());
        let size = ends[0].norm() + ends[1].norm() + self.origin.norm();
        let radius = (radius + off + 8.0 * ROUNDOFF * size) * (1.0 + 8.0 * ROUNDOFF) + UNDERFLOW_F32;
        let square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
        let per_square = if square > 1e-30 { 1.0 / square } else { 0.0 };
        // What has no end, or is NaN, says nothing.
        let usable = size < WIDE_LIMIT && (0.0..WIDE_LIMIT).contains(&radius);
        let capsule = Capsule32 { mid, half, radius: round_up(radius), per_square };
        WideQuery { capsule: usable.then_some(capsule), ..self.query(around) }
    }

    /// The children of a node with their bounds; none for a number that no node has. For searches of one's
    /// own; [`WideTree::nearest`] is the one for many steps.
    pub fn children_gaps(&self, node: u32, query: &WideQuery) -> Gaps {
        if node as usize >= self.nodes.len() {
            return Gaps { lower: [0.0; WIDTH], count: 0, child: [LEAF; WIDTH] };
        }
        dispatch(One { tree: self, node, query })
    }
}

struct One<'a> {
    tree: &'a WideTree,
    node: u32,
    query: &'a WideQuery,
}

impl Kernel for One<'_> {
    type Output = Gaps;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Gaps {
        let node = &self.tree.nodes[self.node as usize];
        Gaps {
            lower: l.array8(bound_eight(l, node, self.query)),
            count: node.count as usize,
            child: node.child,
        }
    }
}

/// The longest edge of a box.
#[inline(always)]
fn longest(low: [f32; 3], high: [f32; 3]) -> f32 {
    (high[0] - low[0]).max(high[1] - low[1]).max(high[2] - low[2])
}

/// The longest edge of the box in a lane.
#[inline(always)]
pub(super) fn size_in(node: &Node, lane: usize) -> f32 {
    let at = |of: &[[f32; WIDTH]; 3]| [of[0][lane], of[1][lane], of[2][lane]];
    longest(at(&node.low), at(&node.high))
}

/// Infinity in the lanes from a node's count on, where the larger is taken; in the others minus infinity,
/// which is also the bound that what is NaN stands for.
static EMPTY_LANES: [[f32; WIDTH]; 16] = {
    let mut t = [[f32::NEG_INFINITY; WIDTH]; 16];
    let mut count = 0;
    while count < WIDTH {
        let mut lane = count;
        while lane < WIDTH {
            t[count][lane] = f32::INFINITY;
            lane += 1;
        }
        count += 1;
    }
    t
};

/// How far the eight boxes of a node and the box asked about are apart along an axis.
#[inline(always)]
fn apart<L: Lanes>(l: L, node: &Node, query: &WideQuery, k: usize) -> L::E {
    let above = l.sub8(l.load8(&node.low[k]), l.splat8(query.high[k]));
    let below = l.sub8(l.splat8(query.low[k]), l.load8(&node.high[k]));
    l.max8(above, below)
}

/// The same for a capsule: the room between segment and box along a direction, less the radius. Any direction
/// bounds the distance; this one is from the box's nearest point to the segment's, found by going from one to
/// the other twice.
#[inline(always)]
fn capsule_gap<L: Lanes>(l: L, node: &Node, c: &Capsule32) -> L::E {
    let zero = l.splat8(0.0);
    let (hx, hy, hz) = (l.splat8(c.half[0]), l.splat8(c.half[1]), l.splat8(c.half[2]));
    // The box as seen from the middle of the segment.
    let (lx, ly, lz) =
        (from(l, &node.low[0], c.mid[0]), from(l, &node.low[1], c.mid[1]), from(l, &node.low[2], c.mid[2]));
    let (ux, uy, uz) = (
        from(l, &node.high[0], c.mid[0]),
        from(l, &node.high[1], c.mid[1]),
        from(l, &node.high[2], c.mid[2]),
    );
    let (one, minus) = (l.splat8(1.0), l.splat8(-1.0));
    let (mut px, mut py, mut pz) = (zero, zero, zero);
    for _ in 0..2 {
        let (qx, qy, qz) =
            (l.min8(l.max8(px, lx), ux), l.min8(l.max8(py, ly), uy), l.min8(l.max8(pz, lz), uz));
        let along = l.add8(l.add8(l.mul8(qx, hx), l.mul8(qy, hy)), l.mul8(qz, hz));
        let t = l.min8(l.max8(l.mul8(along, l.splat8(c.per_square)), minus), one);
        (px, py, pz) = (l.mul8(hx, t), l.mul8(hy, t), l.mul8(hz, t));
    }
    let nx = l.sub8(px, l.min8(l.max8(px, lx), ux));
    let ny = l.sub8(py, l.min8(l.max8(py, ly), uy));
    let nz = l.sub8(pz, l.min8(l.max8(pz, lz), uz));
    // The least of the segment and the most of the box along the direction, and the size of the products they
    // are sums of.
    let (sx, sy, sz) = (l.mul8(nx, hx), l.mul8(ny, hy), l.mul8(nz, hz));
    let segment = magnitude(l, l.add8(l.add8(sx, sy), sz));
    let (ax, bx, ay) = (l.mul8(nx, lx), l.mul8(nx, ux), l.mul8(ny, ly));
    let (by, az, bz) = (l.mul8(ny, uy), l.mul8(nz, lz), l.mul8(nz, uz));
    let most = l.add8(l.add8(l.max8(ax, bx), l.max8(ay, by)), l.max8(az, bz));
    let of_box = l.add8(
        l.add8(l.max8(magnitude(l, ax), magnitude(l, bx)), l.max8(magnitude(l, ay), magnitude(l, by))),
        l.max8(magnitude(l, az), magnitude(l, bz)),
    );
    let of_segment = l.add8(l.add8(magnitude(l, sx), magnitude(l, sy)), magnitude(l, sz));
    let lost = l.mul8(l.add8(of_box, of_segment), l.splat8(CAPSULE_ROUNDING_F32));
    let room = l.sub8(l.sub8(l.sub8(zero, most), segment), lost);
    let square = l.add8(l.add8(l.mul8(nx, nx), l.mul8(ny, ny)), l.mul8(nz, nz));
    // A direction too short for its square tells nothing, and compares as NaN.
    let apart =
        l.div8(room, l.sqrt8(l.positive8(l.sub8(square, l.splat8(1e-24)), square, l.splat8(f32::NAN))));
    let radius = l.splat8(c.radius);
    let lost = l.mul8(l.add8(magnitude(l, apart), radius), l.splat8(GAP_ROUNDING_F32));
    l.sub8(l.sub8(apart, radius), lost)
}

#[inline(always)]
fn from<L: Lanes>(l: L, of: &[f32; WIDTH], from: f32) -> L::E {
    l.sub8(l.load8(of), l.splat8(from))
}

#[inline(always)]
fn magnitude<L: Lanes>(l: L, a: L::E) -> L::E {
    l.max8(a, l.sub8(l.splat8(0.0), a))
}

/// The bounds of the eight boxes of a node.
#[inline(always)]
pub(super) fn bound_eight<L: Lanes>(l: L, node: &Node, query: &WideQuery) -> L::E {
    let (x, y, z) = (apart(l, node, query, 0), apart(l, node, query, 1), apart(l, node, query, 2));
    let least = l.max8(l.max8(x, y), z);
    let zero = l.splat8(0.0);
    let (x, y, z) = (l.max8(x, zero), l.max8(y, zero), l.max8(z, zero));
    let square = l.add8(l.add8(l.mul8(x, x), l.mul8(y, y)), l.mul8(z, z));
    let room = l.splat8(UNDERFLOW_F32 as f32);
    let distance = l.sub8(l.mul8(l.sqrt8(square), l.splat8(1.0 - GAP_ROUNDING_F32)), room);
    let mut gap = l.positive8(least, distance, l.mul8(least, l.splat8(1.0 + GAP_ROUNDING_F32)));
    // Larger boxes than leaves hold the whole body as a rule, and a capsule would not tell more.
    if node.leaves
        && let Some(capsule) = &query.capsule
    {
        gap = l.max8(capsule_gap(l, node, capsule), gap);
    }
    l.max8(gap, l.load8(&EMPTY_LANES[node.count as usize & 15]))
}
