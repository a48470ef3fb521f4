//! `cargo run --release -p elbowroom-lab --example octree_times -- [ROUNDS] [BODIES ...]`: tran91's octree,
//! by both rules, against trees of boxes: what a step of moving bodies costs.
//!
//! Boxes as in a crowded room: one in each unit of room on average, edges of 0.2 to 0.6 units, at random
//! places. So many of them move, each straight on by 0.04 units a step, back from the walls. Times are
//! microseconds a step, the least of the rounds:
//!
//! * update: all boxes that move, brought to where they are;
//! * near: for each box that moves, all others that it meets;
//! * nearest: for each box that moves, the nearest other;
//! * pairs: every two boxes that meet; under the compatibility rule, and where what is fixed is a tree of its
//!   own, those with a moving one. The eight-wide tree is asked with each box.
//!
//! All must find the same. Binary trees join neighbours along Morton's curve, or the best partners
//! (`agglomerate`); `refitted above` refits only what lies above a box that moves. Then how trees age that
//! are only refitted.

mod binary;
mod index;
mod octree;
mod scene;
mod wide;

use anyhow::{Context, Result, ensure};
use binary::{OfPairs, Step, along_curve};
use elbowroom::bounds::hierarchy::{agglomerate_boxes, squared_diagonal};
use elbowroom_lab::limits::OCTREE_OBJECTS;
use elbowroom_lab::tran91::{Compatibility, Rule};
use index::Index;
use octree::OfOctree;
use scene::Scene;
use std::time::Instant;
use wide::{OfBoth, OfEights};

/// Objects in a node beside the paper's number.
const MORE_OBJECTS: u32 = 16;
/// The most bodies for which a tree is also joined pair by pair.
const AGGLOMERATED: usize = 1000;

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|n| n.parse::<usize>());
    let rounds = numbers.next().transpose()?.unwrap_or(1);
    let mut bodies: Vec<usize> = numbers.collect::<Result<_, _>>()?;
    if bodies.is_empty() {
        bodies = vec![100, 1000, 10_000, 100_000];
    }
    println!("bodies, moving, index                   |   update |     near |  nearest |    pairs | build");
    for count in bodies {
        for moving in [count.div_ceil(100), count.div_ceil(10), count] {
            race(count, moving, rounds * (200_000 / count).clamp(3, 200))?;
        }
    }
    ages(10_000)
}

/// Microseconds, and what was found.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let found = work();
    (start.elapsed().as_nanos() as f64 / 1000.0, found)
}

/// The least times of a contender: building, then update, near, nearest, pairs.
struct Row {
    name: String,
    /// Its pairs are those with a box that moves.
    moving_only: bool,
    index: Box<dyn Index>,
    build: f64,
    least: [f64; 4],
}

fn row(name: &str, make: impl FnOnce() -> Option<Box<dyn Index>>) -> Result<Row> {
    let (build, index) = timed(make);
    let index = index.context("an index cannot be made")?;
    let moving_only =
        name.ends_with("compatibility") || name.ends_with("and binary") || name.ends_with("twice");
    Ok(Row { name: name.into(), moving_only, index, build, least: [f64::INFINITY; 4] })
}

