//! Figures, and sets too large for every day. `cargo test --release -p elbowroom --lib hierarchy::tests::figures -- --ignored --nocapture`

use super::*;
use std::{println, time::Instant};

/// Ten boxes about as large as a robot's links, in a chain.
fn bodies(rng: &mut Rng, r: f64) -> Vec<AlignedBox> {
    let mut p = rng.point(r);
    (0..10)
        .map(|_| {
            let q = p + rng.direction() * 0.12;
            let b = AlignedBox {
                low: p.min(q) - vec3(0.06, 0.06, 0.06),
                high: p.max(q) + vec3(0.06, 0.06, 0.06),
            };
            p = q;
            b
        })
        .collect()
}

/// `n` obstacles at the same density, in a cube of half extent `r`.
fn cell(rng: &mut Rng, n: usize) -> (Vec<AlignedBox>, f64) {
    let r = 0.5 * libm::cbrt(n as f64 / 1000.0 * 64.0);
    (scattered(rng, n, r, 0.2), r)
}

#[test]
#[ignore = "figures"]
fn build_and_search() {
    for n in [1000, 100_000, 1_000_000] {
        for fixed in [false, true] {
            let mut rng = Rng::new(21);
            let (boxes, r) = if fixed {
                (scattered(&mut rng, n, 2.0, 0.2 / libm::cbrt(n as f64 / 1000.0)), 2.0)
            } else {
                cell(&mut rng, n)
            };
            let start = Instant::now();
            let tree = WideTree::build(&boxes).unwrap();
            let built = start.elapsed();
            let mut scratch = WideScratch::new(&tree);
            let groups: Vec<Vec<WideQuery>> =
                (0..1000).map(|_| bodies(&mut rng, r).iter().map(|b| tree.query(b)).collect()).collect();
            let (mut best, mut nodes, mut leaves) = (f64::INFINITY, 0, 0);
            let mut times = Vec::new();
            for _ in 0..7 {
                let start = Instant::now();
                (nodes, leaves) = (0, 0);
                for group in &groups {
                    let v = tree.nearest(group, f64::INFINITY, &mut scratch, |_, _, lower| {
                        best = best.min(lower);
                        lower
                    });
                    nodes += v.nodes;
                    leaves += v.leaves;
                }
                times.push(start.elapsed().as_secs_f64() * 1e9 / groups.len() as f64);
            }
            times.sort_by(f64::total_cmp);
            println!(
                "{n:>8} {}: built in {built:?}, depth {}, {:.1} bytes a leaf; ten bodies {:.0} ns (median of passes {:.0}), {:.1} nodes, {:.1} leaves, best {best:.4}",
                if fixed { "in one cell " } else { "same density" },
                tree.depth(),
                tree.bytes() as f64 / n as f64,
                times[0],
                times[3],
                nodes as f64 / 1000.0,
                leaves as f64 / 1000.0,
            );
        }
    }
}
