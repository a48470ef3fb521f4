//! Batches against single poses: every verdict, and every bound that is left. `ELBOWROOM_RACE` is the number
//! of the long run.

use super::worlds::{busy, chain, crowded, rows};
use crate::model::id::PairId;
use crate::model::world::World;
use crate::query::batch::chunk::{Row, Stages};
use crate::query::batch::sieve::Sift;
use crate::query::batch::{Batch, BatchFault};
use crate::query::checker::Checker;
use crate::query::question::Question;
use crate::query::tolerance::BATCH_FAULTS;
use crate::rng::Rng;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::ObstacleDescription;
use elbowroom_pair::Geometry;
use elbowroom_pair::Verdict;
use elbowroom_pair::numeric::simd::{Kernel, Plain, dispatch_kernel};

/// Adds what a sieve did.
fn add(all: &mut Stages, more: &Stages) {
    all.capsules += more.capsules;
    all.boxes += more.boxes;
    all.planes += more.planes;
    all.points += more.points;
    all.left += more.left;
    all.refused += more.refused;
    all.overflowed += more.overflowed;
}

/// What the worlds of a race came to.
#[derive(Default)]
struct Seen {
    stages: Stages,
    clear: usize,
    near: usize,
    colliding: usize,
    refused: usize,
    rows: usize,
    by_lanes: usize,
    /// Rows before crowds of fixed bodies, and those that lanes decided.
    crowded: [usize; 2],
}

/// Asks random rows of a world in a batch and one by one.
fn compare(world: &World, question: &Question, room: Option<usize>, rng: &mut Rng, seen: &mut Seen) {
    let (mut batch, mut checker) = (Batch::new(world), Checker::new(world));
    if let (Some((_, chunk)), Some(room)) = (&mut batch.lanes, room) {
        chunk.left = Vec::with_capacity(room).into();
    }
    let count = 1 + rng.below(600);
    let mut values = rows(world, rng, count);
    let width = world.dof_names().len();
    for _ in 0..rng.below(4) {
        let odd = [f64::NAN, f64::INFINITY, 1e12, -77.0];
        values[rng.below(count * width)] = rng.pick(&odd);
    }
    let mut verdicts = vec![Verdict::Unknown; count];
    let told = batch.test(&values, question, &mut verdicts);
    let mut refused = 0;
    for (q, verdict) in values.chunks_exact(width).zip(&verdicts) {
        let Ok(()) = checker.set(q) else {
            refused += 1;
            assert_eq!(*verdict, Verdict::Unknown);
            continue;
        };
        checker.forget_history();
        let single = checker.ask(question).verdict;
        assert_eq!(*verdict, single, "{question:?} {q:?}");
        match single {
            Verdict::Clear => seen.clear += 1,
            Verdict::Near => seen.near += 1,
            _ => seen.colliding += 1,
        }
    }
    match told {
        Ok(counts) => {
            assert_eq!(refused, 0);
            seen.by_lanes += counts.by_lanes;
            if batch.crowds.is_some() && batch.uses_sieve(question) {
                seen.crowded[0] += count;
                seen.crowded[1] += counts.by_lanes;
            }
        }
        Err(BatchFault::Poses { count, first }) => {
            assert_eq!((count, first.len()), (refused, refused.min(BATCH_FAULTS)));
        }
        Err(other) => panic!("{other}"),
    }
    // Other chunks, the same verdicts.
    let cut = count / 3;
    let mut again = vec![Verdict::Unknown; count];
    let (low, high) = again.split_at_mut(cut);
    let _ = batch.test(&values[..cut * width], question, low);
    let _ = batch.test(&values[cut * width..], question, high);
    assert_eq!(again, verdicts);
    if let Some((_, chunk)) = &batch.lanes {
        add(&mut seen.stages, &chunk.stages);
    }
    (seen.rows, seen.refused) = (seen.rows + count, seen.refused + refused);
}

