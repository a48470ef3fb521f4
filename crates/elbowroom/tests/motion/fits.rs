//! Motions along and about tight fits: proved whole, at a cost that hardly depends on the clearance.

use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, sin_cos};
use elbowroom::motion::{Doubt, Edge, EdgeCounts, EdgeOptions, MotionChecker, verify};
use std::f64::consts::PI;

/// Corners of a regular polygon of `n` sides whose corners are `radius` away from the z axis.
fn ring(n: usize, radius: f64, z: f64) -> Vec<[f64; 3]> {
    let corner = |i: usize| {
        let (s, c) = sin_cos(2.0 * PI * i as f64 / n as f64);
        [radius * c, radius * s, z]
    };
    (0..n).map(corner).collect()
}

/// A surface of rings of corners: each ring is joined to the next, the last to the first.
fn lathe(rings: &[Vec<[f64; 3]>]) -> ShapeDescription {
    let n = rings[0].len();
    let mut triangles = Vec::new();
    for k in 0..rings.len() {
        let (a, b) = ((k * n) as u32, ((k + 1) % rings.len() * n) as u32);
        for i in 0..n as u32 {
            let j = (i + 1) % n as u32;
            triangles.extend([[a + i, a + j, b + j], [a + i, b + j, b + i]]);
        }
    }
    ShapeDescription::Mesh { vertices: rings.concat(), triangles }
}

/// A tube of `n` sides about z, from `-half` to `half`; its sides are `hole` from the axis at least.
fn tube(n: usize, hole: f64, half: f64) -> ShapeDescription {
    let corners = hole / sin_cos(PI / n as f64).1;
    lathe(&[ring(n, 0.05, -half), ring(n, 0.05, half), ring(n, corners, half), ring(n, corners, -half)])
}

/// A stud with a head, of `n` sides about z: not convex.
fn stud(n: usize, radius: f64, half: f64) -> ShapeDescription {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let rings = [(radius, -half), (radius, half), (2.0 * radius, half), (2.0 * radius, 2.0 * half)];
    rings.iter().for_each(|(radius, z)| vertices.extend(ring(n, *radius, *z)));
    for k in 0..3_u32 {
        let n = n as u32;
        for i in 0..n {
            let (j, a, b) = ((i + 1) % n, k * n, (k + 1) * n);
            triangles.extend([[a + i, a + j, b + j], [a + i, b + j, b + i]]);
        }
    }
    for i in 1..n as u32 - 1 {
        let top = 3 * n as u32;
        triangles.extend([[0, i + 1, i], [top, top + i, top + i + 1]]);
    }
    ShapeDescription::Mesh { vertices, triangles }
}

fn prism(n: usize, radius: f64, half: f64) -> ShapeDescription {
    ShapeDescription::Convex { vertices: [ring(n, radius, -half), ring(n, radius, half)].concat() }
}

/// What is on the arm's end, on a slide along z and a turn about it, and what stands around the z axis; all
/// in a pose of the base.
fn fit(moving: ShapeDescription, still: ShapeDescription, base: Transform) -> World {
    let joints = [(JointKind::Prismatic, [0.0; 3], Vec3::Z), (JointKind::Revolute, [0.0; 3], Vec3::Z)];
    let mut robot = chain("r", &joints);
    robot.links[2].shapes.push(shape(moving));
    let mut d = alone(robot);
    d.robots[0].base_in_world = base;
    d.obstacles.push(obstacle("still", [0.0; 3], vec![shape(still)]));
    d.obstacles[0].pose = base;
    World::compile(&d).unwrap()
}

/// The counts of an edge that is free, and whose certificate holds.
#[track_caller]
fn free(world: &World, ends: [&[f64]; 2], options: &EdgeOptions) -> EdgeCounts {
    let mut checker = MotionChecker::new(world);
    let found = checker.check_edge(ends, options).unwrap();
    assert_eq!(found, Edge::Free, "{:?}", checker.edge_counts());
    verify(world, ends, checker.pieces(), options).unwrap();
    checker.edge_counts()
}

/// Along the axis through the whole hole, about it, and both.
const WAYS: [[[f64; 2]; 2]; 3] =
    [[[-0.1, 0.3], [0.1, 0.3]], [[0.01, -3.0], [0.01, 3.0]], [[-0.1, -3.0], [0.1, 2.0]]];

