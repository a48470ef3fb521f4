//! The eight-wide tree over boxes that move: one box at a time, or all of them.
//!
//! If few boxes moved, each is written into its lane, and the boxes above it are joined again, up to the
//! first that stays as it was. A box that moved far would make those above it large. It leaves its node, and
//! goes to the node that it makes larger the least, as in Guttman's R-tree (1984), if a lane is free there.
//! If many moved, all boxes are written and joined in one pass. Once the boxes of the nodes have grown too
//! large, the tree is built again in the same memory: leaves in an order that keeps neighbours together
//! ([`super::order`]), seven to a node, eight nodes to the next. That form depends on nothing but the number
//! of leaves, so nothing is allocated.

use super::order::{along_curve, by_halves};
use super::rounded::round_outwards_fast;
use super::wide::{CornerLanes, Node, WIDTH, WideTree, middle_of};
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::{MOVING_GROWN, MOVING_LOOSE, MOVING_WORN};
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;
use elbowroom_pair::numeric::wide::{Box32, Eight, LEAF};

/// Leaves of a node when the tree is built. The lane that is left is for a box that moves there.
const FILLED: usize = WIDTH - 1;

/// How leaves are ordered where a tree is built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LeafOrder {
    /// A question then visits fewer nodes.
    ByHalves,
    /// Takes a third of the time.
    AlongCurve,
}

/// The tree, and where each of its boxes is.
#[derive(Clone, Debug)]
pub(crate) struct MovingTree {
    tree: WideTree,
    /// By leaf, its box. After [`MovingTree::write`] the nodes do not have it yet.
    boxes: Vec<Box32>,
    /// By leaf, whether it made the boxes above it much larger since the tree was built; how many did.
    is_far: Vec<bool>,
    far: usize,
    /// By node, half the surface of its box when the tree was built; the sum of all.
    built: Vec<f32>,
    built_sum: f32,
    /// By leaf, its node and lane.
    of_leaf: Vec<[u32; 2]>,
    /// By node, the node and lane above it; the first node has none.
    above: Vec<[u32; 2]>,
    /// Scratch: the leaves in order, each with a key, and the same while they are sorted.
    order: Vec<(u32, u32)>,
    sorted: Vec<(u32, u32)>,
    /// Scratch: by node, its box.
    around: Vec<Box32>,
}

impl MovingTree {
    /// Over boxes in one frame; leaf `i` is box `i`. `None` for more than 2^24 boxes.
    pub fn new(boxes: &[AlignedBox]) -> Option<MovingTree> {
        let n = boxes.len();
        if n > 1 << 24 {
            return None;
        }
        let levels = level_sizes(n);
        let nodes: usize = levels.iter().sum();
        let tree = WideTree::with_empty_nodes(n, nodes, levels.len(), middle_of(boxes));
        let mut tree = MovingTree {
            tree,
            boxes: vec![Box32::EMPTY; n],
            is_far: vec![false; n],
            far: 0,
            built: vec![0.0; nodes],
            built_sum: 0.0,
            of_leaf: vec![[0; 2]; n],
            above: vec![[0; 2]; nodes],
            order: vec![(0, 0); n],
            sorted: vec![(0, 0); n],
            around: vec![Box32::EMPTY; nodes],
        };
        let origin = tree.tree.origin;
        tree.boxes.iter_mut().zip(boxes).for_each(|(to, b)| *to = round_outwards_fast(b, origin));
        tree.rebuild_tree(LeafOrder::ByHalves);
        Some(tree)
    }

    /// The tree that is searched.
    pub fn tree(&self) -> &WideTree {
        &self.tree
    }

    /// The point that boxes are relative to.
    pub fn origin(&self) -> &Vec3 {
        &self.tree.origin
    }

    /// The boxes, to be written, relative to the tree's origin. Afterwards [`MovingTree::update_leaf`]
    /// must be called for each box that was written, or [`MovingTree::refit_all`] or
    /// [`MovingTree::rebuild_tree`] for all.
    #[inline]
    pub fn write(&mut self) -> &mut [Box32] {
        &mut self.boxes
    }

