//! A search that stops as soon as the question is decided must leave it decided when the error of the pose is taken off.

use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, vec3};
use elbowroom::narrow::{Ask, Geometry, Query, Scratch, Warm, clearance};
use elbowroom::shape_compile::compile_shape;

/// Two walls in a corner along z, and a small wall in the notch between them: the hulls overlap, the triangles are 0.2 m apart.
#[test]
fn a_test_of_triangles_decides_beyond_the_slack() {
    let corner = ShapeDescription::Mesh {
        vertices: vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
            [0.0, 1.0, 0.0],
            [0.0, 1.0, 1.0],
        ],
        triangles: vec![[0, 1, 2], [1, 3, 2], [0, 2, 4], [4, 2, 5]],
    };
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
                let query = Query { ask, cutoff, geometry, slack };
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