#[test]
fn to_slide_and_to_turn_in_a_hole_costs_the_same_at_any_clearance() {
    let (mut rng, options) = (Rng::new(41), EdgeOptions::default().margin(0.0));
    type Make = fn(f64) -> ShapeDescription;
    let pegs: [Make; 4] = [
        |r| prism(6, r, 0.03),
        |r| prism(64, r, 0.03),
        |r| ShapeDescription::Cylinder { radius: r, length: 0.06 },
        |r| ShapeDescription::Capsule { radius: r, length: 0.06 },
    ];
    for (k, peg) in pegs.iter().enumerate() {
        for base in [Transform::IDENTITY, rng.pose(0.5)] {
            for way in WAYS {
                let ends = [&way[0][..], &way[1][..]];
                let counts = [1e-4, 1e-6].map(|clearance| {
                    free(&fit(peg(0.01 - clearance), tube(64, 0.01, 0.02), base), ends, &options)
                });
                assert!(counts.iter().all(|c| c.asked <= 3), "{k} {way:?}: {counts:?}");
                // The hole turns about the peg.
                let nut = fit(tube(64, 0.01, 0.02), peg(0.01 - 1e-6), base);
                let counts = free(&nut, ends, &options);
                assert!(counts.asked <= 3, "{k} {way:?}: {counts:?}");
            }
        }
    }
}

#[test]
fn what_is_not_convex_slides_and_turns_in_a_hole() {
    let options = EdgeOptions::default().margin(0.0);
    let mut rng = Rng::new(43);
    for base in [Transform::IDENTITY, rng.pose(0.5)] {
        for (from, to) in [([0.0, 0.0], [0.3, 0.0]), ([0.0, -3.0], [0.0, 3.0]), ([0.09, -3.0], [0.002, 2.0])]
        {
            let counts = [1e-4, 1e-6].map(|clearance| {
                let world = fit(stud(32, 0.01 - clearance, 0.0201), tube(48, 0.01, 0.02), base);
                free(&world, [&from, &to], &options)
            });
            assert!(counts.iter().all(|c| c.asked <= 24), "{from:?}: {counts:?}");
        }
    }
}

#[test]
fn slides_that_cancel_across_a_slot_cost_nothing() {
    // Two slides at a right angle, along a slot that lies askew between them.
    let options = EdgeOptions::default().margin(0.0);
    let turn = 0.6;
    let (s, c) = sin_cos(turn);
    let joints = [(JointKind::Prismatic, [0.0; 3], Vec3::X), (JointKind::Prismatic, [0.0; 3], Vec3::Y)];
    let mut robot = chain("r", &joints);
    let key = ShapeDescription::Box { size: [0.03, 0.01 - 2e-6, 0.01] };
    robot.links[2].shapes.push(shape_at(key, Transform::from_xyz_rpy([0.0; 3], [0.0, 0.0, turn])));
    let mut d = alone(robot);
    for side in [-1.0, 1.0] {
        let at = [-s * side * 0.015, c * side * 0.015, 0.0];
        let wall = ShapeDescription::Box { size: [0.4, 0.02, 0.02] };
        d.obstacles.push(obstacle(&format!("wall {side}"), at, vec![shape(wall)]));
        d.obstacles.last_mut().unwrap().pose.rotation =
            Transform::from_xyz_rpy([0.0; 3], [0.0, 0.0, turn]).rotation;
    }
    let counts = free(&World::compile(&d).unwrap(), [&[-0.1 * c, -0.1 * s], &[0.1 * c, 0.1 * s]], &options);
    assert!(counts.asked <= 4, "{counts:?}");
}

#[test]
fn parallel_joints_move_over_a_table_at_any_height() {
    // An arm of three joints about z holds a plate a micrometre above a table, and moves by radians.
    let options = EdgeOptions::default().margin(0.0);
    let mut robot = chain("r", &[(JointKind::Revolute, [0.3, 0.0, 0.0], Vec3::Z); 3]);
    robot.links[3].shapes.push(shape(ShapeDescription::Box { size: [0.1, 0.05, 0.02] }));
    let mut d = alone(robot);
    let table = ShapeDescription::Box { size: [4.0, 4.0, 0.1] };
    d.obstacles.push(obstacle("table", [0.0, 0.0, -0.06 - 1e-6], vec![shape(table)]));
    let counts = free(&World::compile(&d).unwrap(), [&[-2.0, 1.0, 0.5], &[1.0, -2.0, 2.0]], &options);
    assert!(counts.asked <= 3, "{counts:?}");
}

