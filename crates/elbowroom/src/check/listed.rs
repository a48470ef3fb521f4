//! The search among the listed pairs: their bounds at once, then one by one in their order.

use super::Scope;
use super::ask::{Memory, ask_pair};
use super::best::{Answer, Best};
use crate::bounds::lanes::capsule_gaps;
use crate::id::PairId;
use crate::pose::Pose;
use crate::world::World;

/// How far the search among the listed pairs has come.
pub(super) struct Listed {
    /// The pair with the smallest bound, until it was asked: the others are sorted only when there is a distance to hold them
    /// against, for then few are left.
    first: Option<(f64, PairId)>,
    /// The next of `pose.open`.
    next: usize,
}

impl Listed {
    /// Bounds all listed pairs of the scope, into `pose.bounds`, infinite for the others.
    pub fn new(world: &World, pose: &mut Pose, scope: Scope) -> Listed {
        pose.open.clear();
        capsule_gaps(&pose.records, &world.listed_capsules, &mut pose.bounds);
        let mut first: Option<(f64, PairId)> = None;
        for (i, (pair, bound)) in world.pairs.listed.iter().zip(&mut pose.bounds).enumerate() {
            if !scope.includes(*pair) {
                *bound = f64::INFINITY;
                continue;
            }
            if first.is_none_or(|(smallest, _)| *bound < smallest) {
                first = Some((*bound, PairId(i as u32)));
            }
        }
        Listed { first, next: 0 }
    }

    /// The pair whose turn it is, and its bound.
    #[inline]
    fn head(&self, pose: &Pose) -> Option<(f64, PairId)> {
        self.first.or_else(|| pose.open.get(self.next).map(|&(bound, pair)| (bound, PairId(pair))))
    }

    /// Asks the pair whose turn it is, if its bound is not above `bound` and still matters; false if not.
    pub fn ask_next(&mut self, bound: f64, world: &World, pose: &mut Pose, best: &mut Best) -> bool {
        let turn = self.head(pose).filter(|(lower, _)| *lower <= bound && best.asks(*lower));
        let Some((lower, pair)) = turn else { return false };
        let better = pose.box_bound(world, world.listed_capsules[pair.index()], lower);
        if best.asks(better) {
            let bodies = world.pairs.listed[pair.index()];
            let memory = Memory::of_listed(world, pair);
            let cutoff = best.cutoff();
            let answer = ask_pair(world, pose, bodies, memory, best.options, cutoff, &mut best.counts);
            best.take(Answer { pair, ..answer });
        } else {
            best.leave(better, pair);
        }
        if self.first.take().is_some() {
            self.sort(pair, pose, best);
        } else {
            self.next += 1;
        }
        true
    }

    /// Sorts what still matters after the first pair was asked.
    fn sort(&mut self, asked: PairId, pose: &mut Pose, best: &mut Best) {
        let Pose { bounds, open, .. } = pose;
        for (i, &bound) in bounds.iter().enumerate().filter(|(i, _)| *i != asked.index()) {
            if best.asks(bound) {
                open.push((bound, i as u32));
            } else if bound < f64::INFINITY {
                best.leave(bound, PairId(i as u32));
            }
        }
        open.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// What was never asked still bounds the answer.
    pub fn leave(&self, pose: &Pose, best: &mut Best) {
        if let Some((bound, pair)) = self.head(pose) {
            best.leave(bound, pair);
        }
    }
}
