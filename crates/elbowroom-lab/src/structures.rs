//! Trees for groups whose members move against each other: the structures that were best somewhere, and a
//! quick choice among them.
//!
//! Henrich and Cheng (1992), section 3.2. Off-line, the tree that [`agglomerate_boxes`] builds is found for
//! many configurations; most of them have one of a few structures. On-line, the structure for the pose at
//! hand is chosen by what its joined boxes cost, and its boxes are refitted from below.
//!
//! *Level* is what the paper's list makes it: the list starts with all members, and each join makes the next
//! level, one shorter. What is new on level `k` is the common box of join `k`. A joined box costs no less
//! than what it joins, so within one structure the list's own rule, cheapest first, takes the joins in the
//! order of their costs: level `k` costs what the `k`-th cheapest join costs. The structure whose level 1
//! costs least is chosen; those that tie are compared on level 2, and so on. The tree that
//! [`agglomerate_boxes`] would build for the pose wins this comparison wherever it is among the structures:
//! none has a cheaper level 1, for that is the cheapest pair of all. A structure that ties with it has joined
//! the same pair, so the same holds for all further levels.
//!
//! Different structures share most of their joined sets. Each set is kept once, with the structures that have
//! it as bits. The sets are taken in the order of their costs. Each keeps only the structures that have it,
//! if any that is still in question has it.

use crate::cost::Cost;
use crate::limits::{STRUCTURES_COUNTED, STRUCTURES_MOST};
use elbowroom::bounds::AlignedBox;
use elbowroom::bounds::hierarchy::{Tree, agglomerate_boxes};
use std::collections::BTreeMap;

/// Which structures are kept: the commonest, and never none.
#[derive(Clone, Copy, Debug)]
pub struct KeepStructures {
    /// At most so many ([`STRUCTURES_MOST`] at most).
    pub most: usize,
    /// Only those best for at least this share of the configurations.
    pub share: f64,
}

impl Default for KeepStructures {
    fn default() -> KeepStructures {
        KeepStructures { most: STRUCTURES_MOST, share: 0.0 }
    }
}

/// A set of leaves that some structures join: the two joined boxes before it, and those structures as bits.
#[derive(Clone, Copy, Debug)]
struct Joined {
    of: [u32; 2],
    has: u64,
}

/// The structures of a group, the commonest first.
#[derive(Clone, Debug)]
pub struct Structures {
    trees: Vec<Tree>,
    counts: Vec<u64>,
    cost: Cost,
    /// All sets that any of the trees joins, each after those it joins; numbered behind the leaves as in a
    /// [`Tree`].
    joined: Vec<Joined>,
    found: usize,
    samples: u64,
}

/// Memory of a choice, owned by the caller.
#[derive(Clone, Debug)]
pub struct Choice {
    boxes: Vec<AlignedBox>,
    costs: Vec<f64>,
    order: Vec<u32>,
}

