//! Poses at the margin's edge: where the baked world ceases to prove clear, the engine has not yet.

use crate::hand::baked_hand;
use crate::support::rng::Rng;
use crate::support::threads::run_each;
use crate::tally::{Space, Tally, draw_values, race_pose};
use crate::worlds::draw_world;
use crate::{first_seed, pose_count};
use elbowroom::{Checker, World};
use elbowroom_bake::{Baked, bake_world};
use elbowroom_baked::Verdict;

/// Two neighbouring poses between a clear one and another: the last that is proved clear, and the first that
/// is not. `None` where both are alike.
fn find_edge(baked: &Baked, clear: &[f32], other: &[f32]) -> Option<[Vec<f32>; 2]> {
    let world = baked.world();
    let is_clear = |values: &[f32]| world.test(values, &mut Space::new()) == Verdict::Clear;
    if !is_clear(clear) || is_clear(other) {
        return None;
    }
    let (mut good, mut bad) = (clear.to_vec(), other.to_vec());
    for _ in 0..40 {
        let middle: Vec<f32> = good.iter().zip(&bad).map(|(a, b)| a + 0.5 * (b - a)).collect();
        if is_clear(&middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some([good, bad])
}

/// Searches from so many clear poses; the largest part of a pair's error that was seen (metres).
fn race_edges(world: &World, baked: &Baked, seed: u64, poses: u64, name: &str) -> (Tally, f64) {
    let (mut checker, mut tally, mut nearest) = (Checker::new(world), Tally::default(), f64::INFINITY);
    for seed in seed..seed + poses {
        let rng = &mut Rng::new(seed);
        let ends = [draw_values(baked, rng), draw_values(baked, rng)];
        let found = find_edge(baked, &ends[0], &ends[1]).or_else(|| find_edge(baked, &ends[1], &ends[0]));
        let Some(edge) = found else { continue };
        for values in &edge {
            race_pose(baked, &mut checker, values, &format!("{name} {seed}"), &mut tally);
        }
        let over = checker.distance().interval.upper - world.margin();
        nearest = nearest.min(over);
    }
    (tally, nearest)
}

#[test]
fn the_hand_stops_before_its_margin() {
    let (world, baked) = baked_hand();
    let chunks = pose_count().div_ceil(400);
    let raced = run_each(chunks as usize, |chunk| {
        race_edges(&world, &baked, first_seed() + 400 * chunk as u64, 400, "seed")
    });
    let (mut all, mut nearest) = (Tally::default(), f64::INFINITY);
    for (tally, over) in &raced {
        all.add(tally);
        nearest = nearest.min(*over);
    }
    println!("edges of the hand: {all:?}, the nearest {nearest:e} m over the margin");
    assert!(all.poses * 10 > pose_count(), "{all:?}");
    // Within the error of the margin and a little: the search came to the edge itself.
    assert!(nearest < 2.0 * f64::from(baked.largest_error()), "{nearest:e}");
    assert!(nearest > 0.0, "{nearest:e}");
}

#[test]
fn random_worlds_stop_before_their_margin() {
    let worlds = pose_count().div_ceil(40);
    let raced = run_each(worlds as usize, |number| {
        let seed = first_seed() + number as u64;
        let description = draw_world(seed);
        let world = World::compile(&description).ok()?;
        let baked = bake_world(&description, &world).ok()?;
        Some(race_edges(&world, &baked, !seed - 10, 10, &format!("world {seed}")).0)
    });
    let mut all = Tally::default();
    raced.iter().flatten().for_each(|tally| all.add(tally));
    println!("edges of random worlds: {all:?}");
    assert!(all.poses * 20 > pose_count(), "{all:?}");
}
