//! Binary trees: refitted, or built anew along a curve.

use crate::index::Index;
use crate::scene::{Scene, meet, on_curve};
use elbowroom::bounds::AlignedBox;
use elbowroom::bounds::hierarchy::Tree;
use elbowroom_lab::primitives::box_gap;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The tree that joins neighbours along Morton's curve, level by level.
pub fn along_curve(scene: &Scene) -> Option<Tree> {
    let count = scene.boxes.len();
    let code = |leaf: &u32| on_curve(scene.boxes[*leaf as usize].center() * (1024.0 / scene.edge));
    let mut list: Vec<(u64, u32)> = (0..count as u32).map(|leaf| (code(&leaf), leaf)).collect();
    list.sort_unstable();
    let mut list: Vec<u32> = list.into_iter().map(|leaf| leaf.1).collect();
    let mut joins = Vec::with_capacity(count);
    while list.len() > 1 {
        let join = |two: &[u32]| match *two {
            [l, r] => {
                joins.push([l, r]);
                (count + joins.len() - 1) as u32
            }
            _ => two[0],
        };
        list = list.chunks(2).map(join).collect();
    }
    Tree::from_joins(count, joins)
}

/// A node of a binary tree that waits to be searched; a heap gives the nearest first.
#[derive(PartialEq)]
struct Waiting(f64, u32);
impl Eq for Waiting {}
impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What becomes of a binary tree in a step.
#[derive(Clone, Copy, PartialEq)]
pub enum Step {
    /// All its boxes are refitted.
    Refit,
    /// Those above what moves are.
    RefitAbove,
    /// It is built anew.
    Anew,
}

/// A binary tree.
pub struct OfPairs {
    tree: Tree,
    boxes: Vec<AlignedBox>,
    step: Step,
    /// The node above each.
    above: Vec<u32>,
    stack: Vec<[u32; 2]>,
    waiting: BinaryHeap<Waiting>,
}

impl OfPairs {
    /// A tree over the boxes.
    pub fn new(scene: &Scene, tree: Tree, step: Step) -> OfPairs {
        let mut boxes = vec![AlignedBox::EMPTY; tree.len()];
        tree.refit_boxes(&scene.boxes, &mut boxes);
        let mut above = vec![tree.len() as u32; tree.len()];
        for (&[l, r], join) in tree.joins().iter().zip(tree.leaf_count() as u32..) {
            (above[l as usize], above[r as usize]) = (join, join);
        }
        OfPairs { tree, boxes, step, above, stack: Vec::new(), waiting: BinaryHeap::new() }
    }
}

impl Index for OfPairs {
    fn update(&mut self, scene: &Scene) {
        for &body in &scene.moving {
            self.boxes[body as usize] = scene.boxes[body as usize];
            if self.step != Step::RefitAbove {
                continue;
            }
            let mut at = self.above[body as usize];
            // Up to the root, or to a box that stays as it is.
            while let Some((l, r)) = self.tree.children(at) {
                let join = self.boxes[l as usize].join(&self.boxes[r as usize]);
                if std::mem::replace(&mut self.boxes[at as usize], join) == join {
                    break;
                }
                at = self.above[at as usize];
            }
        }
        if self.step == Step::RefitAbove {
            return;
        }
        if self.step == Step::Anew
            && let Some(tree) = along_curve(scene)
        {
            self.tree = tree;
        }
        self.tree.refit_above(&mut self.boxes);
    }
    fn near(&mut self, scene: &Scene, body: u32) -> u64 {
        let of = scene.boxes[body as usize];
        let mut count = 0;
        self.stack.clear();
        self.stack.extend(self.tree.root().map(|root| [root; 2]));
        while let Some([at, _]) = self.stack.pop() {
            if !meet(&of, &self.boxes[at as usize]) {
                continue;
            }
            match self.tree.children(at) {
                Some((l, r)) => self.stack.extend([[l; 2], [r; 2]]),
                None => count += u64::from(at != body),
            }
        }
        count
    }
    fn nearest(&mut self, scene: &Scene, body: u32) -> f64 {
        let of = scene.boxes[body as usize];
        let mut best = f64::INFINITY;
        self.waiting.clear();
        self.waiting.extend(self.tree.root().map(|root| Waiting(f64::NEG_INFINITY, root)));
        while let Some(Waiting(lower, at)) = self.waiting.pop() {
            if lower >= best {
                break;
            }
            let Some((l, r)) = self.tree.children(at) else {
                // The only leaf of a tree may be the body itself.
                best = if at == body { best } else { lower };
                continue;
            };
            for child in [l, r] {
                let gap = box_gap(&of, &self.boxes[child as usize]);
                if gap < best && child != body {
                    self.waiting.push(Waiting(gap, child));
                }
            }
        }
        best
    }
    fn pairs(&mut self, _: &Scene) -> u64 {
        let mut count = 0;
        self.stack.clear();
        self.stack.extend(self.tree.root().map(|root| [root; 2]));
        while let Some([a, b]) = self.stack.pop() {
            if a == b {
                self.stack
                    .extend(self.tree.children(a).into_iter().flat_map(|(l, r)| [[l, l], [r, r], [l, r]]));
            } else if meet(&self.boxes[a as usize], &self.boxes[b as usize]) {
                // The later node joins more, or was joined later: it gives way.
                let (a, b) = (a.max(b), a.min(b));
                match self.tree.children(a) {
                    Some((l, r)) => self.stack.extend([[l, b], [r, b]]),
                    None => count += 1,
                }
            }
        }
        count
    }
}
