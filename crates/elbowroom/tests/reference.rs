//! The reference raced against itself: known answers, its methods against each other, and its own bracket.
mod support;

use elbowroom::reference::{Method, prepare, solid::Difference, sphere, truth_of};
use std::{collections::BTreeMap, time::Instant};
use support::cases::case;

fn count() -> u64 {
    std::env::var("ELBOWROOM_RACE").ok().and_then(|n| n.parse().ok()).unwrap_or(4000)
}

#[test]
fn brackets_are_narrow_and_hold_what_is_known() {
    let mut slow: BTreeMap<String, (f64, u32, f64, u32, u64)> = BTreeMap::new();
    let mut failures = 0;
    for seed in 0..count() {
        let c = case(seed);
        let (a, b) = (prepare(&c.a, c.padding[0]).unwrap(), prepare(&c.b, c.padding[1]).unwrap());
        let start = Instant::now();
        let t = truth_of(&a, &b, &c.b_in_a());
        let spent = start.elapsed().as_secs_f64();
        let width = (t.upper - t.lower) / t.scale;
        let e = slow.entry(format!("{:?}", t.method)).or_default();
        e.0 += spent;
        e.1 += 1;
        if width > e.2 {
            (e.2, e.4) = (width, seed);
        }
        if width > 1e-10 {
            e.3 += 1;
            if t.method != Method::Triangles && e.3 < 20 {
                println!(
                    "wide {width:e} {:?} in {spent} [{:e},{:e}]: {}",
                    t.method,
                    t.lower,
                    t.upper,
                    c.json()
                );
            }
        }
        if let Some(k) = c.known
            && !(t.lower <= k + 1e-14 * t.scale && t.upper >= k - 1e-14 * t.scale)
        {
            failures += 1;
            println!("known {k:e} but [{:e}, {:e}] {:?}: {}", t.lower, t.upper, t.method, c.json());
        }
        let _ = (Difference::new(&a, &b, &c.b_in_a()), sphere::CELLS);
    }
    for (m, (s, n, w, wide, seed)) in slow {
        println!(
            "{m}: {n} cases, {:.3} ms each, worst width {w:e} (seed {seed}), {wide} wider than 1e-10",
            s / n as f64 * 1e3
        );
    }
    assert_eq!(failures, 0);
}
