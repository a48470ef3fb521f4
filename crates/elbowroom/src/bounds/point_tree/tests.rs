//! What the tests of point trees share: clouds, queries, and distances in f64.

use super::*;
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::capsule::Capsule;
use crate::rng::Rng;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Vec3, sqrt, vec3};

mod bounds;
mod replace;
mod searches;

/// A solid that is searched with.
#[derive(Clone, Copy, Debug)]
enum Solid {
    Capsule(Capsule),
    Box(AlignedBox),
}

impl Solid {
    fn query(&self, tree: &PointTree) -> PointQuery {
        match self {
            Solid::Capsule(capsule) => tree.around_capsule(capsule),
            Solid::Box(around) => tree.around_box(around),
        }
    }

    /// The distance of a point, less than the truth by at most a rounding of f64 beside the coordinates; of a
    /// point in a box it is zero.
    fn distance(&self, p: Vec3) -> f64 {
        match self {
            Solid::Capsule(Capsule { a, b, radius }) => {
                let (along, from) = (*b - *a, p - *a);
                let s = from.dot(along) / along.norm_squared();
                let s = if s > 0.0 { s.min(1.0) } else { 0.0 };
                (from - along * s).norm() - radius
            }
            Solid::Box(b) => {
                let out = |k: usize| (b.low[k] - p[k]).max(p[k] - b.high[k]).max(0.0);
                sqrt(out(0) * out(0) + out(1) * out(1) + out(2) * out(2))
            }
        }
    }
}

/// A cloud of points, where it is searched, and how large the solids are.
struct Cloud {
    name: &'static str,
    points: Vec<[f64; 3]>,
    middle: Vec3,
    size: f64,
}

/// Clouds that trees find hard, of about `n` points.
fn clouds(n: usize) -> Vec<Cloud> {
    let rng = &mut Rng::new(3);
    let cloud = |name, points: Vec<Vec3>, middle, size| Cloud {
        name,
        points: points.into_iter().map(Vec3::to_array).collect(),
        middle,
        size,
    };
    let mut all = vec![cloud("none", vec![], Vec3::ZERO, 1.0)];
    for few in [1, 7, 8, 9, 64, 65, 513] {
        all.push(cloud("few", (0..few).map(|_| rng.point(1.0)).collect(), Vec3::ZERO, 1.0));
    }
    all.push(cloud("random", (0..n).map(|_| rng.point(1.0)).collect(), Vec3::ZERO, 0.5));
    let middles: Vec<Vec3> = (0..20).map(|_| rng.point(1.0)).collect();
    let clustered = (0..n).map(|_| rng.pick(&middles) + rng.point(1e-3)).collect();
    all.push(cloud("clustered", clustered, Vec3::ZERO, 0.3));
    let tilted = |x: f64, y: f64| vec3(x, y, 0.3 * x - 0.2 * y);
    let grid = |i: usize| tilted((i % 64) as f64 / 32.0 - 1.0, (i / 64) as f64 / 32.0 - 1.0);
    all.push(cloud("plane", (0..n).map(grid).collect(), Vec3::ZERO, 0.3));
    let flat = (0..n).map(|_| vec3(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.7)).collect();
    all.push(cloud("flat", flat, Vec3::ZERO, 0.5));
    all.push(cloud("line", (0..n).map(|i| vec3(0.01 * i as f64, 0.0, 0.0)).collect(), Vec3::ZERO, 1.0));
    all.push(cloud("one place", vec![vec3(0.1, 0.2, 0.3); n], Vec3::ZERO, 1.0));
    all.push(cloud("twice", (0..n).map(|i| grid(i / 2)).collect(), Vec3::ZERO, 0.3));
    let far = vec3(1e8, -3e7, 1e5);
    all.push(cloud("far away", (0..n).map(|_| far + rng.point(1.0)).collect(), far, 0.5));
    let strays = (0..n).map(|i| rng.point(if i % 50 == 0 { 1e9 } else { 1.0 })).collect();
    all.push(cloud("strays", strays, Vec3::ZERO, 0.5));
    let doubling = |i: usize| vec3(1.0, 0.3, -0.2) * (0..i % 60).fold(1e-9, |x, _| x * 2.0);
    all.push(cloud("each twice as far", (0..n).map(doubling).collect(), Vec3::ZERO, 0.1));
    all
}

/// A solid near a cloud: of any size below the cloud's, at times a point or a ball.
fn solid(rng: &mut Rng, cloud: &Cloud) -> Solid {
    let middle = cloud.middle + rng.point(1.5 * cloud.size);
    let size = cloud.size * rng.decades(-3.0, 0.0);
    if rng.chance(0.3) {
        let half = vec3(rng.unit(), rng.unit(), rng.unit()) * size;
        return Solid::Box(AlignedBox { low: middle - half, high: middle + half });
    }
    let half = match rng.below(8) {
        0 => Vec3::ZERO,
        1 => rng.point(1e-10),
        _ => rng.point(size),
    };
    Solid::Capsule(Capsule { a: middle - half, b: middle + half, radius: rng.pick(&[0.0, 0.05, 0.5]) * size })
}

fn tree_of(points: &[[f64; 3]]) -> PointTree {
    let mut tree = PointTree::new(points.len()).unwrap();
    tree.replace_points(points).unwrap();
    tree
}

/// What f64 may round of a distance.
fn rounding(solid: &Solid, p: Vec3) -> f64 {
    let far = match solid {
        Solid::Capsule(c) => c.a.max_abs() + c.b.max_abs(),
        Solid::Box(b) => b.low.max_abs() + b.high.max_abs(),
    };
    1e-15 * (far + p.max_abs())
}
