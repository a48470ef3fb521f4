//! Special positions: faces that are parallel but for rounding, axes that cross, surfaces that lie on each
//! other.

use crate::support::engine::{ask, compile_unpadded};
use crate::support::rng::Rng;
use crate::support::slow::{prepare, truth_of};
use elbowroom_pair::Geometry;
use elbowroom_pair::describe::ShapeDescription;
use elbowroom_pair::math::{Mat3, Transform, Vec3, vec3};
use elbowroom_pair::shape::Core;
use elbowroom_pair::tolerance::{ALONG, ALONG_CURVED};
use elbowroom_pair::{Clearance, Query, Stop};

fn cuboid(size: [f64; 3]) -> ShapeDescription {
    ShapeDescription::Box { size }
}

fn distance(a: &ShapeDescription, b: &ShapeDescription, b_in_a: &Transform, geometry: Geometry) -> Clearance {
    ask(&compile_unpadded(a), &compile_unpadded(b), b_in_a, &Query { geometry, ..Query::default() })
}

/// How far the vector between the witnesses is from the distance along the normal.
fn off(c: &Clearance) -> f64 {
    (c.witness_a - c.witness_b - c.normal * (0.5 * (c.interval.lower + c.interval.upper))).norm()
}

fn turn(quat_wxyz: [f64; 4]) -> Mat3 {
    Mat3::from_quat_wxyz(quat_wxyz).unwrap()
}

/// Half the turns that leave axes on axes.
const TURNS: [[f64; 4]; 6] = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0, 0.0],
    [1.0, 0.0, 1.0, 0.0],
    [0.5, 0.5, 0.5, 0.5],
    [0.0, 0.0, 1.0, 1.0],
];

#[test]
fn boxes_turned_by_right_angles_and_noise() {
    let rng = &mut Rng::new(20);
    let (mut deep, mut noisy) = (0, 0);
    for k in 0..3000 {
        let mut sizes = [[0.0; 3]; 2];
        for s in sizes.iter_mut().flatten() {
            *s = [0.1, 0.5, 1.0, 2.0][rng.below(4)];
        }
        let noise = 10.0_f64.powi(-9 - (k % 7)) * rng.range(1.0, 9.9);
        let mut q = TURNS[rng.below(6)];
        for x in &mut q {
            *x += noise * rng.range(-1.0, 1.0);
        }
        let mut step = || 0.05 * rng.below(12) as f64;
        let b_in_a = Transform { rotation: turn(q), translation: vec3(step(), step(), step()) };
        let (a, b) = (cuboid(sizes[0]), cuboid(sizes[1]));
        let c = distance(&a, &b, &b_in_a, Geometry::Mesh);
        let t = truth_of(&prepare(&a, 0.0).unwrap(), &prepare(&b, 0.0).unwrap(), &b_in_a);
        let what = format!("{sizes:?} {q:?} {b_in_a:?}: {c:?}, truth {t:?}");
        assert!(c.interval.lower <= t.upper && t.lower <= c.interval.upper, "{what}");
        assert!(c.interval.width() <= 1.1e-9 * t.scale, "{what}");
        if t.upper < -1e-9 {
            deep += 1;
            noisy += u32::from((1e-14..1e-9).contains(&noise));
            assert!(c.stop == Stop::Stalled || off(&c) <= ALONG * t.scale, "{what}");
        }
    }
    assert!(deep > 1000 && noisy > 500, "{deep} {noisy}");
}

