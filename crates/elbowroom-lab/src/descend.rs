//! Two hierarchies taken apart together, node against node, until leaves are left: henrich92's descent
//! (section 3.2).
//!
//! A pair of nodes whose boxes are farther apart than the limit is done with, and its gap is a bound for all
//! leaves below. Of the others one node or both give way to their halves: the paper has both strategies, the
//! first after the error of the approximation, which grows with the box. The caller asks the pairs of leaves
//! that come out, and may lower the limit with what it finds: with a limit that stays it is the paper's
//! descent by a threshold, with the best distance so far the search for the smallest one. Pairs are taken up
//! in the order of depth, not of their bounds; for many leaves that stay where they are
//! [`WideTree::nearest_of_tree`](elbowroom::bounds::hierarchy::WideTree::nearest_of_tree) is the better
//! search.

use crate::primitives::box_gap;
use elbowroom::bounds::AlignedBox;
use elbowroom::bounds::hierarchy::Tree;

/// Which of two nodes gives way where their boxes are too near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descent {
    /// Both: fewest steps, and nothing to compare.
    Both,
    /// The one with the larger box (by its diagonal), alone.
    Larger,
}

impl Descent {
    /// Both of them.
    pub const ALL: [Descent; 2] = [Descent::Both, Descent::Larger];
}

/// What a descent did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descended {
    /// Gaps of boxes that were computed.
    pub gaps: usize,
    /// Pairs of leaves that were handed out.
    pub leaves: usize,
    /// Every pair of leaves that was not handed out is at least this far apart (metres); infinite if there is
    /// none, minus infinity if the descent was ended.
    pub left: f64,
}

/// Hands out the pairs of leaves of two trees that are no farther apart than a limit (metres). `boxes` are
/// those of all nodes, all in one frame, all coordinates numbers, as [`Tree::refit_boxes`] makes them. `leaf`
/// is told both leaves and the gap of their boxes, and returns the limit from then on; one that is larger
/// than before is ignored, and minus infinity ends it. `work` is room that is kept between calls. Without
/// allocation once that has grown to the sum of both depths, three times over.
///
/// # Panics
/// If an array of boxes has not the length of its tree: a mistake of the program, not of its input.
pub fn descend_trees(
    trees: [&Tree; 2],
    boxes: [&[AlignedBox]; 2],
    descent: Descent,
    mut limit: f64,
    work: &mut Vec<[u32; 2]>,
    mut leaf: impl FnMut(u32, u32, f64) -> f64,
) -> Descended {
    assert!(trees[0].len() == boxes[0].len() && trees[1].len() == boxes[1].len(), "a box for each node");
    let mut done = Descended { gaps: 0, leaves: 0, left: f64::INFINITY };
    work.clear();
    if let [Some(i), Some(j)] = [trees[0].root(), trees[1].root()] {
        work.push([i, j]);
    }
    while let Some([i, j]) = work.pop() {
        let [a, b] = [&boxes[0][i as usize], &boxes[1][j as usize]];
        let gap = box_gap(a, b);
        done.gaps += 1;
        if gap > limit {
            done.left = done.left.min(gap);
            continue;
        }
        let larger = || a.size().norm_squared() >= b.size().norm_squared();
        match (trees[0].children(i), trees[1].children(j)) {
            (None, None) => {
                done.leaves += 1;
                limit = limit.min(leaf(i, j, gap));
                if limit == f64::NEG_INFINITY {
                    done.left = f64::NEG_INFINITY;
                    break;
                }
            }
            (Some((l, r)), Some((p, q))) if descent == Descent::Both => {
                work.extend([[l, p], [l, q], [r, p], [r, q]]);
            }
            (Some((l, r)), other) if other.is_none() || larger() => work.extend([[l, j], [r, j]]),
            (_, Some((p, q))) => work.extend([[i, p], [i, q]]),
            (Some((l, r)), None) => work.extend([[l, j], [r, j]]),
        }
    }
    done
}

#[cfg(test)]
mod tests;
