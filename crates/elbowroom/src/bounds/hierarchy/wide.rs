//! A tree of boxes for large sets that stay where they are: eight children a node.
//!
//! Built from the top. A run of boxes is split ([`super::split`]), the part with the largest surface again,
//! until there are eight; each part becomes a child. Parts of eight and less are not split: they become nodes
//! full of leaves, or, where their parent has lanes left, its own leaves. So nodes are well filled: one is
//! 256 bytes and there is one for 4 to 7 leaves. Below a depth that no sensible set reaches, runs are halved
//! by number, so that depth and work are bounded: `n log n` whatever the boxes. Work is kept in a list, not
//! on the call stack.
//!
//! Boxes are f32 relative to an origin among them, rounded outwards: they contain the boxes given. Nodes hold
//! them by coordinate, so that eight are bounded at once.

use super::box32::Box32;
use super::rounded::around;
use super::split::{Pile, Run};
use super::tree::LEAF_LIMIT;
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::{WIDE_GROWN, WIDE_ROOM};
use crate::numeric::math::{Vec3, vec3};
use alloc::vec;
use alloc::vec::Vec;

/// Children of a node.
pub const WIDTH: usize = 8;
/// A child with this bit is a leaf.
pub(super) const LEAF: u32 = 1 << 31;
/// Boxes whose middles decide where the origin is.
const ORIGIN_OF: usize = 1 << 12;

/// Up to eight boxes by coordinate, and where they lead. Lanes from `count` on are empty.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Node {
    pub(super) low: [[f32; WIDTH]; 3],
    pub(super) high: [[f32; WIDTH]; 3],
    pub(super) child: [u32; WIDTH],
    pub(super) count: u32,
}

impl Node {
    const EMPTY: Node = Node {
        low: [[f32::INFINITY; WIDTH]; 3],
        high: [[f32::NEG_INFINITY; WIDTH]; 3],
        child: [LEAF; WIDTH],
        count: 0,
    };

    fn put(&mut self, lane: usize, b: &Box32, child: u32) {
        for k in 0..3 {
            self.low[k][lane] = b.low[k];
            self.high[k][lane] = b.high[k];
        }
        self.child[lane] = child;
    }
}

/// The tree. It does not change, and threads share it.
#[derive(Clone, Debug)]
pub struct WideTree {
    pub(super) nodes: Vec<Node>,
    pub(super) origin: Vec3,
    leaves: usize,
    depth: usize,
}

impl WideTree {
    /// Builds the tree over boxes of one frame, leaf `i` being box `i`; `None` for more than can be numbered
    /// (2^30). Boxes with a coordinate that is NaN, or farther than [`crate::bounds::tolerance::WIDE_LIMIT`],
    /// count as without end on that side.
    ///
    /// Takes `n log n` time, about 100 bytes a leaf meanwhile and about 60 in the end.
    pub fn build(leaf_boxes: &[AlignedBox]) -> Option<WideTree> {
        let n = leaf_boxes.len();
        if n > LEAF_LIMIT {
            return None;
        }
        let origin = middle_of(leaf_boxes);
        let boxes: Vec<Box32> = leaf_boxes.iter().map(|b| around(b, origin)).collect();
        let room = typical_edge(&boxes);
        let mut tree = WideTree { nodes: Vec::with_capacity(n / 5 + 1), origin, leaves: n, depth: 0 };
        if n == 0 {
            return Some(tree);
        }
        let all = Run { start: 0, end: n, bounds: Box32::of(&boxes) };
        let mut pile = Pile { boxes, leaf: (0..n as u32).collect(), room };
        tree.grow(&mut pile, all);
        tree.nodes.shrink_to_fit();
        debug_assert!(tree.validate(leaf_boxes));
        Some(tree)
    }

    fn grow(&mut self, pile: &mut Pile, all: Run) {
        // Twice the levels of a full tree, and a few: then only halves.
        let planes_above = 4 + 2 * (all.len().ilog2() as usize).div_ceil(3);
        // The node and lane that wait for each run; the lane of the root is nobody's.
        let mut work: Vec<(u32, usize, usize, Run)> = vec![(u32::MAX, 0, 1, all)];
        while let Some((parent, lane, level, run)) = work.pop() {
            self.depth = self.depth.max(level);
            let here = self.nodes.len() as u32;
            if let Some(parent) = self.nodes.get_mut(parent as usize) {
                parent.put(lane, &run.bounds, here);
            }
            let (parts, count) = divide(pile, run, level <= planes_above);
            let mut node = Node::EMPTY;
            let mut lanes = 0;
            let free = WIDTH - count;
            let taken_in = fitting(&parts[..count], free);
            for (i, part) in parts[..count].iter().enumerate() {
                if part.len() == 1 || taken_in & (1 << i) != 0 {
                    for at in part.start..part.end {
                        node.put(lanes, &pile.boxes[at], LEAF | pile.leaf[at]);
                        lanes += 1;
                    }
                } else {
                    work.push((here, lanes, level + 1, *part));
                    lanes += 1;
                }
            }
            node.count = lanes as u32;
            self.nodes.push(node);
        }
    }

