//! Joint values by value: ranges that all limits leave, neutral values, and drawn ones.

use crate::support::describe::{alone, chain};
use crate::support::rng::Rng;
use elbowroom::describe::*;
use elbowroom::math::Vec3;
use elbowroom::{Checker, World};
use std::f64::consts::PI;

/// Limits of a joint, and the number of the joint that it follows, a factor and an offset.
type Sliding = ([f64; 2], Option<(usize, f64, f64)>);

/// Sliding joints `j1`, `j2`, ...
fn follow(joints: &[Sliding]) -> World {
    let mut robot = chain("r", &vec![(JointKind::Prismatic, [0.0; 3], Vec3::X); joints.len()]);
    for (joint, (limits, follows)) in robot.joints.iter_mut().zip(joints) {
        joint.limits = Some(JointLimits { lower: limits[0], upper: limits[1] });
        joint.mimic = follows.map(|(leader, multiplier, offset)| Mimic {
            joint: format!("j{leader}"),
            multiplier,
            offset,
        });
    }
    World::compile(&alone(robot)).unwrap()
}

fn ends(world: &World) -> Vec<[f64; 2]> {
    world.value_ranges().iter().map(|r| [r.lower, r.upper]).collect()
}

#[test]
fn ranges_are_what_all_limits_leave() {
    // By hand: 0.1 <= -2 v + 0.5 <= 0.3 leaves 0.1 to 0.2.
    let world = follow(&[([0.0, 1.0], None), ([0.1, 0.3], Some((1, -2.0, 0.5))), ([-5.0, 5.0], None)]);
    let [[low, high], other] = ends(&world)[..] else { panic!() };
    assert!((low - 0.1).abs() < 1e-15 && (high - 0.2).abs() < 1e-15 && other == [-5.0, 5.0]);
    assert_eq!((world.limits().len(), world.dof_names().len()), (3, 2));
    // Zero is no configuration: the nearest that is one.
    let neutral = world.neutral_values();
    assert!((neutral[0] - 0.1).abs() < 1e-15 && neutral[1] == 0.0);
    assert!(Checker::new(&world).set(&neutral).is_ok());
    // A chain of mimics: j3 = 3 (2 v + 1) + 1.
    let world = follow(&[
        ([-9.0, 9.0], None),
        ([-9.0, 9.0], Some((1, 2.0, 1.0))),
        ([4.0, 10.0], Some((2, 3.0, 1.0))),
    ]);
    let [[low, high]] = ends(&world)[..] else { panic!() };
    assert!(low.abs() < 1e-15 && (high - 1.0).abs() < 1e-15, "{low} {high}");
    // Limits that meet in a point leave it, rounding or not.
    let world = follow(&[([0.1, 0.1], None), ([0.07, 0.07], Some((1, 0.7, 0.0)))]);
    assert!(ends(&world)[0][0] <= ends(&world)[0][1] && world.draw_configuration(|| 0.5).is_some());
    // Contradictions leave nothing, and a factor of zero follows nothing.
    let world = follow(&[([0.0, 1.0], None), ([2.0, 3.0], Some((1, 1.0, 0.0)))]);
    assert!(ends(&world)[0][0] > ends(&world)[0][1] && world.draw_configuration(|| 0.5).is_none());
    assert_eq!(world.neutral_values(), [0.0]);
    let world = follow(&[([0.0, 1.0], None), ([0.2, 0.3], Some((1, 0.0, 0.25)))]);
    assert_eq!(ends(&world), [[0.0, 1.0]]);
    let world = follow(&[([0.0, 1.0], None), ([0.2, 0.3], Some((1, 0.0, 0.5)))]);
    assert!(world.draw_configuration(|| 0.5).is_none());
}

#[test]
fn drawn_values_are_configurations() {
    use JointKind::*;
    let kinds = [Revolute, Continuous, Fixed, Prismatic, Planar, Floating, Revolute];
    let mut robot = chain("r", &kinds.map(|kind| (kind, [0.1, 0.0, 0.0], Vec3::Z)));
    robot.joints[6].mimic = Some(Mimic { joint: "j2".into(), multiplier: 0.5, offset: 0.25 });
    robot.joints[6].limits = Some(JointLimits { lower: -0.5, upper: 0.75 });
    let world = World::compile(&alone(robot.clone())).unwrap();
    robot.joints[6].mimic = None;
    let free = World::compile(&alone(robot)).unwrap();
    let mut rng = Rng::new(3);
    for (world, [low, high]) in
        [(&world, [-1.5, 1.0]), (&free, [-core::f64::consts::PI, core::f64::consts::PI])]
    {
        let mut checker = Checker::new(world);
        let drawn: Vec<Vec<f64>> =
            (0..500).map(|_| world.draw_configuration(|| rng.range(0.0, 1.0)).unwrap()).collect();
        assert!(drawn.iter().all(|values| checker.set(values).is_ok()));
        // All of the range is reached, and no more: of the joint that turns freely what its mimic leaves, or
        // a turn.
        let of = |value: usize| drawn.iter().map(move |values| values[value]);
        assert!(of(1).all(|v| (low..=high).contains(&v)));
        assert!(of(1).any(|v| v < low + 0.05) && of(1).any(|v| v > high - 0.05));
        assert!(of(0).any(|v| v < -3.9) && of(0).any(|v| v > 3.9));
        // Planar and floating joints stay.
        let neutral = world.neutral_values();
        assert!(drawn.iter().all(|values| values[3..13] == neutral[3..13]));
    }
}

#[test]
fn shares_outside_zero_to_one_are_drawn_at_the_ends() {
    let world = follow(&[([-1.0, 2.0], None), ([0.5, 0.5], None)]);
    let ends = [(-7.0, -1.0), (f64::NEG_INFINITY, -1.0), (f64::NAN, -1.0), (1.0, 2.0), (f64::INFINITY, 2.0)];
    for (share, value) in ends {
        assert_eq!(world.draw_configuration(|| share), Some(vec![value, 0.5]), "{share}");
    }
}

#[test]
fn ranges_that_are_no_limits_are_drawn_near_the_neutral_value() {
    let mut rng = Rng::new(8);
    // Without limits on both sides, on one side, and a long one that is a limit.
    let world = follow(&[([-1e6, 1e6], None), ([2.0, 1e6], None), ([0.0, 900.0], None)]);
    let mut checker = Checker::new(&world);
    let mut farthest = [0.0_f64; 3];
    for _ in 0..500 {
        let values = world.draw_configuration(|| rng.unit()).unwrap();
        assert!(checker.set(&values).is_ok());
        assert!(values[0].abs() <= PI && (2.0..=2.0 + PI).contains(&values[1]), "{values:?}");
        farthest = [0, 1, 2].map(|i| farthest[i].max(values[i]));
    }
    assert!(farthest[0] > 3.0 && farthest[1] > 5.0 && farthest[2] > 850.0, "{farthest:?}");
}
