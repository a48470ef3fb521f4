//! Motions that the sieve proves free, against the search of single motions.

use super::worlds::{busy, chain, rows};
use crate::model::world::World;
use crate::motion::{Edge, EdgeOptions, MotionChecker};
use crate::pose::fault::SetOptions;
use crate::rng::Rng;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_pair::Geometry;

/// How many motions were proved free, left open though free, not free, and no motions at all.
#[derive(Debug, Default)]
struct Seen {
    free: usize,
    left: usize,
    other: usize,
    refused: usize,
    /// Free where some joint moves by a tenth or more.
    long: usize,
}

fn compare(world: &World, rng: &mut Rng, seen: &mut Seen) {
    let mut checker = MotionChecker::new(world);
    let width = world.dof_names().len();
    let count = [1, 7, 31, 255, 256, 257, 300][rng.below(7)];
    let from = rows(world, rng, count);
    let mut to = rows(world, rng, count);
    for (from, to) in from.chunks_exact(width).zip(to.chunks_exact_mut(width)) {
        let part = if rng.chance(0.2) { 1.0 } else { rng.decades(-4.0, 0.0) };
        to.iter_mut().zip(from).for_each(|(b, a)| *b = a + (*b - a) * part);
    }
    for _ in 0..rng.below(4) {
        to[rng.below(count * width)] = rng.pick(&[f64::NAN, f64::INFINITY, 1e12, -777.0]);
    }
    let ways: Vec<[&[f64]; 2]> =
        from.chunks_exact(width).zip(to.chunks_exact(width)).map(|(a, b)| [a, b]).collect();
    let margin = if rng.chance(0.5) { 0.0 } else { rng.decades(-4.0, -1.0) };
    let geometry = if rng.chance(0.5) { Geometry::Mesh } else { Geometry::Hull };
    let options = EdgeOptions::default().margin(margin).geometry(geometry);
    let mut free = vec![true; count];
    checker.sieve_edges(&ways, &options, &mut free);
    for (way, free) in ways.iter().zip(&free) {
        let mut alone = [false];
        checker.sieve_edges(&[*way], &options, &mut alone);
        assert_eq!(alone[0], *free, "{way:?}");
        match checker.check_edge(*way, &options) {
            Err(_) => {
                seen.refused += 1;
                assert!(!free, "{way:?}");
            }
            Ok(Edge::Free) if *free => {
                seen.free += 1;
                seen.long += usize::from(way[0].iter().zip(way[1]).any(|(a, b)| (a - b).abs() > 0.1));
            }
            Ok(Edge::Free) => seen.left += 1,
            Ok(found) => {
                seen.other += 1;
                assert!(!free, "{way:?} {options:?}: {found:?}");
            }
        }
    }
    // Options that accept values outside limits, and a margin that is NaN, are left to the search.
    let beyond = EdgeOptions { set: SetOptions { ignore_limits: true }, ..options };
    for odd in [beyond, options.margin(f64::NAN)] {
        checker.sieve_edges(&ways, &odd, &mut free);
        assert!(free.iter().all(|free| !free));
    }
}

#[test]
fn what_the_sieve_proves_free_is_proved_free_one_by_one() {
    let rng = &mut Rng::new(5);
    let mut seen = Seen::default();
    for k in 0..60 {
        let description = if k % 2 == 0 { chain(rng) } else { busy(rng) };
        let Ok(world) = World::compile(&description) else { continue };
        compare(&world, rng, &mut seen);
    }
    let Seen { free, left, other, refused, long } = seen;
    assert!(free > 500 && left > 50 && other > 500 && refused > 10 && long > 50, "{seen:?}");
}
