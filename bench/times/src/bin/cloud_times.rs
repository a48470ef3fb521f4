//! `cargo run --release -p elbowroom-times --bin cloud_times -- [ROUNDS]`: what a cloud of points costs.
//!
//! The cloud is what a depth camera sees: a table, boxes on it, and a wall, in rows of pixels. First, how
//! long it takes to replace it (milliseconds), and to ask it for the point nearest to ten capsules of an arm
//! of a metre over the table, whether any is within 10 mm, and for all within 50 mm. Then the same for the
//! Panda of the data folder, with its kinematics: yes or no, and the smallest proved distance, with triangles
//! and with hulls, at random poses and along small steps. Times are the least of the rounds of each pose;
//! means over the poses, over those that are clear, and medians (microseconds).

use anyhow::{Context, Result};
use elbowroom::bounds::{Capsule, PointQuery, PointTree};
use elbowroom::cloud::CloudChecker;
use elbowroom::math::Random;
use elbowroom::math::{Transform, Vec3, sin_cos, vec3};
use elbowroom::pair::{Ask, Query, Shape};
use elbowroom::world::BodyId;
use elbowroom::{Checker, Geometry, World};
use elbowroom_times::memory::{Counting, count_kept};
use elbowroom_times::robots::{in_data_folder, lone_robot_world, quantile, random_configuration};
use std::path::Path;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const POSES: usize = 1000;
/// Radius of the points (metres).
const RADIUS: f64 = 0.01;
/// Points nearer to a capsule than this are listed (metres), as where a robot is removed from
/// its own cloud.
const FILTER: f64 = 0.05;

fn main() -> Result<()> {
    let rounds: usize = std::env::args().nth(1).and_then(|r| r.parse().ok()).unwrap_or(20);
    println!(
        "  points | replace ms | bytes a point | prepare us | nearest us | points asked | nodes | \
         yes or no us | nodes | within | filter us | points"
    );
    for points in [10_000, 100_000, 1_000_000] {
        time_cloud(points, rounds)?;
    }
    let panda = in_data_folder("panda_vamp/panda.urdf");
    for points in [10_000, 100_000, 1_000_000] {
        robot_times(&panda, points, rounds)?;
    }
    Ok(())
}

