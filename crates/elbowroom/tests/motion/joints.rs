//! Bounds and edges for robots of every kind of joint, drawn at random, and what their values may be.

use crate::support::describe::*;
use crate::support::rng::Rng;
use crate::support::straight::straight_values;
use elbowroom::describe::*;
use elbowroom::math::{Mat3, Vec3};
use elbowroom::motion::bounds::{MotionBounds, Swept};
use elbowroom::motion::{CertificateFault, Edge, EdgeOptions, MotionChecker, ranges, verify};
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyId;
use elbowroom::{Checker, Question, Verdict, World};
use std::f64::consts::PI;

/// A random robot of every kind of joint, a ball on every link, now and then a mimic and a branch.
fn anyhow(rng: &mut Rng) -> WorldDescription {
    use JointKind::*;
    let kinds = [Fixed, Revolute, Revolute, Continuous, Prismatic, Planar, Floating];
    let count = 2 + rng.below(5);
    let joints: Vec<_> = (0..count)
        .map(|_| {
            (
                rng.pick(&kinds),
                rng.point(0.5).to_array(),
                rng.pick(&[Vec3::Z, -Vec3::Y, Vec3::X, rng_axis(3)]),
            )
        })
        .collect();
    let mut robot = chain("r", &joints);
    for (i, joint) in robot.joints.iter_mut().enumerate() {
        joint.joint_in_parent.rotation = Mat3::from_quat_wxyz(rng.quaternion()).unwrap();
        if i > 1 && rng.chance(0.3) {
            joint.parent = rng.below(i).to_string();
        }
        joint.limits = joint.limits.map(|_| JointLimits { lower: -1.5, upper: rng.range(-1.0, 2.5) });
    }
    let single = |kind| matches!(kind, Revolute | Continuous | Prismatic);
    let followed = robot.joints.iter().position(|j| single(j.kind));
    if let Some(i) = followed {
        let (name, last) = (robot.joints[i].name.clone(), robot.joints.len() - 1);
        if last > i && single(robot.joints[last].kind) {
            robot.joints[last].limits = None;
            robot.joints[last].mimic =
                Some(Mimic { joint: name, multiplier: rng.range(-2.0, 2.0), offset: 0.3 });
        }
    }
    for link in &mut robot.links {
        let p = rng.point(0.3);
        link.shapes.push(ball(p.x, p.y, p.z, rng.range(0.01, 0.1)));
    }
    let mut d = alone(robot);
    d.robots[0].base_in_world = rng.pose(3.0);
    for i in 0..3 {
        let p = rng.point(2.0);
        d.obstacles.push(obstacle(&i.to_string(), p.to_array(), vec![ball(0.0, 0.0, 0.0, 0.2)]));
    }
    d
}

fn rng_axis(seed: u64) -> Vec3 {
    Rng::new(seed).direction()
}

fn random(world: &World, rng: &mut Rng) -> Vec<f64> {
    let mut values: Vec<f64> = ranges(world)
        .iter()
        .map(|[a, b]| {
            if a.is_finite() && b.is_finite() { rng.range(a + 1e-8, b - 1e-8) } else { rng.range(-1.0, 1.0) }
        })
        .collect();
    for (i, name) in world.dof_names().iter().enumerate() {
        if name.ends_with("/rot_w") {
            values[i..i + 4].copy_from_slice(&rng.quaternion());
        }
    }
    values
}

#[test]
fn bounds_hold_for_every_kind_of_joint() {
    let mut rng = Rng::new(21);
    let (mut robots, mut moved_most, mut near_most, mut floating) = (0, 0.0_f64, 0.0_f64, 0);
    while robots < 150 {
        let Ok(world) = World::compile(&anyhow(&mut rng)) else { continue };
        robots += 1;
        floating += usize::from(world.dof_names().iter().any(|n| n.ends_with("/rot_w")));
        let (reach, swept) = (MotionBounds::new(&world), Swept::new(&world));
        let (mut p, mut q) = (Checker::new(&world), Checker::new(&world));
        let loose = SetOptions { ignore_limits: true };
        for _ in 0..12 {
            let from = random(&world, &mut rng);
            let mut to = random(&world, &mut rng);
            let share = rng.pick(&[1.0, 0.1, 0.01]);
            to = straight_values(&world, [&from, &to], share);
            if rng.chance(0.5) {
                let only = rng.below(to.len().max(1));
                to.iter_mut().zip(&from).enumerate().for_each(|(i, (t, f))| {
                    if i != only {
                        *t = *f
                    }
                });
            }
            // Quaternions between two are none.
            if p.set_with(&from, loose).is_err() || q.set_with(&to, loose).is_err() {
                continue;
            }
            let change: Vec<f64> = from.iter().zip(&to).map(|(a, b)| (a - b).abs()).collect();
            for body in (0..world.bodies().len() as u32).map(BodyId) {
                let ball = world.shapes()[world.bodies()[body.index()].shapes.start as usize].clone();
                let center = ball.shape_in_body().translation;
                let at = |checker: &Checker| checker.body_in_world(body).unwrap().point(center);
                let bound = reach.moved(body, &change);
                let moved = (at(&p) - at(&q)).norm();
                assert!(moved <= bound + 1e-12, "{moved} of {bound}: {:?}", world.joints());
                if moved > 1e-6 && bound < f64::INFINITY {
                    moved_most = moved_most.max(moved / bound);
                }
                if let Some(around) = swept.ball_in_world(body) {
                    assert!((at(&q) - around.center).norm() <= around.radius + 1e-12, "{:?}", world.joints());
                }
            }
            let distances = |checker: &mut Checker| {
                let mut all = Vec::new();
                checker.all_pairs(&Question::distance(), |r| all.push(r.distance));
                all
            };
            let bounds: Vec<f64> =
                world.pairs().iter().map(|pair| reach.approach_from(&p, [pair.a, pair.b], &change)).collect();
            let (before, after) = (distances(&mut p), distances(&mut q));
            for (i, bound) in bounds.iter().enumerate() {
                let nearer = before[i] - after[i];
                assert!(nearer <= bound + 1e-12, "{nearer} of {bound}: {:?}", world.joints());
                if nearer > 1e-6 {
                    near_most = near_most.max(nearer / bound);
                }
            }
        }
    }
    assert!(moved_most > 0.9 && near_most > 0.9 && floating > 10, "{moved_most} {near_most} {floating}");
}

