//! What the tests of hierarchies share.

use super::*;
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tests::box_distance;
use crate::counting::{allocation_count, held_bytes};
use crate::rng::Rng;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Vec3, vec3};

mod binary;
mod greedy;
#[cfg(feature = "std")]
mod large;
mod wide;

/// A tree, and the bytes that it keeps.
fn build_counted(boxes: &[AlignedBox]) -> (WideTree, usize) {
    let before = held_bytes();
    let tree = WideTree::build(boxes).unwrap();
    (tree, (held_bytes() - before) as usize)
}

fn around(p: Vec3, half: Vec3) -> AlignedBox {
    AlignedBox { low: p - half, high: p + half }
}

/// Boxes in a cube of half extent `r`, with edges up to `edge`.
fn scattered(rng: &mut Rng, n: usize, r: f64, edge: f64) -> Vec<AlignedBox> {
    let half = |rng: &mut Rng| vec3(rng.range(0.1, 0.5), rng.range(0.1, 0.5), rng.range(0.1, 0.5)) * edge;
    (0..n).map(|_| around(rng.point(r), half(rng))).collect()
}

/// Sets of boxes that trees find hard, with names. None is larger than about `n`.
fn hard_sets(n: usize) -> Vec<(&'static str, Vec<AlignedBox>)> {
    let mut rng = Rng::new(7);
    let one = around(vec3(1.0, 2.0, 3.0), vec3(0.1, 0.2, 0.3));
    let point = |p: Vec3| AlignedBox { low: p, high: p };
    let plane = |rng: &mut Rng| point(vec3(rng.range(-5.0, 5.0), rng.range(-5.0, 5.0), 0.7));
    let mut sets = vec![
        ("none", vec![]),
        ("one", vec![one]),
        ("two", vec![one, around(Vec3::ZERO, Vec3::X)]),
        ("identical", vec![one; n]),
        (
            "coincident",
            (0..n).map(|i| around(Vec3::X, vec3(1.0, 1.0, 1.0) * (1.0 + (i % 7) as f64))).collect(),
        ),
        ("points", (0..n).map(|_| point(rng.point(1.0))).collect()),
        ("one position", vec![point(vec3(0.1, 0.2, 0.3)); n]),
        ("in a plane", (0..n).map(|_| plane(&mut rng)).collect()),
        ("on a line", (0..n).map(|i| point(vec3(i as f64 * 0.1, 0.0, 0.0))).collect()),
        (
            "on a grid",
            (0..n).map(|i| point(vec3((i % 32) as f64, (i / 32 % 32) as f64, (i / 1024) as f64))).collect(),
        ),
    ];
    let doubling = |i: usize| {
        let x = (0..i % 60).fold(1e-9, |x, _| x * 2.0);
        around(vec3(x, 0.0, 0.0), vec3(x, x, x) * 0.1)
    };
    sets.push(("each twice as far", (0..n).map(doubling).collect()));
    let mut mixed = scattered(&mut rng, n, 1e-3, 1e-6);
    mixed.push(around(Vec3::ZERO, vec3(1e9, 1e9, 1e9)));
    mixed.push(around(vec3(1e9, 0.0, 0.0), vec3(1e-3, 1e-3, 1e-3)));
    sets.push(("huge and tiny", mixed));
    let mut far = scattered(&mut rng, n, 1.0, 0.1);
    far.iter_mut().for_each(|b| *b = AlignedBox { low: b.low + Vec3::X * 1e8, high: b.high + Vec3::X * 1e8 });
    sets.push(("far away", far));
    // Nested shells: every box contains the one before.
    sets.push((
        "nested",
        (0..n).map(|i| around(Vec3::ZERO, vec3(1.0, 2.0, 3.0) * (i as f64 + 1.0))).collect(),
    ));
    sets
}
