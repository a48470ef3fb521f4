//! What a search has found so far, and what it may leave out because of it.

use crate::model::id::PairId;
use crate::model::world::World;
use crate::pair::clearance::Ask;
use crate::pair::interval::Interval;
use crate::pair::verdict::Verdict;
use crate::query::answer::{Answer, PairAnswer, told};
use crate::query::bodies::Measured;
use crate::query::counts::Counts;
use crate::query::resolved::Resolved;

/// What was found of a checked pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairMeasured {
    pub pair: PairId,
    pub found: Measured,
}

impl PairMeasured {
    pub fn interval(&self) -> &Interval {
        &self.found.interval
    }

    /// For whoever asked.
    pub fn told(&self, asked: &Resolved) -> PairAnswer {
        let Measured { interval, witness, stop } = self.found;
        let verdict = interval.verdict(asked.margin);
        PairAnswer { pair: self.pair, verdict, interval, distance: told(asked, &interval), witness, stop }
    }
}

/// The pairs that the two ends of the answer's interval come from.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub by_lower: PairMeasured,
    pub by_upper: PairMeasured,
}

impl Ends {
    /// The pair to name, of a search whose interval has this lower end.
    pub fn named(&self, lower: f64, asked: &Resolved) -> PairMeasured {
        let interval = Interval { lower, ..*self.by_upper.interval() };
        let known = interval.verdict(asked.margin) != Verdict::Unknown && interval.upper < f64::INFINITY;
        if asked.ask == Ask::Distance && known { self.by_upper } else { self.by_lower }
    }

    /// The answer in which `named` is the pair that is told.
    pub fn answer(&self, named: PairMeasured, asked: &Resolved, counts: Counts) -> Answer {
        let interval = Interval { lower: self.by_lower.interval().lower, ..*self.by_upper.interval() };
        Answer {
            verdict: interval.verdict(asked.margin),
            interval,
            distance: told(asked, &interval),
            pair: Some(named.pair),
            lower_pair: Some(self.by_lower.pair),
            upper_pair: (interval.upper < f64::INFINITY).then_some(self.by_upper.pair),
            witness: named.found.witness,
            stop: named.found.stop,
            counts,
        }
    }
}

/// The state of a search.
pub(super) struct Best {
    pub asked: Resolved,
    testing: bool,
    bounding: bool,
    limit: f64,
    upper: f64,
    ends: Option<Ends>,
    /// What ends a test.
    decider: Option<PairMeasured>,
    /// The smallest bound of what was not asked, and a pair that it bounds.
    rest: Option<(f64, PairId)>,
    pub counts: Counts,
}

impl Best {
    pub fn new(asked: Resolved, counts: Counts) -> Best {
        Best {
            asked,
            testing: asked.ask == Ask::Test,
            bounding: asked.ask == Ask::LowerBound,
            limit: asked.limit(),
            upper: f64::INFINITY,
            ends: None,
            decider: None,
            rest: None,
            counts,
        }
    }

    /// Whether something with this lower bound can still change the answer.
    #[inline]
    fn may_change(&self, bound: f64) -> bool {
        bound <= self.limit && (self.testing || bound < self.upper) && self.decider.is_none()
    }

    /// Whether a pair of bodies with this lower bound is to be asked for its distance: where a lower bound is
    /// asked for, not if it is beyond the margin.
    #[inline]
    pub fn must_ask(&self, bound: f64) -> bool {
        self.may_change(bound) && !self.suffices(bound)
    }

    /// Whether a bound on all that is left ends a search for a lower bound.
    #[inline]
    pub fn suffices(&self, bound: f64) -> bool {
        self.bounding && bound > self.asked.margin.max(0.0)
    }

    /// Whether a better bound may spare a distance.
    #[inline]
    pub fn bounds_help(&self) -> bool {
        self.bounding || self.cutoff() < f64::INFINITY
    }

    /// What such a bound has to exceed.
    #[inline]
    pub fn bound_target(&self) -> f64 {
        if self.bounding { self.asked.margin.max(0.0) } else { self.cutoff() }
    }

    /// Beyond this a distance need not be exact (metres).
    pub fn cutoff(&self) -> f64 {
        if self.testing { self.limit } else { self.limit.min(self.upper) }
    }

    /// Only what is below this is searched for (metres).
    pub fn horizon(&self) -> f64 {
        if self.decider.is_some() {
            return f64::NEG_INFINITY;
        }
        let limit = if self.limit < f64::INFINITY { self.limit.next_up() } else { self.limit };
        if self.testing { limit } else { limit.min(self.upper) }
    }

    /// Something that is not asked, with its bound.
    #[inline]
    pub fn leave(&mut self, bound: f64, pair: PairId) {
        if self.rest.is_none_or(|(least, of)| bound < least || bound == least && pair < of) {
            self.rest = Some((bound, pair));
        }
    }

    /// Whether a bound is below all that was found and left.
    #[inline]
    pub fn is_least(&self, bound: f64) -> bool {
        self.rest.is_none_or(|(least, _)| bound < least)
            && self.ends.is_none_or(|ends| bound < ends.by_lower.interval().lower)
    }

    /// What a pair was found to be.
    pub fn take(&mut self, pair: PairId, found: Measured) {
        let (found, interval) = (PairMeasured { pair, found }, found.interval);
        // What cannot be proved either way does not end it: the verdict is that of all pairs, in whatever
        // order they are asked.
        if self.testing && self.decider.is_none() && interval.overlaps() {
            self.decider = Some(found);
        }
        let ends = self.ends.get_or_insert(Ends { by_lower: found, by_upper: found });
        if (interval.upper, pair) < (ends.by_upper.interval().upper, ends.by_upper.pair) {
            ends.by_upper = found;
        }
        if (interval.lower, pair) < (ends.by_lower.interval().lower, ends.by_lower.pair) {
            ends.by_lower = found;
        }
        self.upper = ends.by_upper.interval().upper;
    }

    /// The answer, when nothing that is left can change it.
    pub fn finish(mut self) -> Answer {
        let left = self.counts.pairs - (self.counts.proved + self.counts.unknown).min(self.counts.pairs);
        *(if self.decider.is_some() { &mut self.counts.skipped } else { &mut self.counts.pruned }) += left;
        // A pair that was never asked may have the smallest bound of all.
        let unasked =
            self.rest.map(|(lower, pair)| PairMeasured { pair, found: Measured::bound(lower, &self.asked) });
        let asked = &self.asked;
        let (named, ends) = match (self.ends, unasked) {
            (None, None) => return Answer::nothing(asked.geometry, self.counts),
            (None, Some(left)) => (left, Ends { by_lower: left, by_upper: left }),
            (Some(ends), left) => {
                let lower = ends.by_lower.interval().lower;
                let by_lower = left.filter(|r| r.interval().lower < lower).unwrap_or(ends.by_lower);
                let named = self.decider.unwrap_or_else(|| ends.named(by_lower.interval().lower, asked));
                (named, Ends { by_lower, ..ends })
            }
        };
        ends.answer(named, asked, self.counts)
    }
}

/// How many pairs a question is about, none of them dealt with.
pub(super) fn counts(world: &World, pairs: usize) -> Counts {
    Counts { pairs, allowed: world.allowed_count(), ..Counts::default() }
}
