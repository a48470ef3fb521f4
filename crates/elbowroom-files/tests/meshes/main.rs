//! The engine on every mesh of real robots and scenes, raced against all pairs of triangles.
//!
//! Meshes are taken as they are, turned inside out, with triangles lost, and joined with a moved copy of
//! themselves; at three scales, with and without padding; against each other and against convex bodies; far,
//! near, touching, overlapping and one inside the other. Each pose is asked in ten ways: all three questions,
//! cutoffs, slack, from nothing and from other poses, and with the bodies exchanged. No answer may allocate.
//! What is true is found by `pairs` and `claims`, which share no code with the engine.
//!
//! `ELBOWROOM_MESHES=500000` sets how many poses (two thousand by default), `ELBOWROOM_MESHES_FROM` the
//! first. A failing pose prints its number, its meshes and its pose, and is asked again by
//! `ELBOWROOM_MESHES=1`.

use elbowroom_testkit as support;
use elbowroom_testkit::counting;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

mod bodies;
mod checks;
mod claims;
mod known_depths;
mod pairs;
mod poses;
mod race;
mod surface;
mod ways;

use bodies::CHANGES;
use checks::Class;
use race::{Kept, run};
use std::collections::{BTreeMap, BTreeSet};
use support::data::data;
use support::number_from_environment;
use support::threads::{core_count, run_in_chunks};

#[test]
fn real_meshes_against_all_pairs_of_triangles() {
    let Some(data) = data() else { return };
    let files = bodies::files(&data);
    let (from, n) = (
        number_from_environment("ELBOWROOM_MESHES_FROM", 0),
        number_from_environment("ELBOWROOM_MESHES", 2000),
    );
    let outcomes = run_in_chunks(n, core_count(), 128, Kept::default, |i, kept| run(&files, from + i, kept));
    let (mut classes, mut proofs) = (BTreeMap::new(), BTreeMap::new());
    let (mut meshes, mut changes) = (BTreeSet::new(), BTreeMap::new());
    let mut ways = [0_u64; 4];
    let (mut asked, mut measured, mut open, mut wide, mut failed) = (0, 0, 0, 0, 0_u64);
    for (i, o) in outcomes.iter().enumerate() {
        *classes.entry((o.class, if o.convex { "convex" } else { "mesh" })).or_insert(0_u64) += 1;
        if let Some(proof) = o.proof {
            *proofs.entry(proof).or_insert(0_u64) += 1;
        }
        meshes.insert(o.first.0);
        *changes.entry(o.first.1).or_insert(0_u64) += 1;
        ways.iter_mut().zip(o.ways).for_each(|(sum, n)| *sum += u64::from(n));
        asked += u64::from(o.asked);
        measured += u64::from(o.measured);
        open += u64::from(o.open);
        wide += u64::from(o.wide);
        if let Some(faults) = &o.faults {
            failed += 1;
            if failed <= 40 {
                println!("pose {}: {faults}", from + i as u64);
            }
        }
    }
    println!(
        "{n} poses of {} meshes, {asked} answers, {measured} pairs measured exactly\n{classes:?}\n\
         the first mesh: {changes:?}\n\
         overlaps proved by {proofs:?}; translations free, crossing, inside, unclear: {ways:?}\n\
         not decided: {open}, wide: {wide}, failed: {failed}",
        meshes.len()
    );
    assert_eq!(failed, 0, "poses on which engine and reference differ");
    if n >= 2000 {
        for class in [Class::Far, Class::Near, Class::Touching, Class::Shallow, Class::Deep, Class::Inside] {
            for kind in ["mesh", "convex"] {
                let reached = classes.get(&(class, kind)).copied().unwrap_or(0);
                assert!(reached * 400 >= n, "too few {class:?}, {kind}: {classes:?}");
            }
        }
        assert!(CHANGES.iter().all(|c| changes.get(c).is_some_and(|k| k * 20 >= n)), "{changes:?}");
        assert!(meshes.len() as u64 * 200 >= n.min(40_000), "{} meshes", meshes.len());
        assert!(ways[0] * 20 > n && ways[1] > 2 * n && ways[2] * 20 > n && ways[3] * 4 < ways[1], "{ways:?}");
        assert!(open * 100 <= n && wide * 100 <= n, "{open} open, {wide} wide");
    }
}
