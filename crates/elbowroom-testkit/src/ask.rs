//! Questions about worlds, as more than one suite asks them.

use elbowroom::motion::{Edge, EdgeOptions, MotionChecker, verify};
use elbowroom::{Answer, Checker, Interval, PairAnswer, Question, Verdict, World};

/// Every pair by itself at the pose that is set, and all of them together.
pub fn every_pair(checker: &mut Checker, question: &Question) -> (Vec<PairAnswer>, Answer) {
    let mut pairs = Vec::new();
    let together = checker.all_pairs(question, |p| pairs.push(*p));
    (pairs, together)
}

/// Whether two proved intervals can be of one number: they share a point.
pub fn intervals_meet(a: &Interval, b: &Interval) -> bool {
    a.lower <= b.upper && b.lower <= a.upper
}

/// Verdicts may differ where a threshold is this near (metres).
const BORDER: f64 = 1e-9;

/// Asserts that two answers to a question may be of the same world. Where a lower bound is asked for, `near`
/// says no more than that the bound is not beyond the margin.
pub fn assert_answers_agree([now, fresh]: [&Answer; 2], question: &Question, margin: f64, place: &str) {
    let near = |x: f64| [0.0, margin].iter().any(|t| (x - t).abs() < BORDER);
    assert!(intervals_meet(&now.interval, &fresh.interval), "{place}: {now:?} {fresh:?}");
    let border = [now, fresh].iter().any(|a| near(a.interval.lower) || near(a.interval.upper));
    let apart = |answer: &Answer| matches!(answer.verdict, Verdict::Clear | Verdict::Near);
    let bounded = *question == Question::lower_bound() && apart(now) && apart(fresh);
    assert!(border || bounded || now.verdict == fresh.verdict, "{place}: {now:?} {fresh:?}");
    assert_eq!(now.counts.pairs, fresh.counts.pairs, "{place}");
    let counts = &now.counts;
    assert_eq!(counts.pairs, counts.pruned + counts.proved + counts.unknown + counts.skipped, "{place}");
}

/// That of the smaller of two distances.
pub fn smaller_distance(a: &Interval, b: &Interval) -> Interval {
    Interval::new(a.lower.min(b.lower), a.upper.min(b.upper), a.geometry)
}

/// A straight way, asked anew. The certificate of a free one is whole: it is verified, and without its first
/// piece it is none.
pub fn check_edge_anew(world: &World, ends: [&[f64]; 2], options: &EdgeOptions) -> Edge {
    let mut checker = MotionChecker::new(world);
    let edge = checker.check_edge(ends, options).unwrap();
    if edge == Edge::Free {
        verify(world, ends, checker.pieces(), options).unwrap();
        assert!(verify(world, ends, &checker.pieces()[1..], options).is_err());
    }
    edge
}
