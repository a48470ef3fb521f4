//! The second table: sub-distances on simplices as GJK meets them, flatter from row to row, against the slow
//! reference.

use super::report::SubRow;
use crate::limits::SIMPLICES;
use crate::simplex::{CheckedRegions, Corner, Regions, SignedVolumes, Simplex, SubDistance};
use elbowroom::math::Random;
use elbowroom::math::Vec3;
use elbowroom_reference::math::Transform;
use elbowroom_reference::{self as reference, Shape};
use std::hint::black_box;
use std::time::Instant;

/// A simplex as GJK meets it: the origin projects into the older corners' feature at distance 1, and the
/// newest corner is `flatness` nearer to the origin's side, somewhere beside it.
fn simplex_of(random: &mut Random, corners: usize, flatness: f64, needle: bool) -> Vec<Vec3> {
    let n = random.direction();
    let u = n.cross(random.direction()).normalized().unwrap_or(n.any_perpendicular());
    let w = n.cross(u);
    // What the older corners are spread along.
    let thin = if needle { flatness } else { 1.0 };
    let (near, across) = (u * thin, w * thin);
    let mut points = Vec::new();
    match corners {
        2 => points.push(n),
        3 => {
            let [s, t] = [random.range(0.1, 1.0), random.range(0.1, 1.0)];
            points.extend([n + near * s, n - near * t]);
        }
        _ => {
            for k in 0..3 {
                let (s, c) = elbowroom::math::sin_cos(f64::from(k) * 2.1 + random.range(-0.4, 0.4));
                points.push(n + (u * c + across * s) * random.range(0.3, 1.0));
            }
        }
    }
    // Nearer by `flatness`, or less where the line to it would make no progress.
    let beside = (u * random.range(-1.0, 1.0) + w * random.range(-1.0, 1.0))
        * if corners == 2 { flatness } else { 1.0 };
    points.insert(0, n * (1.0 - 0.5 * flatness) + beside);
    points
}

pub(super) fn race_sub_distances(seed: u64) -> Vec<SubRow> {
    let mut rows = Vec::new();
    let mut random = Random(seed ^ 0x51);
    for corners in 2..=4 {
        for needle in [false, true].into_iter().take(corners - 1) {
            for flatness in [1.0, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
                rows.push(sub_row(&mut random, corners, flatness, needle));
            }
        }
    }
    rows
}

fn sub_row(random: &mut Random, corners: usize, flatness: f64, needle: bool) -> SubRow {
    let mut row = SubRow { corners, needle, flatness, worst: [0.0; 3], lost: [0; 3], ns: [0.0; 3] };
    let mut simplices = Vec::new();
    let origin = Shape::Convex { vertices: vec![[0.0; 3]] };
    for _ in 0..SIMPLICES {
        let points = simplex_of(random, corners, flatness, needle);
        let all = Shape::Convex { vertices: points.iter().map(|p| p.to_array()).collect() };
        let Some(truth) = reference::shape_distance(&all, 0.0, &origin, 0.0, &Transform::IDENTITY) else {
            continue;
        };
        let corners: Vec<Corner> = points.iter().map(|p| Corner { point: *p, of: [0; 2] }).collect();
        let simplex = Simplex::new(&corners);
        simplices.push(simplex);
        // Inside, or too close to tell: no length to compare.
        if truth.lower < 1e-6 {
            continue;
        }
        let distance = 0.5 * (truth.lower + truth.upper);
        let all = [
            Regions.nearest_to_origin(&simplex),
            CheckedRegions.nearest_to_origin(&simplex),
            SignedVolumes.nearest_to_origin(&simplex),
        ];
        for (k, found) in all.iter().enumerate() {
            let error = (found.v.norm() - distance).abs() / distance;
            if found.inside || !error.is_finite() {
                row.lost[k] += 1;
            } else {
                row.worst[k] = row.worst[k].max(error);
            }
        }
    }
    row.ns = [
        time_sub(&simplices, Regions),
        time_sub(&simplices, CheckedRegions),
        time_sub(&simplices, SignedVolumes),
    ];
    row
}

/// Nanoseconds a simplex: the best of several rounds.
fn time_sub(simplices: &[Simplex], sub: impl SubDistance) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        for simplex in simplices {
            black_box(sub.nearest_to_origin(black_box(simplex)));
        }
        best = best.min(start.elapsed().as_nanos() as f64 / simplices.len().max(1) as f64);
    }
    best
}
