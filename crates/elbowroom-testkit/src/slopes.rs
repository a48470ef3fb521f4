//! Gradients beside central differences.

use elbowroom::{Checker, PairAnswer, Question};

/// Step of the differences (radians, metres), and of the finer ones half of it: the error of a difference is
/// its square times a third derivative, and the width of an interval divided by it.
const STEP: f64 = 1e-4;
/// Where the finer differences are farther from the others than this, the distance is not smooth there; nor
/// where its two sides have slopes that differ by more than this, beside what grows with the step.
const SMOOTH: f64 = 2e-7;
/// A gradient may be off by this share of itself, or of one.
const OFF: f64 = 1e-6;

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// Derivatives of pairs that are smooth there.
    pub smooth: usize,
    /// Those among them of overlapping pairs.
    pub depths: usize,
    /// Those that are neither zero nor nearly so.
    pub moving: usize,
    /// Derivatives where the distance is not smooth.
    pub rough: usize,
}

/// All pairs at a pose.
fn measure_all_pairs(checker: &mut Checker, q: &[f64]) -> Vec<PairAnswer> {
    checker.set(q).unwrap();
    let mut answers = Vec::new();
    checker.all_pairs(&Question::distance(), |answer| answers.push(*answer));
    answers
}

/// Compares the gradients of all pairs at a pose whose intervals are narrower than `width` (metres).
/// `quaternions` are the numbers of the first of four values that are a quaternion.
pub fn compare_gradients(
    checker: &mut Checker,
    q: &[f64],
    quaternions: &[usize],
    width: f64,
    sum: &mut Compared,
) {
    let answers = measure_all_pairs(checker, q);
    let gradients: Vec<Option<Vec<f64>>> =
        answers.iter().map(|answer| answer.gradient(checker).map(<[f64]>::to_vec)).collect();
    for k in 0..q.len() {
        let mut at = |by: f64| {
            let mut moved = q.to_vec();
            moved[k] += by;
            for &first in quaternions.iter().filter(|first| (**first..**first + 4).contains(&k)) {
                let of = &mut moved[first..first + 4];
                let norm = of.iter().map(|x| x * x).sum::<f64>().sqrt();
                of.iter_mut().for_each(|x| *x /= norm);
            }
            measure_all_pairs(checker, &moved)
        };
        let [[low, high], [near_low, near_high]] = [STEP, 0.5 * STEP].map(|h| [at(-h), at(h)]);
        for (i, (answer, gradient)) in answers.iter().zip(&gradients).enumerate() {
            let five = [answer, &low[i], &high[i], &near_low[i], &near_high[i]];
            let narrow = |a: &&PairAnswer| a.interval.upper - a.interval.lower <= width;
            let Some(gradient) = gradient.as_ref().filter(|_| five.iter().all(narrow)) else { continue };
            let wide = (high[i].distance - low[i].distance) / (2.0 * STEP);
            let near = (near_high[i].distance - near_low[i].distance) / STEP;
            let noise = 8.0 * width / STEP;
            let bend = |low: &PairAnswer, high: &PairAnswer, h: f64| {
                (high.distance + low.distance - 2.0 * answer.distance) / h
            };
            let kink = 2.0 * bend(&near_low[i], &near_high[i], 0.5 * STEP) - bend(&low[i], &high[i], STEP);
            if (wide - near).abs() > SMOOTH + noise || kink.abs() > SMOOTH + 4.0 * noise {
                sum.rough += 1;
                continue;
            }
            let off = (gradient[k] - near).abs();
            // Points of round shapes are off by the root of what the distance is off by.
            let turned = (8.0 * (answer.interval.upper - answer.interval.lower)).sqrt();
            let allowed = OFF * gradient[k].abs().max(1.0) + 2.0 * noise + turned;
            assert!(
                off <= allowed,
                "pair {i}, value {k}: {} told, {near} found\n{answer:?}\n{q:?}",
                gradient[k]
            );
            sum.smooth += 1;
            sum.depths += usize::from(answer.interval.upper < 0.0);
            sum.moving += usize::from(gradient[k].abs() > 1e-3);
        }
    }
}