    /// How many leaves it has.
    pub fn leaves(&self) -> usize {
        self.leaves
    }
    /// Whether it has no leaf.
    pub fn is_empty(&self) -> bool {
        self.leaves == 0
    }
    /// Levels of nodes: at most `4 + log2 n`, however the boxes lie.
    pub fn depth(&self) -> usize {
        self.depth
    }
    /// Memory it holds.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }
    /// The root node; `None` without a leaf.
    #[inline(always)]
    pub fn root(&self) -> Option<u32> {
        (self.leaves > 0).then_some(0)
    }

    /// Whether every leaf is there once, and every box contains what is below it. In debug builds every build
    /// asks.
    pub fn validate(&self, leaf_boxes: &[AlignedBox]) -> bool {
        let mut seen = vec![false; self.leaves];
        let mut count = 0;
        let mut parents = vec![0u8; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            for lane in 0..node.count as usize {
                let bounds = node.bounds(lane);
                if node.child[lane] & LEAF != 0 {
                    let leaf = (node.child[lane] & !LEAF) as usize;
                    if leaf >= seen.len() || core::mem::replace(&mut seen[leaf], true) {
                        return false;
                    }
                    count += 1;
                    if bounds != around(&leaf_boxes[leaf], self.origin) {
                        return false;
                    }
                    continue;
                }
                // Children come later, once each: so it is a tree.
                let child = node.child[lane] as usize;
                if child <= i || child >= self.nodes.len() {
                    return false;
                }
                parents[child] = parents[child].saturating_add(1);
                let mut below = Box32::EMPTY;
                (0..self.nodes[child].count as usize).for_each(|l| below.add(&self.nodes[child].bounds(l)));
                if (0..3).any(|k| below.low[k] < bounds.low[k] || below.high[k] > bounds.high[k]) {
                    return false;
                }
            }
        }
        count == self.leaves && parents.iter().enumerate().all(|(i, &p)| p == u8::from(i > 0))
    }
}

impl Node {
    fn bounds(&self, lane: usize) -> Box32 {
        let (mut low, mut high) = ([0.0; 4], [0.0; 4]);
        for k in 0..3 {
            (low[k], high[k]) = (self.low[k][lane], self.high[k][lane]);
        }
        Box32 { low, high }
    }
}

/// Splits a run into up to eight parts, the largest first, none of eight or less.
fn divide(pile: &mut Pile, run: Run, planes: bool) -> ([Run; WIDTH], usize) {
    let mut parts = [Run::NONE; WIDTH];
    parts[0] = run;
    let mut count = 1;
    while count < WIDTH {
        let mut pick: Option<(usize, f32)> = None;
        for (i, p) in parts[..count].iter().enumerate() {
            let area = if planes { p.bounds.area(pile.room) } else { p.len() as f32 };
            if p.len() > WIDTH && pick.is_none_or(|(_, a)| area > a) {
                pick = Some((i, area));
            }
        }
        let Some((i, _)) = pick else { break };
        let (left, right) = pile.split(&parts[i], planes);
        parts[i] = left;
        parts[count] = right;
        count += 1;
    }
    (parts, count)
}

/// The parts, as bits, whose boxes fit into lanes of their parent that are free: the smallest first.
fn fitting(parts: &[Run], mut free: usize) -> u32 {
    let mut taken = 0u32;
    for size in 2..=WIDTH {
        for (i, part) in parts.iter().enumerate() {
            if part.len() == size && size - 1 <= free {
                taken |= 1 << i;
                free -= size - 1;
            }
        }
    }
    taken
}

/// The middle, by number, of some of the boxes, coordinate by coordinate: a few that are far away do not move
/// it, and with it the rounding of all.
fn middle_of(boxes: &[AlignedBox]) -> Vec3 {
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

/// Some times the mean edge of the boxes, but no less than [`WIDE_ROOM`] of what they take up together.
fn typical_edge(boxes: &[Box32]) -> f32 {
    let (mut sum, mut count) = (0.0_f64, 0_u64);
    let mut all = Box32::EMPTY;
    for b in boxes {
        let edges: [f64; 3] = core::array::from_fn(|k| f64::from(b.high[k]) - f64::from(b.low[k]));
        // Neither the empty nor what has no end.
        if edges.iter().all(|&e| e >= 0.0 && e.is_finite()) {
            all.add(b);
            (sum, count) = (sum + edges[0] + edges[1] + edges[2], count + 3);
        }
    }
    let mean = if count > 0 { sum / count as f64 } else { 0.0 };
    let edge = |k: usize| f64::from(all.high[k]) - f64::from(all.low[k]);
    (WIDE_GROWN * mean).max(WIDE_ROOM * edge(0).max(edge(1)).max(edge(2))) as f32
}
