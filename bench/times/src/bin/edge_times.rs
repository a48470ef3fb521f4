//! How long edges take: `cargo run --release -p elbowroom-times --bin edge_times -- WORLD [STEP]`; the step
//! is that of all joints together (radians, metres). Edges are asked for their first contacts, then whether
//! they are free.

use elbowroom::World;
use elbowroom::math::Random;
use elbowroom::motion::{Edge, EdgeAsk, EdgeOptions, MotionChecker, ranges};
use elbowroom_files::Options;
use elbowroom_files::world::load_world;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a world");
    let step: f64 = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(0.5);
    let loaded = load_world(path.as_ref(), &Options::default()).unwrap_or_else(|f| panic!("{f}"));
    let world = World::compile(&loaded.value).unwrap_or_else(|f| panic!("{f:?}"));
    println!("{} pairs", world.pairs().len());
    for ask in [EdgeAsk::FirstContact, EdgeAsk::IsFree] {
        println!("{ask:?}");
        time_edges(&world, step, &EdgeOptions { ask, ..EdgeOptions::default() });
    }
}

fn time_edges(world: &World, step: f64, options: &EdgeOptions) {
    let mut checker = MotionChecker::new(world);
    let ranges = ranges(world);
    let mut random = Random(7);
    let mut unit = || random.unit();
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    let mut sums = [[0_u64; 4]; 3];
    for _ in 0..2000 {
        let from: Vec<f64> = ranges.iter().map(|[a, b]| a + 1e-8 + (b - a - 2e-8) * unit()).collect();
        // A step of that length in all joints together.
        let along: Vec<f64> = ranges.iter().map(|_| unit() - 0.5).collect();
        let length = along.iter().map(|d| d * d).sum::<f64>().sqrt();
        let to: Vec<f64> = (0..from.len())
            .map(|i| (from[i] + along[i] / length * step).clamp(ranges[i][0] + 1e-8, ranges[i][1] - 1e-8))
            .collect();
        let started = Instant::now();
        let edge = checker.check_edge([&from, &to], options);
        let time = started.elapsed().as_nanos() as u64;
        let kind = match edge.expect("configurations") {
            Edge::Free => 0,
            Edge::Contact { .. } => 1,
            Edge::Unknown { .. } => 2,
        };
        times[kind].push(time);
        let c = checker.edge_counts();
        [c.poses, c.asked, c.by_balls, c.shape_queries]
            .iter()
            .zip(&mut sums[kind])
            .for_each(|(a, b)| *b += a);
    }
    let all: u64 = times.iter().flatten().sum();
    let count = times.iter().map(Vec::len).sum::<usize>() as u64;
    println!(
        "all: {count}, mean {} ns, worst {} ns",
        all / count,
        times.iter().flatten().max().unwrap_or(&0)
    );
    for (kind, (times, sums)) in ["free", "contact", "unknown"].iter().zip(times.iter_mut().zip(sums)) {
        times.sort_unstable();
        if let Some(median) = times.get(times.len() / 2) {
            let n = times.len() as u64;
            let mean = sums.map(|s| s as f64 / n as f64);
            let (p99, mean_ns) = (times[times.len() * 99 / 100], times.iter().sum::<u64>() / n);
            println!(
                "{kind}: {n}, median {median} ns, mean {mean_ns} ns, p99 {p99} ns; poses, asked, by balls, \
                 queries {mean:?}"
            );
        }
    }
}
