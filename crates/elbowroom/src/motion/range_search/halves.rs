//! The halves of ranges: what stays open in the whole is asked again in them, depth first.

use super::{RangeNode, RangeSpace, bound, half_ranges, middle};
use crate::motion::asker::{Around, Wanted};
use crate::motion::range_answer::RangeOptions;

impl RangeSpace<'_> {
    /// Asks open pairs again in halves of their ranges.
    pub(super) fn descend(&mut self, options: &RangeOptions, wanted: Wanted) {
        self.stack.clear();
        self.halve(RangeNode { from: 0, to: self.again.len(), halvings: 0 });
        while let Some(node) = self.stack.pop() {
            if options.until_open && self.remains.contains(&true) {
                return;
            }
            self.again.truncate(node.to);
            self.worth.fill(0.0);
            let placed = self.set_in_middle(options);
            let last = node.halvings >= options.halvings.min(RangeOptions::MOST_HALVINGS);
            for k in node.from..node.to {
                let at = self.again[k] as usize;
                if self.remains[at] {
                    continue;
                }
                if !placed || self.counts.again >= options.work {
                    self.remains[at] = true;
                    continue;
                }
                self.counts.again += 1;
                let around = Around::all(&self.bounds, &self.change);
                let index = self.indices[at] as usize;
                let (pose, capsules, pair) = (&self.pose, &self.capsules, self.open[at].pair);
                let bound = |needed| bound(pose, capsules, pair, needed);
                let cleared = self.asker.clears_or(pose, index, around, wanted, &mut self.adds, bound);
                if cleared.is_free() {
                    continue;
                }
                self.open[at].upper = self.open[at].upper.min(cleared.upper);
                let touches = cleared.upper < self.margin;
                if touches || last || self.again.len() == self.again.capacity() {
                    self.remains[at] = true;
                } else {
                    self.again.push(at as u32);
                    self.worth.iter_mut().zip(&self.adds).for_each(|(worth, add)| *worth += add);
                }
            }
            let halves = RangeNode { from: node.to, to: self.again.len(), halvings: node.halvings };
            if halves.to > halves.from {
                self.halve(halves);
            }
        }
    }

    /// Sets the pose in the middle of the ranges behind the last entry of the stack. False if it is refused.
    fn set_in_middle(&mut self, options: &RangeOptions) -> bool {
        let n = self.middle.len();
        let (low, high) = self.ends[2 * n * self.stack.len()..][..2 * n].split_at(n);
        half_ranges(low, high, &mut self.middle, &mut self.change);
        self.counts.poses += 1;
        self.pose.set_with(&self.middle, options.set).is_ok()
    }

    /// Puts both halves of those ranges on the stack, for some pairs. If no value can be halved, they stay
    /// open.
    fn halve(&mut self, RangeNode { from, to, halvings }: RangeNode) {
        let (n, at) = (self.middle.len(), self.stack.len());
        let mut best = (0.0, None);
        for (value, worth) in self.worth.iter().enumerate() {
            let [low, high] = [0, n].map(|end| self.ends[2 * n * at + end + value]);
            let middle = middle(low, high);
            if *worth > best.0 && low < middle && middle < high {
                best = (*worth, Some((value, middle)));
            }
        }
        let Some((value, middle)) = best.1 else {
            self.again[from..to].iter().for_each(|at| self.remains[*at as usize] = true);
            return;
        };
        self.ends.copy_within(2 * n * at..2 * n * (at + 1), 2 * n * (at + 1));
        self.ends[2 * n * at + value] = middle;
        self.ends[2 * n * (at + 1) + n + value] = middle;
        let half = RangeNode { from, to, halvings: halvings + 1 };
        self.stack.extend([half, half]);
    }
}
