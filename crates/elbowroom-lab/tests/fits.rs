//! Fits around everything: they contain it, and are no larger than they need to be.

use elbowroom_testkit as support;

use elbowroom::bounds::Ball;
use elbowroom::bounds::fit::{BallSet, FitEffort, fit_ball, fit_capsule};
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, Vec3, sin_cos, vec3};
use elbowroom::pair::Shape;
use elbowroom_lab::primitives::{Fitted, Kind, Primitive, fit_oriented_box, hull_volume, primitive_gap};
use std::f64::consts::PI;
use support::fits::{corners, near, out_of_capsule, turned};
use support::rng::Rng;
use support::slow::{prepare, truth_of};

/// How far a ball sticks out of a primitive, computed otherwise than the fit does.
fn out_of(p: &Primitive, b: &Ball) -> f64 {
    match p {
        Primitive::Ball(s) => (b.center - s.center).norm() + b.radius - s.radius,
        Primitive::Capsule(c) => out_of_capsule(c, b),
        Primitive::Aligned(s) => {
            let d = (s.low - b.center).max(b.center - s.high);
            d.x.max(d.y).max(d.z) + b.radius
        }
        Primitive::Oriented(s) => {
            let d = s.axes.transpose_mul(b.center - s.center).abs() - s.half;
            d.x.max(d.y).max(d.z) + b.radius
        }
    }
}

/// Fits around a set of balls and asserts that each contains all of it.
fn fit_and_check(set: &BallSet) -> Fitted {
    let scale = set.balls().iter().fold(0.0, |s: f64, b| s.max(b.center.norm() + b.radius));
    let [_, f] = [FitEffort::Quick, FitEffort::Thorough].map(|effort| {
        let f = Fitted::fit_around(set, effort).unwrap();
        for kind in Kind::ALL {
            assert_eq!(f.primitive(kind).kind(), kind);
            for b in set.balls() {
                let out = out_of(f.primitive(kind), b);
                assert!(out <= 1e-15 * scale, "{kind:?} {b:?} sticks out by {out:e}: {f:?}");
            }
        }
        f
    });
    f
}

#[test]
fn known_smallest_ones() {
    let rng = &mut Rng::new(3);
    for s in [1e-6, 1e-3, 1.0, 1e3] {
        let half = vec3(0.5, 1.0, 3.0) * s;
        let set = BallSet::of_points(&turned(&corners(half), rng), 0.0);
        near(
            fit_oriented_box(&set, FitEffort::Thorough).unwrap().volume(),
            24.0 * 0.5 * s * s * s,
            1e-6 / s.min(1.0),
        );
        near(hull_volume(&set), 12.0 * s * s * s, 1e-6);
        near(fit_ball(&set).unwrap().radius, half.norm(), 1e-9 / s.min(1.0));
        // A capsule from its two ends.
        let ends = turned(&[vec3(0.0, 0.0, -2.0 * s), vec3(0.0, 0.0, 2.0 * s)], rng);
        let set = BallSet::of_points(&ends, 0.5 * s);
        let volume = PI * 0.25 * s * s * (4.0 * s + 2.0 / 3.0 * s);
        near(fit_capsule(&set, FitEffort::Thorough).unwrap().volume(), volume, 1e-3);
        near(hull_volume(&set), volume, 1e-9 / s.min(1.0));
        fit_and_check(&set);
    }
    // A regular tetrahedron: its box is the cube, which no face of it lies on; its ball has the cube's
    // diagonal.
    let tetrahedron: Vec<Vec3> = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
        .map(|(x, y, z)| vec3(f64::from(x), f64::from(y), f64::from(z)))
        .to_vec();
    let set = BallSet::of_points(&turned(&tetrahedron, rng), 0.0);
    let f = fit_and_check(&set);
    near(f.primitive(Kind::Oriented).volume(), 8.0, 1e-3);
    near(f.volume_ratio(Kind::Ball), 4.0 * PI * 3.0_f64.sqrt() / (8.0 / 3.0), 1e-9);
    // A cylinder of many corners, lying askew.
    let rim: Vec<Vec3> = (0..400)
        .map(|k| {
            let (s, c) = sin_cos(f64::from(k / 2) * 0.01 * PI);
            vec3(s, c, if k % 2 == 0 { -4.0 } else { 4.0 })
        })
        .collect();
    let f = fit_and_check(&BallSet::of_points(&turned(&rim, rng), 0.0));
    near(f.volume_ratio(Kind::Oriented), 4.0 / PI, 5e-3);
    assert!(f.volume_ratio(Kind::Capsule) < 1.16, "{}", f.volume_ratio(Kind::Capsule));
    // Widened hulls, by Steiner's formula: a box, a square, a point.
    let widened = |points: &[Vec3]| hull_volume(&BallSet::of_points(points, 0.5));
    near(widened(&corners(vec3(1.0, 1.0, 1.0))), 8.0 + 12.0 + 6.0 * PI * 0.25 + PI / 6.0, 1e-9);
    let square: Vec<Vec3> = corners(vec3(1.0, 1.0, 0.0));
    near(widened(&square), 4.0 + 4.0 * PI * 0.25 + PI / 6.0, 1e-9);
    near(widened(&[Vec3::X]), PI / 6.0, 1e-9);
}