#[test]
fn what_boxes_with_noise_once_answered() {
    let q = |q: [f64; 4], by: [f64; 3]| Transform { rotation: turn(q), translation: Vec3::from(by) };
    for (size, pose, depth) in [
        (
            [0.5, 0.5, 2.0],
            q(
                [2.668643066216318e-14, 0.7071067811865379, 0.7071067811865571, -3.694021695022614e-14],
                [0.05, 0.0, 0.1],
            ),
            0.45,
        ),
        (
            [0.5, 0.1, 1.0],
            q([2.243077956725782e-11, -2.8306362799087197e-11, 1.0, 5.169848892572361e-11], [0.1, 0.0, 0.0]),
            0.1,
        ),
        (
            [2.0, 0.1, 2.0],
            q(
                [1.0, -7.499243826155993e-12, 4.6150349146430043e-11, -8.085024533958869e-11],
                [0.0, 0.0, 0.05],
            ),
            0.1,
        ),
    ] {
        let c = distance(&cuboid(size), &cuboid(size), &pose, Geometry::Mesh);
        assert!(c.interval.width() < 1e-11 && (c.interval.upper + depth).abs() < 1e-9, "{c:?}");
        assert!(c.stop == Stop::Converged && off(&c) < 1e-10, "{c:?}");
    }
}

#[test]
fn capsules_whose_axes_cross() {
    let capsule = ShapeDescription::Capsule { radius: 0.05, length: 0.6 };
    for q in [[0.9, 0.3, 0.1, 0.2], [0.8, 0.3, 0.15, 0.25], [0.9, 0.4, 0.1, 0.2], [1.0, 0.0, 0.0, 0.0]] {
        for z in [0.0, 0.07, 0.1, 0.12, 0.3] {
            let pose = Transform { rotation: turn(q), translation: vec3(0.0, 0.0, z) };
            let c = distance(&capsule, &capsule, &pose, Geometry::Mesh);
            assert!(
                c.interval.width() < 1e-13 && (c.interval.upper + 0.1).abs() < 1e-12 && off(&c) < 1e-12,
                "{q:?} {z}: {c:?}"
            );
        }
    }
}

#[test]
fn the_points_of_a_depth_lie_along_its_normal() {
    let rng = &mut Rng::new(21);
    let mut overlap = [0, 0];
    for k in 0..4000 {
        let mut shape = || -> (ShapeDescription, bool) {
            match rng.below(5) {
                0 => (cuboid([rng.range(0.2, 1.0), rng.range(0.2, 1.0), rng.range(0.2, 1.0)]), false),
                1 => (cuboid([1.0, 1.0, 1.0]), false),
                2 => {
                    let vertices =
                        (0..32).map(|_| (rng.direction() * rng.range(0.4, 0.6)).to_array()).collect();
                    (ShapeDescription::Convex { vertices }, false)
                }
                3 => (
                    ShapeDescription::Cylinder { radius: rng.range(0.2, 0.5), length: rng.range(0.2, 1.0) },
                    true,
                ),
                _ => (
                    ShapeDescription::Cone { radius: rng.range(0.2, 0.5), length: rng.range(0.2, 1.0) },
                    true,
                ),
            }
        };
        let ((a, a_curved), (b, b_curved)) = (shape(), shape());
        let curved = a_curved || b_curved;
        let turned = if k % 2 == 0 { TURNS[0] } else { [0.0; 4].map(|_| rng.range(-1.0, 1.0)) };
        let translation = rng.direction() * rng.range(0.0, 0.7);
        let c = distance(&a, &b, &Transform { rotation: turn(turned), translation }, Geometry::Mesh);
        if c.interval.upper < 0.0 {
            overlap[usize::from(curved)] += 1;
            let limit = 4.0 * ALONG + if curved { -ALONG_CURVED * c.interval.lower } else { 0.0 };
            assert!(off(&c) <= limit && c.stop != Stop::Stalled, "{a:?} {b:?}: {c:?}");
        }
    }
    assert!(overlap[0] > 500 && overlap[1] > 500, "{overlap:?}");
}

