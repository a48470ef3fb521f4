//! The least clearance of a pair over all samples: between the least of its lower ends and the least of its
//! upper ends, which may be those of different samples.

use crate::touch::near_verdict;
use elbowroom::{Interval, PairAnswer, PairId, Verdict};
use std::fmt;

/// A sample, and whether it was asked after the changes behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplePlace {
    /// The sample.
    pub sample: usize,
    /// Whether the changes behind it are made.
    pub after_changes: bool,
}

impl fmt::Display for SamplePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.sample, if self.after_changes { " after its events" } else { "" })
    }
}

/// What holds of a pair over all samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Least {
    /// Which pair.
    pub pair: PairId,
    /// At no sample is it nearer than the lower end, at one no farther than the upper end.
    pub interval: Interval,
    /// The first samples with these ends.
    pub lower_at: SamplePlace,
    /// And with the upper one.
    pub upper_at: SamplePlace,
    /// The worst verdict at a sample.
    pub worst: Verdict,
}

impl Least {
    /// The verdict on the interval. It is the deciding one of the verdicts at the samples, if overlap is
    /// proved or nothing is. Contact within `touch` is near, if that is given (metres).
    pub fn interval_verdict(&self, margin: f64, touch: Option<f64>) -> Verdict {
        // The interval cannot tell contact on pads alone.
        if self.worst == Verdict::ExpectedContact {
            return self.worst;
        }
        let verdict = self.interval.verdict(margin);
        near_verdict(verdict, &self.interval, touch).unwrap_or(verdict)
    }
}

/// Adds the answers for a sample, in the order of pairs. Which pairs are checked may change from sample to
/// sample.
pub fn add_answers(least: &mut Vec<Least>, sample: SamplePlace, pairs: &[PairAnswer]) {
    let of = |&PairAnswer { pair, interval, verdict, .. }: &PairAnswer| Least {
        pair,
        interval,
        lower_at: sample,
        upper_at: sample,
        worst: verdict,
    };
    if least.is_empty() {
        *least = pairs.iter().map(of).collect();
    }
    let mut at = 0;
    for answer in pairs {
        // Usually the pair is the next in the list.
        at += usize::from(least.get(at).is_some_and(|known| known.pair < answer.pair));
        if least.get(at).is_some_and(|known| known.pair < answer.pair) {
            at += least[at..].partition_point(|known| known.pair < answer.pair);
        }
        if least.get(at).is_none_or(|known| known.pair != answer.pair) {
            // The pair was not checked at the samples before.
            least.insert(at, of(answer));
        }
        let Some(known) = least.get_mut(at) else { continue };
        known.worst = known.worst.max(answer.verdict);
        let (interval, least) = (answer.interval, &mut known.interval);
        if interval.lower < least.lower {
            (least.lower, known.lower_at) = (interval.lower, sample);
        }
        if interval.upper < least.upper {
            (least.upper, known.upper_at) = (interval.upper, sample);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::Geometry;

    #[test]
    fn ends_are_bounds_over_all_samples() {
        let place = |sample| SamplePlace { sample, after_changes: false };
        let interval = |lower: f64, upper: f64| Interval::new(lower, upper, Geometry::Mesh);
        let answer = |lower: f64, upper: f64| PairAnswer {
            pair: PairId(0),
            verdict: interval(lower, upper).verdict(0.0),
            interval: interval(lower, upper),
            distance: lower,
            witness: None,
            stop: None,
        };
        let mut least = Vec::new();
        // The middle one has the deepest overlap that is proved, the last one may be the deepest.
        for (sample, (lower, upper)) in
            [(0.1, 0.2), (-0.06484, -0.00398), (-0.07514, -0.00203)].into_iter().enumerate()
        {
            add_answers(&mut least, place(sample), &[answer(lower, upper)]);
        }
        let interval = interval(-0.07514, -0.00398);
        let worst = Verdict::Collision;
        let held = Least { pair: PairId(0), interval, lower_at: place(2), upper_at: place(1), worst };
        assert_eq!((&least[..], held.interval_verdict(0.0, None)), (&[held][..], Verdict::Collision));
        // Not proved at one sample, and clear at the others.
        let mut least = Vec::new();
        add_answers(&mut least, place(0), &[answer(-1e-9, 1e-9)]);
        add_answers(&mut least, place(1), &[answer(0.1, 0.1)]);
        assert_eq!(least[0].interval_verdict(0.0, None), Verdict::Unknown);
        // Which pairs are checked changes.
        let of = |pair: u32, d: f64| PairAnswer { pair: PairId(pair), ..answer(d, d) };
        let mut least = Vec::new();
        let samples =
            [&[(3, 0.3), (7, 0.7)][..], &[(1, 0.1), (5, 0.5), (7, 0.2), (9, 0.9)], &[], &[(3, 0.4)]];
        for (sample, pairs) in samples.into_iter().enumerate() {
            let answers: Vec<PairAnswer> = pairs.iter().map(|&(pair, d)| of(pair, d)).collect();
            add_answers(&mut least, place(sample), &answers);
        }
        let known: Vec<_> = least.iter().map(|l| (l.pair.0, l.interval.lower, l.lower_at.sample)).collect();
        assert_eq!(known, [(1, 0.1, 1), (3, 0.3, 0), (5, 0.5, 1), (7, 0.2, 1), (9, 0.9, 1)]);
    }
}
