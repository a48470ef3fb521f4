//! Same input, same bits, for whole worlds: a hash over all answers to a fixed set of poses, in debug and
//! release, on one thread and two, cold and warm. `ELBOWROOM_BLESS=1` writes `golden_world.txt` anew.
use elbowroom_testkit as support;

use elbowroom::pair::{Ask, Witness};
use elbowroom::{Answer, Checker, Geometry, Question};
use support::golden::{START, draw_values, fold_hashes, fold_numbers, hold_to, two_arms};

const POSES: usize = 120;
const BLOCK: usize = 20;

fn points(hash: u64, witness: Option<Witness>) -> u64 {
    let Some(w) = witness else { return fold_numbers(hash, &[0.5]) };
    [w.a, w.b, w.normal].iter().fold(hash, |h, v| fold_numbers(h, &v.to_array()))
}

fn of_answer(hash: u64, r: &Answer) -> u64 {
    let c = r.counts;
    let counts = [c.pruned, c.proved, c.unknown, c.skipped, c.shape_queries].map(|n| n as f64);
    let pair = r.pair.map_or(-1.0, |p| p.index() as f64);
    points(
        fold_numbers(fold_numbers(hash, &counts), &[r.interval.lower, r.interval.upper, r.distance, pair]),
        r.witness,
    )
}

/// Hash of all answers at a pose: cold, and once more with what the first left behind.
fn answers(checker: &mut Checker, row: usize) -> u64 {
    checker.set(&draw_values(checker.world(), row)).expect("within limits");
    checker.forget_history();
    let mut hash = START;
    for _ in 0..2 {
        for geometry in [Geometry::Hull, Geometry::Mesh] {
            for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
                let question = Question::from_ask(ask).geometry(geometry);
                hash = of_answer(hash, &checker.ask(&question));
            }
            let question = Question::distance().geometry(geometry);
            let mut each = START;
            let all = checker.all_pairs(&question, |r| {
                each =
                    points(fold_numbers(each, &[r.interval.lower, r.interval.upper, r.distance]), r.witness);
            });
            hash = of_answer(hash ^ each, &all);
        }
    }
    hash
}

#[test]
fn same_bits_for_worlds() {
    let world = two_arms();
    let mut checker = Checker::new(&world);
    let one: Vec<u64> = (0..POSES).map(|row| answers(&mut checker, row)).collect();
    // Two threads where there are two, each with a pose of its own, one from the front and one from the back.
    let half = |rows: Vec<usize>| {
        let mut checker = Checker::new(&world);
        rows.into_iter().map(|row| (row, answers(&mut checker, row))).collect::<Vec<_>>()
    };
    let halves = support::threads::run_each(2, |k| match k {
        0 => half((0..POSES).step_by(2).collect()),
        _ => half((0..POSES).rev().filter(|i| i % 2 == 1).collect()),
    });
    let mut many = halves.concat();
    many.sort_unstable();
    assert!(many.iter().map(|(_, hash)| *hash).eq(one.iter().copied()), "one thread and two differ");
    let verdicts = |row| {
        let mut checker = Checker::new(&world);
        checker.set(&draw_values(&world, row)).expect("within limits");
        checker.ask(&Question::distance()).verdict
    };
    let mut seen: Vec<_> = (0..POSES).map(verdicts).collect();
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() >= 2, "all poses are {seen:?}");

    let mut text = String::new();
    for (i, block) in one.chunks(BLOCK).enumerate() {
        text += &format!("{} {:016x}\n", i * BLOCK, fold_hashes(START, block));
    }
    hold_to(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden_world.txt"), &text);
}
