//! Stretches of a motion within the margin: for each pair the runs of samples at which it is not clear.
//! Whichever pair is the nearest of all, no other hides behind it.

use crate::limits::STRETCHES_KEPT;
use elbowroom::{Interval, PairAnswer, PairId, Verdict};
use std::collections::BTreeMap;

/// A run of samples at which a pair is not clear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Which pair.
    pub pair: PairId,
    /// The first sample and the last.
    pub samples: [usize; 2],
    /// The worst verdict.
    pub verdict: Verdict,
    /// The least clear of its intervals.
    pub interval: Interval,
    /// And its sample.
    pub at: usize,
}

/// All of them.
#[derive(Default)]
pub struct Stretches {
    /// Stretches that the last sample belongs to.
    open: BTreeMap<PairId, Stretch>,
    ended: Vec<Stretch>,
    /// How many are left out of the list.
    left_out: usize,
}

impl Stretches {
    /// Adds the answers for the next sample, and those after the changes behind it.
    pub fn add_sample<'a>(&mut self, sample: usize, pairs: impl IntoIterator<Item = &'a PairAnswer>) {
        for PairAnswer { pair, verdict, interval, .. } in pairs {
            if matches!(verdict, Verdict::Clear | Verdict::ExpectedContact) {
                continue;
            }
            let new = Stretch {
                pair: *pair,
                samples: [sample; 2],
                verdict: *verdict,
                interval: *interval,
                at: sample,
            };
            let stretch = self.open.entry(*pair).or_insert(new);
            stretch.samples[1] = sample;
            stretch.verdict = stretch.verdict.max(*verdict);
            if interval.lower < stretch.interval.lower {
                (stretch.interval, stretch.at) = (*interval, sample);
            }
        }
        let over = self.open.extract_if(.., |_, stretch| stretch.samples[1] < sample);
        for (_, stretch) in over {
            if self.ended.len() < STRETCHES_KEPT {
                self.ended.push(stretch);
            } else {
                self.left_out += 1;
            }
        }
    }

    /// The listed stretches in the order in which they begin, and how many are left out.
    pub fn in_order(&self) -> (Vec<Stretch>, usize) {
        let mut all: Vec<Stretch> = self.ended.iter().chain(self.open.values()).copied().collect();
        all.sort_by(|a, b| a.samples[0].cmp(&b.samples[0]).then(a.pair.cmp(&b.pair)));
        (all, self.left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::Geometry;

    #[test]
    fn a_pair_that_is_always_near_hides_no_other() {
        let answer = |pair: u32, d: f64| {
            let interval = Interval::new(d, d, Geometry::Mesh);
            let verdict = interval.verdict(0.02);
            PairAnswer { pair: PairId(pair), verdict, interval, distance: d, witness: None, stop: None }
        };
        let mut stretches = Stretches::default();
        // The first is always nearest; the second comes within the margin twice, each time behind it.
        for (sample, d) in [0.05, 0.018, 0.016, 0.03, 0.019, 0.05].into_iter().enumerate() {
            stretches.add_sample(sample, &[answer(0, 0.014), answer(1, d)]);
        }
        let (all, left_out) = stretches.in_order();
        let told: Vec<_> = all.iter().map(|s| (s.pair.0, s.samples, s.at, s.interval.lower)).collect();
        assert_eq!(told, [(0, [0, 5], 0, 0.014), (1, [1, 2], 2, 0.016), (1, [4, 4], 4, 0.019)]);
        assert_eq!(left_out, 0);
    }
}
