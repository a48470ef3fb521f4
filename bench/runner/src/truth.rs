//! The slow reference of the bench: for each answer an interval that contains the true one, computed without
//! any of the engines and in the most obvious way.
//!
//! Pairs of hulls: separation and depth as in [`crate::signed_distance`]. Depth is quadratic, so it is asked
//! only of small hulls and at some steps of larger ones. Triangles: every pair of them, by separation. What
//! is not computed is written as [-inf, inf].

use crate::{
    engine::write_numbers,
    hull::Hull,
    limits::{EDGE_PAIRS_EVERY_STEP, MAX_EDGE_PAIRS, ROUNDING},
    pose::pose_transform,
    signed_distance::{depth_interval, separation_interval},
    truth_whole::Bodies,
    work::{Ask, Work},
};
use anyhow::Result;
use elbowroom::math::{Transform, Vec3, vec3};

/// Writes `lower, upper` for every answer of the work; for first collisions both are the number of the first
/// colliding pair.
pub fn write(work: &str, out: &str) -> Result<()> {
    let work = Work::read(work)?;
    if work.is_whole() {
        let bodies = Bodies::new(&work);
        let numbers: Vec<f64> =
            (0..work.steps).flat_map(|step| bodies.step_answers(step)).flatten().collect();
        return write_numbers(out, &numbers);
    }
    let hulls: Vec<Hull> = work.shapes.iter().map(Hull::new).collect();
    let poses: Vec<Transform> = work.poses.iter().map(pose_transform).collect();
    let mut numbers = Vec::new();
    for step in 0..work.steps {
        let first = step * work.poses_a_step;
        let relative = |a: usize, b: usize| poses[first + a].relative(&poses[first + b]);
        let pair = |&[a, b]: &[u32; 2]| (a as usize, b as usize);
        match work.ask {
            Ask::Distance | Ask::Coherent => {
                let (a, b) = pair(&work.pairs[step]);
                numbers.extend(separation_interval(&hulls[a], &hulls[b], &relative(0, 1), false));
            }
            Ask::Depth => {
                let (a, b) = pair(&work.pairs[step]);
                let edge_pairs = hulls[a].edges.len() * hulls[b].edges.len();
                let chosen = step % (edge_pairs / EDGE_PAIRS_EVERY_STEP + 1) == 0;
                numbers.extend(if chosen && edge_pairs <= MAX_EDGE_PAIRS {
                    depth_interval(&hulls[a], &hulls[b], &relative(0, 1))
                } else {
                    [f64::NEG_INFINITY, f64::INFINITY]
                });
            }
            Ask::AllDistances => {
                for (a, b) in work.pairs.iter().map(pair) {
                    numbers.extend(separation_interval(&hulls[a], &hulls[b], &relative(a, b), false));
                }
            }
            Ask::FirstCollision => numbers.extend(first_collision(&work, |a, b| {
                separation_interval(&hulls[a], &hulls[b], &relative(a, b), true)
            })),
            Ask::SmallestTriangleDistance => {
                numbers.extend(smallest_triangle_distance(&work, &poses[first..first + work.poses_a_step]));
            }
            _ => unreachable!("answers about whole robots are made above"),
        }
    }
    write_numbers(out, &numbers)
}

/// The first pair that surely collides, or -1; [-inf, inf] if an undecided pair comes before it.
fn first_collision(work: &Work, interval: impl Fn(usize, usize) -> [f64; 2]) -> [f64; 2] {
    for (number, &[a, b]) in work.pairs.iter().enumerate() {
        let [lower, upper] = interval(a as usize, b as usize);
        if upper < 0.0 {
            return [number as f64; 2];
        }
        if lower <= 0.0 {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
    }
    [-1.0, -1.0]
}

/// Interval of the smallest distance between triangles of the pairs' shapes (their surfaces). Every pair of
/// triangles is looked at; one is skipped only if balls around the two are farther apart than the smallest
/// distance so far.
fn smallest_triangle_distance(work: &Work, poses: &[Transform]) -> [f64; 2] {
    let world: Vec<Vec<TriangleBall>> = work
        .shapes
        .iter()
        .zip(poses)
        .map(|(shape, pose)| {
            let corner = |i: u32| {
                let [x, y, z] = shape.vertices[i as usize];
                pose.point(vec3(x, y, z))
            };
            shape
                .triangles
                .iter()
                .map(|triangle| TriangleBall::around_corners(triangle.map(corner)))
                .collect()
        })
        .collect();
    let (mut lower, mut upper) = (f64::INFINITY, f64::INFINITY);
    for &[a, b] in &work.pairs {
        for one in &world[a as usize] {
            for other in &world[b as usize] {
                let reach = one.radius + other.radius + upper + ROUNDING;
                if (other.center - one.center).norm_squared() > reach * reach {
                    continue;
                }
                let (one, other) = (Hull::of_points(&one.corners), Hull::of_points(&other.corners));
                let [low, high] = separation_interval(&one, &other, &Transform::IDENTITY, false);
                lower = lower.min(low);
                upper = upper.min(high);
            }
        }
    }
    [lower, upper]
}

/// A triangle and a ball around it.
struct TriangleBall {
    corners: [Vec3; 3],
    center: Vec3,
    radius: f64,
}

impl TriangleBall {
    fn around_corners(corners: [Vec3; 3]) -> TriangleBall {
        let center = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
        let radius = corners.iter().map(|&corner| (corner - center).norm()).fold(0.0, f64::max);
        TriangleBall { corners, center, radius }
    }
}
