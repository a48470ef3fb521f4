//! The search among the listed pairs: their bounds at once, then one by one in their order.

use super::ask::{Memory, ask_pair};
use super::best::{Answer, Best};
use super::scope::Scope;
use crate::bounds::lanes::capsule_gaps;
use crate::model::id::PairId;
use crate::model::world::World;
use crate::pair::clearance::{Ask, Stop};
use crate::pair::witness::Witness;
use crate::query::check_work::CheckWork;

/// How far the search among the listed pairs has come.
pub(super) struct Listed {
    /// How many there are, in the world's order.
    count: usize,
    /// The pair with the smallest bound and its place, until it was asked: the others are sorted only when
    /// there is a distance to hold them against, for then few are left.
    first: Option<(f64, PairId, usize)>,
    /// The next of `checker.open`.
    next: usize,
}

impl Listed {
    /// Bounds the listed pairs of the scope, into `checker.bounds`, infinite for the others. What is proved
    /// to stay beyond the margin at all configurations is left out of tests.
    pub fn new(world: &World, checker: &mut CheckWork, scope: Scope, best: &mut Best) -> Listed {
        checker.open.clear();
        let (floor, of) = world.floor;
        let tested = best.options.ask == Ask::Test && matches!(scope, Scope::All);
        let proved = tested && checker.pose.within && floor > best.options.margin;
        let count = if proved { world.near } else { world.order.len() };
        if count < world.order.len() {
            best.leave(floor, of);
        }
        capsule_gaps(&checker.pose.records, &world.listed_capsules[..count], &mut checker.bounds);
        if !matches!(scope, Scope::All) {
            for (pair, bound) in world.order[..count].iter().zip(&mut checker.bounds) {
                if !scope.includes(world.pairs.listed[*pair as usize]) {
                    *bound = f64::INFINITY;
                }
            }
        }
        // A bound is never NaN, and infinite only out of the scope.
        let (mut smallest, mut number, mut at) = (f64::INFINITY, u32::MAX, 0);
        for (i, (pair, &bound)) in world.order[..count].iter().zip(&checker.bounds).enumerate() {
            if bound < smallest || bound == smallest && *pair < number {
                (smallest, number, at) = (bound, *pair, i);
            }
        }
        let first = (smallest < f64::INFINITY).then_some((smallest, PairId(number), at));
        Listed { count, first, next: 0 }
    }

    /// The pair whose turn it is, and its bound.
    #[inline]
    fn head(&self, world: &World, checker: &CheckWork) -> Option<(f64, PairId, usize)> {
        let named = |&(bound, at): &(f64, u32)| (bound, PairId(world.order[at as usize]), at as usize);
        self.first.or_else(|| checker.open.get(self.next).map(named))
    }

    /// Asks the pair whose turn it is, if its bound is not above `bound` and still matters; false if not.
    pub fn ask_next(&mut self, bound: f64, world: &World, checker: &mut CheckWork, best: &mut Best) -> bool {
        let turn = self.head(world, checker).filter(|(lower, ..)| *lower <= bound && best.asks(*lower));
        let Some((lower, pair, at)) = turn else { return false };
        let capsules = world.listed_capsules[at];
        let mut better = checker.pose.box_bound(world, capsules, lower);
        // Where a bound may be all that is wanted, or there is a distance to hold it against.
        if best.bound_is_enough() && best.asks(better) {
            better = checker.pose.plane_bound(world, capsules, better, best.enough());
        }
        let inside = best.options.ask == Ask::Test && best.asks(better);
        if let Some(overlap) = inside.then(|| checker.pose.inside_overlap(world, capsules)).flatten() {
            best.counts.proved += 1;
            let answer = Answer {
                pair,
                lower: better.min(-overlap.depth),
                upper: -overlap.depth,
                witness: Some(Witness {
                    a: overlap.a + world.origin_in_world,
                    b: overlap.b + world.origin_in_world,
                    normal: overlap.escape,
                }),
                stop: Some(Stop::Decided),
            };
            best.take(answer);
        } else if best.asks(better) {
            let bodies = world.pairs.listed[pair.index()];
            let memory = Memory::of_listed(world, pair);
            let cutoff = best.cutoff();
            let answer = ask_pair(world, checker, bodies, memory, best.options, cutoff, &mut best.counts);
            best.take(Answer { pair, ..answer });
        } else {
            best.leave(better, pair);
        }
        if self.first.take().is_some() {
            self.sort(at, world, checker, best);
        } else {
            self.next += 1;
        }
        true
    }

    /// Sorts what still matters after the first pair was asked.
    fn sort(&mut self, asked: usize, world: &World, checker: &mut CheckWork, best: &mut Best) {
        let CheckWork { bounds, open, .. } = checker;
        for (i, &bound) in bounds[..self.count].iter().enumerate().filter(|(i, _)| *i != asked) {
            // Out of the scope.
            if bound == f64::INFINITY {
                continue;
            }
            if best.asks(bound) {
                open.push((bound, i as u32));
            } else {
                best.leave(bound, PairId(world.order[i]));
            }
        }
        let named = |at: u32| world.order[at as usize];
        open.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(named(a.1).cmp(&named(b.1))));
    }

    /// What was never asked still bounds the answer.
    pub fn leave(&self, world: &World, checker: &CheckWork, best: &mut Best) {
        if let Some((bound, pair, _)) = self.head(world, checker) {
            best.leave(bound, pair);
        }
    }
}