#[test]
fn everything_is_contained() {
    let rng = &mut Rng::new(4);
    let mut sizes = [0; 3];
    for round in 0..60 {
        let s = rng.decades(-6.0, 3.0);
        let n = rng.pick(&[1, 2, 3, 4, 9, 40, 300]);
        let squash = rng.pick(&[
            Vec3 { x: 1.0, y: 1.0, z: 1.0 },
            vec3(1.0, 1.0, 0.0),
            vec3(1.0, 0.0, 0.0),
            vec3(1.0, 1e-7, 1e-7),
        ]);
        let points: Vec<Vec3> = (0..n).map(|_| rng.point(s).scaled(squash)).collect();
        let points = if round % 2 == 0 { turned(&points, rng) } else { points };
        let mut set = BallSet::of_points(&points, rng.pick(&[0.0, 0.1 * s]));
        if rng.chance(0.3) {
            set.add_ball(Ball { center: rng.point(s), radius: 0.5 * s });
        }
        let f = fit_and_check(&set);
        let volumes = Kind::ALL.map(|k| f.primitive(k).volume());
        assert!(volumes.iter().all(|v| *v >= f.hull_volume * (1.0 - 1e-3)), "{volumes:?} {}", f.hull_volume);
        assert!(volumes[Kind::Capsule as usize] <= volumes[Kind::Ball as usize] * (1.0 + 1e-12));
        assert!(volumes[Kind::Oriented as usize] <= volumes[Kind::Aligned as usize] * (1.0 + 1e-12));
        sizes[if n < 4 {
            0
        } else if n < 100 {
            1
        } else {
            2
        }] += 1;
    }
    assert!(sizes.iter().all(|n| *n > 3), "{sizes:?}");
    assert!(Fitted::fit_around(&BallSet::new(), FitEffort::Quick).is_none());
    assert!(
        Fitted::fit_around(&BallSet::of_points(&[vec3(f64::NAN, 0.0, 0.0)], 1.0), FitEffort::Quick).is_none()
    );
    assert!(Fitted::fit_around(&BallSet::of_points(&[Vec3::X], f64::INFINITY), FitEffort::Quick).is_none());
    let same = BallSet::of_points(&[Vec3::X; 5], 0.0);
    assert!(Kind::ALL.iter().all(|k| fit_and_check(&same).primitive(*k).volume() < 1e-30));
}

/// Every core, padded: against the reference, a point beside the shape is nearer to the primitive than to the
/// shape.
#[test]
fn primitives_lie_around_the_shape() {
    let rng = &mut Rng::new(5);
    let vertices: Vec<[f64; 3]> =
        (0..30).map(|_| rng.direction().scaled(vec3(1.0, 0.4, 0.3)).to_array()).collect();
    let tetrahedron = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    // Two tetrahedra: closed, not convex.
    let two: Vec<[f64; 3]> = tetrahedron
        .iter()
        .chain(&tetrahedron.iter().map(|v| v.map(|c| c + 2.0)).collect::<Vec<_>>())
        .copied()
        .collect();
    let both: Vec<[u32; 3]> = faces.iter().copied().chain(faces.iter().map(|f| f.map(|i| i + 4))).collect();
    let shapes = [
        ShapeDescription::Sphere { radius: 0.3 },
        ShapeDescription::Box { size: [0.2, 0.5, 2.0] },
        ShapeDescription::Capsule { radius: 0.2, length: 1.5 },
        ShapeDescription::Cylinder { radius: 0.3, length: 2.0 },
        ShapeDescription::Cone { radius: 0.5, length: 1.0 },
        ShapeDescription::Ellipsoid { radii: [0.3, 0.5, 1.0] },
        ShapeDescription::Convex { vertices },
        ShapeDescription::Convex { vertices: tetrahedron[..3].to_vec() },
        ShapeDescription::Mesh { vertices: two, triangles: both },
        ShapeDescription::Mesh { vertices: tetrahedron, triangles: faces[..2].to_vec() },
    ];
    for description in &shapes {
        for padding in [0.0, 0.05] {
            let shape = Shape::new(description, padding).unwrap();
            let (solid, point) = (
                prepare(description, padding).unwrap(),
                prepare(&ShapeDescription::Sphere { radius: 0.0 }, 0.0).unwrap(),
            );
            let f = fit_and_check(&BallSet::of_shape(&shape));
            for _ in 0..40 {
                let p = rng.point(2.5);
                let t = truth_of(&solid, &point, &Transform::from_translation(p));
                let probe = Primitive::Ball(Ball { center: p, radius: 0.0 });
                for kind in Kind::ALL {
                    let g = primitive_gap(f.primitive(kind), &probe);
                    assert!(g <= t.upper, "{kind:?} around {description:?}: {g} above {}", t.upper);
                }
            }
        }
    }
}
