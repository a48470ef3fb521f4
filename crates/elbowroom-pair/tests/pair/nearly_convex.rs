//! Meshes that are convex but for the rounding of their files: their hulls tell how deep they overlap.

use crate::support::rng::Rng;
use crate::support::{engine, slow};
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Transform, Vec3, sin_cos, vec3};
use elbowroom_pair::{Ask, Clearance, Effort, Geometry, Query, Shape, Stop};

/// A prism about z with its faces in fans about their middles, every corner off by up to `error` along each
/// axis; and prisms that are inside of it and around it.
struct Prism {
    mesh: ShapeDescription,
    inside: ShapeDescription,
    around: ShapeDescription,
    /// The least distance of the middle from a face, and the largest from a corner.
    near: f64,
    far: f64,
}

fn prism(sides: u32, radius: f64, half: f64, error: f64, rng: &mut Rng) -> Prism {
    let turn = |i: u32| core::f64::consts::TAU * f64::from(i) / f64::from(sides);
    let rim = |radius: f64, half: f64| {
        let at = move |i: u32, z: f64| {
            let (sin, cos) = sin_cos(turn(i));
            [radius * cos, radius * sin, z]
        };
        [-half, half].into_iter().flat_map(move |z| (0..sides).map(move |i| at(i, z))).collect::<Vec<_>>()
    };
    let mut vertices = rim(radius, half);
    let mut triangles = Vec::new();
    let mut fan = |cycle: &[u32]| {
        let middle = cycle.iter().fold(Vec3::ZERO, |sum, k| sum + Vec3::from(vertices[*k as usize]));
        let middle = middle * (1.0 / cycle.len() as f64);
        let hub = vertices.len() as u32;
        vertices.push(middle.to_array());
        let next = cycle.iter().cycle().skip(1);
        triangles.extend(cycle.iter().zip(next).map(|(a, b)| [hub, *a, *b]));
    };
    fan(&(0..sides).rev().collect::<Vec<_>>());
    fan(&(sides..2 * sides).collect::<Vec<_>>());
    for i in 0..sides {
        let j = (i + 1) % sides;
        fan(&[i, j, j + sides, i + sides]);
    }
    vertices.iter_mut().flatten().for_each(|x| *x += rng.range(-error, error));
    let apothem = radius * sin_cos(0.5 * turn(1)).1;
    // Faces move by the length of the error.
    let off = 2.0 * error;
    let grown =
        |by: f64| ShapeDescription::Convex { vertices: rim(radius * (1.0 + by / apothem), half + by) };
    Prism {
        mesh: ShapeDescription::Mesh { vertices, triangles },
        inside: grown(-off),
        around: grown(off),
        near: apothem.min(half),
        far: radius.hypot(half),
    }
}

fn ask(a: &Shape, b: &Shape, pose: &Transform, depth: Effort) -> Clearance {
    engine::ask(a, b, pose, &Query { ask: Ask::Distance, depth, ..Query::default() })
}

#[test]
fn depths_of_rounded_prisms_are_those_of_prisms() {
    let mut rng = Rng::new(71);
    let (mut exact, mut bracketed, mut of_core, mut rounded) = (0, 0, 0, 0);
    for k in 0..400 {
        let random = |rng: &mut Rng| {
            let sides = 3 + rng.below(9) as u32;
            let (radius, half, error) =
                (rng.range(0.01, 0.05), rng.range(0.005, 0.1), rng.decades(-9.0, -6.0));
            (prism(sides, radius, half, error, rng), error)
        };
        let ((a, a_error), (b, b_error)) = (random(&mut rng), random(&mut rng));
        let pose = rng.pose(0.6 * (a.near + b.near));
        let shape_a = engine::compile_unpadded(&a.mesh);
        // A mesh, or a convex body.
        let (shape_b, off) = if k % 4 == 0 {
            of_core += 1;
            (engine::compile_unpadded(&b.inside), a_error * a.far / a.near)
        } else {
            (engine::compile_unpadded(&b.mesh), a_error * a.far / a.near + b_error * b.far / b.near)
        };
        // Few corners can all be off outwards.
        rounded += usize::from(shape_a.mesh().is_some_and(|mesh| mesh.is_closed()));
        let [inner, outer] = [[&a.inside, &b.inside], [&a.around, &b.around]]
            .map(|[a, b]| slow::truth(a, 0.0, b, 0.0, &pose).unwrap());
        for effort in [Effort::Rough, Effort::Ordinary, Effort::TIGHT] {
            let c = ask(&shape_a, &shape_b, &pose, effort);
            let interval = c.interval;
            assert!(interval.lower <= inner.upper && interval.upper >= outer.lower, "{k}: {c:?}");
            if c.stop == Stop::Bracketed {
                bracketed += 1;
                continue;
            }
            if interval.upper < 0.0 {
                exact += 1;
                assert!(interval.width() <= 16.0 * off, "{k} {effort:?}: {c:?} {off}");
            }
            // The hull is as it was.
            let query = Query { geometry: Geometry::Hull, ..Query::default() };
            let hulls = engine::ask(&shape_a, &shape_b, &pose, &query).interval;
            assert!(interval.lower >= hulls.lower - 1e-15 && interval.upper >= hulls.lower, "{k}: {c:?}");
        }
    }
    assert!(exact > 700 && bracketed < exact / 8 && of_core == 100, "{exact} exact, {bracketed} bracketed");
    assert!(rounded > 380, "{rounded} are not their own hulls");
}

#[test]
fn a_dent_is_in_the_interval_of_what_presses_into_it() {
    let mut told = 0;
    for dent in [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3] {
        // A cube of which the middle of the top is pushed in; a small ball above that middle, deep in it.
        let corner = |k: u32| [0, 1, 2].map(|axis| f64::from(k >> axis & 1) - 0.5);
        let mut vertices: Vec<[f64; 3]> = (0..8).map(corner).collect();
        vertices.push([0.0, 0.0, 0.5 - dent]);
        let sides = [[0, 2, 3, 1], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mut triangles: Vec<[u32; 3]> =
            sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        triangles.extend([[4, 5, 8], [5, 7, 8], [7, 6, 8], [6, 4, 8]]);
        let cube = engine::compile_unpadded(&ShapeDescription::Mesh { vertices, triangles });
        let ball = engine::compile_unpadded(&ShapeDescription::Sphere { radius: 0.05 });
        let pose = Transform::from_translation(vec3(0.0, 0.0, 0.4));
        // Straight up, until the ball touches all faces of the dent.
        let slope = dent / 0.5;
        let exact = -(0.1 - dent + 0.05 * (1.0 + slope * slope).sqrt());
        for effort in [Effort::Rough, Effort::Ordinary, Effort::TIGHT] {
            let c = ask(&cube, &ball, &pose, effort);
            assert!(c.interval.lower <= exact + 1e-15 && exact <= c.interval.upper + 1e-15, "{dent}: {c:?}");
            if c.stop != Stop::Bracketed {
                assert!(c.interval.width() < 4.0 * dent + 1e-14, "{dent}: {c:?}");
                told += 1;
            }
        }
        // Far deeper than what files round.
        let deep = ask(&cube, &ball, &pose, Effort::Ordinary);
        assert_eq!(deep.stop == Stop::Bracketed, dent > 1e-4, "{dent}: {deep:?}");
    }
    assert_eq!(told, 15, "five dents are as good as none");
}
