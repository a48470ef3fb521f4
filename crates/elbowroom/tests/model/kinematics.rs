//! Joint values to poses: published poses of real robots, every kind of joint, limits, and the rounding
//! bound.

use crate::support::data::data;
use crate::support::describe::*;
use elbowroom::describe::*;
use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use elbowroom::pose::{PoseFault, SetOptions, ValueProblem};
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};
use std::f64::consts::PI;

fn difference(a: &Transform, b: &Transform) -> f64 {
    let columns = a.rotation.cols.iter().zip(&b.rotation.cols);
    columns.map(|(x, y)| (*x - *y).norm()).fold((a.translation - b.translation).norm(), f64::max)
}

fn at(world: &World, values: &[f64], body: &str) -> Transform {
    let mut checker = Checker::new(world);
    checker.set(values).unwrap();
    checker.body_in_world(world.body_by_name(body).unwrap()).unwrap()
}

fn limit(robot: &mut RobotDescription, joint: usize, lower: f64, upper: f64) {
    robot.joints[joint].limits = Some(JointLimits { lower, upper });
}

/// Puma 260B: the numbers and the three poses of RPI's general_robotics_toolbox (BSD-3-Clause), metres and
/// degrees.
fn puma() -> RobotDescription {
    use JointKind::{Fixed, Revolute};
    let mut robot = chain(
        "puma",
        &[
            (Revolute, [0.0, 0.0, 0.3302], Vec3::Z),
            (Revolute, [0.0; 3], Vec3::Y),
            (Revolute, [0.19812, -0.12446, -0.01905], Vec3::Y),
            (Revolute, [0.0, 0.0, -0.2032], Vec3::Z),
            (Revolute, [0.0; 3], Vec3::Y),
            (Revolute, [0.0; 3], Vec3::X),
            (Fixed, [0.05588, 0.0, 0.0], Vec3::ZERO),
        ],
    );
    let degrees =
        [(-5.0, 313.0), (-256.0, 76.0), (-214.0, 34.0), (-384.0, 194.0), (-32.0, 212.0), (-267.0, 267.0)];
    for (i, (lower, upper)) in degrees.iter().enumerate() {
        limit(&mut robot, i, lower * PI / 180.0, upper * PI / 180.0);
    }
    robot
}

#[test]
fn puma_260_stands_where_its_makers_say() {
    let world = World::compile(&alone(puma())).unwrap();
    let published = [
        ([0.0; 6], [0.254, -0.12446, 0.10795], Mat3::IDENTITY, 1e-12),
        (
            [180.0, -90.0, -90.0, 90.0, 90.0, 90.0],
            [-0.01905, 0.12446, 0.7874],
            Mat3::from_rows([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]),
            1e-12,
        ),
        (
            [50.0, -105.0, 31.0, 4.0, 126.0, -184.0],
            [0.2236, 0.0693, 0.4265],
            Mat3::from_rows([
                [0.4274, 0.8069, -0.4076],
                [0.4456, -0.5804, -0.6817],
                [-0.7866, 0.1097, -0.6076],
            ]),
            1e-4,
        ),
    ];
    for (degrees, p, rotation, tolerance) in published {
        let tool = at(&world, &degrees.map(|d| d * PI / 180.0), "puma/7");
        let difference = difference(&tool, &Transform::new(rotation, p.into()));
        assert!(difference < tolerance, "{degrees:?}: off by {difference}");
    }
}

#[test]
fn rrc_k1207i_agrees_with_its_published_poses() {
    let Some(data) = data() else { return };
    let text =
        std::fs::read_to_string(data.join("robots/rrc_k1207i_kinematics/ikgeo_RRC_fixed_q6.csv")).unwrap();
    use JointKind::{Fixed, Revolute};
    let robot = chain(
        "rrc",
        &[
            (Revolute, [0.0; 3], Vec3::X),
            (Revolute, [0.508, -0.1016, 0.0], Vec3::Z),
            (Revolute, [0.0, 0.1016, 0.0], Vec3::X),
            (Revolute, [0.5461, 0.085725, 0.0], Vec3::Z),
            (Revolute, [0.0, -0.085725, 0.0], Vec3::X),
            (Revolute, [0.5461, 0.084455, 0.0], Vec3::Z),
            (Revolute, [0.0, -0.084455, 0.0], Vec3::X),
            (Fixed, [0.1778, 0.0, 0.0], Vec3::ZERO),
        ],
    );
    let world = World::compile(&alone(robot)).unwrap();
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let n: Vec<f64> = line.split(',').map(|v| v.trim().parse().unwrap()).collect();
        let column = |i: usize| vec3(n[i], n[i + 1], n[i + 2]);
        let truth = Transform::new(Mat3 { cols: [column(0), column(3), column(6)] }, column(9));
        let difference = difference(&at(&world, &n[12..19], "rrc/8"), &truth);
        assert!(difference < 1e-12, "row {rows}: off by {difference}");
        rows += 1;
    }
    assert!(rows >= 10);
}

