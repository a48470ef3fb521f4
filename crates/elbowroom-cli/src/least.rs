//! The least clearance of a pair over all samples: between the least of its lower ends and the least of its
//! upper ends, which may be those of different samples.

use elbowroom::id::PairId;
use elbowroom::report::PairReport;
use elbowroom::verdict::Verdict;

/// What holds of a pair over all samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Least {
    /// Which pair.
    pub pair: PairId,
    /// At no sample is it nearer (metres).
    pub lower: f64,
    /// The first sample with that end.
    pub lower_at: usize,
    /// At one sample it is no farther (metres).
    pub upper: f64,
    /// The first such sample.
    pub upper_at: usize,
}

impl Least {
    /// What the interval means: of the verdicts at the samples the one that decides, where overlap is proved
    /// or where nothing is.
    pub fn verdict(&self, margin: f64) -> Verdict {
        Verdict::of(self.lower, self.upper, margin)
    }
}

/// Adds the answers for a sample, in the order of pairs.
pub fn add(least: &mut Vec<Least>, sample: usize, pairs: &[PairReport]) {
    if least.is_empty() {
        let of = |&PairReport { pair, lower, upper, .. }: &PairReport| Least {
            pair,
            lower,
            lower_at: sample,
            upper,
            upper_at: sample,
        };
        *least = pairs.iter().map(of).collect();
    }
    for (known, report) in least.iter_mut().zip(pairs) {
        if report.lower < known.lower {
            (known.lower, known.lower_at) = (report.lower, sample);
        }
        if report.upper < known.upper {
            (known.upper, known.upper_at) = (report.upper, sample);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_bounds_over_all_samples() {
        let report = |lower: f64, upper: f64| PairReport {
            pair: PairId(0),
            verdict: Verdict::of(lower, upper, 0.0),
            lower,
            upper,
            distance: lower,
            witness: None,
            stop: None,
        };
        let mut least = Vec::new();
        // The middle one has the deepest overlap that is proved, the last one may be the deepest.
        for (sample, (lower, upper)) in
            [(0.1, 0.2), (-0.06484, -0.00398), (-0.07514, -0.00203)].into_iter().enumerate()
        {
            add(&mut least, sample, &[report(lower, upper)]);
        }
        let held = Least { pair: PairId(0), lower: -0.07514, lower_at: 2, upper: -0.00398, upper_at: 1 };
        assert_eq!((&least[..], held.verdict(0.0)), (&[held][..], Verdict::Collision));
        // Not proved at one sample, and clear at the others.
        let mut least = Vec::new();
        add(&mut least, 0, &[report(-1e-9, 1e-9)]);
        add(&mut least, 1, &[report(0.1, 0.1)]);
        assert_eq!(least[0].verdict(0.0), Verdict::Unknown);
    }
}
