//! The state of a search: the best pairs so far, and which others need not be asked.

use crate::model::id::PairId;
use crate::model::world::World;
use crate::query::answer::{Answer, PairAnswer, one_number};
use crate::query::bodies::Measured;
use crate::query::counts::Counts;
use crate::query::resolved::Resolved;
use elbowroom_pair::Interval;
use elbowroom_pair::Verdict;
use elbowroom_pair::{Ask, Effort};

/// A checked pair and what was measured of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairMeasured {
    pub pair: PairId,
    pub measured: Measured,
}

impl PairMeasured {
    pub fn interval(&self) -> &Interval {
        &self.measured.interval
    }

    /// The answer about this pair.
    pub fn pair_answer(&self, asked: &Resolved) -> PairAnswer {
        let Measured { interval, witness, stop } = self.measured;
        let verdict = interval.verdict(asked.margin);
        PairAnswer {
            pair: self.pair,
            verdict,
            interval,
            distance: one_number(asked, &interval),
            witness,
            stop,
        }
    }
}

/// The pairs that have the two ends of the answer's interval.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub by_lower: PairMeasured,
    pub by_upper: PairMeasured,
}

impl Ends {
    /// The pair to name if the interval has this lower end. Among overlaps this is the pair that may be the
    /// deepest, so that its way out has the length of the lower end.
    pub fn select_pair(&self, lower: f64, asked: &Resolved) -> PairMeasured {
        if asked.ask == Ask::Distance && self.by_lower.interval().upper < 0.0 {
            return self.by_lower;
        }
        let interval = Interval { lower, ..*self.by_upper.interval() };
        let known = interval.verdict(asked.margin) != Verdict::Unknown && interval.upper < f64::INFINITY;
        if asked.ask == Ask::Distance && known { self.by_upper } else { self.by_lower }
    }

    /// The answer that names this pair.
    pub fn answer_with_pair(&self, named: PairMeasured, asked: &Resolved, counts: Counts) -> Answer {
        let interval = Interval { lower: self.by_lower.interval().lower, ..*self.by_upper.interval() };
        Answer {
            verdict: interval.verdict(asked.margin),
            interval,
            distance: one_number(asked, &interval),
            pair: Some(named.pair),
            lower_pair: Some(self.by_lower.pair),
            upper_pair: (interval.upper < f64::INFINITY).then_some(self.by_upper.pair),
            witness: named.measured.witness,
            stop: named.measured.stop,
            counts,
        }
    }
}

/// The state of a search.
pub(super) struct Best {
    /// Depths are asked for roughly.
    pub asked: Resolved,
    /// How narrow the depth of the answer shall be.
    pub depth: Effort,
    testing: bool,
    bounding: bool,
    prune_above: f64,
    /// Pairs that are at least this far apart cannot change the answer (metres).
    upper: f64,
    /// How many of the nearest pairs are kept; zero where only the nearest is asked for.
    pub keep: usize,
    ends: Option<Ends>,
    /// The pair that decided a test.
    decider: Option<PairMeasured>,
    /// The smallest bound of all pairs that were left out, and a pair with this bound.
    rest: Option<(f64, PairId)>,
    pub counts: Counts,
}

impl Best {
    pub fn new(asked: Resolved, counts: Counts) -> Best {
        Best {
            asked: Resolved { depth: Effort::Rough, ..asked },
            depth: asked.depth,
            testing: asked.ask == Ask::Test,
            bounding: asked.ask == Ask::LowerBound,
            prune_above: asked.prune_above(),
            upper: f64::INFINITY,
            keep: 0,
            ends: None,
            decider: None,
            rest: None,
            counts,
        }
    }

    /// The state before a search for the `keep` nearest pairs, each with the depth that is asked for. With
    /// none to keep it is [`Best::new`].
    pub fn with_nearest_count(keep: usize, asked: Resolved, counts: Counts) -> Best {
        let best = Best::new(asked, counts);
        if keep == 0 { best } else { Best { keep, asked, depth: Effort::Rough, ..best } }
    }

    /// Whether something with this lower bound can still change the answer.
    #[inline]
    fn may_change(&self, bound: f64) -> bool {
        bound <= self.prune_above && (self.testing || bound < self.upper) && self.decider.is_none()
    }

    /// Whether a pair of bodies with this lower bound has to be asked for its distance. If a lower bound is
    /// wanted, a pair beyond the margin need not be.
    #[inline]
    pub fn must_ask(&self, bound: f64) -> bool {
        self.may_change(bound) && !self.is_bound_enough(bound)
    }

