mod race;
mod ways;
mod worlds;

use super::lanes::sines_and_cosines;
use super::model::Model;
use super::{Batch, BatchFault};
use crate::model::world::World;
use crate::pose::fault::SetOptions;
use crate::query::checker::Checker;
use crate::query::question::Question;
use crate::rng::Rng;
use alloc::vec::Vec;
use alloc::{format, vec};
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_describe::*;
use elbowroom_pair::Ask;
use elbowroom_pair::Verdict;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use worlds::chain;

#[test]
fn sines_are_within_three_and_a_half_units() {
    struct Sines([f64; 4], [f64; 4]);
    impl Kernel for Sines {
        type Output = [[f32; 8]; 2];
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> [[f32; 8]; 2] {
            let (s, c) = sines_and_cosines(l, [l.load(&self.0), l.load(&self.1)]);
            [l.to_array8(s), l.to_array8(c)]
        }
    }
    let rng = &mut Rng::new(1);
    let mut most = 0.0_f64;
    for i in 0..100_000 {
        let reach = [1e-3, 1.0, 4.0, 1e3, 8e5][i % 5];
        let mut angles = [0.0; 8].map(|_: f64| rng.range(-reach, reach));
        // Next to quarter turns, and between them, where sine and cosine change places.
        angles[0] = f64::from(i as i32 % 4001 - 2000) * core::f64::consts::FRAC_PI_4;
        let [low, high] = [0, 4].map(|k| [angles[k], angles[k + 1], angles[k + 2], angles[k + 3]]);
        let [s, c] = dispatch_kernel(Sines(low, high));
        for k in 0..8 {
            let (sine, cosine) = libm::sincos(angles[k]);
            most = most.max((f64::from(s[k]) - sine).abs()).max((f64::from(c[k]) - cosine).abs());
        }
    }
    assert!(most < 3.5 * (0.5_f64).powi(24), "{most:e}");
}

#[test]
fn rows_that_are_no_poses_are_named_and_the_others_answered() {
    let rng = &mut Rng::new(11);
    let world = World::compile(&chain(rng)).unwrap();
    let mut batch = Batch::new(&world);
    let width = world.dof_names().len();
    let count = 700;
    let neutral = world.neutral_values();
    let mut values: Vec<f64> = (0..count).flat_map(|_| neutral.clone()).collect();
    let bad = [3, 300, 699];
    for (row, value) in bad.into_iter().zip([f64::NAN, f64::INFINITY, 99.0]) {
        values[row * width] = value;
    }
    let mut verdicts = vec![Verdict::Clear; count];
    let options = Question::distance();
    let told = batch.test(&values, &options, &mut verdicts).unwrap_err();
    let BatchFault::Poses { first, count: refused } = &told else { panic!("{told}") };
    assert_eq!((first.iter().map(|(row, _)| *row).collect::<Vec<_>>(), *refused), (bad.to_vec(), 3));
    // One a line; the last row's joint has a mimic, whose limits it breaks as well.
    let words = format!("{told}");
    let rows: Vec<&str> = words.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(rows, ["pose 3", "pose 300", "pose 699", "pose 699"], "{words}");
    assert_eq!(format!("{told:?}"), words);
    let more = BatchFault::Poses { first: first[..2].to_vec(), count: 40 };
    assert_eq!(format!("{more}").lines().last(), Some("and 38 more poses"));
    let mut checker = Checker::new(&world);
    checker.set_with(&neutral, SetOptions::default()).unwrap();
    let want = checker.ask(&options.with_ask(Ask::Test)).verdict;
    for (row, verdict) in verdicts.iter().enumerate() {
        assert_eq!(*verdict, if bad.contains(&row) { Verdict::Unknown } else { want }, "{row}");
    }
    #[cfg(feature = "rayon")]
    {
        let mut threaded = vec![Verdict::Clear; count];
        let again = super::test_on_threads(&world, &values, &options, &mut threaded).unwrap_err();
        // NaN is in both.
        assert!(format!("{again}") == format!("{told}") && threaded == verdicts);
    }
    let wrong = batch.test(&values[1..], &options, &mut verdicts).unwrap_err();
    assert_eq!(wrong, BatchFault::WrongSize { expected: count * width, given: count * width - 1 });
    assert!(batch.test(&[], &options, &mut []).is_ok());
}

#[test]
fn lanes_leave_chains_alone_that_are_too_long_for_them() {
    let lanes = |joints: usize| {
        let name = |i: usize| format!("l{i}");
        let ball = PlacedShape {
            name: "s".into(),
            shape_in_body: Transform::IDENTITY,
            shape: ShapeDescription::Sphere { radius: 0.1 },
            padding: 0.0,
        };
        let link = |i: usize| {
            let shapes = if i == 0 || i == joints { vec![ball.clone()] } else { Vec::new() };
            LinkDescription { name: name(i), shapes }
        };
        let joint = |i: usize| JointDescription {
            name: format!("j{i}"),
            kind: JointKind::Revolute,
            parent: name(i - 1),
            child: name(i),
            joint_in_parent: Transform::from_translation(Vec3::X * 0.01),
            axis: Vec3 { x: 1.0, y: 2.0, z: 3.0 },
            limits: Some(JointLimits { lower: -3.0, upper: 3.0 }),
            mimic: None,
        };
        let robot = RobotDescription {
            name: "r".into(),
            links: (0..=joints).map(link).collect(),
            joints: (1..=joints).map(joint).collect(),
            ..RobotDescription::default()
        };
        let placed = PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot };
        let d = WorldDescription { robots: vec![placed], ..WorldDescription::default() };
        let world = World::compile(&d).unwrap();
        assert_eq!(world.proofs.near, 1);
        Model::new(&world).is_some()
    };
    assert!(lanes(60) && !lanes(300));
}
