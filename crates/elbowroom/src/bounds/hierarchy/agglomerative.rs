//! Trees from below: the two that fit together best are joined, again and again.
//!
//! The Nearest Neighbour Algorithm of Henrich and Cheng, "Fast Distance Computation for On-line Collision
//! Detection with Multi-Arm Robots" (1992), section 3.2: all boxes are in a list; the pair whose common box
//! costs least is taken out and its common box put in; until one is left.
//!
//! Each entry remembers the best partner behind it in the list, and the cost of joining the two. Costs grow
//! with boxes. So joining a third box with a common box costs no less than joining it with the cheaper of the
//! two. A remembered cost therefore stays a lower bound when the partner is gone, and is computed again only
//! when it is the smallest: after Müllner,
//! "Modern hierarchical, agglomerative clustering algorithms" (2011), section 3.1. That takes about n² costs
//! for what occurs; for what does not, the number is bounded, and beyond the bound the pair joined need not
//! be the best.

use super::tree::{LEAF_LIMIT, Tree};
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::AGGLOMERATE_WORK;
use alloc::vec;
use alloc::vec::Vec;

/// The square of a box's diagonal (square metres), zero for what is empty: what a common box costs, the best
/// of the paper's three. Never falls when a box grows, rounding included.
#[inline(always)]
pub fn diagonal(b: &AlignedBox) -> f64 {
    let s = b.size();
    let positive = |x: f64| if x > 0.0 { x } else { 0.0 };
    let (x, y, z) = (positive(s.x), positive(s.y), positive(s.z));
    x * x + y * y + z * z
}

/// An entry's best partner behind it in the list.
#[derive(Clone, Copy)]
struct Partner {
    cost: f64,
    slot: usize,
    /// The cost is only a lower bound: the partner has been joined away since.
    stale: bool,
}

/// The tree that joins, again and again, the pair whose common box costs least; of equals the pair whose
/// first, then whose second stands first in the list, where a common box takes the place of its second.
/// `None` for more leaves than can be numbered. `cost` is never negative or NaN, and never falls when a box
/// grows, rounding included: [`diagonal`] is one. Meant for groups of up to a few thousand: it looks at about
/// `n²` pairs.
pub fn agglomerate(leaf_boxes: &[AlignedBox], cost: impl Fn(&AlignedBox) -> f64) -> Option<Tree> {
    let n = leaf_boxes.len();
    if n > LEAF_LIMIT {
        return None;
    }
    // The list has holes where an entry was joined away; `alive` lists the rest in order.
    let mut boxes: Vec<AlignedBox> = leaf_boxes.to_vec();
    let mut node: Vec<u32> = (0..n as u32).collect();
    let mut alive: Vec<usize> = (0..n).collect();
    let none = Partner { cost: f64::INFINITY, slot: usize::MAX, stale: false };
    let mut partner = vec![none; n];
    for at in 0..n {
        partner[at] = best_behind(&boxes, &alive[at..], &cost);
    }
    let mut joins = Vec::with_capacity(n.saturating_sub(1));
    let mut work = AGGLOMERATE_WORK.saturating_mul(n as u64).saturating_mul(n as u64);
    while alive.len() > 1 {
        // The least remembered cost; if its partner is gone, the best now, and again.
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
            // No partner gets cheaper: the common box costs at least what its second did, and stands in its
            // place.
            partner[slot].stale |= partner[slot].slot == first || partner[slot].slot == second;
        }
    }
    Some(Tree::of(n, joins))
}

/// The best partner of the first of `list` among the others, of equals the first.
fn best_behind(boxes: &[AlignedBox], list: &[usize], cost: impl Fn(&AlignedBox) -> f64) -> Partner {
    let mut best = Partner { cost: f64::INFINITY, slot: usize::MAX, stale: false };
    let Some((&first, rest)) = list.split_first() else { return best };
    let own = boxes[first];
    for &slot in rest {
        let c = cost(&own.join(&boxes[slot]));
        if c < best.cost || best.slot == usize::MAX {
            best = Partner { cost: c, slot, stale: false };
        }
    }
    best
}
