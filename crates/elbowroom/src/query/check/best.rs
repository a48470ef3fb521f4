//! What a search has found so far, and what it may leave out because of it.

use crate::model::id::PairId;
use crate::pair::clearance::{Ask, Stop};
use crate::pair::witness::Witness;
use crate::query::options::Options;
use crate::query::report::{Counts, Report, told};
use crate::query::verdict::Verdict;

/// The answer for one pair of bodies, before it has a verdict.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub pair: PairId,
    pub lower: f64,
    pub upper: f64,
    pub witness: Option<Witness>,
    pub stop: Option<Stop>,
}

/// The answers that the two ends of an interval come from.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub by_lower: Answer,
    pub by_upper: Answer,
}

impl Ends {
    /// The pair to name.
    pub fn named(&self, lower: f64, options: &Options) -> Answer {
        let upper = self.by_upper.upper;
        let unknown = Verdict::of(lower, upper, options.margin) == Verdict::Unknown;
        let told = options.ask == Ask::Distance && !unknown && upper < f64::INFINITY;
        if told { self.by_upper } else { self.by_lower }
    }
}

/// The state of a search.
pub(super) struct Best<'o> {
    pub options: &'o Options,
    testing: bool,
    bounding: bool,
    margin: f64,
    limit: f64,
    upper: f64,
    ends: Option<Ends>,
    /// The answer that ends a test.
    decider: Option<Answer>,
    /// The smallest bound of what was not asked, and a pair that it bounds.
    rest: Option<(f64, PairId)>,
    pub counts: Counts,
}

impl<'o> Best<'o> {
    pub fn new(options: &'o Options, counts: Counts) -> Best<'o> {
        Best {
            options,
            testing: options.ask == Ask::Test,
            bounding: options.ask == Ask::LowerBound,
            margin: options.margin,
            limit: options.limit(),
            upper: f64::INFINITY,
            ends: None,
            decider: None,
            rest: None,
            counts,
        }
    }

    /// Whether something with this lower bound can still change the answer.
    #[inline]
    pub fn matters(&self, bound: f64) -> bool {
        bound <= self.limit && (self.testing || bound < self.upper) && self.decider.is_none()
    }

    /// Whether a pair of bodies with this lower bound is to be asked for its distance: where a lower bound is
    /// enough, not if it is beyond the margin.
    #[inline]
    pub fn asks(&self, bound: f64) -> bool {
        self.matters(bound) && !self.is_enough(bound)
    }

    /// Whether a bound on all that is left ends a search for a lower bound.
    #[inline]
    pub fn is_enough(&self, bound: f64) -> bool {
        self.bounding && bound > self.margin.max(0.0)
    }

    /// Whether a better bound may spare a distance.
    #[inline]
    pub fn bound_is_enough(&self) -> bool {
        self.bounding || self.cutoff() < f64::INFINITY
    }

    /// What such a bound is to be above.
    #[inline]
    pub fn enough(&self) -> f64 {
        if self.bounding { self.margin.max(0.0) } else { self.cutoff() }
    }

    /// Beyond this a distance need not be exact (metres).
    pub fn cutoff(&self) -> f64 {
        if self.testing { self.limit } else { self.limit.min(self.upper) }
    }

    /// The least bound that does not matter: what is searched for is below this.
    pub fn reach(&self) -> f64 {
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
            && self.ends.is_none_or(|ends| bound < ends.by_lower.lower)
    }

    /// An answer.
    pub fn take(&mut self, answer: Answer) {
        // What cannot be proved either way does not end it: the verdict is that of all pairs, in whatever
        // order they are asked.
        let verdict = Verdict::of(answer.lower, answer.upper, self.margin);
        if self.testing && self.decider.is_none() && verdict == Verdict::Collision {
            self.decider = Some(answer);
        }
        let ends = self.ends.get_or_insert(Ends { by_lower: answer, by_upper: answer });
        if (answer.upper, answer.pair) < (ends.by_upper.upper, ends.by_upper.pair) {
            ends.by_upper = answer;
        }
        if (answer.lower, answer.pair) < (ends.by_lower.lower, ends.by_lower.pair) {
            ends.by_lower = answer;
        }
        self.upper = ends.by_upper.upper;
    }

    pub fn finish(mut self) -> Report {
        let options = self.options;
        let left = self.counts.pairs - (self.counts.proved + self.counts.unknown).min(self.counts.pairs);
        *(if self.decider.is_some() { &mut self.counts.skipped } else { &mut self.counts.pruned }) += left;
        // A pair that was never asked may have the smallest bound of all.
        let unasked = self.rest.map(|(lower, pair)| Answer {
            pair,
            lower,
            upper: f64::INFINITY,
            witness: None,
            stop: None,
        });
        let (reported, ends) = match (self.ends, unasked) {
            (None, None) => return finish(None, None, f64::NEG_INFINITY, options, self.counts),
            (None, Some(left)) => (left, Ends { by_lower: left, by_upper: left }),
            (Some(asked), left) => {
                let by_lower = left.filter(|r| r.lower < asked.by_lower.lower).unwrap_or(asked.by_lower);
                let reported = self.decider.unwrap_or_else(|| asked.named(by_lower.lower, options));
                (reported, Ends { by_lower, by_upper: asked.by_upper })
            }
        };
        finish(Some(reported), Some(ends), ends.by_lower.lower, options, self.counts)
    }
}

/// The report of what was found.
pub(super) fn finish(
    reported: Option<Answer>,
    ends: Option<Ends>,
    lower: f64,
    options: &Options,
    counts: Counts,
) -> Report {
    let upper = ends.map_or(f64::INFINITY, |ends| ends.by_upper.upper);
    Report {
        verdict: Verdict::of(lower, upper, options.margin),
        lower,
        upper,
        distance: told(options.ask, lower, upper),
        pair: reported.map(|answer| answer.pair),
        lower_pair: ends.map(|ends| ends.by_lower.pair),
        upper_pair: ends.filter(|_| upper < f64::INFINITY).map(|ends| ends.by_upper.pair),
        witness: reported.and_then(|answer| answer.witness),
        stop: reported.and_then(|answer| answer.stop),
        counts,
    }
}
