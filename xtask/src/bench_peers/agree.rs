//! Whether an engine's answers are right: they are compared with proved intervals if there are any, else with
//! the median.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::path::Path;

/// Verdict on all answers of one engine to one item. Lengths in metres; counts of answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Agreement {
    pub(crate) answers: usize,
    /// Compared with a proved interval; the others with the median of all engines.
    pub(crate) proved: usize,
    /// No number at all: an exception, a NaN.
    pub(crate) failed: usize,
    /// Clearance said to be larger than it is by more than the tolerance, or a collision missed: unsafe.
    pub(crate) too_large: usize,
    /// Clearance said to be smaller, or a collision invented.
    pub(crate) too_small: usize,
    pub(crate) worst_over: f64,
    pub(crate) worst_under: f64,
    /// How many intervals do not meet the reference's, and the widest, if the engine gives intervals.
    pub(crate) intervals: Option<(usize, f64)>,
}

impl Agreement {
    pub(crate) fn wrong_count(&self) -> usize {
        self.failed + self.too_large + self.too_small + self.intervals.map_or(0, |(broken, _)| broken)
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "answers": self.answers, "compared_with_proof": self.proved, "failed": self.failed,
            "too_large": self.too_large, "too_small": self.too_small,
            "worst_over": self.worst_over, "worst_under": self.worst_under,
            "intervals_broken": self.intervals.map(|(broken, _)| broken),
            "widest_interval": self.intervals.map(|(_, width)| width),
        })
    }
}

/// The interval each answer should lie in.
pub(crate) struct Reference {
    intervals: Vec<([f64; 2], bool)>,
}

impl Reference {
    /// `truth` holds lower and upper per answer, infinite where nothing was computed.
    pub(crate) fn new(truth: &[f64], answers: &[Option<Vec<f64>>]) -> Reference {
        let median = |number: usize| {
            let mut given: Vec<f64> = answers
                .iter()
                .flatten()
                .filter_map(|all| all.get(number).copied())
                .filter(|x| x.is_finite())
                .collect();
            given.sort_by(f64::total_cmp);
            let count = given.len();
            if count == 0 { f64::NAN } else { 0.5 * (given[(count - 1) / 2] + given[count / 2]) }
        };
        let intervals = truth
            .chunks_exact(2)
            .enumerate()
            .map(|(number, bounds)| {
                if bounds[0] == f64::NEG_INFINITY && bounds[1] == f64::INFINITY {
                    ([median(number); 2], false)
                } else {
                    ([bounds[0], bounds[1]], true)
                }
            })
            .collect();
        Reference { intervals }
    }

    /// Whether an engine's intervals contain the truth, as far as it is proved: how many cannot, and the
    /// widest interval.
    pub(crate) fn judge_intervals(&self, lower: &[f64], upper: &[f64]) -> (usize, f64) {
        let mut verdict = (0, 0.0_f64);
        for ((&lower, &upper), &(reference, proved)) in lower.iter().zip(upper).zip(&self.intervals) {
            let meets = lower <= upper && (!proved || (lower <= reference[1] && upper >= reference[0]));
            verdict.0 += usize::from(!meets);
            verdict.1 = verdict.1.max(upper - lower);
        }
        verdict
    }

    pub(crate) fn judge_answers(&self, answers: &[f64], item: &Value, cells: bool) -> Result<Agreement> {
        ensure!(
            answers.len() == self.intervals.len(),
            "{} answers for {}",
            answers.len(),
            self.intervals.len()
        );
        // An engine that makes cells of points may differ by up to their size.
        let rough = &item["cells_tolerance_m"];
        let named = if cells && !rough.is_null() { rough } else { &item["tolerance_m"] };
        let tolerance = named.as_f64().context("an item has no tolerance_m")?;
        let ask = item["ask"].as_str().unwrap_or_default();
        let mut verdict = Agreement { answers: answers.len(), ..Agreement::default() };
        for (&answer, &([lower, upper], proved)) in answers.iter().zip(&self.intervals) {
            verdict.proved += usize::from(proved);
            if answer.is_nan() {
                verdict.failed += 1;
                continue;
            }
            // An engine tells the number of the first pair that collides (or 0), and -1 if none does. No
            // number or a later one is a miss.
            let (over, under, tolerance) = if is_yes_or_no(item) {
                let rank = |number: f64| if number < 0.0 { f64::MAX } else { number };
                let (told, true_one) = (rank(answer), rank(upper));
                (f64::from(told > true_one), f64::from(told < true_one), 0.5)
            } else if ask == "depth" {
                (answer - upper, lower - answer, tolerance)
            } else {
                // Separations: everything not above zero means overlap.
                (answer.max(0.0) - upper.max(0.0), lower.max(0.0) - answer.max(0.0), tolerance)
            };
            verdict.too_large += usize::from(over > tolerance);
            verdict.too_small += usize::from(under > tolerance);
            verdict.worst_over = verdict.worst_over.max(over);
            verdict.worst_under = verdict.worst_under.max(under);
        }
        Ok(verdict)
    }
}

