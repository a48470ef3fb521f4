//! Fits around everything: they contain it, and are no larger than they need to be; and balls inside.

use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::ball::Ball;
use crate::bounds::capsule::Capsule;
use crate::bounds::fit::{
    BallSet, FitEffort, fit_aligned_box, fit_ball, fit_box_axes, fit_capsule, inner_ball,
};
use crate::bounds::tolerance::INSIDE_TRIES;
use crate::fits::{corners, near, out_of_capsule, turned};
use crate::rng::Rng;
use crate::slow::{prepare, truth_of};
use core::f64::consts::PI;
use elbowroom_describe::ShapeDescription;
use elbowroom_describe::math::{Transform, Vec3, vec3};
use elbowroom_pair::Geometry;
use elbowroom_pair::shape::solid::Shape;
use std::vec;
use std::vec::Vec;

/// Fits around a set of balls and asserts that each contains all of it.
fn fit_and_check(set: &BallSet) -> (Ball, AlignedBox, Capsule) {
    let scale = set.balls().iter().fold(0.0, |s: f64, b| s.max(b.center.norm() + b.radius));
    let (round, straight) = (fit_ball(set).unwrap(), fit_aligned_box(set).unwrap());
    let [quick, long] =
        [FitEffort::Quick, FitEffort::Thorough].map(|effort| fit_capsule(set, effort).unwrap());
    for b in set.balls() {
        let beyond = (straight.low - b.center).max(b.center - straight.high);
        let out = [
            (b.center - round.center).norm() + b.radius - round.radius,
            beyond.x.max(beyond.y).max(beyond.z) + b.radius,
            out_of_capsule(&quick, b),
            out_of_capsule(&long, b),
        ];
        assert!(out.iter().all(|o| *o <= 1e-15 * scale), "{b:?} sticks out by {out:?}");
    }
    (round, straight, long)
}

#[test]
fn known_smallest_ones() {
    let rng = &mut Rng::new(3);
    for s in [1e-6, 1e-3, 1.0, 1e3] {
        let half = vec3(0.5, 1.0, 3.0) * s;
        let points = turned(&corners(half), rng);
        let set = BallSet::of_points(&points, 0.0);
        near(fit_and_check(&set).0.radius, half.norm(), 1e-9 / s.min(1.0));
        // Along the edges of the box.
        let found = fit_box_axes(&set, FitEffort::Thorough).unwrap();
        let edges = [points[1] - points[0], points[2] - points[0], points[4] - points[0]];
        for edge in edges {
            let along = found.cols.iter().map(|c| c.dot(edge).abs() / edge.norm()).fold(0.0, f64::max);
            near(along, 1.0, 1e-9);
        }
        // A capsule from its two ends.
        let ends = turned(&[vec3(0.0, 0.0, -2.0 * s), vec3(0.0, 0.0, 2.0 * s)], rng);
        let set = BallSet::of_points(&ends, 0.5 * s);
        near(fit_and_check(&set).2.volume(), PI * 0.25 * s * s * (4.0 * s + 2.0 / 3.0 * s), 1e-3);
    }
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
        let (round, _, long) = fit_and_check(&set);
        let r = round.radius;
        assert!(long.volume() <= 4.0 / 3.0 * PI * r * r * r * (1.0 + 1e-12));
        sizes[if n < 4 {
            0
        } else if n < 100 {
            1
        } else {
            2
        }] += 1;
    }
    assert!(sizes.iter().all(|n| *n > 3), "{sizes:?}");
    let none = [
        BallSet::new(),
        BallSet::of_points(&[vec3(f64::NAN, 0.0, 0.0)], 1.0),
        BallSet::of_points(&[Vec3::X], f64::INFINITY),
    ];
    for set in none {
        assert!(
            fit_ball(&set).is_none()
                && fit_aligned_box(&set).is_none()
                && fit_box_axes(&set, FitEffort::Quick).is_none()
        );
        assert!(fit_capsule(&set, FitEffort::Quick).is_none());
    }
    let (round, straight, long) = fit_and_check(&BallSet::of_points(&[Vec3::X; 5], 0.0));
    assert!(round.radius < 1e-10 && straight.size().norm() == 0.0 && long.volume() < 1e-30);
}

/// Every core, padded: against the reference, a point beside the shape is no nearer to the ball inside, and
/// no farther from the ball around.
#[test]
fn between_two_balls_lies_the_shape() {
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
        (ShapeDescription::Sphere { radius: 0.3 }, true),
        (ShapeDescription::Box { size: [0.2, 0.5, 2.0] }, true),
        (ShapeDescription::Capsule { radius: 0.2, length: 1.5 }, true),
        (ShapeDescription::Cylinder { radius: 0.3, length: 2.0 }, true),
        (ShapeDescription::Cone { radius: 0.5, length: 1.0 }, true),
        (ShapeDescription::Ellipsoid { radii: [0.3, 0.5, 1.0] }, true),
        (ShapeDescription::Convex { vertices }, true),
        (ShapeDescription::Convex { vertices: tetrahedron[..3].to_vec() }, false),
        (ShapeDescription::Mesh { vertices: two, triangles: both }, true),
        (ShapeDescription::Mesh { vertices: tetrahedron, triangles: faces[..2].to_vec() }, false),
    ];
    for (description, solid_inside) in &shapes {
        for padding in [0.0, 0.05] {
            let shape = Shape::new(description, padding).unwrap();
            let (solid, point) = (
                prepare(description, padding).unwrap(),
                prepare(&ShapeDescription::Sphere { radius: 0.0 }, 0.0).unwrap(),
            );
            let (round, ..) = fit_and_check(&BallSet::of_shape(&shape));
            let inner = inner_ball(&shape, Geometry::Mesh, INSIDE_TRIES);
            assert!(inner.is_some() || !solid_inside, "{description:?}");
            for _ in 0..40 {
                let p = rng.point(2.5);
                let t = truth_of(&solid, &point, &Transform::from_translation(p));
                let outside = (round.center - p).norm() - round.radius;
                assert!(outside <= t.upper + 1e-14, "{description:?}: {outside} {t:?}");
                if let Some(b) = &inner {
                    let distance = (b.center - p).norm() - b.radius;
                    assert!(t.lower <= distance + 1e-14, "{b:?} in {description:?}: {distance} {t:?}");
                }
            }
        }
    }
    let largest =
        |d: &ShapeDescription| inner_ball(&Shape::new(d, 0.0).unwrap(), Geometry::Mesh, 400).unwrap().radius;
    near(1.0 / largest(&shapes[3].0), 1.0 / 0.3, 1e-3);
    near(1.0 / largest(&shapes[5].0), 1.0 / 0.3, 1e-3);
    // In the tetrahedron: a third of its height over the slanted face, in units of all four.
    near(1.0 / largest(&shapes[8].0), 3.0 + 3.0_f64.sqrt(), 1e-2);
}
