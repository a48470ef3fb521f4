//! What a query answers: plain values with public fields. Names are looked up in the world by whoever prints
//! them.

use crate::model::id::PairId;
use crate::pair::clearance::{Ask, Stop};
use crate::pair::witness::Witness;
use crate::query::verdict::Verdict;

/// The answer for one checked pair of bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairReport {
    /// Which pair: `world.pairs().get(pair)` gives its bodies, `world.pair_names(pair)` their names.
    pub pair: PairId,
    /// What the interval means.
    pub verdict: Verdict,
    /// The signed distance is at least this (metres; negative: penetration).
    pub lower: f64,
    /// And at most this; infinite where a lower bound was enough.
    pub upper: f64,
    /// A number in the interval: see [`within`]; where a lower bound was asked for, the lower bound.
    pub distance: f64,
    /// The points; `None` where bounds alone decided.
    pub witness: Option<Witness>,
    /// Why the query stopped; `None` where bounds alone decided.
    pub stop: Option<Stop>,
}

/// How the checked pairs were dealt with. `pruned + proved + unknown + skipped = pairs`. Asked for the
/// smallest distance, a pair whose bound is above a distance already found is pruned too; asked for all
/// pairs, only one beyond the cutoff is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Checked pairs of bodies in the world.
    pub pairs: usize,
    /// Pairs that are allowed to touch, or cannot move, and are not checked.
    pub allowed: usize,
    /// Decided by bounds around the bodies.
    pub pruned: usize,
    /// Decided by a proved distance of their shapes.
    pub proved: usize,
    /// Asked, and neither apart nor overlapping was proved.
    pub unknown: usize,
    /// Not looked at, because the answer was known before their turn.
    pub skipped: usize,
    /// Nodes of trees whose parts were bounded.
    pub nodes: usize,
    /// Pairs of shapes whose distance was computed.
    pub shape_queries: usize,
    /// Steps of the searches of those: [`crate::pair::clearance::Clearance::steps`], summed. None where a
    /// formula gave the answer.
    pub steps: usize,
}

/// The answer for all checked pairs together. Where there are none it proves nothing: the interval has no
/// ends, and the verdict is [`Verdict::Unknown`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// What the interval means.
    pub verdict: Verdict,
    /// The smallest signed distance of all checked pairs is at least this (metres); minus infinity where
    /// nothing is proved.
    pub lower: f64,
    /// And at most this; infinite where a lower bound was enough.
    pub upper: f64,
    /// A number in the interval: see [`within`]; where a lower bound was asked for, the lower bound.
    pub distance: f64,
    /// The nearest (or deepest) pair as far as it is told, whose points the witness holds; `None` only if no
    /// pair was looked at.
    pub pair: Option<PairId>,
    /// The pair that `lower` is a bound of. It is another than `pair` only where the intervals of both
    /// overlap, or where the answer was known before its turn.
    pub lower_pair: Option<PairId>,
    /// The pair that `upper` is a bound of; `None` where `upper` is infinite.
    pub upper_pair: Option<PairId>,
    /// The points of `pair`; `None` where bounds alone decided.
    pub witness: Option<Witness>,
    /// Why the query of `pair` stopped; `None` where bounds alone decided.
    pub stop: Option<Stop>,
    /// How many pairs were dealt with how.
    pub counts: Counts,
}

impl Default for Report {
    /// Nothing was asked, and nothing is proved.
    fn default() -> Report {
        let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
        Report {
            verdict: Verdict::Unknown,
            lower,
            upper,
            distance: within(lower, upper),
            pair: None,
            lower_pair: None,
            upper_pair: None,
            witness: None,
            stop: None,
            counts: Counts::default(),
        }
    }
}

/// The number to print for what was asked: of a lower bound nothing but the bound.
pub(crate) fn told(ask: Ask, lower: f64, upper: f64) -> f64 {
    if ask == Ask::LowerBound && lower.is_finite() { lower } else { within(lower, upper) }
}

/// The number to print for an interval: its middle; the finite end if only one is finite; the end itself if
/// both are the same infinity; 0 if nothing is known.
pub fn within(lower: f64, upper: f64) -> f64 {
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) => lower + 0.5 * (upper - lower),
        (true, false) => lower,
        (false, true) => upper,
        (false, false) if lower == upper => lower,
        (false, false) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn the_number_lies_in_its_interval() {
        let inf = f64::INFINITY;
        for (lower, upper) in [(0.1, 0.1), (-1.0, 1e-17), (0.1, inf), (-inf, -0.1), (-inf, inf), (inf, inf)] {
            let d = within(lower, upper);
            assert!(lower <= d && d <= upper, "{d} in [{lower}, {upper}]");
        }
    }
}
