//! A search that stops as soon as the question is decided must leave it decided when the error of the pose is
//! taken off.

use crate::support::bent::{LEGS, ell};
use crate::support::engine::ask;
use elbowroom_pair::Geometry;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Transform, vec3};
use elbowroom_pair::{Ask, Clearance, Query, Scratch, Shape, Stop, Warm, clearance};

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

/// A ball 91 mm from the corner's hull and 550 mm from its walls. The hull proves that it is apart where no
/// more is asked; the distance is that of the walls, whatever the margin.
#[test]
fn hulls_prove_and_walls_answer() {
    let (a, b) = (corner(), ShapeDescription::Sphere { radius: 0.05 });
    let (a, b) = (Shape::new(&a, 0.0).unwrap(), Shape::new(&b, 0.0).unwrap());
    let at = Transform::from_translation(vec3(0.6, 0.6, 0.5));
    let (hull, walls) = (0.2 / 2.0_f64.sqrt() - 0.05, 0.55);
    for (x, y, at) in [(&a, &b, at), (&b, &a, at.inverse())] {
        let mut scratch = Scratch::new(a.mesh_depth());
        let mut ask = |query: Query| clearance(x, y, &at, &query, &mut Warm::default(), &mut scratch);
        let is = |c: Clearance, distance: f64| c.interval.contains(distance) && c.interval.width() < 1e-12;
        for margin in [0.0, 0.09, 0.1, f64::INFINITY] {
            let c = ask(Query { margin, ..Query::default() });
            assert!(is(c, walls), "{margin}: {c:?}");
            // A bound of the hull is enough beyond the margin, and no distance.
            let c = ask(Query { ask: Ask::LowerBound, margin, ..Query::default() });
            if margin < hull {
                assert!(
                    margin < c.interval.lower
                        && c.interval.lower <= hull
                        && c.interval.upper == f64::INFINITY,
                    "{margin}: {c:?}"
                );
                assert_eq!(c.stop, Stop::Decided);
            } else {
                assert!(hull < c.interval.lower && c.interval.contains(walls), "{margin}: {c:?}");
            }
            // A test is about its cutoff.
            let test = Query { ask: Ask::Test, margin, ..Query::default() };
            let c = ask(Query { cutoff: 0.09, ..test });
            assert!(
                0.09 < c.interval.lower && c.interval.lower <= hull && c.interval.upper == f64::INFINITY,
                "{margin}: {c:?}"
            );
            let c = ask(Query { cutoff: 0.1, ..test });
            assert!(0.1 < c.interval.lower && c.interval.contains(walls), "{margin}: {c:?}");
            let c = ask(Query { geometry: Geometry::Hull, margin, ..Query::default() });
            assert!(is(c, hull), "{margin}: {c:?}");
        }
        // Nor is a distance beyond the cutoff.
        let c = ask(Query { cutoff: 0.09, ..Query::default() });
        assert!(
            0.09 < c.interval.lower && c.interval.lower <= hull && c.interval.upper == f64::INFINITY,
            "{c:?}"
        );
        assert_eq!(c.stop, Stop::Decided);
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
        let a = Shape::new(&corner, padding).unwrap();
        let b = Shape::new(other, 0.0).unwrap();
        let (mut warm, mut scratch) = (Warm::default(), Scratch::new(a.mesh_depth().max(b.mesh_depth())));
        for (ask, cutoff, slack) in [Ask::Test, Ask::LowerBound, Ask::Distance]
            .into_iter()
            .flat_map(|ask| [0.0, 0.1].into_iter().flat_map(move |c| [0.0, 1e-13, 1e-9].map(|s| (ask, c, s))))
        {
            let query = Query { ask, cutoff, slack, ..Query::default() };
            let c = clearance(&a, &b, &at, &query, &mut warm, &mut scratch);
            assert!(c.interval.lower > cutoff, "{query:?}, padding {padding}: {c:?}");
            let back = clearance(&b, &a, &at.inverse(), &query, &mut Warm::default(), &mut scratch);
            assert!(back.interval.lower > cutoff, "{query:?}, padding {padding}, swapped: {back:?}");
        }
    }
}

/// A pose with NaN proves nothing, and takes no time to say so.
#[test]
fn a_pose_of_nans_is_answered_quickly_and_proves_nothing() {
    let point = ShapeDescription::Convex { vertices: vec![[0.0; 3]; 20] };
    let sphere = ShapeDescription::Sphere { radius: 8.0 };
    let (a, b) = (Shape::new(&point, 0.0).unwrap(), Shape::new(&sphere, 0.0).unwrap());
    let (mut warm, mut scratch) = (Warm::default(), Scratch::default());
    let nowhere = Transform::from_translation(vec3(f64::NAN, f64::NAN, f64::NAN));
    for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
        for (a, b) in [(&a, &b), (&b, &a), (&a, &a), (&b, &b)] {
            let query = Query { ask, ..Query::default() };
            let c = clearance(a, b, &nowhere, &query, &mut warm, &mut scratch);
            assert!(!(c.interval.lower > 0.0) && !(c.interval.upper < 0.0), "{c:?}");
            assert!(c.steps < 10_000, "{c:?}");
        }
    }
}

/// A cutoff may be an overlap that another pair has. Triangles that are apart are then told to be apart,
/// though their hulls overlap deeper than that.
#[test]
fn what_is_apart_is_so_whatever_the_cutoff() {
    let l = ell(LEGS, [0.0, 0.2]);
    let cube = ShapeDescription::Box { size: [0.1; 3] };
    for (padding, slack) in [(0.0, 0.0), (0.0, 1e-12), (0.03, 0.0), (0.03, 1e-9)] {
        let [l, small, bent] =
            [(&l, padding), (&cube, 0.0), (&l, 0.0)].map(|(s, p)| Shape::new(s, p).unwrap());
        let turned = Transform::from_xyz_rpy([1.25, 1.05, 0.01], [0.0, 0.0, core::f64::consts::PI]);
        for (b, pose) in [(&small, Transform::from_translation(vec3(0.4, 0.4, 0.1))), (&bent, turned)] {
            for (a, b, pose) in [(&l, b, pose), (b, &l, pose.inverse())] {
                for cutoff in [f64::INFINITY, 0.0, -1e-4, -0.01, -0.1] {
                    let c = ask(a, b, &pose, &Query { cutoff, slack, ..Query::default() });
                    assert!(c.interval.lower > 0.0, "{padding} {slack} {cutoff}: {c:?}");
                }
            }
        }
    }
}
