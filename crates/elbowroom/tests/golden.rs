//! Same input, same bits: a hash over all answers to a fixed set of pairs, in debug and release, on one
//! thread and on many.
//!
//! `ELBOWROOM_BLESS=1` writes `golden.txt` anew; one line a block of pairs, so that a difference says where
//! it is.
use elbowroom_testkit as support;

use elbowroom::pair::{Ask, Clearance, Warm};
use support::cases::draw_case;
use support::engine::{self, Engine, on_threads};

const PAIRS: u64 = 3_000;
const BLOCK: usize = 250;

/// FNV-1a over 64-bit words.
fn fold(hash: u64, c: &Clearance) -> u64 {
    let points = [c.witness_a, c.witness_b, c.normal].map(|v| v.to_array());
    [c.interval.lower, c.interval.upper]
        .iter()
        .chain(points.iter().flatten())
        .flat_map(|x| x.to_bits().to_le_bytes())
        .fold(hash, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Hash of the answers to one pair: each question cold, and the distance again, warm.
fn answers(seed: u64, engine: &mut Engine) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let c = draw_case(seed);
    let Ok(pair) = engine::compile_pair(&c) else { return hash };
    let pose = c.b_in_a();
    for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
        let cutoff = if ask == Ask::Test { 0.0 } else { f64::INFINITY };
        let mut warm = Warm::default();
        for _ in 0..2 {
            hash = fold(hash, &engine.ask(&pair, &pose, ask, cutoff, &mut warm));
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
        let hash =
            block.iter().fold(0_u64, |h, x| (h ^ x).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29));
        text += &format!("{} {hash:016x}\n", i * BLOCK);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
    if std::env::var_os("ELBOWROOM_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    for (old, new) in committed.lines().zip(text.lines()) {
        assert_eq!(
            old, new,
            "answers from this pair on have other bits; if meant, ELBOWROOM_BLESS=1 writes golden.txt anew"
        );
    }
    assert_eq!(committed.lines().count(), text.lines().count(), "golden.txt is not of this set of pairs");
}
