//! Building a wide BVH (bounding volume hierarchy): a tree of boxes over numbered leaves, eight children a
//! node.
//!
//! It is built from the top. A run of boxes is split in two (`split`), then the piece with the largest
//! surface is split again, until there are eight pieces; each becomes a child. A piece of at most
//! [`BuildPlan::full`] boxes is not split. It becomes a node of leaves; where its parent has free lanes, its
//! leaves go there. Below [`BuildPlan::plane_levels`] runs are halved by number, so depth and work are
//! bounded: `n log n` whatever the boxes. Runs to do are in a list, not on the call stack. After Wald,
//! Benthin, Boulos, "Getting rid of packets" (2008).
//!
//! Who searches the tree decides how a node holds its eight boxes ([`Eight`]). They are f32 and stored by
//! coordinate, so that eight are bounded at once.

mod box32;
mod split;

use alloc::vec;
use alloc::vec::Vec;
pub use box32::Box32;
use split::{Pile, Run, SplitBy};

/// Children of a node.
pub const WIDTH: usize = 8;
/// A child with this bit is a leaf.
pub const LEAF: u32 = 1 << 31;

/// Eight boxes of a node, by coordinate.
pub trait Eight: Copy {
    /// No boxes.
    const EMPTY: Self;
    /// Sets the box of a lane.
    fn set_box(&mut self, lane: usize, b: &Box32);
}

/// Up to eight boxes and where they lead. Lanes from `count` on are empty.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct WideNode<B> {
    /// The box of each child.
    pub boxes: B,
    /// The number of each child's node, or of its leaf with [`LEAF`].
    pub child: [u32; WIDTH],
    /// How many children it has.
    pub count: u32,
}

impl<B: Eight> WideNode<B> {
    const EMPTY: WideNode<B> = WideNode { boxes: B::EMPTY, child: [LEAF; WIDTH], count: 0 };

    fn set_child(&mut self, lane: usize, b: &Box32, child: u32) {
        self.boxes.set_box(lane, b);
        self.child[lane] = child;
    }
}

/// How to build a tree.
#[derive(Clone, Copy, Debug)]
pub struct BuildPlan {
    /// Runs of at most so many leaves are not split.
    pub full: usize,
    /// The edges of boxes count as grown by this where costs are compared (metres).
    pub grown: f32,
    /// Levels on which runs are split at planes; below they are halved by number.
    pub plane_levels: usize,
    /// Where the second half of a split stands among a node's children.
    pub second: Second,
    /// What node 0 is.
    pub root: Root,
}

/// What node 0 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A level of its own: one lane with the box around all.
    Around,
    /// The first node that has several children.
    First,
}

/// Where the second half of a split stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// After the first half: children stand in the order of their leaves.
    Beside,
    /// After all others.
    Last,
}

/// The built tree.
#[derive(Clone, Debug)]
pub struct WideBuild<B> {
    /// Parents before their children.
    pub nodes: Vec<WideNode<B>>,
    /// The number of each leaf, in the order of the tree: the child of a leaf is [`LEAF`] and an index into
    /// this.
    pub order: Vec<u32>,
    /// Levels of nodes.
    pub levels: usize,
}

/// A run that is not yet in the tree, its level, and the node and lane that will lead to it.
struct Job {
    from: Option<(usize, usize)>,
    level: usize,
    run: Run,
}

/// Builds the tree over boxes (at least one), leaf `i` being box `i`.
pub fn build<B: Eight>(boxes: Vec<Box32>, plan: BuildPlan) -> WideBuild<B> {
    let n = boxes.len();
    let all = Run { start: 0, end: n, bounds: Box32::around_boxes(&boxes) };
    let mut pile = Pile::new(boxes, plan.grown);
    // Most trees have fewer, and room that is not used takes no memory; to grow would double it.
    let mut nodes: Vec<WideNode<B>> = Vec::with_capacity(n / 4 + 2);
    let mut levels = 0;
    let mut work = vec![Job { from: None, level: 1, run: all }];
    if plan.root == Root::Around && n > 1 {
        nodes.push(WideNode { count: 1, ..WideNode::EMPTY });
        work[0] = Job { from: Some((0, 0)), level: 2, run: all };
    }
    while let Some(Job { from, level, run }) = work.pop() {
        levels = levels.max(level);
        let here = nodes.len();
        if let Some((parent, lane)) = from {
            nodes[parent].set_child(lane, &run.bounds, here as u32);
        }
        let by = if level <= plan.plane_levels { SplitBy::Plane } else { SplitBy::Number };
        let (pieces, count) = split_run(&mut pile, run, by, plan);
        let mut node = WideNode::EMPTY;
        let mut lanes = 0;
        let taken_in = pieces_that_fit(&pieces[..count], WIDTH - count);
        let first = work.len();
        for (i, piece) in pieces[..count].iter().enumerate() {
            if piece.len() == 1 || taken_in & (1 << i) != 0 {
                for at in piece.start..piece.end {
                    node.set_child(lanes, &pile.boxes[at], LEAF | at as u32);
                    lanes += 1;
                }
            } else {
                work.push(Job { from: Some((here, lanes)), level: level + 1, run: *piece });
                lanes += 1;
            }
        }
        // The first piece is built next.
        work[first..].reverse();
        node.count = lanes as u32;
        nodes.push(node);
    }
    // To give a little room back, all nodes would be copied.
    if nodes.capacity() - nodes.len() > nodes.len() / 16 {
        nodes.shrink_to_fit();
    }
    WideBuild { nodes, order: pile.leaf, levels }
}

/// Splits a run into up to eight pieces: again and again the one with the largest surface, or the longest
/// where runs are split by number.
fn split_run(pile: &mut Pile, run: Run, by: SplitBy, plan: BuildPlan) -> ([Run; WIDTH], usize) {
    let mut pieces = [Run::NONE; WIDTH];
    pieces[0] = run;
    let mut count = 1;
    while count < WIDTH {
        let mut pick: Option<(usize, f32)> = None;
        for (i, p) in pieces[..count].iter().enumerate() {
            let area = if by == SplitBy::Plane { p.bounds.half_surface(plan.grown) } else { p.len() as f32 };
            if p.len() > plan.full && pick.is_none_or(|(_, a)| area > a) {
                pick = Some((i, area));
            }
        }
        let Some((i, _)) = pick else { break };
        let (left, right) = pile.split(&pieces[i], by);
        pieces[i] = left;
        let at = if plan.second == Second::Beside { i + 1 } else { count };
        pieces.copy_within(at..count, at + 1);
        pieces[at] = right;
        count += 1;
    }
    (pieces, count)
}

/// The pieces, as bits, whose leaves fit into the free lanes of their parent: the smallest first.
fn pieces_that_fit(pieces: &[Run], mut free: usize) -> u32 {
    let mut taken = 0u32;
    for size in 2..=WIDTH {
        for (i, piece) in pieces.iter().enumerate() {
            if piece.len() == size && size - 1 <= free {
                taken |= 1 << i;
                free -= size - 1;
            }
        }
    }
    taken
}