#[test]
fn every_kind_of_joint_moves_as_it_says() {
    use JointKind::*;
    let slanted = vec3(1.0, 2.0, -2.0);
    let chain = |kind, axis| {
        let mut robot = chain("r", &[(kind, [0.1, 0.2, 0.3], axis)]);
        robot.joints[0].joint_in_parent = Transform::from_xyz_rpy([0.1, 0.2, 0.3], [0.4, -0.5, 0.6]);
        World::compile(&alone(robot)).unwrap()
    };
    let joint = Transform::from_xyz_rpy([0.1, 0.2, 0.3], [0.4, -0.5, 0.6]);
    let unit = slanted * (1.0 / 3.0);
    // Turns: about the axes themselves, their opposites, and one between; of any length.
    for axis in [Vec3::X, Vec3::Y, Vec3::Z, slanted] {
        for scale in [1.0, -1.0, 7.5, -1e-200, 1e200] {
            let n = axis * (f64::signum(scale) / axis.norm());
            for (kind, angle) in [(Revolute, -1.3), (Continuous, 100.0)] {
                let truth = joint * Transform::new(Mat3::from_axis_angle(n, angle), Vec3::ZERO);
                let found = at(&chain(kind, axis * scale), &[angle], "r/1");
                assert!(difference(&found, &truth) < 1e-14, "{kind:?} {axis:?} {scale}");
            }
            let truth = joint * Transform::from_translation(n * 0.7);
            assert!(difference(&at(&chain(Prismatic, axis * scale), &[0.7], "r/1"), &truth) < 1e-15);
        }
    }
    // A plane perpendicular to an axis, and its right-handed x and y.
    for (axis, x, y) in
        [(Vec3::Z, Vec3::X, Vec3::Y), (Vec3::X, Vec3::Y, Vec3::Z), (Vec3::Y, Vec3::Z, Vec3::X)]
    {
        let turn = Mat3::from_axis_angle(axis, 0.3);
        let truth = joint * Transform::new(turn, x * 2.0 + y * -1.0);
        let world = chain(Planar, axis);
        assert_eq!(world.dof_names(), ["r/j1/x", "r/j1/y", "r/j1/theta"]);
        assert!(difference(&at(&world, &[2.0, -1.0, 0.3], "r/1"), &truth) < 1e-14, "{axis:?}");
    }
    let moved = joint.inverse() * at(&chain(Planar, slanted), &[2.0, -1.0, 0.3], "r/1");
    assert!(
        moved.translation.dot(unit).abs() < 1e-15 && (moved.translation.norm_squared() - 5.0).abs() < 1e-14
    );

    let world = chain(Floating, Vec3::ZERO);
    assert_eq!(world.dof_names().len(), 7);
    assert_eq!(world.dof_names()[3], "r/j1/rot_w");
    let half = 0.35_f64;
    let (s, c) = elbowroom::math::sin_cos(half);
    let q = [1.0, 2.0, 3.0, c, s * unit.x, s * unit.y, s * unit.z];
    let truth = joint * Transform::new(Mat3::from_axis_angle(unit, 0.7), vec3(1.0, 2.0, 3.0));
    assert!(difference(&at(&world, &q, "r/1"), &truth) < 1e-14);
    assert_eq!(Checker::new(&world).body_in_world(BodyId(1)), Some(joint));
}

#[test]
fn mimics_follow_through_chains_and_take_no_value() {
    let mut robot = chain("r", &[(JointKind::Revolute, [0.0; 3], Vec3::Z); 4]);
    let follow = |joint: &str, multiplier, offset| Some(Mimic { joint: joint.into(), multiplier, offset });
    // j1 = 2 j3 + 0.1, j3 = -0.5 j4 + 0.2, j2 free: the followed joint comes last.
    robot.joints[0].mimic = follow("j3", 2.0, 0.1);
    robot.joints[2].mimic = follow("j4", -0.5, 0.2);
    robot.joints[2].limits = None;
    limit(&mut robot, 0, -0.4, 1.0);
    let world = World::compile(&alone(robot)).unwrap();
    assert_eq!(world.dof_names(), ["r/j2", "r/j4"]);
    let found = at(&world, &[0.3, 0.4], "r/4");
    let total = (2.0 * (-0.5 * 0.4 + 0.2) + 0.1) + 0.3 + (-0.5 * 0.4 + 0.2) + 0.4;
    let truth = Transform::new(Mat3::from_axis_angle(Vec3::Z, total), Vec3::ZERO);
    assert!(difference(&found, &truth) < 1e-15);

    // The limits of the followed joint and those of the mimic both count: j1 = -j4 + 0.5 within [-0.4, 1].
    let mut checker = Checker::new(&world);
    let Err(PoseFault::Values(faults)) = checker.set(&[0.0, 1.0]) else { panic!("accepted") };
    assert_eq!((faults.len(), faults[0].name.as_str()), (1, "r/j1"));
    assert!((faults[0].value + 0.5).abs() < 1e-15);
    let Err(PoseFault::Values(faults)) = checker.set(&[-4.5, 4.5]) else { panic!("accepted") };
    let names: Vec<&str> = faults.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["r/j1", "r/j2", "r/j4"]);
}

