//! Bodies within meshes that do not close: a surface says nothing of what is behind it, so what it shuts in
//! is unknown, and what can be seen from outside is as clear as of any surface.

use crate::support::bent::ell;
use crate::support::engine::{self, compile_unpadded};
use elbowroom_pair::Geometry;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Transform, Vec3, vec3};
use elbowroom_pair::{Ask, Clearance, Query, Shape, Stop};

/// A cube from -1 to 1, each face of `n` by `n` squares of two triangles; the faces come in the order -x, +x,
/// -y, +y, -z, +z.
fn housing(n: u32, keep: impl Fn(usize) -> bool) -> Shape {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (axis, side) in (0..3).flat_map(|axis| [(axis, -1.0), (axis, 1.0)]) {
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let corner = |u: u32, v: u32| {
                let at = |k: u32| f64::from(2 * k) / f64::from(n) - 1.0;
                let mut p = [0.0; 3];
                (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (side, at(i + u), at(j + v));
                p
            };
            let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)].map(|p| {
                vertices.iter().position(|v| *v == p).unwrap_or_else(|| {
                    vertices.push(p);
                    vertices.len() - 1
                }) as u32
            });
            if side < 0.0 {
                quad.reverse();
            }
            let [a, b, c, d] = quad;
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let triangles = triangles.into_iter().enumerate().filter(|(k, _)| keep(*k)).map(|(_, t)| t).collect();
    compile_unpadded(&ShapeDescription::Mesh { vertices, triangles })
}

fn cubes(size: [f64; 3]) -> [Shape; 3] {
    // A convex core, a closed mesh that is not convex (a notch of a corner), and a ball.
    let [x, y, z] = size.map(|s| 0.5 * s);
    let outline = [[-x, -y], [x, -y], [x, 0.0], [0.0, 0.0], [0.0, y], [-x, y]];
    [
        compile_unpadded(&ShapeDescription::Box { size }),
        compile_unpadded(&ell(outline, [-z, z])),
        compile_unpadded(&ShapeDescription::Capsule { radius: x.min(y), length: 2.0 * z }),
    ]
}

fn ask(a: &Shape, b: &Shape, b_in_a: &Transform, ask: Ask, geometry: Geometry) -> Clearance {
    engine::ask(a, b, b_in_a, &Query { ask, geometry, ..Query::default() })
}

/// The answers for a body in a housing at a place, whichever comes first and whatever is asked.
fn all(housing: &Shape, body: &Shape, at: Vec3, check: impl Fn(&Clearance, Ask)) {
    for asked in [Ask::Distance, Ask::Test, Ask::LowerBound] {
        check(&ask(housing, body, &Transform::from_translation(at), asked, Geometry::Mesh), asked);
        check(&ask(body, housing, &Transform::from_translation(-at), asked, Geometry::Mesh), asked);
    }
}

#[test]
fn what_an_open_mesh_shuts_in_is_unknown() {
    // One triangle of 48, of 192, and of 1200 is lost; and two of them on opposite sides.
    let open = [
        housing(2, |k| k != 41),
        housing(4, |k| k != 7),
        housing(10, |k| k != 700),
        housing(4, |k| k % 96 != 5),
    ];
    for housing in &open {
        assert!(!housing.mesh().unwrap().is_closed());
        for body in &cubes([0.2; 3]) {
            all(housing, body, Vec3::ZERO, |c, asked| {
                assert!(c.interval.lower <= 0.0 && c.interval.upper > 0.0, "{asked:?}: {c:?}");
                assert!(
                    asked != Ask::Distance || (c.stop == Stop::ShutIn && c.interval.upper < 1.0),
                    "{c:?}"
                );
            });
            // Beside the housing, as far as it is.
            all(housing, body, vec3(0.0, 3.0, 0.0), |c, _| assert!(c.interval.lower > 0.0, "{c:?}"));
        }
        let whole = ask(housing, &cubes([0.2; 3])[0], &Transform::IDENTITY, Ask::Distance, Geometry::Hull);
        assert!(whole.interval.upper < 0.0, "{whole:?}");
    }
    for body in &cubes([0.2; 3]) {
        all(&housing(4, |_| true), body, Vec3::ZERO, |c, _| assert!(c.interval.upper < 0.0, "closed: {c:?}"));
    }
}

#[test]
fn what_can_be_seen_from_outside_is_clear_of_an_open_mesh() {
    // Without a lid, in the middle; in a fork of two faces and the one between; and through the lost half of
    // a face.
    let no_lid = housing(3, |k| k / 18 != 5);
    let fork = housing(3, |k| [0, 1, 4].contains(&(k / 18)));
    let half = housing(1, |k| k != 11);
    for body in &cubes([0.2; 3]) {
        // A capsule is longer than its side is wide.
        let gap = if body.radius() > 0.0 { 0.8 } else { 0.9 };
        for housing in [&no_lid, &fork] {
            all(housing, body, Vec3::ZERO, |c, asked| {
                assert!(c.interval.lower > 0.0, "{asked:?}: {c:?}");
                let off = (c.interval.lower - gap).abs().max((c.interval.upper - gap).abs());
                assert!(asked != Ask::Distance || off < 1e-9, "{c:?}");
            });
        }
    }
    // Deep in a bin as high as it is wide: above the floor, beside a wall, and in a corner.
    for body in &cubes([0.1; 3]) {
        for at in [vec3(0.0, 0.0, -0.85), vec3(0.85, 0.0, -0.5), vec3(0.8, -0.8, -0.8)] {
            let c = ask(&no_lid, body, &Transform::from_translation(at), Ask::Distance, Geometry::Mesh);
            assert!(c.interval.lower > 0.0, "{at:?}: {c:?}");
        }
    }
    for rod in &cubes([0.1, 0.1, 2.0]) {
        let mut clear = 0;
        for at in [vec3(-0.4, 0.4, 0.8), vec3(0.4, -0.4, 0.8)] {
            // It hangs through one half of the face or through the other, which is there.
            let c = ask(&half, rod, &Transform::from_translation(at), Ask::Distance, Geometry::Mesh);
            assert!(c.interval.lower > 0.0 || c.interval.upper < 0.0, "{c:?}");
            clear += usize::from(c.interval.lower > 0.0);
        }
        assert_eq!(clear, 1);
    }
}
