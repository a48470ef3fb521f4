//! The clearance of a sample in two parts: of a robot to itself, and of everything to the cell. So what is
//! always near, as a wrist's own links are, does not hide what comes near in the other part.
//!
//! A pair with the cell that never changes, as a base that is bolted to a table, is in neither part.
//! Whether it never changes is known only after the last sample. So each pair counts as still until it
//! changes; then the samples before get its clearance too.

use crate::limits::STILL;
use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, PairAnswer, PairId};

/// The least of both ends over the pairs of each part (metres); `None` where there is no such pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sides {
    /// Pairs of one robot's links and of what they carry.
    pub own: Option<[f64; 2]>,
    /// All others, with an obstacle or with another robot, that change.
    pub cell: Option<[f64; 2]>,
}

impl AsMut<Sides> for Sides {
    fn as_mut(&mut self) -> &mut Sides {
        self
    }
}

impl Sides {
    /// Takes a pair into one of the parts.
    pub fn add_ends(&mut self, is_own: bool, ends: [f64; 2]) {
        add_ends(if is_own { &mut self.own } else { &mut self.cell }, ends);
    }
}

/// Takes a pair into a part.
fn add_ends(side: &mut Option<[f64; 2]>, [lower, upper]: [f64; 2]) {
    let [low, high] = side.unwrap_or([f64::INFINITY; 2]);
    *side = Some([low.min(lower), high.min(upper)]);
}

/// Whether a pair is of one robot's links and of what they carry.
pub fn is_own(checker: &Checker, pair: BodyPair) -> bool {
    let carrier = |id: BodyId| std::iter::successors(Some(id), |at| checker.carrier(*at)).last();
    let robot = |id: BodyId| carrier(id).and_then(|id| checker.world().bodies()[id.index()].robot);
    let [a, b] = [pair.a, pair.b].map(robot);
    a.is_some() && a == b
}

/// A pair with the cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum CellPair {
    /// It was not checked yet.
    #[default]
    Unseen,
    /// Its clearance was the same at all these samples, first and last, and it was not checked at others.
    Still([f64; 2], [usize; 2]),
    /// It changes.
    Changing,
}

/// Which pairs with the cell never changed so far.
#[derive(Debug, Default)]
pub struct CellPairs(Vec<CellPair>);

impl CellPairs {
    /// Adds the answers for the next sample, which is the last of all; `own` says of each pair whether it is
    /// [`is_own`].
    pub fn add_answers<S: AsMut<Sides>>(&mut self, samples: &mut [S], answers: &[PairAnswer], own: &[bool]) {
        let Some(sample) = samples.len().checked_sub(1) else { return };
        for (answer, own) in answers.iter().zip(own) {
            let ends = [answer.interval.lower, answer.interval.upper];
            if *own {
                add_ends(&mut samples[sample].as_mut().own, ends);
            } else {
                self.add_cell_pair(samples, sample, answer.pair.0 as usize, ends);
            }
        }
    }

    fn add_cell_pair<S: AsMut<Sides>>(
        &mut self,
        samples: &mut [S],
        sample: usize,
        pair: usize,
        ends: [f64; 2],
    ) {
        if pair >= self.0.len() {
            self.0.resize(pair + 1, CellPair::Unseen);
        }
        let same = |a: f64, b: f64| a == b || (a - b).abs() <= STILL;
        match self.0[pair] {
            CellPair::Unseen => self.0[pair] = CellPair::Still(ends, [sample; 2]),
            CellPair::Still(known, [first, last])
                if last + 1 == sample && same(known[0], ends[0]) && same(known[1], ends[1]) =>
            {
                self.0[pair] = CellPair::Still(known, [first, sample]);
            }
            CellPair::Still(known, [first, last]) => {
                samples[first..=last].iter_mut().for_each(|at| add_ends(&mut at.as_mut().cell, known));
                add_ends(&mut samples[sample].as_mut().cell, ends);
                self.0[pair] = CellPair::Changing;
            }
            CellPair::Changing => add_ends(&mut samples[sample].as_mut().cell, ends),
        }
    }

    /// The pairs that never changed, with their lower ends.
    pub fn still_pairs(&self) -> impl Iterator<Item = (PairId, f64)> {
        self.0.iter().zip(0..).filter_map(|(pair, id)| match pair {
            CellPair::Still([lower, _], _) => Some((PairId(id), *lower)),
            CellPair::Unseen | CellPair::Changing => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::{Geometry, Interval, Verdict};

    #[test]
    fn a_pair_that_never_changes_is_in_no_part_and_one_that_does_is_at_all_samples() {
        let interval = |d: f64| Interval::new(d, d + 0.001, Geometry::Mesh);
        let answer = |(pair, d): (u32, f64)| PairAnswer {
            pair: PairId(pair),
            verdict: Verdict::Clear,
            interval: interval(d),
            distance: d,
            witness: None,
            stop: None,
        };
        let (mut pairs, mut sides) = (CellPairs::default(), Vec::new());
        // The robot's own pair 0; a base on its table; a link that goes away at last; a part that is there in
        // between, and one that comes twice.
        let samples = [
            &[(0, 0.5), (1, 0.01), (2, 0.03)][..],
            &[(0, 0.5), (1, 0.01), (2, 0.03), (3, 0.02)],
            &[(0, 0.4), (1, 0.01 + 1e-9), (2, 0.03), (3, 0.02), (4, 0.025)],
            &[(0, 0.4), (1, 0.01), (2, 0.9)],
            &[(0, 0.4), (1, 0.01), (2, 0.9), (4, 0.025)],
        ];
        for answers in samples {
            sides.push(Sides::default());
            let answers: Vec<PairAnswer> = answers.iter().map(|of| answer(*of)).collect();
            let own: Vec<bool> = answers.iter().map(|answer| answer.pair.0 == 0).collect();
            pairs.add_answers(&mut sides, &answers, &own);
        }
        let lower = |side: Option<[f64; 2]>| side.map(|[lower, _]| lower);
        let cell: Vec<_> = sides.iter().map(|sides| lower(sides.cell)).collect();
        assert_eq!(cell, [0.03, 0.03, 0.025, 0.9, 0.025].map(Some));
        let own: Vec<_> = sides.iter().map(|sides| lower(sides.own)).collect();
        assert_eq!(own, [0.5, 0.5, 0.4, 0.4, 0.4].map(Some));
        assert_eq!(pairs.still_pairs().collect::<Vec<_>>(), [(PairId(1), 0.01), (PairId(3), 0.02)]);
    }
}
