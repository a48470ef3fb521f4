//! Round and padded bodies among walls: a way out of one wall leads into the next.

use crate::support::engine::ask;
use elbowroom_pair::Geometry;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, Vec3, vec3};
use elbowroom_pair::{Ask, Query, Shape, Stop};

/// How a box is written down.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Outwards,
    Inwards,
    TwoSided,
    OneTurned,
}

/// Boxes in one mesh, each by its lower and upper corner.
fn boxes_written(all: &[([f64; 3], [f64; 3], Way)]) -> ShapeDescription {
    const FACES: [[u32; 3]; 12] = [
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ];
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (low, high, way) in all {
        let first = vertices.len() as u32;
        for k in 0..8 {
            let pick = |axis: usize| if k >> (2 - axis) & 1 == 0 { low[axis] } else { high[axis] };
            vertices.push([pick(0), pick(1), pick(2)]);
        }
        for (i, [p, q, r]) in FACES.map(|t| t.map(|v| v + first)).into_iter().enumerate() {
            let turned = *way == Way::Inwards || (*way == Way::OneTurned && i == 5);
            triangles.push(if turned { [p, r, q] } else { [p, q, r] });
            if *way == Way::TwoSided {
                triangles.push([p, r, q]);
            }
        }
    }
    ShapeDescription::Mesh { vertices, triangles }
}

fn boxes(all: &[([f64; 3], [f64; 3])]) -> ShapeDescription {
    let all: Vec<_> = all.iter().map(|&(low, high)| (low, high, Way::Outwards)).collect();
    boxes_written(&all)
}

/// Two plates 0.12 m apart, 0.14 m thick each; the shortest way out for what is in between and thicker leads
/// across a plate.
fn channel() -> Shape {
    let plates = boxes(&[([-1.0, -1.0, 0.06], [1.0, 1.0, 0.2]), ([-1.0, -1.0, -0.2], [1.0, 1.0, -0.06])]);
    Shape::new(&plates, 0.0).unwrap()
}

#[test]
fn what_is_stuck_in_a_channel_is_not_freed_by_the_first_wall() {
    let channel = channel();
    let cube = ShapeDescription::Box { size: [0.1; 3] };
    let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.1 }, 0.0).unwrap();
    let padded = Shape::new(&cube, 0.05).unwrap();
    let mesh = Shape::new(&boxes(&[([-0.05; 3], [0.05; 3])]), 0.05).unwrap();
    let query = Query { geometry: Geometry::Mesh, ..Query::default() };
    for (body, truth) in [(&ball, -0.3), (&padded, -0.3), (&mesh, -0.3)] {
        for swapped in [false, true] {
            let (a, b) = if swapped { (body, &channel) } else { (&channel, body) };
            let c = ask(a, b, &Transform::IDENTITY, &query);
            assert!(
                c.interval.lower <= truth + 1e-12 && truth <= c.interval.upper && c.interval.upper < 0.0,
                "{c:?}"
            );
            assert_eq!(c.stop, Stop::Bracketed);
            // A moved out by -lower is out: B moved the other way.
            let out = Transform::from_translation(c.normal * c.interval.lower);
            assert!(ask(a, b, &out, &query).interval.upper >= -1e-9, "{c:?}");
        }
    }
    // Thinner than the channel it is free, and how far is exact.
    let thin = Shape::new(&ShapeDescription::Sphere { radius: 0.05 }, 0.0).unwrap();
    let c = ask(&channel, &thin, &Transform::IDENTITY, &query);
    assert!((c.interval.lower - 0.01).abs() < 1e-12 && (c.interval.upper - 0.01).abs() < 1e-12, "{c:?}");
}

/// Which side of a surface a body is on shows only some way off it: a test must not stop before that.
#[test]
fn a_test_tells_concave_bodies_apart_whose_hulls_overlap() {
    let channel = channel();
    let rail = boxes(&[([-0.02, -2.0, -0.02], [0.02, 2.0, 0.02]), ([-0.02, 1.5, 0.02], [0.02, 2.0, 0.5])]);
    let rail = Shape::new(&rail, 0.0).unwrap();
    let query = Query { ask: Ask::Test, cutoff: 0.0, ..Query::default() };
    for (a, b) in [(&channel, &rail), (&rail, &channel)] {
        let c = ask(a, b, &Transform::IDENTITY, &query);
        assert!(c.interval.lower > 0.0, "{c:?}");
    }
}

