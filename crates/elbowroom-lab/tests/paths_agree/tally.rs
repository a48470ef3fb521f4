//! What was met, and how an answer is held against the truth.

use crate::support::ask::intervals_meet;
use elbowroom::{Answer, Interval, Verdict};

/// Verdicts may differ where a threshold is this near to both answers (metres).
const BORDER: f64 = 1e-9;
/// Intervals of bodies that are apart are no wider (metres).
const WIDE: f64 = 1e-7;

/// What was met.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub poses: u64,
    pub answers: u64,
    pub verdicts: [u64; 5],
    pub border: u64,
    /// Answers that left a tree's pairs unasked.
    pub nodes: u64,
    /// Poses that lanes of a batch decided.
    pub by_lanes: u64,
    pub descents: u64,
    pub pruned: u64,
    pub hulls_nearer: u64,
    pub faults: Vec<String>,
}

impl Tally {
    /// Adds what another one met.
    pub fn add(&mut self, other: Tally) {
        self.poses += other.poses;
        self.answers += other.answers;
        (0..5).for_each(|i| self.verdicts[i] += other.verdicts[i]);
        self.border += other.border;
        self.nodes += other.nodes;
        self.by_lanes += other.by_lanes;
        self.descents += other.descents;
        self.pruned += other.pruned;
        self.hulls_nearer += other.hulls_nearer;
        self.faults.extend(other.faults);
    }
}

/// An interval that is proved by another path, and its verdict.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    pub interval: Interval,
    pub verdict: Verdict,
    pub margin: f64,
}

impl Truth {
    pub fn of(answer: &Answer, margin: f64) -> Truth {
        Truth { interval: answer.interval, verdict: answer.verdict, margin }
    }
    /// Whether a threshold is so near that either verdict is right.
    fn at_border(&self, answer: &Answer) -> bool {
        let near = |x: f64, t: f64| (x - t).abs() <= BORDER;
        [0.0, self.margin]
            .iter()
            .any(|t| [self.interval, answer.interval].iter().any(|i| near(i.lower, *t) || near(i.upper, *t)))
    }
}

/// How much an answer tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tells {
    /// The interval.
    All,
    /// The interval as far as the cutoff.
    To(f64),
    /// The verdict.
    Verdict,
    /// A lower bound.
    Bound,
}

impl Tally {
    pub fn fault(&mut self, what: String) {
        if self.faults.len() < 20 {
            println!("{what}");
        }
        self.faults.push(what);
    }

    /// Holds an answer against the truth.
    pub fn hold(&mut self, place: &str, path: &str, truth: &Truth, answer: &Answer, tells: Tells) {
        self.answers += 1;
        self.nodes += u64::from(answer.counts.nodes > 0);
        let mut faults = Vec::new();
        if !(answer.interval.lower <= answer.interval.upper
            && intervals_meet(&answer.interval, &truth.interval))
        {
            faults.push("the intervals do not meet");
        }
        let border = answer.verdict != truth.verdict && truth.at_border(answer);
        self.border += u64::from(border);
        let same = match tells {
            // Good enough beyond the margin, and of the right sign.
            Tells::Bound => match answer.verdict {
                Verdict::Clear | Verdict::Collision => answer.verdict == truth.verdict,
                _ => true,
            },
            _ => answer.verdict == truth.verdict,
        };
        if !same && !border {
            faults.push("the verdicts differ");
        }
        let apart = truth.interval.lower > 0.0;
        let narrow = answer.interval.width() <= WIDE;
        match tells {
            Tells::All if apart && !narrow => faults.push("the interval is wide"),
            Tells::To(cutoff) if apart && truth.interval.upper <= cutoff && !narrow => {
                faults.push("the interval is wide below the cutoff");
            }
            Tells::To(cutoff)
                if truth.interval.lower > cutoff.max(truth.margin) && !(answer.interval.lower > cutoff) =>
            {
                faults.push("the cutoff is not proved");
            }
            Tells::Bound if truth.interval.lower > BORDER && !(answer.interval.lower > 0.0) => {
                faults.push("the lower bound tells nothing");
            }
            _ => {}
        }
        for fault in faults {
            self.fault(format!("{place}: {path}: {fault}: {answer:?}, truth {truth:?}"));
        }
    }
}
