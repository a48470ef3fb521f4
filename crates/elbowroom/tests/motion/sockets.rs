//! Balls in sockets, on several turns about the middle: proved by the ball about it, or given up in bounded
//! counts.

use crate::support::describe::*;
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::motion::{Doubt, Edge, EdgeCounts, EdgeOptions, MotionChecker, verify};
use std::collections::HashMap;

/// An icosahedron whose triangles are cut in four so often, on the unit sphere: 20, 80, 320, 1280 triangles.
fn icosphere(cuts: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let g = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut points = Vec::new();
    for [p, q] in [[-1.0, g], [1.0, g], [-1.0, -g], [1.0, -g]] {
        points.extend([vec3(p, q, 0.0), vec3(0.0, p, q), vec3(q, 0.0, p)]);
    }
    let near = |a: Vec3, b: Vec3| (a - b).norm() < 2.1;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                let [a, b, c] = [i, j, k].map(|i: usize| points[i]);
                if near(a, b) && near(b, c) && near(c, a) {
                    let out = (b - a).cross(c - a).dot(a) > 0.0;
                    let [i, j, k] = [i, j, k].map(|i| i as u32);
                    triangles.push(if out { [i, j, k] } else { [i, k, j] });
                }
            }
        }
    }
    points.iter_mut().for_each(|p| *p = p.normalized().unwrap());
    for _ in 0..cuts {
        let mut halves = HashMap::new();
        let mut half = |a: u32, b: u32| {
            *halves.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                points.push((points[a as usize] + points[b as usize]).normalized().unwrap());
                points.len() as u32 - 1
            })
        };
        let cut = |[a, b, c]: [u32; 3]| {
            let [d, e, f] = [half(a, b), half(b, c), half(c, a)];
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        triangles = triangles.into_iter().flat_map(cut).collect();
    }
    (points, triangles)
}

fn ball(cuts: u32, radius: f64) -> ShapeDescription {
    let (points, triangles) = icosphere(cuts);
    ShapeDescription::Mesh { vertices: points.iter().map(|p| (*p * radius).to_array()).collect(), triangles }
}

/// A block with a hollow that is an icosphere: its faces are `inner` from the middle at least, or its corners
/// if `by_corners`.
fn socket(cuts: u32, inner: f64, by_corners: bool) -> ShapeDescription {
    let (points, triangles) = icosphere(cuts);
    let nearest = triangles.iter().map(|t| {
        let [a, b, c] = t.map(|i| points[i as usize]);
        (b - a).cross(c - a).normalized().unwrap().dot(a)
    });
    let scale = if by_corners { inner } else { inner / nearest.fold(1.0, f64::min) };
    let first = points.len() as u32;
    let mut vertices: Vec<_> = points.iter().map(|p| (*p * scale).to_array()).collect();
    let outer = points.iter().map(|p| (*p * (1.5 * scale)).to_array());
    vertices.extend(outer);
    let inward = triangles.iter().map(|[a, b, c]| [*a, *c, *b]);
    let outward = triangles.iter().map(|t| t.map(|i| i + first));
    let triangles = inward.chain(outward).collect();
    ShapeDescription::Mesh { vertices, triangles }
}

/// What hangs on three turns about axes through one point, and what stands around it.
fn wrist(moving: ShapeDescription, still: ShapeDescription) -> World {
    let joints = [Vec3::Z, Vec3::Y, Vec3::X].map(|axis| (JointKind::Revolute, [0.0; 3], axis));
    let mut robot = chain("r", &joints);
    robot.links[3].shapes.push(shape(moving));
    let mut d = alone(robot);
    let base = Transform::from_xyz_rpy([0.3, -0.2, 0.7], [0.4, 0.2, -0.9]);
    d.robots[0].base_in_world = base;
    d.obstacles.push(obstacle("still", [0.0; 3], vec![shape(still)]));
    d.obstacles[0].pose = base;
    World::compile(&d).unwrap()
}

const ENDS: [[f64; 3]; 2] = [[-0.7, 0.4, 0.2], [0.5, -0.8, 1.0]];

#[test]
fn a_ball_turns_in_its_socket_about_any_axes_at_once() {
    let options = EdgeOptions::default().margin(0.0);
    let [from, to] = &ENDS;
    for cuts in [2, 3] {
        for gap in [1e-4, 1e-6] {
            for turned in [false, true] {
                let (ball, socket) = (ball(cuts, 0.05), socket(cuts, 0.05 + gap, false));
                let world = if turned { wrist(socket, ball) } else { wrist(ball, socket) };
                let mut checker = MotionChecker::new(&world);
                let found = checker.check_edge([from, to], &options).unwrap();
                let counts = checker.edge_counts();
                assert_eq!(found, Edge::Free, "{cuts} {gap} {turned}: {counts:?}");
                verify(&world, [from, to], checker.pieces(), &options).unwrap();
                assert!(counts.asked <= 3 && counts.work < 20_000, "{cuts} {gap} {turned}: {counts:?}");
            }
        }
    }
}

