//! Bounds between fits around the pairs of [`cases`](super::cases), against the true distance of what the
//! fits contain: the run that the engine's bounds and the lab's primitives share.

use super::cases::{Case, draw_case};
use super::engine::{self, Pair};
use super::rng::Rng;
use super::slow::{prepare, truth_of};
use super::threads::run_each;
use elbowroom::bounds::fit::FitEffort;
use elbowroom::math::Transform;
use elbowroom_reference::Truth;
use std::collections::BTreeMap;

/// A pair where it is, to be fitted around, and what its bounds said.
#[derive(Debug)]
pub struct Placed {
    pub pair: Pair,
    /// Where both are: seen from elsewhere, as bodies in a cell are.
    pub at: [Transform; 2],
    pub effort: FitEffort,
    case: Case,
    truth: Truth,
    /// No bound may be above it (metres).
    limit: f64,
    /// Each bound by name, and whether it says that the pair is apart.
    told: Vec<(String, bool)>,
    faults: Vec<String>,
}

impl Placed {
    fn new(seed: u64) -> Placed {
        let case = draw_case(seed);
        let truth = {
            let (a, b) =
                (prepare(&case.a, case.padding[0]).unwrap(), prepare(&case.b, case.padding[1]).unwrap());
            truth_of(&a, &b, &case.b_in_a())
        };
        let rng = &mut Rng::new(seed);
        let a_at = if seed.is_multiple_of(2) { Transform::IDENTITY } else { rng.pose(truth.scale) };
        let b_at = a_at * case.b_in_a();
        let pair = engine::compile_pair(&case).unwrap();
        let effort = if seed.is_multiple_of(64) { FitEffort::Thorough } else { FitEffort::Quick };
        // The product of two poses is rounded; what is fitted and moved is not to profit.
        let limit = truth.upper + 4e-15 * (truth.scale + a_at.translation.norm() + b_at.translation.norm());
        let (told, faults) = (Vec::new(), Vec::new());
        Placed { pair, at: [a_at, b_at], effort, case, truth, limit, told, faults }
    }

    /// Takes what a bound says (metres).
    pub fn add_bound(&mut self, name: impl Into<String>, bound: f64) {
        let (name, Truth { upper, scale, .. }) = (name.into(), self.truth);
        // No number is no bound either.
        if !(bound <= self.limit) {
            let by = (bound - upper) / scale;
            self.faults.push(format!("{name}: {bound:e} above {upper:e} by {by:e} of the scale"));
        }
        self.told.push((name, bound > 0.0));
    }
}

/// Asks for all bounds of `n` pairs from a seed on. None may be above the distance, each of so many kinds of
/// bounds must say something, and many pairs must be of many kinds, apart and not.
pub fn no_bound_is_above_the_distance(from: u64, n: u64, bounds: usize, ask: impl Fn(&mut Placed) + Sync) {
    let outcomes = run_each(n as usize, |i| {
        let mut placed = Placed::new(from + i as u64);
        ask(&mut placed);
        (placed.case.pair(), placed.truth.lower > 0.0, placed.told, placed.faults)
    });
    let (mut kinds, mut said, mut failed, mut all_apart) = (BTreeMap::new(), BTreeMap::new(), 0, 0);
    for (seed, (pair, apart, told, faults)) in (from..).zip(&outcomes) {
        *kinds.entry(pair).or_insert(0_u64) += 1;
        all_apart += u64::from(*apart);
        for (name, positive) in told.iter().filter(|_| *apart) {
            *said.entry(name).or_insert(0_u64) += u64::from(*positive);
        }
        if !faults.is_empty() {
            failed += 1;
            if failed <= 10 {
                println!("seed {seed}: {}\n  {}", faults.join("; "), draw_case(seed).as_json_line());
            }
        }
    }
    println!("{n} pairs of {} kinds, {all_apart} apart; apart by bounds: {said:?}", kinds.len());
    assert_eq!(failed, 0, "pairs of which a bound is above the distance");
    assert!(
        kinds.len() >= 100 && all_apart * 4 > n && all_apart * 10 < n * 9,
        "{} kinds, {all_apart} apart",
        kinds.len()
    );
    assert!(
        said.len() == bounds && said.values().all(|k| *k * 4 > all_apart),
        "a bound says nothing: {said:?}"
    );
}