#[test]
fn an_arm_that_follows_a_slot_in_small_steps_needs_few_intervals_for_each() {
    // Three joints about z carry a key straight along x between two walls, in steps of a millimetre: the
    // joints cancel across the slot, but for the square of the step.
    let options = EdgeOptions::default().margin(0.0);
    let [l, m] = [0.4, 0.35];
    let at = |x: f64, y: f64| {
        let cos = ((x * x + y * y - l * l - m * m) / (2.0 * l * m)).clamp(-1.0, 1.0);
        let elbow = cos.acos();
        let (s, c) = sin_cos(elbow);
        let shoulder = y.atan2(x) - (m * s).atan2(l + m * c);
        [shoulder, elbow, -shoulder - elbow]
    };
    let joints = [[0.0; 3], [l, 0.0, 0.0], [m, 0.0, 0.0]].map(|xyz| (JointKind::Revolute, xyz, Vec3::Z));
    let mut asked = Vec::new();
    for clearance in [1e-5, 2e-6] {
        let mut robot = chain("r", &joints);
        let key = ShapeDescription::Box { size: [0.03, 0.01 - 2.0 * clearance, 0.01] };
        robot.links[3].shapes.push(shape(key));
        let mut d = alone(robot);
        for side in [-1.0, 1.0] {
            let wall = ShapeDescription::Box { size: [0.4, 0.02, 0.02] };
            d.obstacles.push(obstacle(
                &format!("wall {side}"),
                [0.5, 0.2 + side * 0.015, 0.0],
                vec![shape(wall)],
            ));
        }
        let world = World::compile(&d).unwrap();
        let step = |i: usize| at(0.45 + 1e-3 * i as f64, 0.2);
        asked.push((0..20).map(|i| free(&world, [&step(i), &step(i + 1)], &options).asked).sum::<u64>());
    }
    assert!(asked.iter().all(|n| *n <= 20 * 2 * 4), "{asked:?}");
}

/// A peg with four sides tilts in a hole with four, about an axis along two of the walls, until it nearly
/// touches the rims: what is left there is far less than the resolution.
#[test]
fn a_peg_that_tilts_across_its_hole_is_free_below_the_resolution() {
    let options = EdgeOptions::default().margin(0.0);
    let (hole, half) = (0.01, 0.02);
    let axis = Vec3 { x: 1.0, y: -1.0, z: 0.0 }.normalized().unwrap();
    let mut rng = Rng::new(7);
    for play in [1e-3, 1e-5, 1e-6] {
        for left in [5e-7, 1e-7, 4e-8] {
            let mut robot = chain("r", &[(JointKind::Revolute, [0.0; 3], axis)]);
            let corners = (hole - play) * 2.0_f64.sqrt();
            robot.links[1].shapes.push(shape(prism(4, corners, 0.03)));
            let mut d = alone(robot);
            let base = rng.pose(0.5);
            d.robots[0].base_in_world = base;
            d.obstacles.push(obstacle("still", [0.0; 3], vec![shape(tube(4, hole, half))]));
            d.obstacles[0].pose = base;
            let world = World::compile(&d).unwrap();
            // The rim is `hole cos - half sin` from the peg's axis, less and less: halved.
            let clearance = |angle: f64| {
                let (sine, cosine) = sin_cos(angle);
                hole * cosine - half * sine - (hole - play)
            };
            let (mut low, mut high) = (0.0, 0.2);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if clearance(middle) > left { low = middle } else { high = middle }
            }
            for ends in [[-low, low], [0.0, low], [low, 0.3 * low]] {
                let counts = free(&world, [&ends[..1], &ends[1..]], &options);
                assert!(counts.asked < 2000, "{play:e} {left:e} {ends:?}: {counts:?}");
            }
        }
    }
}

#[test]
fn what_touches_is_told_as_touching() {
    let options = EdgeOptions::default().margin(0.0);
    let why = |world: &World, ends: [&[f64]; 2]| {
        let found = MotionChecker::new(world).check_edge(ends, &options).unwrap();
        let Edge::Unknown { at, pair: Some(_), why } = found else { panic!("{found:?}") };
        (at, why)
    };
    // A box that rests on another is lifted off it: only the start touches.
    let cube = || ShapeDescription::Box { size: [0.1; 3] };
    let world = fit(cube(), cube(), Transform::IDENTITY);
    let (at, doubt) = why(&world, [&[0.1, 0.0], &[0.3, 0.0]]);
    assert!(at[0] == 0.0 && at[1] < 1e-4 && doubt == Doubt::Touching, "{at:?} {doubt:?}");
    // And one that is put down on it.
    let (at, doubt) = why(&world, [&[0.3, 0.0], &[0.1, 0.0]]);
    assert!(at[0] > 0.9999 && at[1] == 1.0 && doubt == Doubt::Touching, "{at:?} {doubt:?}");
    // A peg of exactly the size of its hole.
    let square = ShapeDescription::Box { size: [0.02, 0.02, 0.06] };
    let hole = tube(4, 0.01, 0.02);
    let world = fit(square, hole, Transform::IDENTITY);
    let (_, doubt) = why(&world, [&[0.0, PI / 4.0], &[0.1, PI / 4.0]]);
    assert_eq!(doubt, Doubt::Touching);
    // With little work nothing is told but that.
    let little = EdgeOptions { work: 0, ..options };
    let found = MotionChecker::new(&world).check_edge([&[-0.2, 0.0], &[0.2, 0.0]], &little).unwrap();
    assert!(matches!(found, Edge::Unknown { why: Doubt::Work, .. }), "{found:?}");
}