fn race(worlds: usize) {
    let rng = &mut Rng::new(7);
    let (mut few, mut many) = (Seen::default(), Seen::default());
    for k in 0..worlds {
        let description = match k % 4 {
            0 => chain(rng),
            1 => crowded(rng),
            _ => busy(rng),
        };
        let Ok(mut world) = World::compile(&description) else { continue };
        if k % 8 == 1 {
            // A tree of its own for what comes later, and exceptions for what is gone.
            let mut edit = world.edit();
            for (i, obstacle) in
                crowded(rng).obstacles.into_iter().filter(|o| o.attached_to.is_none()).enumerate()
            {
                edit.add(ObstacleDescription { name: format!("later{i}"), ..obstacle });
            }
            edit.remove("world/c5");
            let edited = edit.finish().unwrap();
            world = edited;
        }
        for geometry in [Geometry::Mesh, Geometry::Hull] {
            let margin = if rng.chance(0.5) { 0.0 } else { rng.decades(-3.0, 0.0) };
            let question = Question::test().margin(margin).geometry(geometry);
            // Now and then a list that is too short.
            let (room, seen) = if k % 5 == 1 { (Some(2), &mut few) } else { (None, &mut many) };
            compare(&world, &question, room, rng, seen);
        }
    }
    let Stages { capsules, boxes, planes, points, left, refused, .. } = many.stages;
    assert!([capsules, boxes, planes, points, left].iter().all(|n| *n > 100), "{:?}", many.stages);
    assert!(refused > 10 && few.stages.overflowed > 100, "{:?}", few.stages);
    assert!([many.clear, many.near, many.colliding].iter().all(|n| *n > 100) && many.refused > 10);
    assert!(many.by_lanes * 10 > many.rows, "{} of {}", many.by_lanes, many.rows);
    let [rows, by_lanes] = many.crowded;
    assert!(rows > 1000 && by_lanes * 5 > rows, "{by_lanes} of {rows} rows before crowds");
}

#[test]
fn verdicts_are_those_of_single_poses() {
    race(60);
}

/// A world for each thousand of `ELBOWROOM_RACE`, a thousand unless told.
#[test]
#[ignore = "a long run: cargo xtask race 1000000 race"]
fn race_of_batches() {
    let n = std::env::var("ELBOWROOM_RACE").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    race((n / 1000).max(60));
}

/// The crowd of a pair and the index of its fixed body; `None` for listed pairs.
fn of_crowd(world: &World, pair: PairId) -> Option<(usize, u32)> {
    let (pairs, bodies) = (&world.checks.pairs, world.checks.pairs.get(pair)?);
    let numbered = pairs.crowds.iter().enumerate().filter(|_| pair.index() >= pairs.listed.len());
    numbered.clone().find_map(|(number, crowd)| {
        let other = if crowd.body == bodies.a { bodies.b } else { bodies.a };
        let index = (0..pairs.fixed.len()).find(|i| pairs.fixed[*i] == other)? as u32;
        ([bodies.a, bodies.b].contains(&crowd.body) && crowd.pair_id(index) == pair)
            .then_some((number, index))
    })
}

