//! The worst moments of a motion: the minima of its clearance over time, whichever pair is the nearest.
//!
//! A minimum is the bottom of a dip. A dip begins when the clearance has fallen well below the largest since
//! the last one, and ends when it has risen well above its own smallest; a motion begins and ends in one. So
//! a slow pass by one obstacle is one moment, a clearance that stays the same is one, and two passes are two.
//! Each run of contact has a moment of its own, however little lies between it and the last. What could not
//! be proved has no clearance to compare: such samples have minima among themselves.
//!
//! Samples drawn at random have no order, and no minima over it: of them the worst are kept.

use crate::limits::{DIP_FALL, DIP_LEAST, DIP_SHARE, MOMENTS};
use elbowroom::{Answer, Interval, Verdict};
use std::cmp::Ordering;

/// A sample and what was answered for it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Which sample, from 0.
    pub sample: usize,
    /// Its time (seconds), if the motion has it.
    pub t: Option<f64>,
    /// The answer.
    pub answer: Answer,
    /// Whether the changes behind the sample were made before it was asked, so that the way to the next
    /// sample begins like this.
    pub after_changes: bool,
}

impl Moment {
    /// Its place among all moments: the sample, and whether the changes behind it are made.
    pub fn place(&self) -> (usize, bool) {
        (self.sample, self.after_changes)
    }
}

/// Collects moments sample by sample.
#[derive(Default)]
pub struct Dips {
    /// Whether the samples have no order: then there are no dips, and each sample is a moment by itself.
    scattered: bool,
    /// The course of the samples at which something is proved.
    proved: Course,
    /// The course of the others, since a sample was last proved apart.
    unknown: Course,
    /// Whether the last sample at which something is proved was apart.
    apart: bool,
    worst: Vec<Moment>,
}

/// Where a clearance is in its ups and downs.
#[derive(Clone, Copy, Default)]
enum Course {
    /// Nothing was seen.
    #[default]
    Begin,
    /// In a dip, and its bottom so far.
    Dip(Moment),
    /// Between dips, and the largest clearance there.
    Top(Moment),
}

impl Course {
    /// Takes the next moment; `anew` begins a dip whatever was before. Returns the bottom of a dip that
    /// ended.
    fn add(&mut self, moment: Moment, anew: bool) -> Option<Moment> {
        let d = proved_of(&moment.answer);
        match *self {
            Course::Begin => *self = Course::Dip(moment),
            Course::Dip(bottom) if anew => {
                *self = Course::Dip(moment);
                return Some(bottom);
            }
            Course::Dip(bottom) if worst_first(&moment, &bottom).is_lt() => *self = Course::Dip(moment),
            Course::Dip(bottom) => {
                let b = proved_of(&bottom.answer);
                if d > b + change(b) {
                    *self = Course::Top(moment);
                    return Some(bottom);
                }
            }
            Course::Top(top) if anew || d < proved_of(&top.answer) - change(d).min(DIP_FALL) => {
                *self = Course::Dip(moment);
            }
            Course::Top(top) if d > proved_of(&top.answer) => *self = Course::Top(moment),
            Course::Top(_) => {}
        }
        None
    }

    /// Begins again, and returns the bottom of the last dip.
    fn end(&mut self) -> Option<Moment> {
        match std::mem::take(self) {
            Course::Dip(bottom) => Some(bottom),
            Course::Begin | Course::Top(_) => None,
        }
    }

    /// Whether the present dip has contact.
    fn touches(&self) -> bool {
        matches!(self, Course::Dip(bottom) if bottom.answer.verdict == Verdict::Collision)
    }
}

/// How much a clearance must change from here to be in a dip, or out of one.
fn change(clearance: f64) -> f64 {
    DIP_LEAST.max(DIP_SHARE * clearance.abs())
}

/// What is proved of a clearance at its worst: the least depth that a collision has, and the lower bound of
/// everything else. If a depth is bracketed, the lower bound of the collision is only that of some way out.
pub fn proved(verdict: Verdict, interval: &Interval) -> f64 {
    if verdict == Verdict::Collision { interval.upper } else { interval.lower }
}

/// That of an answer.
pub fn proved_of(answer: &Answer) -> f64 {
    proved(answer.verdict, &answer.interval)
}

/// How bad a verdict is: what is proved to overlap ranks before what is only not proved.
fn verdict_rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Clear => 0,
        Verdict::Near => 1,
        Verdict::ExpectedContact => 2,
        Verdict::Unknown => 3,
        Verdict::Collision => 4,
    }
}

/// Worst first: by verdict, then by what is proved. Both are a verdict and an interval.
pub fn worse(a: (Verdict, Interval), b: (Verdict, Interval)) -> Ordering {
    verdict_rank(b.0).cmp(&verdict_rank(a.0)).then_with(|| proved(a.0, &a.1).total_cmp(&proved(b.0, &b.1)))
}

/// Worst first, as [`worse`]; of equal ones the earlier first.
fn worst_first(a: &Moment, b: &Moment) -> Ordering {
    let of = |m: &Moment| (m.answer.verdict, m.answer.interval);
    worse(of(a), of(b)).then(a.sample.cmp(&b.sample))
}

impl Dips {
    /// Collects the worst of samples that have no order.
    pub fn scattered() -> Dips {
        Dips { scattered: true, ..Dips::default() }
    }