/// Whether answers say that there is a collision or none, not how far it is.
pub(crate) fn is_yes_or_no(item: &Value) -> bool {
    let asks = [
        "first_collision",
        "self_test",
        "self_test_batch",
        "scene_test",
        "edge",
        "cloud_replace",
        "cloud_test",
    ];
    item["ask"].as_str().is_some_and(|ask| asks.contains(&ask))
}

/// Little-endian f64, nothing else.
pub(crate) fn read_numbers(path: &Path) -> Result<Vec<f64>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot open {}", path.display()))?;
    let (chunks, rest) = bytes.as_chunks::<8>();
    ensure!(rest.is_empty(), "{} is cut short", path.display());
    Ok(chunks.iter().map(|&chunk| f64::from_le_bytes(chunk)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collision_of_a_whole_robot_is_missed_or_invented() {
        let verdict = judge("self_test", &[0.0, 0.0, -1.0, -1.0, 0.0, 0.0], &[-1.0, 0.0, 0.0]);
        assert_eq!((verdict.too_large, verdict.too_small), (1, 1));
    }

    fn judge(ask: &str, truth: &[f64], answers: &[f64]) -> Agreement {
        let item = json!({ "ask": ask, "tolerance_m": 1e-6 });
        Reference::new(truth, &[]).judge_answers(answers, &item, false).unwrap()
    }

    #[test]
    fn counts_each_kind_of_wrong_answer() {
        let truth = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1];
        let verdict = judge("distance", &truth, &[0.1, 0.2, 0.05, f64::NAN]);
        assert_eq!((verdict.too_large, verdict.too_small, verdict.failed), (1, 1, 1));
        assert!((verdict.worst_over - 0.1).abs() < 1e-12 && (verdict.worst_under - 0.05).abs() < 1e-12);
    }

    #[test]
    fn a_missed_collision_is_too_large_an_invented_one_too_small() {
        let truth = [3.0, 3.0, -1.0, -1.0, 3.0, 3.0, -1.0, -1.0];
        let verdict = judge("first_collision", &truth, &[-1.0, 4.0, 3.0, -1.0]);
        assert_eq!((verdict.too_large, verdict.too_small, verdict.wrong_count()), (1, 1, 2));
    }

    #[test]
    fn overlap_needs_no_depth_where_separation_is_asked() {
        let truth = [f64::NEG_INFINITY, -1e-12];
        assert_eq!(judge("distance", &truth, &[0.0]).wrong_count(), 0);
        assert_eq!(judge("distance", &truth, &[-0.3]).wrong_count(), 0);
        assert_eq!(judge("distance", &truth, &[0.3]).too_large, 1);
    }

    #[test]
    fn an_interval_beside_the_truth_is_broken() {
        let reference = Reference::new(&[0.1, 0.2, 0.1, 0.2], &[]);
        assert_eq!(reference.judge_intervals(&[0.1, 0.0], &[0.2, 0.5]).0, 0);
        assert_eq!(reference.judge_intervals(&[0.3, 0.0], &[0.4, 0.05]).0, 2);
    }

    #[test]
    fn without_proof_the_median_decides() {
        let answers = [Some(vec![1.0]), Some(vec![1.0]), Some(vec![2.0])];
        let reference = Reference::new(&[f64::NEG_INFINITY, f64::INFINITY], &answers);
        let item = json!({ "ask": "depth", "tolerance_m": 1e-6 });
        assert_eq!(reference.judge_answers(&[2.0], &item, false).unwrap().too_large, 1);
        assert_eq!(reference.judge_answers(&[1.0], &item, false).unwrap().proved, 0);
    }
}
