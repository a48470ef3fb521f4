//! The worst moments of a motion: the bottoms of the distinct dips of its clearance.
//!
//! A dip belongs to one nearest pair. It begins when the clearance falls and ends when it has risen well above its
//! smallest, or when another pair becomes the nearest; only its bottom is a moment. So a slow pass by one obstacle is
//! one moment, and two passes by it are two.

use crate::limits::{DIP_RISE, DIP_RISE_SHARE, MOMENTS};
use elbowroom::report::Report;
use elbowroom::verdict::Verdict;
use std::cmp::Ordering;

/// A sample and what was answered for it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Which sample, from 0.
    pub sample: usize,
    /// Its time (seconds), if the motion has it.
    pub t: Option<f64>,
    /// The answer.
    pub report: Report,
}

/// Collects moments sample by sample.
#[derive(Default)]
pub struct Dips {
    /// The bottom of the present dip so far.
    bottom: Option<Moment>,
    /// Largest clearance since the last dip ended, while none has begun.
    top: Option<(Moment, f64)>,
    worst: Vec<Moment>,
}

/// What is proved of a clearance at its worst: the depth that a collision has at least, and the lower bound of everything
/// else. A collision's own lower bound is only that of the hulls where the depth is bracketed: all of them would tie.
pub fn proved(verdict: Verdict, lower: f64, upper: f64) -> f64 {
    if verdict == Verdict::Collision { upper } else { lower }
}

/// That of a report.
pub fn proved_of(report: &Report) -> f64 {
    proved(report.verdict, report.lower, report.upper)
}

/// Worst first: by verdict, then by what is proved. Both are a verdict and an interval.
pub fn worse(a: (Verdict, f64, f64), b: (Verdict, f64, f64)) -> Ordering {
    b.0.cmp(&a.0).then_with(|| proved(a.0, a.1, a.2).total_cmp(&proved(b.0, b.1, b.2)))
}

/// The same of moments, then by time.
fn worst_first(a: &Moment, b: &Moment) -> Ordering {
    let of = |m: &Moment| (m.report.verdict, m.report.lower, m.report.upper);
    worse(of(a), of(b)).then(a.sample.cmp(&b.sample))
}

fn rise(from: f64) -> f64 {
    DIP_RISE.max(DIP_RISE_SHARE * from.abs())
}

impl Dips {
    /// The next sample.
    pub fn add(&mut self, moment: Moment) {
        let d = proved_of(&moment.report);
        let last = self.bottom.or(self.top.map(|(last, _)| last));
        if last.is_none_or(|l| l.report.pair != moment.report.pair) {
            self.close();
            (self.bottom, self.top) = (Some(moment), None);
            return;
        }
        if let Some(bottom) = self.bottom {
            let b = proved_of(&bottom.report);
            if worst_first(&moment, &bottom).is_lt() {
                self.bottom = Some(moment);
            } else if d > b + rise(b) {
                self.close();
                self.top = Some((moment, d));
            }
        } else if let Some((_, top)) = self.top {
            if d < top - rise(top).min(DIP_RISE) {
                (self.bottom, self.top) = (Some(moment), None);
            } else {
                self.top = Some((moment, top.max(d)));
            }
        }
    }

    fn close(&mut self) {
        let Some(moment) = self.bottom.take() else { return };
        self.worst.push(moment);
        self.worst.sort_by(worst_first);
        self.worst.truncate(MOMENTS);
    }

    /// The worst moments, worst first.
    pub fn finish(mut self) -> Vec<Moment> {
        self.close();
        self.worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::id::PairId;
    use elbowroom::report::Counts;

    fn bottoms(series: &[(u32, f64)]) -> Vec<usize> {
        let intervals: Vec<_> = series.iter().map(|&(pair, d)| (pair, d, d)).collect();
        bottoms_of(&intervals)
    }

    fn bottoms_of(series: &[(u32, f64, f64)]) -> Vec<usize> {
        let mut dips = Dips::default();
        for (sample, &(pair, lower, upper)) in series.iter().enumerate() {
            let report = Report {
                verdict: Verdict::of(lower, upper, 0.0),
                lower,
                upper,
                distance: lower,
                pair: Some(PairId(pair)),
                lower_pair: Some(PairId(pair)),
                upper_pair: Some(PairId(pair)),
                witness: None,
                stop: None,
                counts: Counts::default(),
            };
            dips.add(Moment { sample, t: None, report });
        }
        dips.finish().iter().map(|m| m.sample).collect()
    }

    #[test]
    fn two_passes_are_two_moments() {
        let pass = [0.3, 0.2, 0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.05, 0.2, 0.3].map(|d| (0, d));
        assert_eq!(bottoms(&pass), [8, 2]);
        // A tremble is not a second dip; another pair is.
        assert_eq!(bottoms(&[(0, 0.1), (0, 0.101), (0, 0.0999), (0, 0.1), (1, 0.09), (1, 0.095)]), [4, 2]);
        // Rising to the end leaves only the first.
        assert_eq!(bottoms(&[(0, 0.1), (0, 0.2), (0, 0.3), (0, 0.4)]), [0]);
        assert_eq!(bottoms(&[]), [0usize; 0]);
    }

    #[test]
    fn bracketed_depths_do_not_tie() {
        // All as deep as the hulls at most; what is proved tells them apart.
        let series = [(0, -0.3, -0.01), (0, -0.3, -0.02), (1, -0.3, -0.2), (2, -0.3, -0.1), (3, -0.4, -0.05)];
        assert_eq!(bottoms_of(&series), [2, 3, 4, 1]);
        // Not proved is worse than proved, whatever the numbers.
        assert_eq!(bottoms_of(&[(0, -0.3, -0.2), (1, -1e-9, 1e-9), (2, 0.1, 0.1)]), [1, 0, 2]);
    }
}