    /// Brings the nodes above a leaf up to date, whose box was written.
    pub fn update_leaf(&mut self, leaf: u32) {
        let (moved, [node, lane]) = (self.boxes[leaf as usize], self.of_leaf[leaf as usize]);
        if self.tree.nodes[node as usize].boxes.lane_box(lane as usize) == moved {
            return;
        }
        let mut all = box_around_node(&self.tree.nodes[node as usize]);
        all.add(&moved);
        let much = MOVING_GROWN * self.built[node as usize];
        let other = if all.half_surface(0.0) > much { self.room_near(&moved) } else { None };
        match other.filter(|other| *other != node) {
            Some(other) => {
                self.take_out([node, lane]);
                self.join_up(node, leaf);
                let to = &mut self.tree.nodes[other as usize];
                let lane = to.count;
                to.boxes.set_box(lane as usize, &moved);
                to.child[lane as usize] = LEAF | leaf;
                to.count += 1;
                self.of_leaf[leaf as usize] = [other, lane];
                self.join_up(other, leaf);
            }
            None => {
                self.tree.nodes[node as usize].boxes.set_box(lane as usize, &moved);
                self.join_up(node, leaf);
            }
        }
    }

    /// Takes a leaf out of its lane. The last lane of the node takes its place.
    fn take_out(&mut self, [node, lane]: [u32; 2]) {
        let from = &mut self.tree.nodes[node as usize];
        from.count -= 1;
        let last = from.count as usize;
        let (child, of_last) = (from.child[last], from.boxes.lane_box(last));
        from.child[lane as usize] = child;
        from.boxes.set_box(lane as usize, &of_last);
        from.boxes.set_box(last, &Box32::EMPTY);
        self.of_leaf[(child & !LEAF) as usize] = [node, lane];
    }

    /// Joins the boxes above a node again, in which a leaf moved.
    fn join_up(&mut self, mut node: u32, leaf: u32) {
        loop {
            let all = box_around_node(&self.tree.nodes[node as usize]);
            let much = MOVING_GROWN * self.built[node as usize];
            if all.half_surface(0.0) > much && !core::mem::replace(&mut self.is_far[leaf as usize], true) {
                self.far += 1;
            }
            if node == 0 {
                return;
            }
            let [above, lane] = self.above[node as usize];
            let boxes = &mut self.tree.nodes[above as usize].boxes;
            if boxes.lane_box(lane as usize) == all {
                return;
            }
            boxes.set_box(lane as usize, &all);
            node = above;
        }
    }

    /// The node of leaves that a box is found in if it goes, from the root, into the child whose surface it
    /// makes larger the least; `None` if that node is full.
    fn room_near(&self, b: &Box32) -> Option<u32> {
        let mut at = 0;
        loop {
            let node = &self.tree.nodes[at as usize];
            if at as usize >= self.first_of_leaves() {
                return ((node.count as usize) < WIDTH).then_some(at);
            }
            let growth = |lane: usize| {
                let own = node.boxes.lane_box(lane);
                let mut all = own;
                all.add(b);
                (all.half_surface(0.0) - own.half_surface(0.0), own.half_surface(0.0))
            };
            let mut best = (0, growth(0));
            for lane in 1..node.count as usize {
                let of_lane = growth(lane);
                if of_lane < best.1 {
                    best = (lane, of_lane);
                }
            }
            at = node.child[best.0];
        }
    }

    /// The first node whose children are leaves. So are those of all nodes after it.
    fn first_of_leaves(&self) -> usize {
        self.tree.nodes.len() - level_sizes(self.boxes.len()).last().copied().unwrap_or(0)
    }

    /// Whether building the tree again costs less than the time that boxes which moved far would add to the
    /// next questions.
    pub fn is_worn(&self) -> bool {
        self.far * self.far > MOVING_WORN * self.boxes.len()
    }

    /// Brings all nodes up to date. The tree keeps its form, unless its boxes have become so large that
    /// building it again costs less than searching them.
    pub fn refit_all(&mut self) {
        let first_of_leaves = self.first_of_leaves();
        let MovingTree { tree, boxes: own, around, .. } = self;
        let mut sum = 0.0;
        let (inner, of_leaves) = tree.nodes.split_at_mut(first_of_leaves);
        for (node, around) in of_leaves.iter_mut().zip(&mut around[first_of_leaves..]) {
            *around = joined_again(node, |child| &own[(child & !LEAF) as usize]);
            sum += around.half_surface(0.0);
        }
        // Nodes come after the node above them.
        for (at, node) in inner.iter_mut().enumerate().rev() {
            around[at] = joined_again(node, |child| &around[child as usize]);
            sum += around[at].half_surface(0.0);
        }
        if sum > MOVING_LOOSE * self.built_sum {
            self.rebuild_tree(LeafOrder::AlongCurve);
        }
    }

