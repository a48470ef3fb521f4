//! The hand of haase10: what its files say, its three levels, and the paper's own tests of its parts, each
//! against the engine's exact distance.
//!
//! `ELBOWROOM_HAND` sets how many random cases each race has (4,000 by default), `ELBOWROOM_RACE_FROM` the
//! first seed. A case that fails is named by its seed.

use elbowroom_testkit as support;

mod boxes;
mod capped;
mod closings;
mod cylinders;
mod levels;
mod report;
mod said;
mod table;
mod tips;

use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Mat3, Transform, Vec3};
use elbowroom::pair::{Shape, distance};
use elbowroom_lab::haase10::cylinders::FlatCylinder;
use elbowroom_lab::primitives::OrientedBox;
use support::number_from_environment;
use support::rng::Rng;
use support::threads::run_each;

/// What touches to rounding may be called either (metres, times the size): boxes that are flat or long lose
/// a few digits.
const TOUCHING: f64 = 1e-9;

/// What is proved about two shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Apart,
    Meet,
    /// They touch to rounding.
    Open,
}

impl Truth {
    fn of_interval(lower: f64, upper: f64, size: f64) -> Truth {
        if lower > TOUCHING * size {
            Truth::Apart
        } else if upper < -TOUCHING * size {
            Truth::Meet
        } else {
            Truth::Open
        }
    }

    /// Whether a test may say so.
    fn allows(self, meet: bool) -> bool {
        match self {
            Truth::Apart => !meet,
            Truth::Meet => meet,
            Truth::Open => true,
        }
    }
}

/// A shape and where it is.
type Placed = (Shape, Transform);

fn truth_of(a: &Placed, b: &Placed, size: f64) -> Truth {
    let c = distance(&a.0, &a.1, &b.0, &b.1).unwrap();
    Truth::of_interval(c.interval.lower, c.interval.upper, size)
}

fn box_shape(b: &OrientedBox) -> Placed {
    let size = (b.half * 2.0).to_array();
    (Shape::new(&ShapeDescription::Box { size }, 0.0).unwrap(), Transform::new(b.axes, b.center))
}

fn cylinder_shape(c: &FlatCylinder) -> Placed {
    let shape = ShapeDescription::Cylinder { radius: c.radius, length: 2.0 * c.half_length };
    let x = c.axis.any_perpendicular().normalized().unwrap();
    let axes = Mat3 { cols: [x, c.axis.cross(x), c.axis] };
    (Shape::new(&shape, 0.0).unwrap(), Transform::new(axes, c.center))
}

/// A box of sides between a fifth of the size and all of it, placed so that two of them meet about as often
/// as not.
fn random_box(rng: &mut Rng, size: f64) -> OrientedBox {
    let at = rng.place(size, 0.6 * size);
    let side = |rng: &mut Rng| 0.5 * size * rng.range(0.2, 1.0);
    let half = Vec3 { x: side(rng), y: side(rng), z: side(rng) };
    OrientedBox { center: at.translation, axes: at.rotation, half }
}

fn random_cylinder(rng: &mut Rng, size: f64) -> FlatCylinder {
    let at = rng.place(size, 0.6 * size);
    FlatCylinder {
        center: at.translation,
        axis: at.rotation.cols[2].normalized().unwrap(),
        radius: 0.5 * size * rng.range(0.1, 1.0),
        half_length: 0.5 * size * rng.range(0.1, 1.0),
    }
}

/// Runs a race: so many cases, or a multiple of that, and what each came to.
fn race<T: Send>(share: f64, case: impl Fn(&mut Rng) -> Result<T, String> + Sync) -> Vec<T> {
    let from = number_from_environment("ELBOWROOM_RACE_FROM", 0);
    // Fewer would not reach every branch.
    let cases = number_from_environment("ELBOWROOM_HAND", 4_000).max(2_000);
    let n = (cases as f64 * share).ceil() as usize;
    let outcomes = run_each(n, |i| case(&mut Rng::new(from + i as u64)));
    let failed: Vec<String> = (from..)
        .zip(&outcomes)
        .filter_map(|(seed, o)| o.as_ref().err().map(|why| format!("seed {seed}: {why}")))
        .collect();
    failed.iter().take(10).for_each(|why| println!("{why}"));
    assert_eq!(failed.len(), 0, "of {n} cases; the first are above");
    outcomes.into_iter().flatten().collect()
}
