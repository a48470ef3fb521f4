//! Answers on one thread and on many are the same, to the bit.

use crate::cells::{Motion, compile_both_ways, robot_named};
use crate::support::threads::run_in_chunks;
use elbowroom::pair::Ask;
use elbowroom::{Answer, Checker, PairId, Question, Verdict, World};

/// The bits of an answer that a thread might change.
fn bits(answer: &Answer) -> (u64, u64, Verdict, [Option<PairId>; 3]) {
    (
        answer.interval.lower.to_bits(),
        answer.interval.upper.to_bits(),
        answer.verdict,
        [answer.pair, answer.lower_pair, answer.upper_pair],
    )
}

/// Stretches of a motion, each warm within itself, on so many threads.
fn on_threads(
    world: &World,
    stretches: &[Vec<Vec<f64>>],
    threads: usize,
) -> Vec<(u64, u64, Verdict, [Option<PairId>; 3])> {
    let state = || Checker::new(world);
    let all = run_in_chunks(stretches.len() as u64, threads, 1, state, |i, checker| {
        checker.forget_history();
        let mut mine = Vec::new();
        for values in &stretches[i as usize] {
            checker.set(values).unwrap();
            for ask in [Ask::Distance, Ask::Test, Ask::LowerBound] {
                mine.push(bits(&checker.ask(&Question::from_ask(ask))));
            }
        }
        mine
    });
    all.into_iter().flatten().collect()
}

#[test]
fn one_thread_and_many_have_the_same_bits() {
    for name in ["meca500", "two pandas of one robot"] {
        let Some(cell) = robot_named(name) else { return };
        for world in &compile_both_ways(&cell.description) {
            let mut motion = Motion::new(world, 5, 25);
            let mut stretch = |_| {
                (0..10)
                    .map(|_| {
                        motion.advance();
                        motion.values.clone()
                    })
                    .collect()
            };
            let stretches: Vec<Vec<Vec<f64>>> = (0..16).map(&mut stretch).collect();
            let one = on_threads(world, &stretches, 1);
            assert_eq!(one.len(), 16 * 10 * 3);
            for threads in [2, 5] {
                assert_eq!(on_threads(world, &stretches, threads), one, "{}, {threads} threads", cell.name);
            }
        }
    }
}
