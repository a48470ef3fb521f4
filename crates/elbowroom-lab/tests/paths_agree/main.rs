//! Every path to an answer has the same answer: the search among listed pairs and through the tree of what is
//! fixed, group by group, each stop rule, each cutoff, warm and cold, hulls and triangles, hierarchies and
//! their descents, one thread and two; on real robots among obstacles of all kinds, smoothly and in jumps.
//!
//! What they are held against is every pair asked by itself, cold. Intervals must meet: two proved intervals
//! of one number have a number in common. Verdicts must be the same, but where a threshold is no farther than
//! rounding.
//!
//! `ELBOWROOM_PATHS` is the number of poses (`cargo xtask race`: 100,000); `ELBOWROOM_SCENES` a folder of
//! more cells.

use elbowroom_testkit as support;
use elbowroom_testkit::cells;

mod boxes;
mod paths;
mod tally;
mod threads;

use cells::{Cell, Motion, compile_both_ways, load_robot_cells, panda_cells};
use elbowroom::Verdict;
use paths::Paths;
use support::number_from_environment;
use support::threads::run_each;
use tally::Tally;

/// Poses of the default test set, over all cells.
const POSES: u64 = 3000;

/// A cell along its motion.
fn run(cell: &Cell, poses: u64, seed: u64) -> Tally {
    let mut tally = Tally::default();
    let mut worlds = compile_both_ways(&cell.description);
    // One of the two knows more of what never touches.
    worlds[1] = worlds[1].clone().with_proofs(300);
    assert_eq!(worlds[0].pairs().len(), worlds[1].pairs().len(), "{}", cell.name);
    let mut paths = Paths::new(&worlds);
    let mut motion = Motion::new(&worlds[1], seed, 40);
    for k in 0..poses {
        // One in four stretches is nothing but jumps.
        motion.jumps = if k % 160 < 40 { 1 } else { 40 };
        motion.advance();
        let place = format!("{}, pose {k} of seed {seed}, {:?}", cell.name, motion.values);
        paths.step(&place, k, &motion.values, &mut tally);
    }
    tally
}

#[test]
fn all_paths_have_the_same_answer() {
    let long = number_from_environment("ELBOWROOM_PATHS", 0) > 0;
    let Some(mut cells) = load_robot_cells(long) else { return };
    cells.extend(panda_cells(if long { 1000 } else { 3 }));
    let poses = number_from_environment("ELBOWROOM_PATHS", POSES).div_ceil(cells.len() as u64);
    let seed = number_from_environment("ELBOWROOM_RACE_FROM", 1);
    let tallies = run_each(cells.len(), |i| {
        let (cell, start) = (&cells[i], std::time::Instant::now());
        let tally = run(cell, poses, seed);
        println!(
            "{}: {} poses, {} answers, {:?}, {:.1} s",
            cell.name,
            tally.poses,
            tally.answers,
            tally.verdicts,
            start.elapsed().as_secs_f64()
        );
        tally
    });
    let mut all = Tally::default();
    tallies.into_iter().for_each(|t| all.add(t));
    let faults = std::mem::take(&mut all.faults);
    println!("{all:?}");
    assert!(faults.is_empty(), "{} faults, the first: {}", faults.len(), faults[0]);
    // What the test is for was met.
    let of = |v: Verdict| all.verdicts[v as usize] * 20;
    assert!(
        of(Verdict::Clear) > all.poses
            && of(Verdict::Near) * 5 > all.poses
            && of(Verdict::Collision) > all.poses
    );
    assert!(all.border * 1000 <= all.answers && of(Verdict::Unknown) * 5 <= all.poses, "{all:?}");
    assert!(all.by_lanes * 20 > all.poses, "{all:?}");
    assert!(all.nodes * 4 > all.answers, "{all:?}");
    assert!(all.pruned * 2 > all.descents && all.hulls_nearer * 50 > all.poses, "{all:?}");
}