fn rows(scene: &Scene) -> Result<Vec<Row>> {
    let count = scene.boxes.len();
    let octree = |rule| Some(Box::new(OfOctree::new(scene, rule)?) as Box<dyn Index>);
    let pairs = |tree, step| Some(Box::new(OfPairs::new(scene, tree, step)) as Box<dyn Index>);
    let mut table = Compatibility::none_compatible(2).context("two classes")?;
    table.make_compatible(0, 0);
    let [few, many] = [OCTREE_OBJECTS, MORE_OBJECTS];
    let mut rows = vec![
        row(&format!("octree, {few} objects"), || octree(Rule::Objects(few)))?,
        row(&format!("octree, {many} objects"), || octree(Rule::Objects(many)))?,
        row("octree, compatibility", || octree(Rule::Compatibility(table)))?,
        row("binary, refitted", || pairs(along_curve(scene)?, Step::Refit))?,
        row("binary, refitted above", || pairs(along_curve(scene)?, Step::RefitAbove))?,
        row("binary, built anew", || pairs(along_curve(scene)?, Step::Anew))?,
        row("eight-wide, built anew", || Some(Box::new(OfEights::new(&scene.boxes)?)))?,
    ];
    if scene.moving.len() < count {
        for (name, wide) in [("eight-wide and binary", false), ("eight-wide twice", true)] {
            rows.push(row(name, || Some(Box::new(OfBoth::new(scene, wide)?)))?);
        }
    }
    if count <= AGGLOMERATED {
        let joined = || pairs(agglomerate_boxes(&scene.boxes, squared_diagonal)?, Step::Refit);
        rows.push(row("binary, agglomerated", joined)?);
    }
    Ok(rows)
}

/// Brings an index to the scene and asks it; what is found must be what the others found.
fn ask(row: &mut Row, scene: &Scene, found: &mut Option<[f64; 2]>) -> Result<u64> {
    let Row { index, least, .. } = row;
    let (update, ()) = timed(|| index.update(scene));
    let (near, meetings) = timed(|| scene.moving.iter().map(|body| index.near(scene, *body)).sum::<u64>());
    let (nearest, gaps) = timed(|| scene.moving.iter().map(|body| index.nearest(scene, *body)).sum::<f64>());
    let (pairs, all) = timed(|| index.pairs(scene));
    for (least, took) in least.iter_mut().zip([update, near, nearest, pairs]) {
        *least = least.min(took);
    }
    let all_same = *found.get_or_insert([meetings as f64, gaps]) == [meetings as f64, gaps];
    ensure!(all_same, "{}: {meetings} meetings, gaps {gaps}; others found {found:?}", row.name);
    Ok(all)
}

fn race(count: usize, moving: usize, rounds: usize) -> Result<()> {
    let mut scene = Scene::new(count, moving);
    let mut rows = rows(&scene)?;
    for _ in 0..rounds {
        scene.step();
        let mut found = None;
        let pairs = rows.iter_mut().map(|row| ask(row, &scene, &mut found)).collect::<Result<Vec<u64>>>()?;
        for moving_only in [false, true] {
            let mut of = rows.iter().zip(&pairs).filter(|(row, _)| row.moving_only == moving_only);
            let first = of.next().map(|(_, n)| n);
            ensure!(of.all(|(_, n)| Some(n) == first), "not the same pairs: {pairs:?}");
        }
    }
    for Row { name, build, least: [update, near, nearest, pairs], .. } in rows {
        println!(
            "{count:>6} {moving:>6} {name:>25} | {update:8.1} | {near:8.1} | {nearest:8.1} | {pairs:8.1} | \
             {build:.0}"
        );
    }
    Ok(())
}

/// Trees that were made once, after more and more steps.
fn ages(count: usize) -> Result<()> {
    let mut scene = Scene::new(count, count);
    let mut rows = rows(&scene)?;
    rows.retain(|row| !row.name.contains("above") && !row.name.contains("compat"));
    println!("{count} bodies, all moving, after so many steps");
    // No updates: the first brings it from afar.
    let mut steps = 0;
    for next in [0, 10, 30, 100, 300] {
        (steps..next).for_each(|_| scene.step());
        steps = next;
        let mut found = None;
        for row in &mut rows {
            row.least = [f64::INFINITY; 4];
            for _ in 0..3 {
                ask(row, &scene, &mut found)?;
            }
            let [_, near, nearest, pairs] = row.least;
            println!("{steps:>13} {:>25} |          | {near:8.1} | {nearest:8.1} | {pairs:8.1} |", row.name);
        }
    }
    Ok(())
}
