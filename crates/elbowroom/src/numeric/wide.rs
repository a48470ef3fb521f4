//! A tree of boxes over numbered leaves, eight children a node: how it is built.
//!
//! Built from the top. A run of boxes is split ([`split`]), the part with the largest surface again, until
//! there are eight; each part becomes a child. Runs of so few that they are not to be split become nodes full
//! of leaves, or, where their parent has lanes left, its own leaves. Below a depth that no sensible set
//! reaches, runs are halved by number, so that depth and work are bounded: `n log n` whatever the boxes. Work
//! is kept in a list, not on the call stack. After Wald, Benthin, Boulos, "Getting rid of packets" (2008).
//!
//! How a node holds its eight boxes is the searcher's to say ([`Eight`]); they are f32, by coordinate, so
//! that eight are bounded at once.

mod box32;
mod split;

use alloc::vec;
use alloc::vec::Vec;
pub(crate) use box32::Box32;
use split::{Pile, Run};

/// Children of a node.
pub const WIDTH: usize = 8;
/// A child with this bit is a leaf.
pub(crate) const LEAF: u32 = 1 << 31;

/// Eight boxes of a node, by coordinate.
pub(crate) trait Eight: Copy {
    /// No boxes.
    const EMPTY: Self;
    /// Writes the box of a lane.
    fn put(&mut self, lane: usize, b: &Box32);
}

/// Up to eight boxes and where they lead. Lanes from `count` on are empty.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Node<B> {
    pub(crate) boxes: B,
    pub(crate) child: [u32; WIDTH],
    pub(crate) count: u32,
}

impl<B: Eight> Node<B> {
    const EMPTY: Node<B> = Node { boxes: B::EMPTY, child: [LEAF; WIDTH], count: 0 };

    fn put(&mut self, lane: usize, b: &Box32, child: u32) {
        self.boxes.put(lane, b);
        self.child[lane] = child;
    }
}

/// How a tree is to be.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    /// Runs of so many leaves are not split.
    pub(crate) full: usize,
    /// Boxes count as grown by this where parts are weighed (metres).
    pub(crate) room: f32,
    /// Levels on which runs are split at planes; below they are halved by number.
    pub(crate) planes: usize,
    /// Where the second part of a split one stands among a node's children.
    pub(crate) second: Second,
    /// What node 0 is.
    pub(crate) root: Root,
}

/// What node 0 is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Root {
    /// One with a single lane, the box around all, as a level of its own.
    Around,
    /// The first that has several.
    First,
}

/// Where the second part of a split one stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Second {
    /// Beside the first: children stand in the order of their leaves.
    Beside,
    /// Behind all others.
    Last,
}

/// A tree that was built.
pub(crate) struct Built<B> {
    pub(crate) nodes: Vec<Node<B>>,
    /// The number of each leaf, in the order of the tree: a child is [`LEAF`] and a place in this.
    pub(crate) order: Vec<u32>,
    /// Levels of nodes.
    pub(crate) levels: usize,
}

/// Builds the tree over boxes (at least one), leaf `i` being box `i`.
pub(crate) fn build<B: Eight>(boxes: Vec<Box32>, plan: Plan) -> Built<B> {
    let n = boxes.len();
    let all = Run { start: 0, end: n, bounds: Box32::of(&boxes) };
    let mut pile = Pile { boxes, leaf: (0..n as u32).collect(), room: plan.room };
    let mut nodes: Vec<Node<B>> = Vec::with_capacity(n / 5 + 2);
    let mut levels = 0;
    // The node and lane that wait for each run; the lane of the first node is nobody's.
    let mut work: Vec<(u32, usize, usize, Run)> = vec![(u32::MAX, 0, 1, all)];
    if plan.root == Root::Around && n > 1 {
        nodes.push(Node { count: 1, ..Node::EMPTY });
        work[0] = (0, 0, 2, all);
    }
    while let Some((parent, lane, level, run)) = work.pop() {
        levels = levels.max(level);
        let here = nodes.len() as u32;
        if let Some(parent) = nodes.get_mut(parent as usize) {
            parent.put(lane, &run.bounds, here);
        }
        let (parts, count) = divide(&mut pile, run, level <= plan.planes, plan);
        let mut node = Node::EMPTY;
        let mut lanes = 0;
        let taken_in = fitting(&parts[..count], WIDTH - count);
        let first = work.len();
        for (i, part) in parts[..count].iter().enumerate() {
            if part.len() == 1 || taken_in & (1 << i) != 0 {
                for at in part.start..part.end {
                    node.put(lanes, &pile.boxes[at], LEAF | at as u32);
                    lanes += 1;
                }
            } else {
                work.push((here, lanes, level + 1, *part));
                lanes += 1;
            }
        }
        // The first is built next.
        work[first..].reverse();
        node.count = lanes as u32;
        nodes.push(node);
    }
    nodes.shrink_to_fit();
    Built { nodes, order: pile.leaf, levels }
}

/// Splits a run into up to eight parts, the one with the largest surface (or the longest) again and again.
fn divide(pile: &mut Pile, run: Run, planes: bool, plan: Plan) -> ([Run; WIDTH], usize) {
    let mut parts = [Run::NONE; WIDTH];
    parts[0] = run;
    let mut count = 1;
    while count < WIDTH {
        let mut pick: Option<(usize, f32)> = None;
        for (i, p) in parts[..count].iter().enumerate() {
            let area = if planes { p.bounds.area(pile.room) } else { p.len() as f32 };
            if p.len() > plan.full && pick.is_none_or(|(_, a)| area > a) {
                pick = Some((i, area));
            }
        }
        let Some((i, _)) = pick else { break };
        let (left, right) = pile.split(&parts[i], planes);
        parts[i] = left;
        let at = if plan.second == Second::Beside { i + 1 } else { count };
        parts.copy_within(at..count, at + 1);
        parts[at] = right;
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
