//! Bodies that touch: neither apart nor overlapping to within what can be proved, as a part that rests on a
//! table is. With `--touch` contact within a tolerance is near.

use crate::interval::is_narrow;
use crate::lengths::LengthDigits;
use elbowroom::{Answer, Interval, PairAnswer, Verdict, World};

/// Whether bodies touch as far as can be told: the interval holds zero and is as narrow as a number.
pub fn is_touch(interval: &Interval) -> bool {
    interval.lower <= 0.0 && interval.upper >= 0.0 && is_narrow(interval, 0.0)
}

/// The verdict where contact within a tolerance is near: an overlap that is proved to be no deeper than it,
/// and what is not proved to be apart but to overlap no deeper. `None` where the verdict stays.
pub fn near_verdict(verdict: Verdict, interval: &Interval, tolerance: Option<f64>) -> Option<Verdict> {
    let is_bad = matches!(verdict, Verdict::Collision | Verdict::Unknown);
    let within = tolerance.is_some_and(|most| -most <= interval.lower && interval.lower <= 0.0);
    (is_bad && within).then_some(Verdict::Near)
}

/// Applies the tolerance to an answer about all pairs. Of a robot without shapes nothing is known at all.
pub fn answer_with_tolerance(world: &World, answer: Answer, tolerance: Option<f64>) -> Answer {
    let blind = world.robots_without_shapes().next().is_some();
    let verdict = near_verdict(answer.verdict, &answer.interval, tolerance).filter(|_| !blind);
    Answer { verdict: verdict.unwrap_or(answer.verdict), ..answer }
}

/// Applies the tolerance to an answer about one pair.
pub fn pair_with_tolerance(answer: &PairAnswer, tolerance: Option<f64>) -> PairAnswer {
    PairAnswer {
        verdict: near_verdict(answer.verdict, &answer.interval, tolerance).unwrap_or(answer.verdict),
        ..*answer
    }
}

/// Whether JSON says of an answer that bodies touch: as far as can be told, or within the tolerance that made
/// it near.
pub fn is_told(verdict: Verdict, interval: &Interval) -> bool {
    is_touch(interval) || verdict == Verdict::Near && interval.lower <= 0.0
}

/// For people: what counts as near.
pub fn touch_fact(tolerance: Option<f64>) -> Option<String> {
    tolerance.map(|most| {
        format!("contact within {} counts as near", LengthDigits::showing(tolerance).length_text(most))
    })
}

/// For people who gave the option: what counts as near, and that `--touch` says so.
pub fn touch_note(tolerance: Option<f64>) -> Option<String> {
    touch_fact(tolerance).map(|fact| format!("{fact} (--touch)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::Geometry;

    #[test]
    fn only_what_is_proved_to_overlap_no_deeper_is_near() {
        let verdict = |lower: f64, upper: f64, tolerance: Option<f64>| {
            let interval = Interval::new(lower, upper, Geometry::Mesh);
            near_verdict(interval.verdict(0.0), &interval, tolerance)
        };
        let micrometre = Some(1e-6);
        assert_eq!(verdict(-3e-14, 2e-14, micrometre), Some(Verdict::Near));
        assert_eq!(verdict(-9e-7, -8e-7, micrometre), Some(Verdict::Near));
        // A depth that may be greater stays what it is, and so does what is not known at all.
        for (lower, upper) in
            [(-2e-6, -1e-7), (-1.0, 1e-9), (f64::NEG_INFINITY, f64::INFINITY), (f64::NAN, 0.0)]
        {
            assert_eq!(verdict(lower, upper, micrometre), None, "{lower} {upper}");
        }
        let told = |most| touch_fact(Some(most)).unwrap();
        assert_eq!(told(1e-6), "contact within 1.000 um counts as near");
        assert_eq!(told(2.555e-4), "contact within 0.2555 mm counts as near");
        assert_eq!((verdict(1e-9, 2e-9, micrometre), verdict(-3e-14, 2e-14, None)), (None, None));
    }
}