impl Structures {
    /// Samples configurations of a group and keeps the structures that are best for them. `sample(k, boxes)`
    /// fills in the boxes of the leaves in configuration `k`, all in one frame, and says whether there is
    /// one; it is asked for 0, 1, ... until there is none. Without any, the only structure halves the leaves
    /// by number. `None` for more leaves than can be numbered.
    pub fn sample_structures<F>(
        leaves: usize,
        cost: Cost,
        keep: KeepStructures,
        mut sample: F,
    ) -> Option<Structures>
    where
        F: FnMut(u64, &mut [AlignedBox]) -> bool,
    {
        let fallback = canonical_tree(&Tree::build_balanced(leaves)?);
        let mut boxes = vec![AlignedBox::EMPTY; leaves];
        // How often, and when first, each structure was best.
        let mut seen: BTreeMap<Vec<[u32; 2]>, (u64, u64)> = BTreeMap::new();
        let (mut samples, mut found) = (0_u64, 0_usize);
        while sample(samples, &mut boxes) {
            let joins = canonical_tree(&agglomerate_boxes(&boxes, |b| cost.box_cost(b))?).joins().to_vec();
            if let Some(entry) = seen.get_mut(&joins) {
                entry.0 += 1;
            } else {
                found += 1;
                if seen.len() < STRUCTURES_COUNTED {
                    seen.insert(joins, (1, samples));
                }
            }
            samples += 1;
        }
        let mut order: Vec<_> = seen.into_iter().collect();
        order.sort_by_key(|(_, (count, first)): &(_, (u64, u64))| (std::cmp::Reverse(*count), *first));
        let rare = |count: u64| (count as f64) < keep.share * samples as f64;
        order.truncate(keep.most.clamp(1, STRUCTURES_MOST));
        let kept = order.iter().take_while(|(_, (count, _))| !rare(*count)).count().max(1);
        order.truncate(kept);
        let counts: Vec<u64> = order.iter().map(|(_, (count, _))| *count).collect();
        // Joins of trees that were built make trees.
        let mut trees: Vec<Tree> =
            order.into_iter().filter_map(|(joins, _)| Tree::from_joins(leaves, joins)).collect();
        if trees.is_empty() {
            trees.push(fallback);
        }
        let counts = if counts.is_empty() { vec![0] } else { counts };
        let joined = joined_sets(&trees, leaves);
        Some(Structures { trees, counts, cost, joined, found, samples })
    }

    /// The structures kept, the commonest first.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }
    /// For how many of the sampled configurations each is best.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }
    /// How many configurations were sampled.
    pub fn sample_count(&self) -> u64 {
        self.samples
    }
    /// How many different structures were best somewhere, kept or not. Beyond [`STRUCTURES_COUNTED`] each
    /// configuration of a later one counts as a structure.
    pub fn found_count(&self) -> usize {
        self.found
    }
    /// The share of the configurations for which the commonest structure is best.
    pub fn commonest_share(&self) -> f64 {
        if self.samples > 0 { self.counts[0] as f64 / self.samples as f64 } else { 0.0 }
    }
    /// The share of the configurations for which one of those kept is best.
    pub fn kept_share(&self) -> f64 {
        let kept: u64 = self.counts.iter().sum();
        if self.samples > 0 { kept as f64 / self.samples as f64 } else { 0.0 }
    }

    /// Memory for [`Structures::choose_structure`].
    pub fn new_choice(&self) -> Choice {
        Choice {
            boxes: vec![AlignedBox::EMPTY; self.trees[0].leaf_count() + self.joined.len()],
            costs: vec![0.0; self.joined.len()],
            order: (0..self.joined.len() as u32).collect(),
        }
    }

    /// The number of the structure that is best, of those kept, for these boxes of the leaves (see above); of
    /// those that tie on every level the commonest. Without allocation.
    ///
    /// # Panics
    /// If there are not as many boxes as leaves, or `choice` was made by other structures.
    pub fn choose_structure(&self, leaf_boxes: &[AlignedBox], choice: &mut Choice) -> usize {
        if self.trees.len() == 1 {
            return 0;
        }
        let n = self.trees[0].leaf_count();
        let Choice { boxes, costs, order } = choice;
        boxes[..n].copy_from_slice(leaf_boxes);
        for (k, joined) in self.joined.iter().enumerate() {
            let [l, r] = joined.of;
            let both = boxes[l as usize].join(&boxes[r as usize]);
            boxes[n + k] = both;
            costs[k] = self.cost.box_cost(&both);
        }
        sort(order, costs);
        let mut left = u64::MAX >> (64 - self.trees.len());
        let mut i = 0;
        while i < order.len() && left & (left - 1) != 0 {
            let same = |j: &u32| costs[*j as usize] == costs[order[i] as usize];
            let end = i + order[i..].iter().take_while(|j| same(j)).count();
            left = self.keep_most(left, &order[i..end]);
            i = end;
        }
        left.trailing_zeros() as usize
    }

