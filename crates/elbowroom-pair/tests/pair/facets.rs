//! A ball inside a hull of very many vertices: the depth is that of the nearest facet, all the same.

use crate::support::rng::Rng;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, Vec3, vec3};
use elbowroom_pair::shape::hull::Hull;
use elbowroom_pair::{Query, Scratch, Shape, Warm, clearance};

#[test]
fn ball_in_a_hull_of_many_facets() {
    let rng = &mut Rng::new(9);
    let points: Vec<Vec3> = (0..20_000).map(|_| rng.direction()).collect();
    let hull = Hull::from_points(&points).unwrap();
    assert!(hull.vertices().len() > 15_000);
    let a = Shape::new(
        &ShapeDescription::Convex { vertices: points.iter().map(|p| p.to_array()).collect() },
        0.0,
    )
    .unwrap();
    let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.25 }, 0.0).unwrap();
    let one = Shape::new(&ShapeDescription::Convex { vertices: vec![[0.0; 3]] }, 0.25).unwrap();
    for p in [Vec3::ZERO, vec3(0.01, 0.02, -0.03), vec3(0.3, -0.2, 0.1), vec3(0.0, 0.9, 0.0)] {
        // By every facet's plane.
        let mut depth = f64::INFINITY;
        for f in hull.faces() {
            let [a, b, c] = f.map(|v| hull.vertex(v as usize));
            let n = (b - a).cross(c - a).normalized().unwrap();
            depth = depth.min(n.dot(a - p));
        }
        let truth = -depth - 0.25;
        let pose = Transform::new(Mat3::from_rpy(0.3, 0.2, 0.1), p);
        for (b, swap) in [(&ball, false), (&one, false), (&ball, true), (&one, true)] {
            let (x, y, pose) = if swap { (b, &a, pose.inverse()) } else { (&a, b, pose) };
            let c = clearance(x, y, &pose, &Query::default(), &mut Warm::default(), &mut Scratch::default());
            assert!(
                c.interval.lower <= truth + 1e-12 && truth - 1e-12 <= c.interval.upper,
                "{c:?} is not {truth:e}"
            );
            assert!(c.interval.width() <= 1e-9, "width {:e} at {p:?}", c.interval.width());
            let off = (c.witness_a - c.witness_b - c.normal * c.interval.upper).norm();
            assert!(off <= 1e-9, "witnesses off by {off:e}");
        }
    }
}