    /// Builds the tree again.
    pub fn rebuild_tree(&mut self, by: LeafOrder) {
        let MovingTree {
            tree,
            boxes: own,
            is_far,
            far,
            built,
            built_sum,
            of_leaf,
            above,
            order,
            sorted,
            around,
        } = self;
        let n = of_leaf.len();
        if n == 0 {
            return;
        }
        is_far.fill(false);
        *far = 0;
        let levels = level_sizes(n);
        (0..).zip(order.iter_mut()).for_each(|(leaf, at)| *at = (0, leaf));
        match by {
            LeafOrder::ByHalves => by_halves(order, own, FILLED * WIDTH.pow(levels.len() as u32 - 1)),
            LeafOrder::AlongCurve => along_curve(order, own, sorted),
        }
        *built_sum = 0.0;
        // From the last level, which holds the leaves, to the first.
        let mut first = tree.nodes.len();
        for (depth, &count) in levels.iter().enumerate().rev() {
            let below = first;
            first -= count;
            let is_last = depth + 1 == levels.len();
            let children = if is_last { n } else { levels[depth + 1] };
            for number in 0..count {
                let most = if is_last { FILLED } else { WIDTH };
                let (node, start) = (first + number, number * most);
                let lanes = most.min(children - start);
                let filled = &mut tree.nodes[node];
                *filled = Node { boxes: CornerLanes::EMPTY, child: [LEAF; WIDTH], count: lanes as u32 };
                let mut all = Box32::EMPTY;
                for lane in 0..lanes {
                    let at = [node as u32, lane as u32];
                    let inside = if is_last {
                        let leaf = order[start + lane].1;
                        filled.child[lane] = LEAF | leaf;
                        of_leaf[leaf as usize] = at;
                        own[leaf as usize]
                    } else {
                        let child = below + start + lane;
                        filled.child[lane] = child as u32;
                        above[child] = at;
                        around[child]
                    };
                    filled.boxes.set_box(lane, &inside);
                    all.add(&inside);
                }
                around[node] = all;
                built[node] = all.half_surface(0.0);
                *built_sum += built[node];
            }
        }
    }
}

/// The number of nodes of each level over so many leaves, the root first.
fn level_sizes(leaves: usize) -> LevelSizes {
    let (mut levels, mut nodes) = (LevelSizes { counts: [0; 10], len: 0 }, leaves.div_ceil(FILLED));
    while nodes > 0 {
        levels.counts[levels.len] = nodes;
        levels.len += 1;
        nodes = if nodes == 1 { 0 } else { nodes.div_ceil(WIDTH) };
    }
    levels.counts[..levels.len].reverse();
    levels
}

/// A few numbers, enough for 2^24 leaves.
struct LevelSizes {
    counts: [usize; 10],
    len: usize,
}

impl core::ops::Deref for LevelSizes {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        &self.counts[..self.len]
    }
}

/// Writes the boxes of a node's children, and returns the box around them.
#[inline(always)]
fn joined_again<'b>(node: &mut Node, of_child: impl Fn(u32) -> &'b Box32) -> Box32 {
    let mut all = Box32::EMPTY;
    for (lane, child) in node.child[..node.count as usize].iter().enumerate() {
        let inside = of_child(*child);
        node.boxes.set_box(lane, inside);
        all.add(inside);
    }
    all
}

