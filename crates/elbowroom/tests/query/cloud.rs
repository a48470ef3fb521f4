//! Shapes and a cloud of points, beside every point by itself.

use crate::support::describe::one_of_each;
use crate::support::rng::Rng;
use elbowroom::cloud::{CloudAnswer, CloudChecker, CloudFault, PointTree};
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::pair::{Ask, Query, Scratch, Shape, Warm, posed};
use elbowroom::{Geometry, Interval, Verdict};

const RADIUS: f64 = 0.01;
/// Intervals of one distance may differ by this (metres).
const WIDTH: f64 = 1e-9;

/// One shape of each kind, with poses about the origin.
fn shapes() -> Vec<Shape> {
    one_of_each().iter().map(|placed| Shape::new(&placed.shape, placed.padding).unwrap()).collect()
}

/// A table, a wall, or points anywhere; around the shapes.
fn cloud(rng: &mut Rng, which: usize) -> Vec<[f64; 3]> {
    let height = rng.range(-1.6, -0.4);
    let tilt = rng.range(-0.3, 0.3);
    (0..900)
        .map(|i| {
            let (x, y) = (f64::from(i % 30) / 10.0 - 1.5, f64::from(i / 30) / 10.0 - 1.5);
            match which {
                0 => [x, y, height + tilt * x + rng.range(-1e-3, 1e-3)],
                1 => [height, x, y],
                2 => rng.point(2.5).to_array(),
                _ => (rng.direction() * rng.range(1.0, 1.2)).to_array(),
            }
        })
        .collect()
}

/// The smallest distance, pair by pair.
fn slowly(shapes: &[Shape], points: &[[f64; 3]], poses: &[Transform]) -> Interval {
    let ball = Shape::new(&ShapeDescription::Sphere { radius: RADIUS }, 0.0).unwrap();
    let depth = shapes.iter().map(Shape::mesh_depth).max().unwrap();
    let mut scratch = Scratch::new(depth);
    let mut all = Interval::new(f64::INFINITY, f64::INFINITY, Geometry::Mesh);
    for (shape, pose) in shapes.iter().zip(poses) {
        let mut warm = Warm::default();
        for point in points {
            let at = Transform::from_translation(Vec3::from(*point));
            let both = ([shape, &ball], [pose, &at]);
            let c = posed::clearance(both.0, both.1, &Query::default(), &mut warm, &mut scratch).unwrap();
            all.lower = all.lower.min(c.interval.lower);
            all.upper = all.upper.min(c.interval.upper);
        }
    }
    all
}

fn check(answer: &CloudAnswer, truth: &Interval, query: &Query) {
    let Interval { lower, upper, .. } = answer.interval;
    assert!(lower <= truth.upper && truth.lower <= upper, "{answer:?} {truth:?}");
    let verdict = answer.interval.verdict(query.cutoff);
    match query.ask {
        Ask::Test => assert!(verdict == truth.verdict(query.cutoff), "{answer:?} {truth:?}"),
        Ask::LowerBound => assert!(truth.lower <= 0.0 || lower > 0.0, "{answer:?} {truth:?}"),
        Ask::Distance => {
            assert!(truth.upper < 0.0 || truth.lower > query.cutoff || lower > truth.lower - WIDTH);
            assert!(truth.upper < 0.0 || truth.lower > query.cutoff || upper < truth.upper + WIDTH);
            assert!((truth.upper < 0.0) == (upper < 0.0), "{answer:?} {truth:?}");
        }
    }
}

#[test]
fn the_smallest_distance_is_that_of_all_points() {
    let shapes = shapes();
    let refs: Vec<&Shape> = shapes.iter().collect();
    let mut tree = PointTree::new(1000).unwrap();
    let mut checker = CloudChecker::new(&refs, &tree, RADIUS).unwrap();
    let mut rng = Rng::new(17);
    let (mut asked, mut pairs, mut clear, mut overlapping) = (0, 0, 0, 0);
    for round in 0..120 {
        let points = cloud(&mut rng, round % 4);
        tree.replace_points(&points).unwrap();
        // Near the origin they are clear of most clouds.
        let apart = if round % 8 < 4 { 0.3 } else { 2.0 };
        let poses: Vec<Transform> = shapes.iter().map(|_| rng.pose(apart)).collect();
        let truth = slowly(&shapes, &points, &poses);
        clear += usize::from(truth.lower > 0.0);
        overlapping += usize::from(truth.upper < 0.0);
        for (ask, cutoff) in [
            (Ask::Distance, f64::INFINITY),
            (Ask::Distance, 0.05),
            (Ask::LowerBound, f64::INFINITY),
            (Ask::Test, 0.0),
            (Ask::Test, 0.1),
            (Ask::Test, 1.0),
        ] {
            let query = Query { ask, cutoff, ..Query::default() };
            let answer = checker.find_nearest(&tree, &poses, &query).unwrap();
            check(&answer, &truth, &query);
            if let (Ask::Distance, Some(pair)) = (ask, answer.nearest) {
                let on_ball = (pair.witness.b - Vec3::from(points[pair.point])).norm();
                assert!(on_ball < RADIUS + WIDTH && pair.shape < shapes.len());
            }
            asked += answer.asked;
            pairs += shapes.len() * points.len();
        }
    }
    assert!(clear > 60 && overlapping > 4, "{clear} {overlapping}");
    assert!(asked * 100 < pairs, "{asked} of {pairs}");
}

#[test]
fn slack_and_empty_clouds() {
    let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.5 }, 0.0).unwrap();
    let mut tree = PointTree::new(2).unwrap();
    let mut checker = CloudChecker::new(&[&ball], &tree, RADIUS).unwrap();
    let at = [Transform::from_translation(vec3(0.0, 0.0, 1.0))];
    let none = checker.find_nearest(&tree, &at, &Query::default()).unwrap();
    assert!(none.interval.lower == f64::INFINITY && none.nearest.is_none());
    assert_eq!(none.interval.verdict(0.1), Verdict::Clear);
    tree.replace_points(&[[0.0, 0.0, 3.0], [0.0, 0.0, -1.0]]).unwrap();
    let answer = checker.find_nearest(&tree, &at, &Query { slack: 0.1, ..Query::default() }).unwrap();
    assert!((answer.interval.lower - 1.39).abs() < 1e-9 && (answer.interval.upper - 1.59).abs() < 1e-9);
    let fault = checker.find_nearest(&tree, &[], &Query::default()).unwrap_err();
    assert_eq!(fault, CloudFault::Poses { given: 0, shapes: 1 });
    let nowhere = Transform::from_translation(vec3(f64::NAN, 0.0, 0.0));
    let fault = checker.find_nearest(&tree, &[nowhere], &Query::default()).unwrap_err();
    assert!(matches!(fault, CloudFault::Pose { shape: 0, .. }), "{fault}");
    assert!(CloudChecker::new(&[&ball], &tree, f64::NAN).is_err());
}
