//! `cargo run --release -p elbowroom-times --bin depth_times -- [PAIRS] [ROBOT.urdf ...]`: how narrow the
//! depths of overlapping pairs of shapes are at random poses of robots, and what they cost.
//!
//! Without robots, the six whose meshes users have. Widths are in units of the middle of the bracket; times
//! in microseconds a pair, yes or no and lower bounds of the same pairs beside them. The last lines have the
//! smallest distance of whole robots at the poses that collide. Each has quantiles, the largest number last.

use anyhow::Result;
use elbowroom::math::Random;
use elbowroom::math::Transform;
use elbowroom::pair::{Ask, Effort, Interval, Query, Scratch, Shape, Stop, Warm, posed};
use elbowroom::world::{BodyId, PairStatus};
use elbowroom::{Checker, Question, World};
use elbowroom_times::robots::{self, lone_robot_world, named_or_users, quantile, random_configuration};
use std::path::Path;
use std::time::Instant;

/// Poses after which no more overlaps are looked for.
const MOST_POSES: usize = 20_000;

/// Two shapes that overlap, and where they are in the world.
type Overlap<'a> = ([&'a Shape; 2], [Transform; 2]);

fn test_query() -> Query {
    Query { ask: Ask::Test, cutoff: 0.0, ..Query::default() }
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let pairs: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(200);
    for robot in named_or_users(arguments) {
        time_depths(&robot, pairs)?;
    }
    Ok(())
}

fn time_depths(urdf: &Path, wanted: usize) -> Result<()> {
    let description = lone_robot_world(urdf)?;
    let mut shapes: Vec<Vec<(Shape, Transform)>> = Vec::new();
    for link in description.robots.iter().flat_map(|placed| &placed.robot.links) {
        let made = link.shapes.iter().map(|s| Ok((Shape::new(&s.shape, s.padding)?, s.shape_in_body)));
        shapes.push(made.collect::<Result<_>>()?);
    }
    let world = World::compile(&description)?;
    let mut checker = Checker::new(&world);
    let (mut random, mut scratch) = (Random(1), Scratch::new(64));
    let (mut colliding, mut found, mut poses) = (Vec::new(), Vec::new(), 0);
    while found.len() < wanted && poses < MOST_POSES {
        poses += 1;
        let q = random_configuration(&world, &mut random);
        checker.set(&q)?;
        let before = found.len();
        find_overlaps(&checker, &shapes, &mut scratch, &mut found)?;
        if found.len() > before {
            colliding.push(q);
        }
    }
    let both = found.iter().filter(|(s, _)| s.iter().all(|s| s.mesh().is_some())).count();
    let name = robots::name(urdf);
    println!(
        "{name}: {} overlaps, {both} of two meshes, at {} of {poses} poses",
        found.len(),
        colliding.len()
    );
    for (name, query) in [
        ("test", test_query()),
        ("lower bound", Query { ask: Ask::LowerBound, ..Query::default() }),
        ("ordinary", Query::default()),
        ("tight", Query { depth: Effort::TIGHT, ..Query::default() }),
    ] {
        let (mut times, mut told, mut bracketed) = (Vec::new(), Vec::new(), 0);
        for (shapes, [a, b]) in &found {
            let mut warm = Warm::default();
            let start = Instant::now();
            let clearance = posed::clearance(*shapes, [a, b], &query, &mut warm, &mut scratch)?;
            times.push(start.elapsed().as_nanos() as f64 / 1e3);
            told.push(clearance.interval);
            bracketed += usize::from(clearance.stop == Stop::Bracketed);
        }
        report_quantiles(name, &mut times, if query.ask == Ask::Distance { &told } else { &[] });
        if query.ask == Ask::Distance {
            println!("{:>16} {bracketed} bracketed", "");
        }
    }
    for (name, effort) in
        [("smallest, rough", Effort::Rough), ("ordinary", Effort::Ordinary), ("tight", Effort::TIGHT)]
    {
        let (mut times, mut told) = (Vec::new(), Vec::new());
        for q in &colliding {
            checker.set(q)?;
            checker.forget_history();
            let start = Instant::now();
            let answer = checker.ask(&Question::distance().depth(effort));
            times.push(start.elapsed().as_nanos() as f64 / 1e3);
            told.push(answer.interval);
        }
        report_quantiles(name, &mut times, &told);
    }
    Ok(())
}

/// Adds the pairs of shapes that overlap, of which one is a mesh.
fn find_overlaps<'a>(
    checker: &Checker,
    shapes: &'a [Vec<(Shape, Transform)>],
    scratch: &mut Scratch,
    found: &mut Vec<Overlap<'a>>,
) -> Result<()> {
    let of = |body: BodyId| {
        let at = checker.body_in_world(body).unwrap_or(Transform::IDENTITY);
        shapes[body.index()].iter().map(move |(shape, shape_in_body)| (shape, at * *shape_in_body))
    };
    for (a, b, _) in checker.world().all_pairs().filter(|(_, _, s)| matches!(s, PairStatus::Checked(_))) {
        for (x, x_in_world) in of(a) {
            for (y, y_in_world) in of(b).filter(|(y, _)| x.mesh().is_some() || y.mesh().is_some()) {
                let ends = [&x_in_world, &y_in_world];
                let told = posed::clearance([x, y], ends, &test_query(), &mut Warm::default(), scratch)?;
                if told.interval.upper < 0.0 {
                    found.push(([x, y], [x_in_world, y_in_world]));
                }
            }
        }
    }
    Ok(())
}

/// Quantiles of the times, and of the widths and depths of what overlaps.
fn report_quantiles(name: &str, times: &mut [f64], told: &[Interval]) {
    if times.is_empty() {
        return;
    }
    let quantiles = |v: &mut [f64]| [0.5, 0.9, 1.0].map(|share| quantile(v, share));
    let [median, most, worst] = quantiles(times);
    print!("{name:>16} us {median:8.1} {most:8.1} {worst:8.1}");
    let overlapping = || told.iter().filter(|i| i.upper < 0.0);
    let mut widths: Vec<f64> = overlapping().map(|i| i.width() / i.estimate().abs()).collect();
    let mut depths: Vec<f64> = overlapping().map(|i| -1e3 * i.lower).collect();
    if !widths.is_empty() {
        let ([w, x, y], [d, e, f]) = (quantiles(&mut widths), quantiles(&mut depths));
        print!(", width {w:.4} {x:.4} {y:.4}, depth {d:.2} {e:.2} {f:.2} mm");
    }
    println!();
}