#[test]
fn refused_values_move_nothing_and_are_all_named() {
    let mut robot = chain("r", &[(JointKind::Revolute, [1.0, 0.0, 0.0], Vec3::Z); 3]);
    limit(&mut robot, 1, 0.25, 0.5);
    let mut d = alone(robot);
    d.robots[0].robot.links.push(link("free", vec![]));
    d.robots[0].robot.joints.push(joint("float", JointKind::Floating, "3", "free", [0.0; 3], Vec3::ZERO));
    let world = World::compile(&d).unwrap();
    let mut checker = Checker::new(&world);
    assert_eq!(checker.values(), [0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let good = [1.0, 0.25, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    checker.set(&good).unwrap();
    let before = checker.body_in_world(BodyId(4));

    assert_eq!(checker.set(&good[1..]), Err(PoseFault::WrongCount { expected: 10, given: 9 }));
    let bad = [f64::NAN, 0.6, -5.0, 0.0, f64::INFINITY, 1e10, 0.5, 0.5, 0.5, 0.0];
    let fault = checker.set(&bad).unwrap_err();
    let PoseFault::Values(faults) = &fault else { panic!("{fault:?}") };
    let of = |name: &str| faults.iter().find(|f| f.name == name).map(|f| f.problem);
    assert_eq!(faults.len(), 6);
    assert_eq!(of("r/j1"), Some(ValueProblem::NotFinite));
    assert_eq!(of("r/j2"), Some(ValueProblem::OutOfLimits { lower: 0.25, upper: 0.5 }));
    assert_eq!(of("r/j3"), Some(ValueProblem::OutOfLimits { lower: -4.0, upper: 4.0 }));
    assert_eq!(of("r/float/trans_y"), Some(ValueProblem::NotFinite));
    assert_eq!(of("r/float/trans_z"), Some(ValueProblem::TooLarge));
    assert!(matches!(of("r/float/rot_w"), Some(ValueProblem::NotAUnitQuaternion { .. })));
    let told = fault.to_string();
    assert!(told.lines().eq(faults.iter().map(|fault| fault.to_string())), "one a line: {told}");
    assert!(told.lines().any(|line| line == "`r/j2` is 0.6, outside its limits 0.25 to 0.5"));
    assert_eq!(format!("{fault:?}"), told);
    // What is too large and beyond limits is told once.
    let huge = [0.0, 0.25, 1e300, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let limits = ValueProblem::OutOfLimits { lower: -4.0, upper: 4.0 };
    for (ignore_limits, problem) in [(false, limits), (true, ValueProblem::TooLarge)] {
        let told = checker.set_with(&huge, SetOptions { ignore_limits });
        let Err(PoseFault::Values(faults)) = told else { panic!("accepted") };
        assert_eq!((faults.len(), faults[0].name.as_str(), faults[0].problem), (1, "r/j3", problem));
    }
    assert_eq!((checker.values(), checker.body_in_world(BodyId(4))), (&good[..], before));

    // Decimal rounding of a limit is no violation; a micro-radian is, unless limits are ignored.
    let with = |v: f64| [0.0, v, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    assert!(checker.set(&with(0.5 + 9e-10)).is_ok());
    assert!(checker.set(&with(0.5 + 1e-6)).is_err());
    assert!(checker.set_with(&with(3.0), SetOptions { ignore_limits: true }).is_ok());
    assert!(checker.set_with(&with(f64::NAN), SetOptions { ignore_limits: true }).is_err());
    assert_eq!(checker.body_in_world(BodyId(9999)), None);
}

#[test]
fn bases_and_attachments_carry_their_bodies() {
    let base = Transform::from_xyz_rpy([10_000.25, -3.0, 0.5], [0.1, 0.2, 0.3]);
    let hold = Transform::from_xyz_rpy([0.0, 0.1, 0.0], [0.0, 0.0, 1.0]);
    let mut d = alone(puma());
    d.robots[0].base_in_world = base;
    d.obstacles.push(obstacle("post", [10_001.0, 0.0, 0.0], vec![]));
    d.obstacles.push(ObstacleDescription {
        name: "held".into(),
        pose: hold,
        shapes: vec![],
        attached_to: Some(Attachment { body: "puma/7".into(), touch: vec![] }),
        movable: false,
    });
    let world = World::compile(&d).unwrap();
    let origin = World::compile(&alone(puma())).unwrap();
    let q = [0.4, -1.0, 0.3, 0.2, 0.1, 0.0];
    assert!(difference(&at(&world, &q, "puma/7"), &(base * at(&origin, &q, "puma/7"))) < 1e-11);
    assert!(difference(&at(&world, &q, "world/held"), &(at(&world, &q, "puma/7") * hold)) < 1e-11);
    assert_eq!(at(&world, &q, "world/post").translation, vec3(10_001.0, 0.0, 0.0));
}