    /// Whether this bound on all that is left ends a search for a lower bound.
    #[inline]
    pub fn is_bound_enough(&self, bound: f64) -> bool {
        self.bounding && bound > self.asked.margin.max(0.0)
    }

    /// Whether a better bound may make a distance unnecessary.
    #[inline]
    pub fn bounds_help(&self) -> bool {
        self.bounding || self.cutoff() < f64::INFINITY
    }

    /// The value that such a bound has to exceed.
    #[inline]
    pub fn bound_target(&self) -> f64 {
        if self.bounding { self.asked.margin.max(0.0) } else { self.cutoff() }
    }

    /// Beyond this a distance need not be exact (metres).
    pub fn cutoff(&self) -> f64 {
        if self.testing { self.prune_above } else { self.prune_above.min(self.upper) }
    }

    /// Pairs that are farther apart than this cannot be the nearest (metres).
    pub fn upper_bound(&self) -> f64 {
        self.upper
    }

    /// Only what is below this is searched for (metres).
    pub fn search_horizon(&self) -> f64 {
        if self.decider.is_some() {
            return f64::NEG_INFINITY;
        }
        let limit =
            if self.prune_above < f64::INFINITY { self.prune_above.next_up() } else { self.prune_above };
        if self.testing { limit } else { limit.min(self.upper) }
    }

    /// Leaves out a pair, or several that have this bound.
    #[inline]
    pub fn skip_pair(&mut self, bound: f64, pair: PairId) {
        if self.rest.is_none_or(|(least, of)| bound < least || bound == least && pair < of) {
            self.rest = Some((bound, pair));
        }
    }

    /// Whether a bound is below those of all pairs that were asked or left out.
    #[inline]
    pub fn is_least(&self, bound: f64) -> bool {
        self.rest.is_none_or(|(least, _)| bound < least)
            && self.ends.is_none_or(|ends| bound < ends.by_lower.interval().lower)
    }

    /// Takes what was measured of a pair.
    pub fn add_measured(&mut self, pair: PairId, measured: Measured) {
        let (measured, interval) = (PairMeasured { pair, measured }, measured.interval);
        // A pair that is neither proved apart nor overlapping does not end a test: the verdict must not
        // depend on the order of the pairs.
        if self.testing && self.decider.is_none() && interval.overlaps() {
            self.decider = Some(measured);
        }
        let ends = self.ends.get_or_insert(Ends { by_lower: measured, by_upper: measured });
        if (interval.upper, pair) < (ends.by_upper.interval().upper, ends.by_upper.pair) {
            ends.by_upper = measured;
        }
        if (interval.lower, pair) < (ends.by_lower.interval().lower, ends.by_lower.pair) {
            ends.by_lower = measured;
        }
        if self.keep == 0 {
            self.upper = self.upper.min(ends.by_upper.interval().upper);
        }
    }

    /// The answer is no higher than this: pairs above it need not be asked.
    pub fn cap_upper_bound(&mut self, upper: f64) {
        self.upper = self.upper.min(upper);
    }

    /// The answer, once no pair that is left can change it.
    pub fn finish(mut self) -> Answer {
        let left = self.counts.pairs - (self.counts.proved + self.counts.unknown).min(self.counts.pairs);
        *(if self.decider.is_some() { &mut self.counts.skipped } else { &mut self.counts.pruned }) += left;
        // A pair that was never asked may have the smallest bound of all.
        let unasked = self.rest.map(|(lower, pair)| PairMeasured {
            pair,
            measured: Measured::from_lower_bound(lower, &self.asked),
        });
        let asked = &self.asked;
        let (named, ends) = match (self.ends, unasked) {
            (None, None) => return Answer::nothing_proved(asked.geometry, self.counts),
            (None, Some(left)) => (left, Ends { by_lower: left, by_upper: left }),
            (Some(ends), left) => {
                let lower = ends.by_lower.interval().lower;
                let by_lower = left.filter(|r| r.interval().lower < lower).unwrap_or(ends.by_lower);
                let named =
                    self.decider.unwrap_or_else(|| ends.select_pair(by_lower.interval().lower, asked));
                (named, Ends { by_lower, ..ends })
            }
        };
        ends.answer_with_pair(named, asked, self.counts)
    }
}

/// Counts of a question about so many pairs, before any is asked.
pub(super) fn initial_counts(world: &World, pairs: usize) -> Counts {
    Counts { pairs, allowed: world.allowed_count(), ..Counts::default() }
}
