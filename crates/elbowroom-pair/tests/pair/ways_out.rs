//! The way out that is told of a bracketed depth: how long it is, where it leads, and what touches last.

use crate::support::bent::{LEGS, bent, ell};
use crate::support::engine::ask;
use crate::support::rng::Rng;
use crate::support::star::bumpy_solid;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, Vec3};
use elbowroom_pair::{Effort, Query, Shape, Stop};

/// A point as a shape.
const POINT: ShapeDescription = ShapeDescription::Sphere { radius: 1e-9 };

#[test]
fn the_vector_of_an_overlap_is_a_way_out() {
    let mut rng = Rng::new(77);
    let (mut told, mut close, mut padded) = (0, 0, 0);
    while told < 900 {
        let padding = rng.pick(&[0.0, 0.0, 0.03]);
        let kinds = [
            ell(LEGS, [0.0, 0.2]),
            ell(LEGS, [-0.5, 0.5]),
            bent(0.5),
            bumpy_solid(&mut rng),
            bumpy_solid(&mut rng),
        ];
        let convex = ShapeDescription::Cylinder { radius: rng.range(0.1, 0.4), length: rng.range(0.2, 1.5) };
        let first = Shape::new(&kinds[rng.below(kinds.len())], padding).unwrap();
        let second = if rng.chance(0.3) { &convex } else { &kinds[rng.below(kinds.len())] };
        let second = Shape::new(second, 0.0).unwrap();
        let (a, b) = if rng.chance(0.5) { (first, second) } else { (second, first) };
        let pose = Transform::new(Mat3::from_quat_wxyz(rng.quaternion()).unwrap(), rng.point(0.7));
        let depth = rng.pick(&[Effort::Rough, Effort::Ordinary, Effort::TIGHT]);
        let query = Query { depth, ..Query::default() };
        let c = ask(&a, &b, &pose, &query);
        if c.stop != Stop::Bracketed || c.interval.upper >= 0.0 {
            continue;
        }
        let what = format!("{depth:?} {c:?}");
        told += 1;
        padded += u32::from(padding > 0.0);
        let vector = c.witness_a - c.witness_b;
        assert!((vector.norm() + c.interval.lower).abs() < 1e-12, "{what}");
        assert!((vector - c.normal * c.interval.lower).norm() < 1e-12, "{what}");
        // Moving A by minus the vector is moving B by the vector.
        let out = Transform::new(pose.rotation, pose.translation + vector);
        let free = ask(&a, &b, &out, &query).interval;
        assert!(free.upper > -1e-9 && free.lower > -1e-9, "{what}: {free:?}");
        if depth != Effort::Rough {
            // Of A a point of its surface; of B what that comes to at the end of the way.
            let point = Shape::new(&POINT, 0.0).unwrap();
            let off = |shape: &Shape, x: Vec3| {
                ask(shape, &point, &Transform::from_translation(x), &Query::default()).interval.upper
            };
            assert!(off(&a, c.witness_a) < 1e-8, "{what}");
            close += u32::from(off(&b, pose.inverse().point(c.witness_b)) < -0.03 * c.interval.lower);
        }
    }
    assert!(padded > 100 && close > 540, "{padded} padded, {close} close to the second body");
}