#[test]
fn edges_hold_for_every_kind_of_joint() {
    let mut rng = Rng::new(22);
    let (mut free, mut contact, mut other) = (0, 0, 0);
    for _ in 0..300 {
        let Ok(world) = World::compile(&anyhow(&mut rng)) else { continue };
        let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
        let (from, to) = (random(&world, &mut rng), random(&world, &mut rng));
        let options = EdgeOptions { set: SetOptions { ignore_limits: true }, ..EdgeOptions::default() };
        let edge = edges.check_edge([&from, &to], &options).unwrap();
        let hits = |checker: &mut Checker, t: f64| {
            let values = straight_values(&world, [&from, &to], t);
            checker.set_with(&values, options.set).unwrap();
            checker.ask(&Question::distance()).verdict == Verdict::Collision
        };
        let hit = (0..=300).map(|i| f64::from(i) / 300.0).find(|t| hits(&mut checker, *t));
        match edge {
            Edge::Free => {
                free += 1;
                assert_eq!(hit, None, "{:?}", world.joints());
                let pieces = edges.pieces().to_vec();
                verify(&world, [&from, &to], &pieces, &options).unwrap();
                let half = verify(&world, [&from, &to], &pieces[..pieces.len() / 2], &options);
                assert!(matches!(half, Err(CertificateFault::Gap { .. })), "{half:?}");
            }
            Edge::Contact { first: [a, b], free_until, .. } => {
                contact += 1;
                assert!(free_until <= a && a <= b && hits(&mut checker, b));
                assert!(hit.is_none_or(|t| free_until <= t), "{edge:?} {hit:?}");
            }
            Edge::Unknown { at, .. } => {
                other += 1;
                assert!(hit.is_none_or(|t| at[0] <= t), "{edge:?} {hit:?}");
            }
        }
    }
    assert!(free > 50 && contact > 8 && other < 5, "{free} {contact} {other}");
}

#[test]
fn a_change_that_is_nan_is_one_without_end() {
    let world = World::compile(&anyhow(&mut Rng::new(3))).unwrap();
    let (bounds, checker) = (MotionBounds::new(&world), Checker::new(&world));
    let bodies: Vec<BodyId> = (0..world.bodies().len() as u32).map(BodyId).collect();
    let still = vec![0.0; world.dof_names().len()];
    for value in 0..still.len() {
        let changed = |by: f64| {
            let mut change = still.clone();
            change[value] = by;
            let mut all = vec![bounds.approach_of_any(&change)];
            for &a in &bodies {
                all.push(bounds.moved(a, &change));
                for &b in bodies.iter().filter(|b| **b != a) {
                    all.push(bounds.approach(a, b, &change));
                    all.push(bounds.approach_from(&checker, [a, b], &change));
                }
            }
            all
        };
        let [nan, infinite, small] = [f64::NAN, f64::INFINITY, 1e-3].map(changed);
        assert_eq!(nan, infinite, "{}", world.dof_names()[value]);
        assert!(nan.iter().zip(&small).all(|(nan, small)| nan >= small), "{nan:?} {small:?}");
        assert!(nan[0] == f64::INFINITY || small[0] == 0.0);
    }
}

#[test]
fn ranges_are_what_a_pose_may_be_set_to() {
    let mut robot = chain(
        "r",
        &[
            (JointKind::Revolute, [0.1; 3], Vec3::Z),
            (JointKind::Continuous, [0.1; 3], Vec3::Z),
            (JointKind::Continuous, [0.1; 3], Vec3::Z),
            (JointKind::Continuous, [0.1; 3], Vec3::Z),
            (JointKind::Planar, [0.1; 3], Vec3::Z),
            (JointKind::Revolute, [0.1; 3], Vec3::Z),
        ],
    );
    robot.joints[3].mimic = Some(Mimic { joint: "j3".into(), multiplier: 0.5, offset: 0.0 });
    robot.joints[5].mimic = Some(Mimic { joint: "j1".into(), multiplier: -2.0, offset: 1.0 });
    robot.joints[5].limits = Some(JointLimits { lower: -1.0, upper: 2.0 });
    robot.links[1].shapes.push(ball(0.0, 0.0, 0.0, 0.1));
    let world = World::compile(&alone(robot)).unwrap();
    let found = ranges(&world);
    let inf = f64::INFINITY;
    // j1 is bounded by its mimic: -1 <= 1 - 2 v <= 2; half turns of a mimic of j3 do not come round.
    let expected = [[-0.5, 1.0], [-PI, PI], [-inf, inf], [-inf, inf], [-inf, inf], [-PI, PI]];
    for (range, expected) in found.iter().zip(expected) {
        for k in 0..2 {
            let near = range[k] == expected[k] || (range[k] - expected[k]).abs() < 1e-8;
            let outside = if k == 0 { range[k] <= expected[k] } else { range[k] >= expected[k] };
            assert!(near && outside, "{found:?}");
        }
    }
}