/// Every pair of a moving and a fixed body that is as near as the margin is found, and boxes in lanes are
/// those of plain code.
#[test]
fn what_is_near_among_fixed_bodies_is_found() {
    let rng = &mut Rng::new(32);
    let (mut near, mut open, mut all) = (0, 0, 0);
    for _ in 0..40 {
        let Ok(world) = World::compile(&crowded(rng)) else { continue };
        let (mut batch, mut checker) = (Batch::new(&world), Checker::new(&world));
        let Some((model, chunk)) = &mut batch.lanes else { continue };
        let Some(crowds) = &mut batch.crowds else { continue };
        let count = 20;
        let values = rows(&world, rng, count);
        let mut sift = |plain: bool| {
            let (values, heights, insides, prune_above) = (&values, &world.proofs.heights, &[][..], 0.0_f32);
            let sift = Sift { model, chunk, values, count, heights, insides, prune_above };
            if plain {
                sift.run(Plain)
            } else {
                dispatch_kernel(sift)
            }
            chunk.around.iter().flatten().flatten().map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        assert!(sift(true) == sift(false));
        let (nodes, links) = (model.crowds.len() + model.joins.len(), model.links.len());
        let size = world.bounds.capsules.iter().fold(0.0, |s: f64, c| s.max(c.capsule.radius));
        for (row, q) in values.chunks_exact(world.dof_names().len()).enumerate() {
            if checker.set(q).is_err() {
                continue;
            }
            let margin = if rng.chance(0.5) { 0.0 } else { rng.range(0.0, 0.5) * size };
            let mut found = Vec::new();
            crowds.start_pose(&world, &chunk.around[row / 8 * nodes..][..nodes], row % 8);
            let frames = &chunk.frames[row / 8 * links..][..links];
            while {
                let last = crowds.find_open_pairs(model, (frames, row % 8), &checker.space.pose, margin);
                found.extend(crowds.open.iter().map(|c| (c.crowd as usize, c.leaf as usize)));
                !last
            } {}
            open += found.len();
            checker.all_pairs(&Question::distance(), |p| {
                let Some((crowd, index)) = of_crowd(&world, p.pair) else { return };
                all += 1;
                if p.interval.upper <= margin {
                    near += 1;
                    let fixed = &world.bounds.fixed;
                    // Twins stand for each other.
                    let told = (0..fixed.leaves.len())
                        .filter(|leaf| fixed.leaves[*leaf].fixed_index == index)
                        .any(|leaf| {
                            let twin = fixed.twins.get(leaf).map_or(leaf, |first| *first as usize);
                            found.contains(&(crowd, leaf)) || found.contains(&(crowd, twin))
                        });
                    assert!(told, "{:?} {margin} {q:?}", p.interval);
                }
            });
        }
    }
    assert!(near > 300 && open * 3 < all, "{near} near, {open} open of {all}");
}

#[test]
fn bounds_that_are_left_hold_and_do_not_depend_on_lanes() {
    let rng = &mut Rng::new(31);
    let (mut bounds, mut parting, mut tight, mut overlaps) = (0, 0, 0, 0);
    for _ in 0..60 {
        let Ok(world) = World::compile(&busy(rng)) else { continue };
        let (mut batch, mut checker) = (Batch::new(&world), Checker::new(&world));
        let Some((model, chunk)) = &mut batch.lanes else { continue };
        let count = 20;
        let values = rows(&world, rng, count);
        let geometry = if rng.chance(0.5) { Geometry::Mesh } else { Geometry::Hull };
        let mut sift = |plain: bool| {
            // Nothing is beyond this distance, so each pair keeps its bound unless a point decides it.
            let (heights, insides) = (&world.proofs.heights, world.proofs.insides(geometry));
            let (values, prune_above) = (&values, f32::INFINITY);
            let sift = Sift { model, chunk, values, count, heights, insides, prune_above };
            if plain {
                sift.run(Plain)
            } else {
                dispatch_kernel(sift)
            }
            let left: Vec<_> = chunk.left.iter().map(|l| (l.row, l.pair, l.bound.to_bits())).collect();
            (left, chunk.rows[..count].to_vec())
        };
        let (left, rows) = sift(false);
        assert_eq!((&left, &rows), (&sift(true).0, &sift(true).1));
        let size = world.bounds.capsules.iter().fold(0.0, |s: f64, c| s.max(c.capsule.radius));
        for (row, q) in values.chunks_exact(world.dof_names().len()).enumerate() {
            if checker.set(q).is_err() {
                continue;
            }
            if rows[row] == Row::Overlap {
                overlaps += 1;
                assert_eq!(checker.ask(&Question::test().geometry(geometry)).verdict, Verdict::Collision);
            }
            let mut exact = Vec::new();
            checker.all_pairs(&Question::distance().geometry(geometry), |p| exact.push(p.interval));
            for (_, pair, bound) in left.iter().filter(|l| l.0 as usize == row) {
                let (bound, interval) =
                    (f32::from_bits(*bound), exact[world.proofs.order[*pair as usize].index()]);
                assert!(f64::from(bound) <= interval.upper, "{bound} {interval:?} {q:?}");
                bounds += 1;
                parting += usize::from(bound > 0.0);
                tight += usize::from(bound > 0.0 && f64::from(bound) > interval.lower - 0.01 * size);
            }
        }
    }
    assert!(bounds > 2000 && parting * 3 > bounds && tight > 100, "{bounds} {parting} {tight}");
    assert!(overlaps > 100, "{overlaps}");
}
