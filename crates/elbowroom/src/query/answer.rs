//! What a question is answered with.

use crate::model::id::PairId;
use crate::pair::clearance::{Geometry, Stop};
use crate::pair::witness::Witness;
use crate::query::interval::Interval;
use crate::query::report::{Counts, PairReport, Report};
use crate::query::verdict::Verdict;

/// The answer for all checked pairs together. Where there are none nothing is proved: the interval has no
/// ends, and the verdict is [`Verdict::Unknown`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// What the interval means.
    pub verdict: Verdict,
    /// The smallest signed distance of all checked pairs.
    pub interval: Interval,
    /// A number in the interval (metres): see [`within`](crate::query::report::within); where a lower bound
    /// was asked for, the lower bound.
    pub distance: f64,
    /// The nearest (or deepest) pair as far as it is told, whose points the witness holds; `None` only if no
    /// pair was looked at. [`World::pair_names`](crate::model::world::World::pair_names) names it.
    pub pair: Option<PairId>,
    /// The pair that the lower end is a bound of. It is another than `pair` only where the intervals of both
    /// overlap, or where the answer was known before its turn.
    pub lower_pair: Option<PairId>,
    /// The pair that the upper end is a bound of; `None` where that is infinite.
    pub upper_pair: Option<PairId>,
    /// The points of `pair`, in the world; `None` where bounds alone decided.
    pub witness: Option<Witness>,
    /// Why the query of `pair` stopped; `None` where bounds alone decided.
    pub stop: Option<Stop>,
    /// How many pairs were dealt with how.
    pub counts: Counts,
}

/// The answer for one checked pair of bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairAnswer {
    /// Which pair.
    pub pair: PairId,
    /// What the interval means.
    pub verdict: Verdict,
    /// Its signed distance.
    pub interval: Interval,
    /// A number in the interval (metres), as in [`Answer`].
    pub distance: f64,
    /// The points, in the world; `None` where bounds alone decided.
    pub witness: Option<Witness>,
    /// Why the query stopped; `None` where bounds alone decided.
    pub stop: Option<Stop>,
}

impl Answer {
    pub(crate) fn of(report: Report, geometry: Geometry) -> Answer {
        let Report { verdict, lower, upper, distance, pair, lower_pair, upper_pair, witness, stop, counts } =
            report;
        let interval = Interval { lower, upper, geometry };
        Answer { verdict, interval, distance, pair, lower_pair, upper_pair, witness, stop, counts }
    }
}

impl PairAnswer {
    pub(crate) fn of(report: &PairReport, geometry: Geometry) -> PairAnswer {
        let PairReport { pair, verdict, lower, upper, distance, witness, stop } = *report;
        let interval = Interval { lower, upper, geometry };
        PairAnswer { pair, verdict, interval, distance, witness, stop }
    }
}