    /// The next sample.
    pub fn add(&mut self, moment: Moment) {
        if self.scattered {
            self.keep(Some(moment));
            return;
        }
        let ended = match moment.answer.verdict {
            Verdict::Unknown => self.unknown.add(moment, false),
            Verdict::Collision => {
                // A fall into contact is one dip with it; contact again is another one.
                let falls = matches!(self.proved, Course::Dip(_)) && !self.proved.touches();
                let anew = std::mem::take(&mut self.apart) && !falls;
                self.proved.add(moment, anew)
            }
            Verdict::Clear | Verdict::Near | Verdict::ExpectedContact => {
                self.apart = true;
                let unknown = self.unknown.end();
                self.keep(unknown);
                self.proved.add(moment, false)
            }
        };
        self.keep(ended);
    }

    fn keep(&mut self, moment: Option<Moment>) {
        let Some(moment) = moment else { return };
        if self.worst.len() == MOMENTS && self.worst.last().is_some_and(|w| worst_first(&moment, w).is_gt()) {
            return;
        }
        self.worst.push(moment);
        self.worst.sort_by(worst_first);
        self.worst.truncate(MOMENTS);
    }

    /// The worst moments, worst first.
    pub fn finish(mut self) -> Vec<Moment> {
        for last in [self.proved.end(), self.unknown.end()] {
            self.keep(last);
        }
        self.worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::{Geometry, PairId};

    fn bottoms(series: &[(u32, f64)]) -> Vec<usize> {
        let intervals: Vec<_> = series.iter().map(|&(pair, d)| (pair, d, d)).collect();
        bottoms_of(&intervals)
    }

    fn bottoms_of(series: &[(u32, f64, f64)]) -> Vec<usize> {
        worst_of(series, Dips::default())
    }

    fn worst_of(series: &[(u32, f64, f64)], mut dips: Dips) -> Vec<usize> {
        for (sample, &(pair, lower, upper)) in series.iter().enumerate() {
            let interval = Interval::new(lower, upper, Geometry::Mesh);
            let answer = Answer {
                verdict: interval.verdict(0.0),
                interval,
                distance: lower,
                pair: Some(PairId(pair)),
                ..Answer::default()
            };
            dips.add(Moment { sample, t: None, answer, after_changes: false });
        }
        dips.finish().iter().map(|m| m.sample).collect()
    }

    #[test]
    fn two_passes_are_two_moments() {
        let pass = [0.3, 0.2, 0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.05, 0.2, 0.3].map(|d| (0, d));
        assert_eq!(bottoms(&pass), [8, 2]);
        // A tremble is not a second dip.
        assert_eq!(bottoms(&[(0, 0.1), (0, 0.101), (0, 0.0999), (0, 0.1)]), [2]);
        // Rising to the end leaves only the first.
        assert_eq!(bottoms(&[(0, 0.1), (0, 0.2), (0, 0.3), (0, 0.4)]), [0]);
        assert_eq!(bottoms(&[]), [0usize; 0]);
    }

    #[test]
    fn without_an_order_the_worst_samples_are_the_moments() {
        let series: Vec<_> = [0.5, -0.1, -0.2, 0.1, 0.2, 0.3, 0.25, -0.1].map(|d| (0, d, d)).to_vec();
        let worst = worst_of(&series, Dips::scattered());
        assert_eq!(worst, [2, 1, 7, 3, 4, 6, 5, 0]);
        // As a motion it has two dips.
        assert_eq!(bottoms_of(&series), [2, 7]);
    }

    #[test]
    fn another_nearest_pair_is_no_minimum() {
        // Falls steadily to its end, past five pairs.
        let fall = [(0, 0.07224), (1, 0.06999), (2, 0.06393), (3, 0.05908), (4, 0.0548)];
        assert_eq!(bottoms(&fall), [4]);
        let mut rise = fall;
        rise.reverse();
        assert_eq!(bottoms(&rise), [0]);
        // One number all the time, to within rounding, left and right in turn.
        let level: Vec<(u32, f64)> =
            (0..50).map(|i| (i % 2, 0.00274 + f64::from(i * 7 % 5) * 1e-12)).collect();
        assert_eq!(bottoms(&level), [0]);
    }

    #[test]
    fn each_run_of_contact_is_a_moment() {
        // Into contact: one dip, also where it grazes first. Again, a little later: another one.
        let runs = [(0, 0.1), (0, 0.001), (0, -0.002), (1, -0.001), (0, 0.001), (0, -0.001), (0, 0.002)];
        assert_eq!(bottoms(&runs), [2, 5]);
        // A sample without proof does not part a run. It is a moment of its own, as often as it comes back.
        let open = (0, -1e-9, 1e-9);
        let of = |d: f64| (0, d, d);
        let series = [of(0.1), open, of(-0.004), open, open, of(-0.003), open, of(0.05), open, of(0.1)];
        assert_eq!(bottoms_of(&series), [2, 1, 8]);
        // Also where contact has grown shallow before it ended.
        assert_eq!(bottoms(&[(0, -0.05), (0, -0.03), (0, 0.001), (0, -0.001)]), [0, 3]);
    }

    #[test]
    fn bracketed_depths_do_not_tie() {
        // All as deep as the hulls at most; what is proved tells them apart.
        let series = [(0, -0.3, -0.01), (0, -0.3, -0.02), (1, -0.3, -0.2), (2, -0.3, -0.1), (3, -0.4, -0.15)];
        assert_eq!(bottoms_of(&series), [2, 4]);
        // What is proved to overlap comes before what is not proved, and that before what is apart.
        assert_eq!(bottoms_of(&[(0, -0.3, -0.2), (1, -1e-9, 1e-9), (2, 0.1, 0.1)]), [0, 1]);
    }
}