/// The box around all of a node.
fn box_around_node(node: &Node) -> Box32 {
    let mut all = Box32::EMPTY;
    (0..node.count as usize).for_each(|lane| all.add(&node.boxes.lane_box(lane)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::hierarchy::WideScratch;
    use crate::bounds::hierarchy::rounded::round_outwards;
    use crate::rng::Rng;
    use elbowroom_describe::math::{Vec3, vec3};

    fn one(rng: &mut Rng, size: f64) -> AlignedBox {
        let (low, edge) = (rng.point(size), rng.point(0.1 * size));
        AlignedBox { low, high: low + vec3(edge.x.abs(), edge.y.abs(), edge.z.abs()) }
    }

    const INF: f64 = f64::INFINITY;

    fn write(moving: &mut MovingTree, boxes: &[AlignedBox]) {
        let origin = *moving.origin();
        moving.write().iter_mut().zip(boxes).for_each(|(to, b)| *to = round_outwards_fast(b, origin));
    }

    #[test]
    fn a_tree_that_moved_is_valid_and_finds_what_brute_force_finds() {
        let mut rng = Rng::new(5);
        let (mut singles, mut elsewhere, mut rebuilds, mut kept, mut anew) = (0, 0, 0, 0, 0);
        for round in 0..200 {
            let n = [0, 1, 7, 8, 9, 64, 65, 300][rng.below(8)];
            let size = rng.decades(-2.0, 3.0);
            let mut boxes: Vec<AlignedBox> = (0..n).map(|_| one(&mut rng, size)).collect();
            let mut moving = MovingTree::new(&boxes).unwrap();
            for _ in 0..8 {
                if rng.chance(0.2) {
                    boxes.iter_mut().for_each(|b| *b = one(&mut rng, size));
                    write(&mut moving, &boxes);
                    moving.rebuild_tree(rng.pick(&[LeafOrder::ByHalves, LeafOrder::AlongCurve]));
                    rebuilds += 1;
                } else if rng.chance(0.3) {
                    let step = rng.pick(&[0.01, 0.1, 1.0]) * size;
                    for b in &mut boxes {
                        let by = rng.point(step);
                        (b.low, b.high) = (b.low + by, b.high + by);
                    }
                    let before: Vec<[u32; 2]> = moving.of_leaf.clone();
                    write(&mut moving, &boxes);
                    moving.refit_all();
                    kept += usize::from(moving.of_leaf == before && n > 8);
                    anew += usize::from(moving.of_leaf != before);
                } else if n > 0 {
                    for _ in 0..1 + rng.below(5) {
                        let leaf = rng.below(n);
                        boxes[leaf] = match rng.below(5) {
                            0 => AlignedBox::EMPTY,
                            1 => one(&mut rng, 10.0 * size),
                            _ => one(&mut rng, size),
                        };
                        moving.write()[leaf] = round_outwards_fast(&boxes[leaf], *moving.origin());
                        let before = moving.of_leaf[leaf][0];
                        moving.update_leaf(leaf as u32);
                        elsewhere += usize::from(moving.of_leaf[leaf][0] != before);
                        singles += 1;
                    }
                }
                let tree = moving.tree();
                assert!(tree.validate_boxes(|leaf| moving.boxes[leaf]), "{round}");
                for (b, own) in boxes.iter().zip(&moving.boxes) {
                    let exact = round_outwards(b, tree.origin);
                    assert!((0..3).all(|k| own.low[k] <= exact.low[k] && own.high[k] >= exact.high[k]));
                }
                let unbounded = AlignedBox { low: vec3(-INF, -INF, -INF), high: vec3(INF, INF, INF) };
                let wanted = if rng.chance(0.1) { unbounded } else { one(&mut rng, size) };
                let query = [tree.prepare_query(&wanted)];
                let (mut seen, mut scratch) = (vec![false; n], WideScratch::new(tree, 1));
                let cutoff = 0.2 * size;
                let left = tree.visit_nearest(&query, cutoff, &mut scratch, |_, leaf, _| {
                    seen[leaf as usize] = true;
                    cutoff
                });
                for (b, seen) in boxes.iter().zip(seen) {
                    let apart = (b.low - wanted.high).max(wanted.low - b.high).max(Vec3::ZERO).norm();
                    assert!(seen || apart >= f64::from(left.left).min(cutoff) * (1.0 - 1e-5), "{round}");
                }
            }
        }
        assert!(singles > 1000 && elsewhere > 100 && rebuilds > 100, "{singles} {elsewhere} {rebuilds}");
        assert!(kept > 50 && anew > 20, "{kept} {anew}");
    }
}
