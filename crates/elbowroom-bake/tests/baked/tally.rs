//! One pose asked of both, and what was seen.

use elbowroom::{Checker, Verdict};
use elbowroom_bake::Baked;
use elbowroom_baked as small;
use elbowroom_baked::Scratch;

/// Work space for every world of these tests.
pub type Space = Scratch<32, 256>;

/// How often each case was seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub poses: u64,
    /// The engine proves clear ...
    pub clear: u64,
    /// ... and the baked world does not.
    pub missed: u64,
    /// The engine finds an overlap.
    pub overlaps: u64,
    /// Bounds that are more than a hundredth below the engine's, and more than a tenth of a millimetre.
    pub weak: u64,
    pub most_iterations: u32,
    pub iterations: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.poses += other.poses;
        self.clear += other.clear;
        self.missed += other.missed;
        self.overlaps += other.overlaps;
        self.weak += other.weak;
        self.most_iterations = self.most_iterations.max(other.most_iterations);
        self.iterations += other.iterations;
    }
}

/// Asks both; panics where the baked world says more than the engine.
pub fn race_pose(baked: &Baked, checker: &mut Checker<'_>, values: &[f32], name: &str, tally: &mut Tally) {
    let (world, mut scratch) = (baked.world(), Space::new());
    let (verdict, iterations) = world.test_counting(values, &mut scratch);
    assert_ne!(verdict, small::Verdict::Fault, "{name}: {values:?}");
    assert!(iterations <= world.worst_iterations(), "{name}: {values:?}");
    let exact: Vec<f64> = values.iter().map(|v| f64::from(*v)).collect();
    checker.set(&exact).unwrap_or_else(|fault| panic!("{name}: accepted, but {fault}"));
    let engine = checker.test().verdict;
    if verdict == small::Verdict::Clear {
        let answer = checker.distance();
        assert_eq!(engine, Verdict::Clear, "{name}: {answer:?} {values:?}");
    }
    let bound = world.lower_bound(values, &mut scratch).expect("no fault");
    let answer = checker.distance();
    assert!(f64::from(bound.metres) <= answer.interval.upper, "{name}: {bound:?} {answer:?} {values:?}");
    let missing = answer.interval.lower - f64::from(bound.metres);
    tally.poses += 1;
    tally.clear += u64::from(engine == Verdict::Clear);
    tally.missed += u64::from(engine == Verdict::Clear && verdict != small::Verdict::Clear);
    tally.overlaps += u64::from(engine == Verdict::Collision);
    let is_weak = answer.interval.lower > 0.0 && missing > 1e-4 + 0.01 * answer.interval.lower;
    tally.weak += u64::from(is_weak);
    tally.most_iterations = tally.most_iterations.max(iterations);
    tally.iterations += u64::from(iterations);
}

/// Random values within a baked world's limits; at times a limit itself.
pub fn draw_values(baked: &Baked, rng: &mut crate::support::rng::Rng) -> Vec<f32> {
    let draw = |[lower, upper]: &[f32; 2]| {
        if rng.chance(0.05) {
            return if rng.chance(0.5) { *lower } else { *upper };
        }
        let (lower, upper) = (f64::from(*lower).max(-7.0), f64::from(*upper).min(7.0));
        (rng.range(lower, upper) as f32).clamp(lower as f32, upper as f32)
    };
    baked.world().limits.iter().map(draw).collect()
}
