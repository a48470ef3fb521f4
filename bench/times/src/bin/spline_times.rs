//! How long motions in time take beside straight ones:
//! `cargo run --release -p elbowroom-times --bin spline_times -- WORLD [STEP] [BOXES]`; the step is that of
//! all joints together (radians, metres), the boxes stand at random places within a metre of the origin.
//!
//! Each motion is asked as a straight edge, as a cubic and a quintic at random speeds, and as a cubic with a
//! tolerance of half a degree in each joint. Ratios are of means over the motions that are free in both ways.

use elbowroom::World;
use elbowroom::describe::{ShapeDescription, WorldDescription};
use elbowroom::math::Random;
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker, SplinePiece, ranges};
use elbowroom_files::Options;
use elbowroom_files::world::load_world;
use elbowroom_testkit::describe::{obstacle, shape};
use elbowroom_times::robots::quantile;
use std::hint::black_box;
use std::time::Instant;

/// Motions that are asked.
const MOTIONS: usize = 2000;

/// A tolerance in each joint (radians, metres): half a degree.
const TOLERANCE: f64 = 0.5 * std::f64::consts::PI / 180.0;

/// The ways in which each motion is asked.
const KINDS: [&str; 4] = ["straight", "cubic", "quintic", "cubic with a tolerance of 0.5 degrees"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a world");
    let step: f64 = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(0.5);
    let boxes: usize = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(0);
    let loaded = load_world(path.as_ref(), &Options::default()).unwrap_or_else(|f| panic!("{f}"));
    let mut description = loaded.value;
    add_boxes(&mut description, boxes, &mut Random(3));
    let world = World::compile(&description).unwrap_or_else(|f| panic!("{f:?}"));
    println!("{} pairs, steps of {step}", world.pairs().len());
    let mut checker = MotionChecker::new(&world);
    let options = EdgeOptions::default().margin(0.0);
    let mut random = Random(7);
    // Of each motion and kind the time where it is free (ns).
    let mut times: Vec<[Option<f64>; 4]> = Vec::new();
    while times.len() < MOTIONS {
        let Some(motion) = draw_motion(&world, step, &mut random) else { continue };
        times.push(motion.map(|asked| {
            let started = Instant::now();
            let edge = match &asked {
                Asked::Straight([from, to]) => checker.check_edge([from, to], &options).expect("values"),
                Asked::Spline(spline) => checker.check_spline(spline, &options).expect("values"),
            };
            let time = started.elapsed().as_nanos() as f64;
            (black_box(edge) == Edge::Free).then_some(time)
        }));
    }
    for (k, kind) in KINDS.iter().enumerate() {
        let mut free: Vec<f64> = times.iter().filter_map(|all| all[k]).collect();
        if free.is_empty() {
            println!("{kind}: none is free");
            continue;
        }
        let both: Vec<[f64; 2]> = times.iter().filter_map(|all| Some([all[0]?, all[k]?])).collect();
        let sums = both.iter().fold([0.0, 0.0], |sum, pair| [sum[0] + pair[0], sum[1] + pair[1]]);
        let (count, mean) = (free.len(), free.iter().sum::<f64>() / free.len() as f64);
        println!(
            "{kind}: {count} free, median {:.1} us, mean {:.1} us, 99 % below {:.1} us; {:.2} x straight",
            1e-3 * quantile(&mut free, 0.5),
            1e-3 * mean,
            1e-3 * quantile(&mut free, 0.99),
            sums[1] / sums[0]
        );
    }
}

/// Adds cubes of 5 cm, each half a metre or more from the origin.
fn add_boxes(description: &mut WorldDescription, count: usize, random: &mut Random) {
    let mut added = 0;
    while added < count {
        let place = [0; 3].map(|_| random.range(-1.0, 1.0));
        if place.iter().map(|x| x * x).sum::<f64>() < 0.25 {
            continue;
        }
        let cube = shape(ShapeDescription::Box { size: [0.05; 3] });
        description.obstacles.push(obstacle(&format!("cube {added}"), place, vec![cube]));
        added += 1;
    }
}

/// A motion as it is asked.
enum Asked {
    Straight([Vec<f64>; 2]),
    Spline(SplinePiece),
}

/// A motion of a step in all four ways; `None` if it leaves limits.
fn draw_motion(world: &World, step: f64, random: &mut Random) -> Option<[Asked; 4]> {
    let ranges = ranges(world);
    let mut unit = || random.unit();
    let from: Vec<f64> = ranges.iter().map(|[a, b]| a + 1e-8 + (b - a - 2e-8) * unit()).collect();
    let along: Vec<f64> = ranges.iter().map(|_| unit() - 0.5).collect();
    let length = along.iter().map(|d| d * d).sum::<f64>().sqrt();
    let to: Vec<f64> = from.iter().zip(&along).map(|(q, d)| q + d / length * step).collect();
    // Speeds at the ends between none and that of the straight motion, which takes a second.
    let mut speeds = || -> Vec<f64> { along.iter().map(|d| d / length * step * unit()).collect() };
    let (v, w) = (speeds(), speeds());
    let none = vec![0.0; from.len()];
    let cubic = SplinePiece::cubic_between(world, 1.0, [&from, &to], [&v, &w]).ok()?;
    let quintic = SplinePiece::quintic_between(world, 1.0, [&from, &to], [&v, &w], [&none, &none]).ok()?;
    let tube = cubic.clone().with_tolerance(world, &vec![TOLERANCE; from.len()]).ok()?;
    let inside = |spline: &SplinePiece| {
        ranges.iter().enumerate().all(|(value, [low, high])| {
            let [least, most] = spline.value_range(value, [0.0, 1.0]);
            low + TOLERANCE < least && most + TOLERANCE < *high
        })
    };
    if !(inside(&cubic) && inside(&quintic)) {
        return None;
    }
    Some([Asked::Straight([from, to]), Asked::Spline(cubic), Asked::Spline(quintic), Asked::Spline(tube)])
}
