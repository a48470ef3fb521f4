//! A search that stops as soon as the question is decided must leave it decided when the error of the pose is taken off.

use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, vec3};
use elbowroom::narrow::{Ask, Geometry, Query, Scratch, Warm, clearance};
use elbowroom::shape_compile::compile_shape;

/// Two walls in a corner along z.
fn corner() -> ShapeDescription {
    ShapeDescription::Mesh {
        vertices: vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
            [0.0, 1.0, 0.0],
            [0.0, 1.0, 1.0],
        ],
        triangles: vec![[0, 1, 2], [1, 3, 2], [0, 2, 4], [4, 2, 5]],
    }
}

/// A ball 91 mm from the corner's hull and 550 mm from its walls: "near" must be said of walls, not of hulls.
#[test]
fn hulls_answer_only_beyond_the_margin() {
    let (a, b) = (corner(), ShapeDescription::Sphere { radius: 0.05 });
    let (a, b) = (compile_shape(&a, 0.0).unwrap(), compile_shape(&b, 0.0).unwrap());
    let at = Transform::from_translation(vec3(0.6, 0.6, 0.5));
    for (margin, distance) in
        [(0.0, 0.2 / 2.0_f64.sqrt() - 0.05), (0.09, 0.2 / 2.0_f64.sqrt() - 0.05), (0.1, 0.55)]
    {
        let query = Query { margin, ..Query::default() };
        for (x, y, at) in [(&a, &b, at), (&b, &a, at.inverse())] {
            let mut scratch = Scratch::new(a.mesh_depth());
            let c = clearance(x, y, &at, &query, &mut Warm::default(), &mut scratch);
            assert!(
                c.lower <= distance && distance <= c.upper && c.upper - c.lower < 1e-12,
                "{margin}: {c:?}"
            );
        }
    }
}

/// A small wall in the notch of the corner: the hulls overlap, the triangles are 0.2 m apart.
#[test]
fn a_test_of_triangles_decides_beyond_the_slack() {
    let corner = corner();
    let wall = ShapeDescription::Mesh {
        vertices: vec![[0.0, 0.0, 0.4], [0.1, 0.0, 0.4], [0.0, 0.1, 0.6]],
        triangles: vec![[0, 1, 2]],
    };
    let ball = ShapeDescription::Sphere { radius: 0.05 };
    let at = Transform::from_translation(vec3(0.2, 0.2, 0.0));
    let ball_at = Transform::from_translation(vec3(0.25, 0.25, 0.5));
    for (other, at, padding) in [(&wall, at, 0.0), (&wall, at, 0.01), (&ball, ball_at, 0.0)] {
        let a = compile_shape(&corner, padding).unwrap();
        let b = compile_shape(other, 0.0).unwrap();
        let (mut warm, mut scratch) = (Warm::default(), Scratch::new(a.mesh_depth().max(b.mesh_depth())));
        for geometry in [Geometry::Mesh, Geometry::HullThenMesh] {
            for (ask, cutoff, slack) in
                [Ask::Test, Ask::LowerBound, Ask::Distance].into_iter().flat_map(|ask| {
                    [0.0, 0.1].into_iter().flat_map(move |c| [0.0, 1e-13, 1e-9].map(|s| (ask, c, s)))
                })
            {
                let query = Query { ask, cutoff, geometry, slack, ..Query::default() };
                let c = clearance(&a, &b, &at, &query, &mut warm, &mut scratch);
                assert!(c.lower > cutoff, "{query:?}, padding {padding}: {c:?}");
                let back = clearance(&b, &a, &at.inverse(), &query, &mut Warm::default(), &mut scratch);
                assert!(back.lower > cutoff, "{query:?}, padding {padding}, swapped: {back:?}");
            }
        }
    }
}

/// A pose that is not a number proves nothing, and takes no time to say so.
#[test]
fn a_pose_of_nans_is_answered_quickly_and_proves_nothing() {
    let point = ShapeDescription::Convex { vertices: vec![[0.0; 3]; 20] };
    let sphere = ShapeDescription::Sphere { radius: 8.0 };
    let (a, b) = (compile_shape(&point, 0.0).unwrap(), compile_shape(&sphere, 0.0).unwrap());
    let (mut warm, mut scratch) = (Warm::default(), Scratch::default());
    let nowhere = Transform::from_translation(vec3(f64::NAN, f64::NAN, f64::NAN));
    for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
        for (a, b) in [(&a, &b), (&b, &a), (&a, &a), (&b, &b)] {
            let query = Query { ask, ..Query::default() };
            let c = clearance(a, b, &nowhere, &query, &mut warm, &mut scratch);
            assert!(!(c.lower > 0.0) && !(c.upper < 0.0), "{c:?}");
            assert!(c.steps < 10_000, "{c:?}");
        }
    }
}
