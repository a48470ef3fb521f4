//! The nearest pairs, beside every pair by itself.

use crate::check::cage;
use crate::groups::forest;
use crate::support::ask::{every_pair, intervals_meet};
use crate::support::rng::Rng;
use elbowroom::{Checker, PairAnswer, Question, Verdict, World};

/// Intervals of one distance may differ by this (metres).
const WIDTH: f64 = 1e-9;

/// Checks what was kept against all pairs; returns how many were.
fn check(kept: &[PairAnswer], all: &[PairAnswer], k: usize, cutoff: f64) -> usize {
    let within = all.iter().filter(|pair| pair.interval.lower <= cutoff).count();
    assert_eq!(kept.len(), within.min(k), "{k} {cutoff}");
    assert!(kept.is_sorted_by(|p, q| (p.interval.upper, p.pair) < (q.interval.upper, q.pair)));
    for pair in kept {
        let own = all.iter().find(|p| p.pair == pair.pair).expect("a checked pair");
        assert!(intervals_meet(&pair.interval, &own.interval) && pair.witness.is_some(), "{pair:?} {own:?}");
        assert!((pair.interval.upper - own.interval.upper).abs() < WIDTH, "{pair:?} {own:?}");
        assert_eq!(pair.verdict, own.verdict);
    }
    let last = kept.last().map_or(f64::NEG_INFINITY, |pair| pair.interval.upper);
    let left = all.iter().filter(|p| kept.iter().all(|pair| pair.pair != p.pair));
    for pair in left.filter(|_| within > k) {
        assert!(pair.interval.upper >= last - WIDTH, "nearer than the {k} nearest: {pair:?}");
    }
    kept.len()
}

#[test]
fn the_nearest_pairs_are_those_of_all() {
    let (mut told, mut cut, mut full) = (0, 0, 0);
    for description in [cage(), forest(1, 20), forest(3, 200)] {
        let world = World::compile(&description).unwrap();
        let (mut checker, mut rng, mut kept) = (Checker::new(&world), Rng::new(5), Vec::new());
        for _ in 0..60 {
            let values: Vec<f64> = world.dof_names().iter().map(|_| rng.range(-2.0, 2.0)).collect();
            checker.set(&values).unwrap();
            let (all, _) = every_pair(&mut checker, &Question::distance());
            let one = checker.ask(&Question::distance());
            for k in [1, 2, 7, 60, usize::MAX] {
                for cutoff in [f64::INFINITY, 0.4, 0.05, 0.0, -0.01] {
                    // What margin asks of near pairs does not add to what the cutoff tells.
                    let question = Question::distance().cutoff(cutoff);
                    let answer = checker.nearest_k(k, &question, &mut kept);
                    let count = check(&kept, &all, k, cutoff);
                    assert!(intervals_meet(&answer.interval, &one.interval) && answer.verdict == one.verdict);
                    if count > 0 {
                        assert!((kept[0].interval.upper - one.interval.upper).abs() < WIDTH);
                        assert_eq!(Some(kept[0].pair), answer.pair);
                    }
                    let counts = answer.counts;
                    assert_eq!(counts.pruned + counts.proved + counts.unknown, counts.pairs, "{counts:?}");
                    told += count;
                    cut += usize::from(count < k.min(world.pairs().len()));
                    full += usize::from(count == k);
                }
            }
        }
    }
    assert!(told > 20_000 && cut > 1_000 && full > 300, "{told} {cut} {full}");
}

#[test]
fn none_of_them_and_no_pairs() {
    let world = World::compile(&cage()).unwrap();
    let mut checker = Checker::new(&world);
    let mut kept = vec![];
    let answer = checker.nearest_k(0, &Question::test(), &mut kept);
    assert!(kept.is_empty() && answer.verdict != Verdict::Unknown);
    // A cutoff that is NaN is none.
    checker.nearest_k(usize::MAX, &Question::distance().cutoff(f64::NAN), &mut kept);
    assert_eq!(kept.len(), world.pairs().len());
    let empty = World::compile(&elbowroom::describe::WorldDescription::default()).unwrap();
    let answer = Checker::new(&empty).nearest_k(3, &Question::distance(), &mut kept);
    assert!(kept.is_empty() && answer.verdict == Verdict::Unknown && answer.pair.is_none());
}
