//! A BVH with eight children a node, for large sets of boxes that do not move.
//!
//! Built by [`elbowroom_pair::numeric::wide`]: eight leaves and less are not split, so nodes are well filled:
//! one is 256 bytes and there is one for 4 to 7 leaves.
//!
//! Boxes are f32 relative to an origin among them, rounded outwards: they contain the boxes given. Nodes hold
//! them by coordinate, so that eight are bounded at once.

use super::rounded::round_outwards;
use super::tree::LEAF_LIMIT;
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::{WIDE_GROWN, WIDE_GROWN_LEAST};
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Vec3, vec3};
pub use elbowroom_pair::numeric::wide::WIDTH;
use elbowroom_pair::numeric::wide::{self, Box32, BuildPlan, Eight, LEAF, Root, Second, WideBuild};

/// Number of boxes from whose middles the origin is chosen.
const ORIGIN_OF: usize = 1 << 12;

/// Eight boxes by their corners.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct CornerLanes {
    pub(super) low: [[f32; WIDTH]; 3],
    pub(super) high: [[f32; WIDTH]; 3],
}

pub(super) type Node = wide::WideNode<CornerLanes>;

impl Eight for CornerLanes {
    const EMPTY: CornerLanes =
        CornerLanes { low: [[f32::INFINITY; WIDTH]; 3], high: [[f32::NEG_INFINITY; WIDTH]; 3] };

    fn set_box(&mut self, lane: usize, b: &Box32) {
        for k in 0..3 {
            self.low[k][lane] = b.low[k];
            self.high[k][lane] = b.high[k];
        }
    }
}

impl CornerLanes {
    pub(super) fn lane_box(&self, lane: usize) -> Box32 {
        let (mut low, mut high) = ([0.0; 4], [0.0; 4]);
        for k in 0..3 {
            (low[k], high[k]) = (self.low[k][lane], self.high[k][lane]);
        }
        Box32 { low, high }
    }
}

/// The tree. It is immutable; threads share it.
#[derive(Clone, Debug)]
pub struct WideTree {
    pub(super) nodes: Vec<Node>,
    pub(super) origin: Vec3,
    leaves: usize,
    depth: usize,
}

impl WideTree {
    /// Builds the tree over boxes in one frame; leaf `i` is box `i`. `None` for more than 2^30 boxes. A box
    /// with a coordinate that is NaN, or beyond [`crate::bounds::tolerance::WIDE_LIMIT`], counts as infinite
    /// on that side.
    ///
    /// Takes `n log n` time, about 100 bytes a leaf while building and about 60 afterwards.
    pub fn build(leaf_boxes: &[AlignedBox]) -> Option<WideTree> {
        WideTree::with_origin(leaf_boxes, middle_of(leaf_boxes))
    }

    /// [`WideTree::build`] from boxes that are dropped before the tree is built, so that both are never in
    /// memory together.
    pub(crate) fn build_of(leaf_boxes: Vec<AlignedBox>) -> Option<WideTree> {
        let origin = middle_of(&leaf_boxes);
        let boxes = leaf_boxes.iter().map(|b| round_outwards(b, origin)).collect();
        drop(leaf_boxes);
        WideTree::of_rounded(boxes, origin)
    }

    /// [`WideTree::build`] of a tree that keeps its boxes relative to this origin (metres). Queries serve all
    /// trees of one origin.
    pub(crate) fn with_origin(leaf_boxes: &[AlignedBox], origin: Vec3) -> Option<WideTree> {
        WideTree::of_rounded(leaf_boxes.iter().map(|b| round_outwards(b, origin)).collect(), origin)
    }

    /// The tree over boxes that are relative to an origin.
    fn of_rounded(boxes: Vec<Box32>, origin: Vec3) -> Option<WideTree> {
        let n = boxes.len();
        if n > LEAF_LIMIT {
            return None;
        }
        if n == 0 {
            return Some(WideTree { nodes: Vec::new(), origin, leaves: 0, depth: 0 });
        }
        let given = if cfg!(debug_assertions) { boxes.clone() } else { Vec::new() };
        // Twice the levels of a full tree and a few more; below, runs are halved by number.
        let plane_levels = 4 + 2 * (n.ilog2() as usize).div_ceil(3);
        let grown = typical_edge(&boxes);
        let plan = BuildPlan { full: WIDTH, grown, plane_levels, second: Second::Last, root: Root::First };
        let WideBuild { mut nodes, order, levels } = wide::build::<CornerLanes>(boxes, plan);
        for child in nodes.iter_mut().flat_map(|node| &mut node.child[..node.count as usize]) {
            if *child & LEAF != 0 {
                *child = LEAF | order[(*child & !LEAF) as usize];
            }
        }
        let tree = WideTree { nodes, origin, leaves: n, depth: levels };
        debug_assert!(tree.validate_boxes(|leaf| given[leaf]));
        Some(tree)
    }

