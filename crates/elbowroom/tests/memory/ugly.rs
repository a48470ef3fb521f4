//! Ugly meshes: what they keep and what building them takes stays within a bound a triangle, and a query of
//! them allocates nothing.
//!
//! A thousand triangles of each kind in every run. `ELBOWROOM_UGLY` sets how many in the long run (a
//! million), which prints the bytes and the seconds too; seconds are told and not held to anything.

use crate::counting::{allocation_count, held_bytes, most_held_bytes, reset_most};
use crate::kept::on_one_thread;
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, Vec3, sin_cos, vec3};
use elbowroom::pair::{Ask, Query, Scratch, Shape, Warm, clearance};
use std::time::Instant;

/// Bytes a triangle that a mesh may keep. Triangles with their numbers take 77. A node of eight boxes takes
/// 256, and has at least four children on average: 85 a triangle. The points of its hull take 24 bytes each,
/// on every level on which they are extreme. Hulls of 64 points or more have them by sectors of directions
/// too: 28 bytes for each sector in which a point may be the farthest. Of a million triangles a soup keeps
/// 320, a fine sphere 602, and needles, all of whose tips are extreme on all levels, 994: of 914 for a
/// hundred thousand of them sectors take 253.
const KEPT: usize = 1100;
/// Bytes a triangle that are held at once while a mesh is built, those that it keeps included. A soup of a
/// million triangles takes 1890 and a tangle 1904, most of it for the search for cracks. A million needles
/// take 1716.
const BUILT: usize = 2000;
/// What does not grow with the triangles.
const BESIDE: usize = 1 << 16;

/// Vertices and triangles.
type Soup = (Vec<[f64; 3]>, Vec<[u32; 3]>);
/// Of so many triangles.
type Make = fn(usize) -> Soup;