#[test]
fn a_rotation_that_is_none_widens_the_depth() {
    let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.001 }, 0.0).unwrap();
    let shapes = [
        ShapeDescription::Box { size: [1.0; 3] },
        ShapeDescription::Cylinder { radius: 0.5, length: 1.0 },
        ShapeDescription::Cone { radius: 0.5, length: 1.0 },
        ShapeDescription::Ellipsoid { radii: [0.5, 0.4, 0.3] },
    ];
    let shrunk = Mat3 { cols: Mat3::IDENTITY.cols.map(|c| c * (1.0 - 1e-9)) };
    for shape in shapes {
        let body = Shape::new(&shape, 0.0).unwrap();
        for (a, b) in [(&ball, &body), (&body, &ball)] {
            let c = ask(a, b, &Transform::new(shrunk, Vec3::ZERO), &Query::default());
            assert!(
                c.interval.lower <= c.interval.upper && c.interval.upper < 0.0 && c.interval.width() < 1e-7,
                "{shape:?}: {c:?}"
            );
        }
    }
}

/// Where several ways out are equally short, points and normal tell of the same one.
#[test]
fn witnesses_of_a_tie_lie_along_the_normal() {
    let cube = |size: f64| ShapeDescription::Box { size: [size; 3] };
    let cylinder = |size: f64| ShapeDescription::Cylinder { radius: 0.5 * size, length: size };
    let hull = |size: f64| ShapeDescription::Convex {
        vertices: (0..8).map(|k| [0, 1, 2].map(|i| size * ((k >> i & 1) as f64 - 0.5))).collect(),
    };
    let turned = Mat3::from_rows([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]);
    let mut asked = 0;
    for (a, b) in [
        (cube(1.0), cube(0.5)),
        (cube(1.0), hull(0.5)),
        (hull(1.0), hull(1.0)),
        (cylinder(1.0), cube(0.5)),
        (cylinder(1.0), cylinder(0.5)),
        (hull(2.0), cylinder(0.5)),
    ] {
        let (a, b) = (Shape::new(&a, 0.0).unwrap(), Shape::new(&b, 0.0).unwrap());
        for pose in [
            Transform::IDENTITY,
            Transform::new(turned, Vec3::ZERO),
            Transform::from_translation(vec3(0.0, 0.1, 0.0)),
        ] {
            let c = ask(&a, &b, &pose, &Query::default());
            let along = c.normal * (0.5 * (c.interval.lower + c.interval.upper));
            assert!((c.witness_a - c.witness_b - along).norm() < 1e-7, "{c:?}");
            asked += 1;
        }
    }
    assert_eq!(asked, 18);
}

#[test]
fn points_that_are_smaller_than_an_atom_are_refused() {
    let cube = |size: f64| ShapeDescription::Convex {
        vertices: (0..8).map(|k| [0, 1, 2].map(|i| size * ((k >> i & 1) as f64 - 0.5))).collect(),
    };
    assert!([1e-162, 1e-30, 1e-13].iter().all(|size| Shape::new(&cube(*size), 0.0).is_err()));
    assert!([1e-11, 0.0].iter().all(|size| Shape::new(&cube(*size), 0.0).is_ok()));
}

/// Boxes in one file that overlap or share edges, carelessly wound: what is within is never called clear,
/// what is well outside always is.
#[test]
fn layers_that_might_cancel_are_never_called_clear() {
    use Way::{Inwards, OneTurned, Outwards, TwoSided};
    let (long, tall) = (([0.0; 3], [2.0, 1.0, 1.0]), ([0.0; 3], [1.0, 2.0, 1.0]));
    let shared = |v: Way, w: Way| vec![(long.0, long.1, v), (tall.0, tall.1, w)];
    let mut many: Vec<_> = (0..70)
        .map(|i| ([4.0 * f64::from(i), 0.0, 0.0], [4.0 * f64::from(i) + 1.0, 1.0, 1.0], TwoSided))
        .collect();
    many.push(([276.5, 0.2, 0.2], [277.5, 0.8, 0.8], TwoSided));
    let cases = [
        (vec![([0.0; 3], [1.0; 3], Outwards), ([0.5; 3], [1.4; 3], Inwards)], [0.75; 3]),
        (shared(Outwards, Outwards), [0.5; 3]),
        (shared(TwoSided, TwoSided), [0.5; 3]),
        (shared(Outwards, OneTurned), [0.5; 3]),
        (shared(Outwards, Inwards), [0.5; 3]),
        (many, [276.75, 0.5, 0.5]),
    ];
    let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.05 }, 0.0).unwrap();
    let query = Query { geometry: Geometry::Mesh, ..Query::default() };
    for (layers, at) in cases {
        let body = Shape::new(&boxes_written(&layers), 0.0).unwrap();
        let ways: Vec<Way> = layers.iter().take(2).map(|l| l.2).collect();
        for (a, b, sign) in [(&body, &ball, 1.0), (&ball, &body, -1.0)] {
            let inside = ask(a, b, &Transform::from_translation(Vec3::from(at) * sign), &query);
            assert!(!(inside.interval.lower > 0.0), "{ways:?}: {inside:?}");
            // Below all of them, and in the bay between the two arms of the L.
            let outside = ask(a, b, &Transform::from_translation(vec3(0.5, 0.5, -0.4) * sign), &query);
            assert!(outside.interval.lower > 0.3, "{ways:?}: {outside:?}");
        }
    }
}