    /// Keeps those structures in question that have the most of some sets that cost the same. The others cost
    /// more on a level where these still cost the same.
    fn keep_most(&self, left: u64, sets: &[u32]) -> u64 {
        if let [one] = sets {
            let with = left & self.joined[*one as usize].has;
            return if with != 0 { with } else { left };
        }
        let (mut most, mut best) = (0, 0);
        for s in 0..self.trees.len() {
            if left & (1 << s) == 0 {
                continue;
            }
            let count = sets.iter().filter(|&&j| self.joined[j as usize].has & (1 << s) != 0).count();
            if count > most || best == 0 {
                (most, best) = (count, 0);
            }
            if count == most {
                best |= 1 << s;
            }
        }
        best
    }

    /// Chooses a structure and refits its boxes, one a node ([`Tree::refit_boxes`]). Without allocation.
    pub fn refit(&self, leaf_boxes: &[AlignedBox], choice: &mut Choice, boxes: &mut [AlignedBox]) -> usize {
        let chosen = self.choose_structure(leaf_boxes, choice);
        self.trees[chosen].refit_boxes(leaf_boxes, boxes);
        chosen
    }
}

/// Sorts by cost, from the order of the last time: nearby poses leave little to do. Equal costs stand in any
/// order.
fn sort(order: &mut [u32], costs: &[f64]) {
    let mut moves = 4 * order.len() + 64;
    for i in 1..order.len() {
        let (moved, mut at) = (order[i], i);
        while at > 0 && costs[order[at - 1] as usize] > costs[moved as usize] {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = moved;
        moves = moves.saturating_sub(i - at);
        if moves == 0 {
            return order.sort_unstable_by(|a, b| costs[*a as usize].total_cmp(&costs[*b as usize]));
        }
    }
}

/// A tree with its joins in a fixed order and the child with the smaller least leaf first. Two trees are
/// alike as structures, whatever the order of joins and children, exactly if their canonical trees are equal.
pub fn canonical_tree(tree: &Tree) -> Tree {
    let n = tree.leaf_count();
    let mut least: Vec<u32> = (0..n as u32).collect();
    for &[l, r] in tree.joins() {
        least.push(least[l as usize].min(least[r as usize]));
    }
    // Each join is put down after all below it: from the root, right before left, then turned around.
    let mut order = Vec::with_capacity(tree.joins().len());
    let mut work: Vec<u32> = tree.root().into_iter().collect();
    while let Some(node) = work.pop() {
        let Some((l, r)) = tree.children(node) else { continue };
        let (l, r) = if least[l as usize] < least[r as usize] { (l, r) } else { (r, l) };
        order.push((node, l, r));
        work.push(l);
        work.push(r);
    }
    let mut number: Vec<u32> = (0..tree.len() as u32).collect();
    let mut joins = Vec::with_capacity(order.len());
    for &(node, l, r) in order.iter().rev() {
        number[node as usize] = (n + joins.len()) as u32;
        joins.push([number[l as usize], number[r as usize]]);
    }
    // Renumbered joins of a tree make a tree.
    Tree::from_joins(n, joins).unwrap_or_else(|| tree.clone())
}

/// The sets of leaves that trees join, each once.
fn joined_sets(trees: &[Tree], leaves: usize) -> Vec<Joined> {
    let words = leaves.div_ceil(64);
    let mut joined: Vec<Joined> = Vec::new();
    let mut number: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
    for (t, tree) in trees.iter().enumerate() {
        let mut sets: Vec<Vec<u64>> = Vec::with_capacity(tree.len());
        let mut ids: Vec<u32> = (0..leaves as u32).collect();
        for leaf in 0..leaves {
            let mut set = vec![0; words];
            set[leaf / 64] |= 1 << (leaf % 64);
            sets.push(set);
        }
        for &[l, r] in tree.joins() {
            let set: Vec<u64> = sets[l as usize].iter().zip(&sets[r as usize]).map(|(a, b)| a | b).collect();
            let at = *number.entry(set.clone()).or_insert_with(|| {
                joined.push(Joined { of: [ids[l as usize], ids[r as usize]], has: 0 });
                joined.len() - 1
            });
            joined[at].has |= 1 << t;
            ids.push((leaves + at) as u32);
            sets.push(set);
        }
    }
    joined
}

#[cfg(test)]
mod tests;
