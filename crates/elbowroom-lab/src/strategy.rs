//! In which order pairs of primitives of two bodies are tried: the four strategies of henrich92, section 3.1.
//!
//! A pair whose lower bound is above the threshold answers; otherwise the next is asked, and in the end the
//! polytopes.

use crate::primitives::Kind;

/// How the next pair is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// By the cost of the pair's distance, cheap ones first: the numbers that describe both.
    Complexity,
    /// Cheap ones first, but only those whose approximation error, the volume that both primitives have more
    /// than their bodies, is below that of all before.
    Error,
    /// Each body goes through its primitives in its own fixed order, both a step at a time; one at its end
    /// waits there.
    Fixed,
    /// The boxes parallel to the axes, then the polytopes; the rest is left out. The paper's fastest.
    BoxThenPolytope,
}

impl Strategy {
    /// All four.
    pub const ALL: [Strategy; 4] =
        [Strategy::Complexity, Strategy::Error, Strategy::Fixed, Strategy::BoxThenPolytope];
}

/// A primitive that a body has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Available {
    /// Its kind.
    pub kind: Kind,
    /// Its volume less that of the body (cubic metres); see [`crate::primitives::Fitted::excess_volume`].
    pub excess: f64,
}

/// What to ask next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A pair of primitives.
    Primitives(Kind, Kind),
    /// The bodies themselves: always the last.
    Polytopes,
}

const PAIRS: usize = Kind::ALL.len() * Kind::ALL.len();

/// The steps for one pair of bodies, in order; an iterator. Takes no memory but its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    steps: [Step; PAIRS + 1],
    count: usize,
    next: usize,
}

impl Order {
    /// The steps of a strategy for bodies that have these primitives, at most one of a kind each (more are
    /// left out), given in their fixed order.
    pub fn new(strategy: Strategy, a: &[Available], b: &[Available]) -> Order {
        let mut order = Order { steps: [Step::Polytopes; PAIRS + 1], count: 0, next: 0 };
        let (a, b) = (&a[..a.len().min(Kind::ALL.len())], &b[..b.len().min(Kind::ALL.len())]);
        match strategy {
            Strategy::Complexity => order.sort_pairs(a, b, |_| true),
            Strategy::Error => {
                let mut least = f64::INFINITY;
                order.sort_pairs(a, b, |error| {
                    let better = error < least;
                    least = least.min(error);
                    better
                });
            }
            Strategy::Fixed => {
                let steps = if a.is_empty() || b.is_empty() { 0 } else { a.len().max(b.len()) };
                for k in 0..steps {
                    order.push(a[k.min(a.len() - 1)].kind, b[k.min(b.len() - 1)].kind);
                }
            }
            Strategy::BoxThenPolytope => {
                let boxed = |list: &[Available]| list.iter().any(|p| p.kind == Kind::Aligned);
                if boxed(a) && boxed(b) {
                    order.push(Kind::Aligned, Kind::Aligned);
                }
            }
        }
        // The array is full of it already.
        order.count += 1;
        order
    }

    fn push(&mut self, a: Kind, b: Kind) {
        if self.count < PAIRS {
            self.steps[self.count] = Step::Primitives(a, b);
            self.count += 1;
        }
    }

    /// All pairs by their cost, of equals the smaller error first, as far as `keep` says of their errors.
    fn sort_pairs(&mut self, a: &[Available], b: &[Available], mut keep: impl FnMut(f64) -> bool) {
        let mut pairs = [(0, f64::INFINITY, Kind::Ball, Kind::Ball); PAIRS];
        let mut count = 0;
        for p in a {
            for q in b {
                pairs[count] =
                    (p.kind.number_count() + q.kind.number_count(), p.excess + q.excess, p.kind, q.kind);
                count += 1;
            }
        }
        pairs[..count].sort_unstable_by(|p, q| {
            p.0.cmp(&q.0).then(p.1.total_cmp(&q.1)).then((p.2, p.3).cmp(&(q.2, q.3)))
        });
        for (_, error, p, q) in pairs[..count].iter().copied() {
            if keep(error) {
                self.push(p, q);
            }
        }
    }
}

impl Iterator for Order {
    type Item = Step;
    fn next(&mut self) -> Option<Step> {
        let step = self.steps[..self.count].get(self.next).copied();
        self.next += usize::from(step.is_some());
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Kind::{Aligned, Ball, Capsule, Oriented};

    fn steps(strategy: Strategy, a: &[(Kind, f64)], b: &[(Kind, f64)]) -> Vec<Step> {
        let of = |l: &[(Kind, f64)]| {
            l.iter().map(|&(kind, excess)| Available { kind, excess }).collect::<Vec<_>>()
        };
        Order::new(strategy, &of(a), &of(b)).collect()
    }

    #[test]
    fn every_strategy_ends_with_the_polytopes() {
        let all = [(Aligned, 4.0), (Ball, 9.0), (Capsule, 2.0), (Oriented, 1.0)];
        for strategy in Strategy::ALL {
            for a in [&all[..], &all[1..3], &[]] {
                for b in [&all[..], &all[2..], &[]] {
                    let steps = steps(strategy, a, b);
                    assert_eq!(steps.last(), Some(&Step::Polytopes));
                    assert_eq!(steps.iter().filter(|s| **s == Step::Polytopes).count(), 1);
                    let cost = |s: &Step| match s {
                        Step::Primitives(a, b) => a.number_count() + b.number_count(),
                        Step::Polytopes => u32::MAX,
                    };
                    if matches!(strategy, Strategy::Complexity | Strategy::Error) {
                        assert!(steps.is_sorted_by_key(cost), "{steps:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn each_in_its_order() {
        use Step::{Polytopes, Primitives as P};
        let a = [(Ball, 9.0), (Capsule, 2.0), (Oriented, 5.0)];
        let b = [(Aligned, 3.0), (Capsule, 2.0)];
        assert_eq!(steps(Strategy::Complexity, &a, &b).len(), 7);
        assert_eq!(
            steps(Strategy::Fixed, &a, &b),
            [P(Ball, Aligned), P(Capsule, Capsule), P(Oriented, Capsule), Polytopes]
        );
        // The boxes add nothing to the capsules, which are cheaper.
        assert_eq!(
            steps(Strategy::Error, &a, &b),
            [P(Ball, Aligned), P(Ball, Capsule), P(Capsule, Aligned), P(Capsule, Capsule), Polytopes]
        );
        assert_eq!(steps(Strategy::BoxThenPolytope, &a, &b), [Polytopes]);
        assert_eq!(steps(Strategy::BoxThenPolytope, &b, &b), [P(Aligned, Aligned), Polytopes]);
        assert_eq!(steps(Strategy::Complexity, &[a[0]; 99], &[b[0]; 99]).len(), 17);
    }
}