    /// A tree with room for so many nodes, which are empty.
    pub(super) fn with_empty_nodes(leaves: usize, nodes: usize, depth: usize, origin: Vec3) -> WideTree {
        let node = Node { boxes: CornerLanes::EMPTY, child: [LEAF; WIDTH], count: 0 };
        WideTree { nodes: vec![node; nodes], origin, leaves, depth }
    }

    /// The point that its boxes and queries are relative to.
    pub(crate) fn origin(&self) -> Vec3 {
        self.origin
    }
    /// Number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.leaves
    }
    /// Whether there is no leaf.
    pub fn is_empty(&self) -> bool {
        self.leaves == 0
    }
    /// Levels of nodes: at most `4 + log2 n`, however the boxes lie.
    pub fn depth(&self) -> usize {
        self.depth
    }
    /// The root node; `None` without a leaf.
    #[inline(always)]
    pub fn root(&self) -> Option<u32> {
        (self.leaves > 0).then_some(0)
    }

    /// Whether every leaf is there once and every box contains the boxes below it. Debug builds check this
    /// after every build.
    pub fn has_valid_boxes(&self, leaf_boxes: &[AlignedBox]) -> bool {
        self.validate_boxes(|leaf| round_outwards(&leaf_boxes[leaf], self.origin))
    }

    /// Whether every leaf is there once with its box `of_leaf`, and every other box contains the boxes below
    /// it.
    pub(super) fn validate_boxes(&self, of_leaf: impl Fn(usize) -> Box32) -> bool {
        let mut seen = vec![false; self.leaves];
        let mut count = 0;
        let mut parents = vec![0u8; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            for lane in 0..node.count as usize {
                let bounds = node.boxes.lane_box(lane);
                if node.child[lane] & LEAF != 0 {
                    let leaf = (node.child[lane] & !LEAF) as usize;
                    if leaf >= seen.len() || core::mem::replace(&mut seen[leaf], true) {
                        return false;
                    }
                    count += 1;
                    if bounds != of_leaf(leaf) {
                        return false;
                    }
                    continue;
                }
                // Each node comes after its only parent: so it is a tree.
                let child = node.child[lane] as usize;
                if child <= i || child >= self.nodes.len() {
                    return false;
                }
                parents[child] = parents[child].saturating_add(1);
                let mut below = Box32::EMPTY;
                (0..self.nodes[child].count as usize)
                    .for_each(|l| below.add(&self.nodes[child].boxes.lane_box(l)));
                if (0..3).any(|k| below.low[k] < bounds.low[k] || below.high[k] > bounds.high[k]) {
                    return false;
                }
            }
        }
        count == self.leaves && parents.iter().enumerate().all(|(i, &p)| p == u8::from(i > 0))
    }
}

/// The median of the middles of some of the boxes, coordinate by coordinate. Unlike the mean it is not moved
/// by a few boxes that are far away; rounding grows with the distance from it.
pub(super) fn middle_of(boxes: &[AlignedBox]) -> Vec3 {
    let step = boxes.len().div_ceil(ORIGIN_OF).max(1);
    let mut origin = [0.0; 3];
    for (k, at) in origin.iter_mut().enumerate() {
        let middle = |b: &AlignedBox| b.low[k] * 0.5 + b.high[k] * 0.5;
        let mut some: Vec<f64> = boxes.iter().step_by(step).map(middle).filter(|x| x.is_finite()).collect();
        if !some.is_empty() {
            let half = some.len() / 2;
            *at = *some.select_nth_unstable_by(half, f64::total_cmp).1;
        }
    }
    vec3(origin[0], origin[1], origin[2])
}

/// [`WIDE_GROWN`] times the mean edge of the boxes, but at least [`WIDE_GROWN_LEAST`] of the longest edge of
/// the box around all.
fn typical_edge(boxes: &[Box32]) -> f32 {
    let (mut sum, mut count) = (0.0_f64, 0_u64);
    let mut all = Box32::EMPTY;
    for b in boxes {
        let edges: [f64; 3] = core::array::from_fn(|k| f64::from(b.high[k]) - f64::from(b.low[k]));
        // Without empty and infinite boxes.
        if edges.iter().all(|&e| e >= 0.0 && e.is_finite()) {
            all.add(b);
            (sum, count) = (sum + edges[0] + edges[1] + edges[2], count + 3);
        }
    }
    let mean = if count > 0 { sum / count as f64 } else { 0.0 };
    let edge = |k: usize| f64::from(all.high[k]) - f64::from(all.low[k]);
    (WIDE_GROWN * mean).max(WIDE_GROWN_LEAST * edge(0).max(edge(1)).max(edge(2))) as f32
}
