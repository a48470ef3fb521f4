//! scratch
use elbowroom::{hull::Hull, math::*, narrow::*, shape::*};
use std::{fs, time::Instant};
fn npy(p: &str) -> (Vec<f64>, Vec<usize>) {
    let b = fs::read(p).unwrap();
    let hl = u16::from_le_bytes([b[8], b[9]]) as usize;
    let h = String::from_utf8_lossy(&b[10..10 + hl]).to_string();
    let sh: Vec<usize> = h[h.find('(').unwrap() + 1..h.find(')').unwrap()]
        .split(',')
        .filter_map(|s| s.trim().parse().ok())
        .collect();
    let body = &b[10 + hl..];
    let v = if h.contains("f8") {
        body.chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect()
    } else if h.contains("i8") {
        body.chunks(8).map(|c| i64::from_le_bytes(c.try_into().unwrap()) as f64).collect()
    } else {
        body.chunks(4).map(|c| i32::from_le_bytes(c.try_into().unwrap()) as f64).collect()
    };
    (v, sh)
}
fn main() {
    let root = "/work/shared/bench/narrow";
    let only = std::env::args().nth(1);
    for n in [8, 32, 128, 512, 2048] {
        let shapes: Vec<Shape> = (0..8)
            .map(|i| {
                let s = fs::read_to_string(format!("{root}/h{n}_{i}.obj")).unwrap();
                let pts: Vec<Vec3> = s
                    .lines()
                    .filter(|l| l.starts_with("v "))
                    .map(|l| {
                        let f: Vec<f64> = l[2..].split_whitespace().map(|x| x.parse().unwrap()).collect();
                        vec3(f[0], f[1], f[2])
                    })
                    .collect();
                let h = Hull::from_points(&pts).unwrap();
                let (center, reach) = (h.center(), h.reach());
                Shape { core: Core::Hull(Box::new(h)), radius: 0.0, center, reach }
            })
            .collect();
        for case in ["sep", "test", "coh", "pen"] {
            if let Some(o) = &only {
                if o != case {
                    continue;
                }
            }
            let file = if case == "test" { "sep" } else { case };
            let (idx, _) = npy(&format!("{root}/n{n}_{file}_idx.npy"));
            let (x, sh) = npy(&format!("{root}/n{n}_{file}_X.npy"));
            let t = |k: usize| {
                let r = &x[k * 12..k * 12 + 12];
                Transform::new(
                    Mat3::from_rows([[r[0], r[1], r[2]], [r[3], r[4], r[5]], [r[6], r[7], r[8]]]),
                    vec3(r[9], r[10], r[11]),
                )
            };
            let q: Vec<(usize, usize, Transform)> = (0..sh[0])
                .map(|k| (idx[2 * k] as usize, idx[2 * k + 1] as usize, t(2 * k).relative(&t(2 * k + 1))))
                .collect();
            let mut scratch = Scratch::default();
            let mut times = vec![];
            let (mut steps, mut width, mut lo, mut st) = (0u64, 0f64, f64::INFINITY, 0);
            for round in 0..41 {
                let mut warm = Warm::default();
                let t0 = Instant::now();
                let mut acc = 0.0;
                for (i, (a, b, rel)) in q.iter().enumerate() {
                    if case != "coh" || i % 500 == 0 {
                        warm = Warm::default();
                    }
                    let query = Query {
                        ask: if case == "test" { Ask::Test } else { Ask::Distance },
                        cutoff: if case == "test" { 0.0 } else { f64::INFINITY },
                        ..Query::default()
                    };
                    let c = clearance(&shapes[*a], &shapes[*b], rel, &query, &mut warm, &mut scratch);
                    acc += c.lower;
                    if round == 0 {
                        steps += c.steps as u64;
                        width = width.max(c.upper - c.lower);
                        lo = lo.min(c.lower);
                        if c.stop == Stop::Stalled {
                            st += 1;
                        }
                    }
                }
                std::hint::black_box(acc);
                times.push(t0.elapsed().as_nanos() as f64 / q.len() as f64);
            }
            times.sort_by(f64::total_cmp);
            println!(
                "n={n:5} {case}: {:8.1} ns  steps {:.2}  width {:.1e} min lower {:.4} stalled {st}",
                times[0],
                steps as f64 / q.len() as f64,
                width,
                lo
            );
        }
    }
}
