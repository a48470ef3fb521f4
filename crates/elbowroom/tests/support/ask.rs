//! Questions about worlds, as more than one suite asks them.

use elbowroom::motion::{Edge, EdgeChecker, EdgeOptions, verify};
use elbowroom::{Answer, Checker, Interval, PairAnswer, Question, World};

/// Every pair by itself at the pose that is set, and all of them together.
pub fn every_pair(checker: &mut Checker, question: &Question) -> (Vec<PairAnswer>, Answer) {
    let mut pairs = Vec::new();
    let together = checker.all_pairs(question, |p| pairs.push(*p));
    (pairs, together)
}

/// Whether two proved intervals can be of one number: they share a point.
pub fn meet(a: &Interval, b: &Interval) -> bool {
    a.lower <= b.upper && b.lower <= a.upper
}

/// That of the smaller of two distances.
pub fn smaller(a: &Interval, b: &Interval) -> Interval {
    Interval::new(a.lower.min(b.lower), a.upper.min(b.upper), a.geometry)
}

/// A straight way, asked anew. The certificate of a free one is whole: it is verified, and without its first
/// piece it is none.
pub fn edge(world: &World, ends: [&[f64]; 2], options: &EdgeOptions) -> Edge {
    let mut checker = EdgeChecker::new(world);
    let edge = checker.check(ends, options).unwrap();
    if edge == Edge::Free {
        verify(world, ends, checker.pieces(), options).unwrap();
        assert!(verify(world, ends, &checker.pieces()[1..], options).is_err());
    }
    edge
}