/// A ray of the camera, as far as what it meets: a table, boxes on it, and a wall.
fn depth_image(points: usize, noise: &mut Random) -> Vec<[f64; 3]> {
    let width = ((points as f64 * 4.0 / 3.0).sqrt() as usize).max(1);
    let height = points / width;
    let eye = vec3(-0.8, 0.3, 1.2);
    let boxes = [
        (vec3(0.5, 0.2, 0.1), vec3(0.1, 0.08, 0.1)),
        (vec3(0.4, -0.4, 0.15), vec3(0.05, 0.15, 0.15)),
        (vec3(0.7, -0.1, 0.05), vec3(0.1, 0.1, 0.05)),
        (vec3(0.1, 0.6, 0.2), vec3(0.08, 0.08, 0.2)),
    ];
    let mut cloud = Vec::with_capacity(points);
    for i in 0..points {
        let (x, y) = ((i % width) as f64 / width as f64 - 0.5, (i / width) as f64 / height as f64 - 0.5);
        let ray = vec3(1.0, -1.2 * x - 0.2, -0.9 * y - 0.65);
        let mut far = f64::min(-eye.z / ray.z.min(-1e-9), (1.6 - eye.x) / ray.x);
        for (middle, half) in boxes {
            let (mut enter, mut leave) = (0.0_f64, far);
            for k in 0..3 {
                let (a, b) =
                    ((middle[k] - half[k] - eye[k]) / ray[k], (middle[k] + half[k] - eye[k]) / ray[k]);
                (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
            }
            far = if enter < leave { enter } else { far };
        }
        let p = eye + ray * (far + noise.range(-1e-3, 1e-3));
        cloud.push(p.to_array());
    }
    cloud
}

/// Ten capsules from the base of an arm to its fingers, over the table.
fn random_arm(random: &mut Random) -> [Capsule; 10] {
    let lengths = [0.15, 0.2, 0.1, 0.2, 0.1, 0.25, 0.1, 0.1, 0.08, 0.08];
    let radii = [0.08, 0.07, 0.07, 0.07, 0.07, 0.06, 0.06, 0.05, 0.03, 0.03];
    let (mut at, mut direction) = (vec3(0.0, 0.0, 0.1), Vec3::Z);
    let turn = random.range(-1.5, 1.5);
    let (sin, cos) = sin_cos(turn);
    core::array::from_fn(|i| {
        let to = at + direction * lengths[i];
        // Forwards and down, and never below the table.
        let forward = vec3(cos, sin, random.range(-0.6, 0.2)) * 0.6;
        let next = (direction + forward + random.direction() * 0.3).normalized().unwrap_or(Vec3::Z);
        direction = if to.z + 0.3 * next.z < 0.15 { vec3(next.x, next.y, 0.1) } else { next };
        let capsule = Capsule { a: at, b: to, radius: radii[i] };
        at = to;
        capsule
    })
}

fn to_point(c: &Capsule, p: Vec3) -> f64 {
    let (along, from) = (c.b - c.a, p - c.a);
    let s = (from.dot(along) / along.norm_squared()).clamp(0.0, 1.0);
    (from - along * s).norm() - c.radius
}

fn time_cloud(points: usize, rounds: usize) -> Result<()> {
    let mut random = Random(1);
    let (mut tree, bytes) = count_kept(|| PointTree::new(points).context("room for the points"))?;
    let images: Vec<Vec<[f64; 3]>> = (0..2).map(|_| depth_image(points, &mut random)).collect();
    let mut replace = f64::INFINITY;
    for round in 0..rounds.max(2) {
        let start = Instant::now();
        tree.replace_points(&images[round % 2])?;
        replace = replace.min(start.elapsed().as_secs_f64() * 1e3);
    }
    let arms: Vec<[Capsule; 10]> = (0..POSES).map(|_| random_arm(&mut random)).collect();
    let mut scratch = tree.new_scratch(10);
    let mut queries: Vec<PointQuery> = Vec::with_capacity(10);
    let (mut least, mut asked, mut nodes, mut nodes_yes) = ([f64::INFINITY; 4], 0, 0, 0);
    let (mut within, mut filtered) = (0, 0);
    let mut each = vec![[f64::INFINITY; 4]; POSES];
    for _ in 0..rounds {
        (asked, nodes, nodes_yes) = (0, 0, 0);
        (within, filtered) = (0, 0);
        for (arm, taken) in arms.iter().zip(&mut each) {
            let start = Instant::now();
            queries.clear();
            queries.extend(arm.iter().map(|c| tree.around_capsule(c)));
            taken[0] = taken[0].min(start.elapsed().as_nanos() as f64 / 1e3);
            let start = Instant::now();
            let mut best = f64::INFINITY;
            let visits = tree.visit_nearest(&queries, f64::INFINITY, &mut scratch, |q, p, _| {
                asked += 1;
                best = best.min(to_point(&arm[q], tree.points()[p as usize]));
                best
            })?;
            taken[1] = taken[1].min(start.elapsed().as_nanos() as f64 / 1e3);
            nodes += visits.nodes;
            let start = Instant::now();
            let mut hit = false;
            let visits = tree.visit_nearest(&queries, RADIUS, &mut scratch, |q, p, _| {
                hit |= to_point(&arm[q], tree.points()[p as usize]) <= RADIUS;
                if hit { f64::NEG_INFINITY } else { RADIUS }
            })?;
            taken[2] = taken[2].min(start.elapsed().as_nanos() as f64 / 1e3);
            nodes_yes += visits.nodes;
            within += usize::from(hit);
            let start = Instant::now();
            tree.each_within(&queries, FILTER, &mut scratch, |_, _| filtered += 1)?;
            taken[3] = taken[3].min(start.elapsed().as_nanos() as f64 / 1e3);
        }
    }
    for (k, least) in least.iter_mut().enumerate() {
        *least = each.iter().map(|t| t[k]).sum::<f64>() / POSES as f64;
    }
    println!(
        "{points:>8} | {replace:10.2} | {:13.1} | {:10.2} | {:10.2} | {:12.2} | {:5.1} | {:12.2} | {:5.1} | \
         {:.3} | {:9.2} | {:6.1}",
        bytes as f64 / points as f64,
        least[0],
        least[1],
        asked as f64 / POSES as f64,
        nodes as f64 / POSES as f64,
        least[2],
        nodes_yes as f64 / POSES as f64,
        within as f64 / POSES as f64,
        least[3],
        filtered as f64 / POSES as f64,
    );
    Ok(())
}

/// A robot of the data folder over the table, asked by its shapes.
fn robot_times(urdf: &Path, points: usize, rounds: usize) -> Result<()> {
    let world = World::compile(&lone_robot_world(urdf)?)?;
    let mut random = Random(3);
    let mut tree = PointTree::new(points).context("room for the points")?;
    tree.replace_points(&depth_image(points, &mut random))?;
    let shapes: Vec<&Shape> = world.shapes().iter().map(|shape| &shape.shape).collect();
    let in_body: Vec<(BodyId, Transform)> = (world.bodies().iter().zip(0..))
        .flat_map(|(body, number)| body.shapes.clone().map(move |shape| (shape as usize, BodyId(number))))
        .map(|(shape, body)| (body, world.shapes()[shape].shape_in_body()))
        .collect();
    let mut cloud = CloudChecker::new(&shapes, &tree, RADIUS)?;
    let mut checker = Checker::new(&world);
    let mut poses = vec![Transform::IDENTITY; shapes.len()];
    let mut place = |q: &[f64], poses: &mut [Transform]| -> Result<()> {
        checker.set(q)?;
        for ((body, in_body), pose) in in_body.iter().zip(poses) {
            *pose = checker.body_in_world(*body).context("a body of this world")? * *in_body;
        }
        Ok(())
    };
    // Poses whose moving bodies stay above the table.
    let mut configurations = Vec::new();
    while configurations.len() < POSES {
        let q = random_configuration(&world, &mut random);
        place(&q, &mut poses)?;
        let low = shapes
            .iter()
            .zip(&poses)
            .filter(|(_, at)| at.translation.z > 0.0)
            .map(|(s, at)| at.point(s.center()).z - s.bounding_radius());
        if low.fold(f64::INFINITY, f64::min) > -0.05 {
            configurations.push(q);
        }
    }
    let mut steps = vec![configurations[0].clone()];
    while steps.len() < POSES {
        let (goal, mut q) = (&configurations[steps.len() / 100], steps[steps.len() - 1].clone());
        q.iter_mut().zip(goal).for_each(|(x, to)| *x += (to - *x).clamp(-0.01, 0.01));
        steps.push(q);
    }
    for (path, name) in [(&configurations, "jumps"), (&steps, "steps")] {
        for (geometry, what) in [(Geometry::Mesh, "triangles"), (Geometry::Hull, "hulls")] {
            for (ask, cutoff) in [(Ask::Test, 0.0), (Ask::Distance, f64::INFINITY)] {
                let query = Query { ask, cutoff, geometry, ..Query::default() };
                let mut taken = vec![(f64::INFINITY, false); POSES];
                let (mut asked, mut nodes, mut overlapping) = (0, 0, 0);
                for _ in 0..rounds {
                    (asked, nodes, overlapping) = (0, 0, 0);
                    for (q, taken) in path.iter().zip(&mut taken) {
                        let start = Instant::now();
                        place(q, &mut poses)?;
                        let answer = cloud.find_nearest(&tree, &poses, &query)?;
                        taken.0 = taken.0.min(start.elapsed().as_nanos() as f64 / 1e3);
                        taken.1 = answer.interval.lower > 0.0;
                        asked += answer.asked;
                        nodes += answer.nodes;
                        overlapping += usize::from(answer.interval.overlaps());
                    }
                }
                let of = |clear: bool| taken.iter().filter(move |t| !clear || t.1).map(|t| t.0);
                let mean = of(false).sum::<f64>() / POSES as f64;
                let clear = of(true).sum::<f64>() / of(true).count().max(1) as f64;
                let median = quantile(&mut of(false).collect::<Vec<_>>(), 0.5);
                println!(
                    "{points:>8} {name} {what:>9} {ask:?}: {mean:.2} us, clear {clear:.2}, median \
                     {median:.2}, {:.2} asked, {:.1} nodes, {:.3} overlapping",
                    asked as f64 / POSES as f64,
                    nodes as f64 / POSES as f64,
                    overlapping as f64 / POSES as f64,
                );
            }
        }
    }
    Ok(())
}
