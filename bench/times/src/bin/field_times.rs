//! `cargo run --release -p elbowroom-times --bin field_times -- [ROUNDS]`: fields of the hand in
//! `robots/sdh2`: how long their proofs take, how large they are, and how long a lookup takes at random
//! configurations. The configurations lie in memory one after the other, so reading them is a part of the
//! lookup.

use anyhow::{Context, Result};
use elbowroom::World;
use elbowroom::math::Random;
use elbowroom::motion::{FieldOptions, FieldState, Prover};
use elbowroom::world::BodyPair;
use elbowroom_files::Options;
use elbowroom_files::world::load_world;
use elbowroom_testkit::robots::robots_folder;
use elbowroom_times::robots::quantile;
use std::hint::black_box;
use std::time::Instant;

/// Pairs with two and with three joint values between them.
const PAIRS: [[&str; 2]; 2] =
    [["hand/finger_2_tip", "hand/palm"], ["hand/finger_1_limb", "hand/finger_2_limb"]];
/// Configurations that are looked up: half a megabyte, as a motion has them.
const LOOKUPS: usize = 10_000;

fn main() -> Result<()> {
    let rounds: usize = std::env::args().nth(1).and_then(|r| r.parse().ok()).unwrap_or(100).max(1);
    let loaded = load_world(&robots_folder().join("sdh2/hand.toml"), &Options::default())?;
    let world = World::compile(&loaded.value)?;
    let mut random = Random(1);
    let ranges = world.value_ranges();
    let values: Vec<f64> = (0..LOOKUPS)
        .flat_map(|_| ranges.iter().map(|range| random.range(range.lower, range.upper)).collect::<Vec<_>>())
        .collect();
    for [a, b] in PAIRS {
        let body = |name: &str| world.body_by_name(name).context("a body of the hand");
        let pair = BodyPair { a: body(a)?, b: body(b)? };
        let start = Instant::now();
        let field = Prover::new(&world).field(pair, &FieldOptions::default())?;
        let proved = start.elapsed().as_secs_f64();
        let (mut times, mut free) = (Vec::new(), 0);
        for _ in 0..rounds {
            let start = Instant::now();
            free = 0;
            for row in values.chunks_exact(ranges.len()) {
                free += usize::from(field.state_at(black_box(row)) == FieldState::Free);
            }
            times.push(start.elapsed().as_nanos() as f64 / LOOKUPS as f64);
        }
        let [yes, no, open] = field.count_cells();
        println!(
            "{a} and {b}: proved in {proved:.2} s, {} bytes, {yes} cells free, {no} overlap, {open} open; a \
             lookup {:.2} ns (median of {rounds} rounds), {free} of {LOOKUPS} free",
            field.byte_count(),
            quantile(&mut times, 0.5)
        );
    }
    Ok(())
}
