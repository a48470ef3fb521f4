//! The smallest self-distance of a KUKA iiwa 7 over its triangles, at random poses: time, work and results.
//!
//! `cargo run --release -p elbowroom-times --bin mesh_self_times -- FOLDER POSES [serial]` with FOLDER that
//! of the link meshes (binary STL), by default one of the data folder. Times say what this machine does now;
//! nothing is asserted.

use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use elbowroom::pair::mesh::{self, Mesh, MeshQuery, MeshScratch, MeshWarm, Relation};
use elbowroom::pair::{self, Query, Scratch, Shape, Warm};
use elbowroom_times::robots::in_data_folder;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The meshes of the links, in the data folder's `robots`.
const MESHES: &str = "kuka_lbr_iiwa_7_r800_pr117/kuka_lbr_iiwa_support/meshes/lbr_iiwa_7_r800/visual";

/// Offset along z and axis of each joint, and its limit (radians).
const JOINTS: [(f64, Vec3, f64); 7] = [
    (0.34, Vec3::Z, 2.967),
    (0.0, Vec3::Y, 2.094),
    (0.40, Vec3::Z, 2.967),
    (0.0, vec3(0.0, -1.0, 0.0), 2.094),
    (0.40, Vec3::Z, 2.967),
    (0.0, Vec3::Y, 2.094),
    (0.126, Vec3::Z, 3.054),
];

fn read(path: &Path) -> Option<(Mesh, Shape)> {
    let bytes = std::fs::read(path).ok()?;
    let n = u32::from_le_bytes(bytes.get(80..84)?.try_into().ok()?) as usize;
    let mut v = Vec::new();
    for i in 0..n {
        for k in 0..3 {
            let at = |j: usize| {
                let at = 96 + 50 * i + 12 * k + 4 * j;
                Some(f64::from(f32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)))
            };
            v.push(vec3(at(0)?, at(1)?, at(2)?));
        }
    }
    let t: Vec<[u32; 3]> = (0..n as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let hull = ShapeDescription::Convex { vertices: v.iter().map(|p| p.to_array()).collect() };
    Some((Mesh::new(&v, &t).ok()?, Shape::new(&hull, 0.0).ok()?))
}

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().map_or_else(|| in_data_folder(MESHES), PathBuf::from);
    let poses: usize = args.next().and_then(|s| s.parse().ok()).unwrap_or(2000);
    let coherent = args.next().is_some();
    let (mut links, mut hulls) = (Vec::new(), Vec::new());
    for names in [
        &["base_link"][..],
        &["link_1"],
        &["link_2"],
        &["link_3"],
        &["link_4"],
        &["link_5"],
        &["link_6"],
        &["link_7", "flange_basic"],
    ] {
        let start = Instant::now();
        let Some((m, hull)) = names.iter().find_map(|n| read(&folder.join(format!("{n}.stl")))) else {
            eprintln!("no {} in {}", names[0], folder.display());
            return;
        };
        println!(
            "{}: {} triangles, closed {}, depth {}, {:?}",
            names[0],
            m.triangle_count(),
            m.is_closed(),
            m.depth(),
            start.elapsed()
        );
        links.push(m);
        hulls.push(hull);
    }
    let depth = links.iter().map(Mesh::depth).max().unwrap_or(1);
    let mut scratch = MeshScratch::for_depths(depth, depth);
    let mut warm = vec![MeshWarm::default(); 64];
    let (mut hull_warm, mut hull_scratch) = (vec![Warm::default(); 64], Scratch::default());
    let hulls_first = std::env::var_os("NO_HULLS").is_none();
    let mut meshes = 0u64;
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut q: [f64; 7] = std::array::from_fn(|_| 0.0);
    let mut dq: [f64; 7] = std::array::from_fn(|_| 0.0);
    let mut times = Vec::new();
    let (mut nodes, mut triangles, mut dropped, mut asked, mut crossing, mut sum) =
        (0u64, 0u64, 0u64, 0u64, 0u64, 0.0);
    for i in 0..poses {
        if !coherent || i % 200 == 0 {
            q = std::array::from_fn(|k| (2.0 * random() - 1.0) * JOINTS[k].2);
            dq = std::array::from_fn(|_| (2.0 * random() - 1.0) * 0.005);
        } else {
            q = std::array::from_fn(|k| q[k] + dq[k]);
        }
        let start = Instant::now();
        let mut world = vec![Transform::IDENTITY];
        for (k, (z, axis, _)) in JOINTS.iter().enumerate() {
            let step = Transform::new(Mat3::from_axis_angle(*axis, q[k]), vec3(0.0, 0.0, *z));
            world.push(world[k] * step);
        }
        let mut pairs = Vec::new();
        for a in 0..8 {
            for b in a + 2..8 {
                let (ca, cb) =
                    (world[a].point(links[a].bounding_box().0), world[b].point(links[b].bounding_box().0));
                let gap =
                    (ca - cb).norm() - links[a].bounding_box().1.norm() - links[b].bounding_box().1.norm();
                pairs.push((gap, a, b));
            }
        }
        // The pair with the least bound is refined: balls, then hulls, then triangles.
        let mut best = f64::INFINITY;
        let mut asks = [None; 64];
        while let Some(i) = (0..pairs.len()).min_by(|&i, &j| pairs[i].0.total_cmp(&pairs[j].0)) {
            let (bound, a, b) = pairs[i];
            if bound >= best {
                break;
            }
            let pose = world[a].relative(&world[b]);
            if hulls_first && asks[a * 8 + b].is_none() {
                asked += 1;
                let w = &mut hull_warm[a * 8 + b];
                if !coherent {
                    *w = Warm::default();
                }
                let c = pair::clearance(&hulls[a], &hulls[b], &pose, &Query::default(), w, &mut hull_scratch);
                pairs[i].0 = c.interval.lower;
                asks[a * 8 + b] = Some(MeshQuery {
                    lower: c.interval.lower,
                    normal: c.normal,
                    witnesses: Some((c.witness_a, c.witness_b)),
                    ..MeshQuery::DISTANCE
                });
                continue;
            }
            pairs.swap_remove(i);
            let ask = MeshQuery { stop_above: best, ..asks[a * 8 + b].unwrap_or(MeshQuery::DISTANCE) };
            meshes += 1;
            let w = &mut warm[a * 8 + b];
            if !coherent {
                *w = MeshWarm::default();
            }
            let g = mesh::distance(&links[a], &links[b], &pose, &ask, w, &mut scratch);
            nodes += u64::from(g.counts.nodes);
            triangles += u64::from(g.counts.triangles);
            dropped += u64::from(g.counts.dropped);
            best = best.min(g.upper);
            if g.relation != Relation::Apart {
                crossing += 1;
                break;
            }
        }
        sum += best;
        times.push(start.elapsed().as_nanos() as f64 / 1000.0);
    }
    times.sort_by(f64::total_cmp);
    let n = poses as f64;
    let at = |p: f64| times[((p * n) as usize).min(poses - 1)];
    println!(
        "us a pose: mean {:.2} median {:.2} p90 {:.2} p99 {:.2} max {:.2}",
        times.iter().sum::<f64>() / n,
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    println!(
        "per pose: pairs {:.2} meshes {:.2} nodes {:.1} triangle pairs {:.1} dropped {:.1}; \
         overlapping {:.3}; sum {sum:.12}",
        asked as f64 / n,
        meshes as f64 / n,
        nodes as f64 / n,
        triangles as f64 / n,
        dropped as f64 / n,
        crossing as f64 / n
    );
}