/// A wedge, of which the centre of the smallest ball is on a face, as a mesh.
#[test]
fn a_box_on_the_slope_of_a_wedge() {
    let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let wedge =
        ShapeDescription::Mesh { vertices, triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]] };
    let c = distance(
        &wedge,
        &cuboid([0.02; 3]),
        &Transform::from_translation(vec3(0.2, 0.3, 0.5)),
        Geometry::Mesh,
    );
    assert!(c.stop == Stop::Converged && off(&c) < 1e-12, "{c:?}");
    assert!((c.witness_b - vec3(0.19, 0.29, 0.49)).norm() < 1e-12, "{c:?}");
}

/// An L of two walls, floor `[0, 2] x [0, 1]` and back, half a metre thick.
fn angle_iron() -> ShapeDescription {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 0.5], [0.5, 0.5], [0.5, 2.0], [0.0, 2.0]];
    let vertices = [0.0, 1.0].iter().flat_map(|&y| outline.map(|[x, z]| [x, y, z])).collect();
    let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = caps.to_vec();
    triangles.extend(caps.map(|[a, b, c]| [a + 6, c + 6, b + 6]));
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.extend([[i, i + 6, j + 6], [i, j + 6, j]]);
    }
    ShapeDescription::Mesh { vertices, triangles }
}

#[test]
fn solids_that_touch_from_within_overlap() {
    let iron = angle_iron();
    let block = cuboid([0.2; 3]);
    // Inside the floor, on its lower side; and as a mesh that is not convex itself.
    let at = |x, y, z| Transform::from_translation(vec3(x, y, z));
    for (pose, depth) in [(at(1.0, 0.5, 0.1), 0.1), (at(1.0, 0.5, 0.1 + 1e-9), 0.1)] {
        let c = distance(&iron, &block, &pose, Geometry::Mesh);
        assert!(c.interval.upper <= -0.5 * depth && c.interval.lower <= -0.2, "{c:?}");
    }
    let c = distance(&iron, &iron, &Transform::IDENTITY, Geometry::Mesh);
    assert!(c.interval.upper < -1e-3, "{c:?}");
    // From outside they only touch.
    let c = distance(&iron, &block, &at(1.0, 0.5, -0.1), Geometry::Mesh);
    assert!(c.interval.contains(0.0) && c.interval.upper < 1e-9, "{c:?}");
    let c = distance(&iron, &iron, &at(0.0, 1.0, 0.0), Geometry::Mesh);
    assert!(c.interval.contains(0.0) && c.interval.upper < 1e-9, "{c:?}");
}

/// The middle of the ball around a hull may be outside of the hull, and then beyond a surface that the hull
/// is beside.
#[test]
fn a_hull_beside_a_wall_is_not_in_it() {
    let (iron, rng) = (angle_iron(), &mut Rng::new(22));
    let mut outside = 0;
    for _ in 0..2000 {
        let vertices: Vec<[f64; 3]> = (0..4).map(|_| (rng.direction() * 0.2).to_array()).collect();
        let d = ShapeDescription::Convex { vertices };
        let s = compile_unpadded(&d);
        let Core::Hull(hull) = s.core() else { continue };
        // A face that the middle is beyond, turned down towards the upper side of the floor, in the notch.
        for face in hull.faces() {
            let [p, q, r] = face.map(|k| hull.vertex(k as usize));
            let Some(n) = (q - p).cross(r - p).normalized() else { continue };
            let beyond = n.dot(s.center() - p);
            if beyond > 1e-5 {
                outside += 1;
                let (x, up) = (n.any_perpendicular().normalized().unwrap(), -n);
                let rotation = Mat3 { cols: [x, up.cross(x), up] }.transpose();
                let gap = 0.5 * beyond;
                let at = vec3(1.2, 0.5, 0.5 + gap) - rotation * ((p + q + r) * (1.0 / 3.0));
                let c = distance(&iron, &d, &Transform { rotation, translation: at }, Geometry::Mesh);
                assert!(c.interval.lower > 0.0 && (c.interval.upper - gap).abs() < 1e-9, "{d:?}: {c:?}");
            }
        }
    }
    assert!(outside > 20, "{outside}");
}
