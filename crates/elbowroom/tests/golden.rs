//! Same input, same bits: a hash over all answers to a fixed set of pairs, in debug and release, on one
//! thread and on many.
//!
//! `ELBOWROOM_BLESS=1` writes `golden.txt` anew; one line a block of pairs, so that a difference says where
//! it is.
use elbowroom_testkit as support;

use elbowroom::pair::{Ask, Clearance, Warm};
use support::cases::draw_case;
use support::engine::{self, Engine, on_threads};
use support::golden::{START, fold_hashes, fold_numbers, hold_to};

const PAIRS: u64 = 3_000;
const BLOCK: usize = 250;

fn fold_clearance(hash: u64, c: &Clearance) -> u64 {
    let points = [c.witness_a, c.witness_b, c.normal].map(|v| v.to_array());
    fold_numbers(fold_numbers(hash, &[c.interval.lower, c.interval.upper]), points.as_flattened())
}

/// Hash of the answers to one pair: each question cold, and the distance again, warm.
fn answers(seed: u64, engine: &mut Engine) -> u64 {
    let mut hash = START;
    let c = draw_case(seed);
    let Ok(pair) = engine::compile_pair(&c) else { return hash };
    let pose = c.b_in_a();
    for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
        let cutoff = if ask == Ask::Test { 0.0 } else { f64::INFINITY };
        let mut warm = Warm::default();
        for _ in 0..2 {
            hash = fold_clearance(hash, &engine.ask(&pair, &pose, ask, cutoff, &mut warm));
        }
    }
    hash
}

#[test]
fn same_bits() {
    let one = on_threads(PAIRS, 1, answers);
    let many = on_threads(PAIRS, 5, answers);
    assert!(one == many, "one thread and five differ");
    let mut text = String::new();
    for (i, block) in one.chunks(BLOCK).enumerate() {
        text += &format!("{} {:016x}\n", i * BLOCK, fold_hashes(0, block));
    }
    hold_to(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt"), &text);
}
