//! How the time of a query grows with the triangles of two meshes.

use anyhow::{Context, Result};
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Mat3, Transform, Vec3, sin_cos, vec3};
use elbowroom::pair::{Ask, Clearance, Query, Scratch, Shape, Warm, posed};
use elbowroom_testkit::rng::Rng;
use elbowroom_testkit::star::star_mesh;
use elbowroom_times::memory::count_kept;
use elbowroom_times::robots::quantile;
use std::f64::consts::PI;
use std::time::Instant;

/// Triangles of a mesh.
const SIZES: [u32; 4] = [10_000, 100_000, 1_000_000, 10_000_000];
/// How far apart the meshes are, and how deep in each other (metres).
const GAPS: [(&str, f64); 3] = [("1 m apart", 1.0), ("1 mm apart", 1e-3), ("1 mm deep", -1e-3)];
/// Poses of a walk along which the second mesh slides past the first.
const POSES: usize = 100;

/// Two meshes, and room to ask them.
struct Pair {
    shapes: [Shape; 2],
    scratch: Scratch,
}

impl Pair {
    fn ask_clearance(&mut self, second: &Transform, query: &Query, warm: &mut Warm) -> Result<Clearance> {
        let [a, b] = &self.shapes;
        Ok(posed::clearance([a, b], [&Transform::IDENTITY, second], query, warm, &mut self.scratch)?)
    }

    /// How far along x the second mesh must be for this gap: from afar it comes nearer by what is left.
    fn find_place(&mut self, gap: f64) -> Result<f64> {
        let mut x = 4.0;
        for _ in 0..200 {
            let at = Transform::from_translation(vec3(x, 0.0, 0.0));
            let found = self.ask_clearance(&at, &Query::default(), &mut Warm::default())?.interval;
            let rest = found.lower - gap.max(0.0);
            x -= rest;
            if rest < 1e-7 {
                break;
            }
        }
        Ok(x + gap.min(0.0))
    }

    /// Microseconds a query along a walk: the median over the rounds, each a mean over the poses.
    fn time_walk(&mut self, x: f64, query: &Query, cold: bool, rounds: usize) -> Result<f64> {
        let mut times = Vec::new();
        for _ in 0..rounds {
            let (mut warm, mut spent) = (Warm::default(), 0.0);
            for k in 0..POSES {
                if cold {
                    warm = Warm::default();
                }
                let (sin, cos) = sin_cos(1e-3 * k as f64);
                let turned = Mat3::from_rows([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]);
                let second = Transform::new(turned, vec3(x, 0.0, 1e-4 * k as f64));
                let start = Instant::now();
                self.ask_clearance(&second, query, &mut warm)?;
                spent += start.elapsed().as_nanos() as f64 / 1e3;
            }
            times.push(spent / POSES as f64);
        }
        Ok(quantile(&mut times, 0.5))
    }
}

/// A ball a metre across with waves on it, and roughness a twentieth of what lies between its corners.
fn describe_ball(triangles: u32, seed: u64) -> ShapeDescription {
    let rings = f64::from(triangles / 4).sqrt() as u32;
    let (mut rng, rough) = (Rng::new(seed), 0.05 * 0.5 * PI / f64::from(rings));
    let wave = |d: Vec3| sin_cos(13.0 * d.x).0 * sin_cos(17.0 * d.y).0 * sin_cos(11.0 * d.z).0;
    let (corners, triangles) =
        star_mesh(rings, 2 * rings, |d| 0.5 + 0.02 * wave(d) + rng.range(-rough, rough));
    ShapeDescription::Mesh { vertices: corners.into_iter().map(Vec3::to_array).collect(), triangles }
}

/// Prints a row for each number of triangles up to `most`.
pub fn print_growth(most: u32, rounds: usize) -> Result<()> {
    println!(
        "two balls with waves on them, each of so many triangles. A compile (s, one thread) and the bytes \
         that are kept a triangle;\nus a query along {POSES} poses, the median of {rounds} rounds\n"
    );
    println!(
        "{:>10} {:>10} {:>6}  {:<11} {:>13} {:>13} {:>13} {:>13}",
        "triangles", "compile", "bytes", "", "test", "bound", "distance", "cold"
    );
    for triangles in SIZES.into_iter().filter(|triangles| *triangles <= most) {
        let (start, mut bytes) = (Instant::now(), 0);
        let mut make_shape = |seed| {
            let described = describe_ball(triangles, seed);
            let (shape, kept) = count_kept(|| Ok(Shape::new(&described, 0.0)?))?;
            bytes += kept;
            anyhow::Ok(shape)
        };
        let shapes = [make_shape(1)?, make_shape(2)?];
        let compiled = start.elapsed().as_secs_f64() / 2.0;
        let count = shapes[0].mesh().context("a ball is a mesh")?.triangle_count();
        let mut pair = Pair { shapes, scratch: Scratch::new(64) };
        for (name, gap) in GAPS {
            let x = pair.find_place(gap)?;
            print!("{count:>10} {compiled:>10.3} {:>6}  {name:<11}", bytes / (2 * count));
            for (ask, cold) in
                [(Ask::Test, false), (Ask::LowerBound, false), (Ask::Distance, false), (Ask::Distance, true)]
            {
                let cutoff = if matches!(ask, Ask::Test) { 0.0 } else { f64::INFINITY };
                let query = Query { ask, cutoff, ..Query::default() };
                print!(" {:>13.2}", pair.time_walk(x, &query, cold, rounds)?);
            }
            println!();
        }
    }
    Ok(())
}