#[test]
fn what_is_too_near_to_prove_ends_in_bounded_counts() {
    // The corners of ball and socket pass each other: no ball fits between.
    let mut ended = 0;
    for k in 0..16 {
        let (gap, turn) = ([1e-5, 1e-6][k % 2], 1e-5 * 1.6_f64.powi(k as i32));
        let world = wrist(ball(3, 0.05), socket(3, 0.05 + gap, true));
        let to = ENDS[1].map(|x| x * turn);
        for work in [1, 2000, EdgeOptions::default().work] {
            let options = EdgeOptions { work, ..EdgeOptions::default().margin(0.0) };
            let mut checker = MotionChecker::new(&world);
            let found = checker.check_edge([&[0.0; 3], &to], &options).unwrap();
            let counts = checker.edge_counts();
            // One more interval at most, with its ends.
            assert!(counts.work < work + 200_000, "{gap} {found:?} {counts:?}");
            assert!(counts.work >= counts.asked, "{counts:?}");
            if matches!(found, Edge::Unknown { why: Doubt::Work, .. }) {
                ended += 1;
                assert!(counts.work >= work, "{counts:?}");
            }
        }
    }
    assert!(ended > 0, "none was ended by work");
}

#[test]
fn who_watches_a_motion_sees_how_far_it_has_come() {
    let world = wrist(ball(2, 0.05), socket(2, 0.05 + 2e-4, true));
    let options = EdgeOptions::default().margin(0.0);
    let [from, to] = [[0.0; 3], [1e-3, 2e-3, -1e-3]];
    let (mut done, mut calls) = (0.0, 0_u32);
    let mut checker = MotionChecker::new(&world);
    let found = checker
        .check_edge_watched([&from, &to], &options, &mut |so_far| {
            assert!(so_far.done >= done && so_far.done < 1.0);
            (done, calls) = (so_far.done, calls + 1);
            true
        })
        .unwrap();
    assert!(calls > 0);
    // Who watches changes no answer; who returns false ends the search.
    assert_eq!(found, MotionChecker::new(&world).check_edge([&from, &to], &options).unwrap());
    let found = checker.check_edge_watched([&from, &to], &options, &mut |_| false).unwrap();
    assert!(matches!(found, Edge::Unknown { why: Doubt::Work, .. }), "{found:?}");
}

/// A search for what a ball sweeps looks at all its corners, and that counts as work: it ends, on one
/// interval too.
#[test]
fn many_corners_count_as_work() {
    let world = wrist(ball(4, 0.05), socket(4, 0.05 + 1e-5, true));
    let options = EdgeOptions::default().margin(0.0);
    let mut checker = MotionChecker::new(&world);
    checker.check_edge([&[0.0; 3], &[7e-4, -8e-4, 1e-3]], &options).unwrap();
    let EdgeCounts { asked, work, .. } = checker.edge_counts();
    // 2,562 corners are 641 blocks: a pair of parts counts as forty.
    assert!(work > 40 * asked, "{asked} {work}");
}

/// A square peg in its hole, turned by a little, jams: then only the way along its axis leads out, and its
/// depth is far more than any point has moved.
#[test]
fn a_lower_bound_over_ranges_holds_where_a_peg_jams() {
    use crate::support::turned::{peg_mesh, polygon, ring_mesh};
    use elbowroom::motion::{PairWork, RangeOptions};
    use elbowroom::pair::Effort;
    use elbowroom::{Checker, Question};
    let mut robot = chain("r", &[(JointKind::Revolute, [0.0; 3], Vec3::Z)]);
    robot.links[1].shapes.push(shape(peg_mesh(&polygon(4, 0.049), [-0.06, 0.06])));
    let mut d = alone(robot);
    let ring = ring_mesh(&polygon(4, 0.05), &polygon(4, 0.1), [-0.03, 0.03]);
    d.obstacles.push(obstacle("ring", [0.0; 3], vec![shape(ring)]));
    let world = World::compile(&d).unwrap();
    let (mut motions, mut checker) = (MotionChecker::new(&world), Checker::new(&world));
    let mut deep = 0;
    for most in [0.001, 0.01, 0.03, 0.1] {
        for halvings in [0, 4] {
            let options = RangeOptions { halvings, ..RangeOptions::default().margin(0.0) };
            let answer = motions.check_ranges([&[0.0], &[most]], &options, |_| PairWork::Halve).unwrap();
            let lower = answer.open.first().map_or(0.0, |open| open.lower);
            for k in 0..=10 {
                checker.set(&[most * 0.1 * f64::from(k)]).unwrap();
                let found = checker.ask(&Question::distance().depth(Effort::TIGHT)).interval;
                assert!(lower <= found.upper, "{most} {halvings} {k}: {lower} {found:?}");
                deep += u32::from(found.upper < -0.05);
            }
        }
    }
    assert!(deep > 10, "{deep} poses jam");
}
