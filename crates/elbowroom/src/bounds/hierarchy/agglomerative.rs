//! Agglomerative building of a tree: the two best partners are joined, again and again.
//!
//! The Nearest Neighbour Algorithm of Henrich and Cheng, "Fast Distance Computation for On-line Collision
//! Detection with Multi-Arm Robots" (1992), section 3.2: all boxes are in a list; the pair whose common box
//! has the least cost is replaced by its common box, until one box is left.
//!
//! Each entry stores its best partner behind it in the list, and the cost of joining the two. Costs grow with
//! boxes. So joining a third box with a common box costs no less than joining it with the cheaper of the two.
//! A stored cost therefore stays a lower bound when the partner is gone, and is computed again only when it
//! is the smallest: after Müllner, "Modern hierarchical, agglomerative clustering algorithms" (2011),
//! section 3.1. Real sets take about n² costs. Beyond a limit the pair that is joined need not be the best.

use super::tree::{LEAF_LIMIT, Tree};
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::AGGLOMERATE_WORK;
use alloc::vec::Vec;

/// The square of a box's diagonal (square metres), zero for an empty box: the cost of a common box, the best
/// of the paper's three. It never falls when a box grows, rounding included.
#[inline(always)]
pub fn squared_diagonal(b: &AlignedBox) -> f64 {
    let s = b.size();
    let positive = |x: f64| if x > 0.0 { x } else { 0.0 };
    let (x, y, z) = (positive(s.x), positive(s.y), positive(s.z));
    x * x + y * y + z * z
}

/// An entry's best partner behind it in the list.
#[derive(Clone, Copy)]
struct BestPartner {
    /// Infinite for the last entry, which has no partner.
    cost: f64,
    slot: usize,
    /// The partner has been joined with another box; the cost is only a lower bound.
    stale: bool,
}

/// The tree that joins, again and again, the pair whose common box has the least cost. Of equal costs the
/// pair counts whose first box, then whose second box, stands first in the list; a common box takes the index
/// of its second box. `None` for more leaves than can be numbered. `cost` must not be negative or NaN, and
/// must not fall when a box grows, rounding included, like [`squared_diagonal`]. For groups of up to a few
/// thousand: about `n²` pairs are compared.
pub fn agglomerate_boxes(leaf_boxes: &[AlignedBox], cost: impl Fn(&AlignedBox) -> f64) -> Option<Tree> {
    let n = leaf_boxes.len();
    if n > LEAF_LIMIT {
        return None;
    }
    // Entries that were joined leave holes in `boxes`; `alive` lists the others in order.
    let mut boxes: Vec<AlignedBox> = leaf_boxes.to_vec();
    let mut node: Vec<u32> = (0..n as u32).collect();
    let mut alive: Vec<usize> = (0..n).collect();
    let mut partner: Vec<BestPartner> = (0..n).map(|at| best_behind(&boxes, &alive[at..], &cost)).collect();
    let mut joins = Vec::with_capacity(n.saturating_sub(1));
    let mut work = AGGLOMERATE_WORK.saturating_mul(n as u64).saturating_mul(n as u64);
    while alive.len() > 1 {
        // The least stored cost; if its partner is gone, it is computed again, and the search repeated.
        let (at, first) = loop {
            let (mut at, mut least) = (0, f64::INFINITY);
            for (k, &slot) in alive[..alive.len() - 1].iter().enumerate() {
                if partner[slot].cost < least {
                    (at, least) = (k, partner[slot].cost);
                }
            }
            let slot = alive[at];
            if !partner[slot].stale {
                break (at, slot);
            }
            partner[slot] = best_behind(&boxes, &alive[at..], &cost);
            work = work.saturating_sub(2 * (alive.len() as u64));
            if work == 0 {
                break (at, slot);
            }
        };
        let second = partner[first].slot;
        joins.push([node[first], node[second]]);
        node[second] = (n + joins.len() - 1) as u32;
        boxes[second] = boxes[first].join(&boxes[second]);
        alive.remove(at);
        for (k, &slot) in alive.iter().enumerate() {
            if slot == second {
                partner[slot] = best_behind(&boxes, &alive[k..], &cost);
                break;
            }
            // No stored cost becomes too large: the common box costs at least as much as the second box,
            // whose index it takes.
            partner[slot].stale |= partner[slot].slot == first || partner[slot].slot == second;
        }
    }
    Some(Tree::from_valid_joins(n, joins))
}

/// The best partner of the first of `list` among the others. Of equal costs the first counts.
fn best_behind(boxes: &[AlignedBox], list: &[usize], cost: impl Fn(&AlignedBox) -> f64) -> BestPartner {
    let first = list[0];
    let mut best: Option<BestPartner> = None;
    for &slot in &list[1..] {
        let cost = cost(&boxes[first].join(&boxes[slot]));
        if best.is_none_or(|b| cost < b.cost) {
            best = Some(BestPartner { cost, slot, stale: false });
        }
    }
    best.unwrap_or(BestPartner { cost: f64::INFINITY, slot: first, stale: false })
}