/// Triangles that share nothing: each is a patch of its own.
fn soup(n: usize) -> Soup {
    let mut rng = Rng::new(2);
    let size = 1.0 / (n as f64).sqrt();
    let vertices = (0..n).flat_map(|_| {
        let middle = rng.point(1.0);
        [(); 3].map(|()| (middle + rng.point(size)).to_array())
    });
    (vertices.collect(), (0..n as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// Triangles as large as the whole, through each other.
fn tangle(n: usize) -> Soup {
    let mut rng = Rng::new(3);
    let vertices = (0..3 * n).map(|_| rng.point(1.0).to_array());
    (vertices.collect(), (0..n as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// Needles around one point.
fn fan(n: usize) -> Soup {
    let rim = (0..n).map(|i| {
        let (s, c) = sin_cos(core::f64::consts::TAU * i as f64 / n as f64);
        [c, s, 1e-3 * s * c]
    });
    let vertices: Vec<[f64; 3]> = std::iter::once([0.0, 0.0, 0.5]).chain(rim).collect();
    (vertices, (0..n as u32).map(|i| [0, 1 + i, 1 + (i + 1) % n as u32]).collect())
}

/// One triangle, over and over, and another.
fn copies(n: usize) -> Soup {
    let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, 0.3, 0.5]];
    (vertices, (0..n).map(|i| if i == 0 { [0, 1, 3] } else { [0, 1, 2] }).collect())
}

/// A fine sphere with a dent.
fn sphere(n: usize) -> Soup {
    let m = ((n / 4) as f64).sqrt() as usize;
    let point = |i: usize, j: usize| {
        let (st, ct) = sin_cos(core::f64::consts::PI * (i as f64 + 0.5) / m as f64);
        let (sp, cp) = sin_cos(core::f64::consts::TAU * j as f64 / (2 * m) as f64);
        let r = if i < m / 8 { 0.9 } else { 1.0 };
        (vec3(st * cp, st * sp, ct) * r).to_array()
    };
    let vertices = (0..m).flat_map(|i| (0..2 * m).map(move |j| point(i, j))).collect();
    let at = |i: usize, j: usize| (i * 2 * m + j % (2 * m)) as u32;
    let quads = (0..m - 1).flat_map(|i| {
        (0..2 * m).flat_map(move |j| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
    });
    (vertices, quads.collect())
}

fn examine(name: &str, (vertices, triangles): Soup, tell: bool) {
    let count = triangles.len();
    let description = ShapeDescription::Mesh { vertices, triangles };
    let (before, start) = (held_bytes(), Instant::now());
    reset_most();
    let shape = Shape::new(&description, 0.0).unwrap();
    let built = start.elapsed().as_secs_f64();
    let (kept, peak) = ((held_bytes() - before) as usize, (most_held_bytes() - before) as usize);
    assert!(shape.mesh().is_some(), "{name} is convex");
    assert!(kept <= KEPT * count + BESIDE, "{name}: {} bytes a triangle are kept", kept / count);
    assert!(peak <= BUILT * count + BESIDE, "{name}: {} bytes a triangle while it is built", peak / count);
    let asked = ask(name, &shape);
    if tell {
        println!(
            "{name}: {count} triangles, {:.1} bytes each, {:.1} while built, in {built:.1} s; \
             the slowest query {:.1} ms",
            kept as f64 / count as f64,
            peak as f64 / count as f64,
            asked * 1e3,
        );
    }
}

/// Every question, from far to inside, of the mesh itself and of a ball: nothing is allocated. The seconds of
/// the slowest.
fn ask(name: &str, shape: &Shape) -> f64 {
    let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.05 }, 0.0).unwrap();
    let (mut scratch, mut warm) = (Scratch::new(shape.mesh_depth()), Warm::default());
    let (mut rng, mut slowest) = (Rng::new(7), 0.0_f64);
    for round in 0..12 {
        let far = [4.0, 2.0, 1.0, 0.1][round % 4];
        let mut at = rng.pose(0.0);
        at.translation = rng.direction() * far;
        if round == 11 {
            at = Transform::from_translation(Vec3::ZERO);
        }
        for other in [shape, &ball] {
            for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
                let (before, start) = (allocation_count(), Instant::now());
                let cutoff = if ask == Ask::Test { 0.0 } else { f64::INFINITY };
                let query = Query { ask, cutoff, ..Query::default() };
                let c = clearance(shape, other, &at, &query, &mut warm, &mut scratch);
                assert_eq!(allocation_count(), before, "{name}: {ask:?} allocates");
                assert!(c.interval.lower <= c.interval.upper, "{name}: {c:?}");
                slowest = slowest.max(start.elapsed().as_secs_f64());
            }
        }
    }
    slowest
}

const KINDS: [(&str, Make); 5] =
    [("soup", soup), ("tangle", tangle), ("needles", fan), ("copies", copies), ("sphere", sphere)];

#[test]
fn ugly_meshes_keep_little() {
    on_one_thread(|| KINDS.iter().for_each(|(name, make)| examine(name, make(1000), false)));
}

fn many(name: &str, make: Make) {
    let n = number_from_environment("ELBOWROOM_UGLY", 1_000_000) as usize;
    on_one_thread(|| examine(name, make(n.max(1000)), true));
}

#[test]
#[ignore = "a long run: cargo xtask race 1000000 ugly"]
fn a_million_triangles_of_a_soup() {
    many("soup", soup);
}

#[test]
#[ignore = "a long run: cargo xtask race 1000000 ugly"]
fn a_million_triangles_in_a_tangle() {
    many("tangle", tangle);
}

#[test]
#[ignore = "a long run: cargo xtask race 1000000 ugly"]
fn a_million_needles() {
    many("needles", fan);
}

#[test]
#[ignore = "a long run: cargo xtask race 1000000 ugly"]
fn a_million_copies() {
    many("copies", copies);
}

#[test]
#[ignore = "a long run: cargo xtask race 1000000 ugly"]
fn a_million_triangles_of_a_sphere() {
    many("sphere", sphere);
}
