//! Gradients of distances and depths, beside central differences, with every kind of joint.

use crate::support::describe::*;
use crate::support::rng::Rng;
use crate::support::slopes::{Compared, compare_gradients};
use elbowroom::describe::{
    Attachment, JointKind, Mimic, ObstacleDescription, ShapeDescription, WorldDescription,
};
use elbowroom::math::{Vec3, vec3};
use elbowroom::{Checker, PairId, Question, World};

/// A base that floats, a plate that slides about, turning and sliding arms, one that follows another
/// backwards, and what the last one holds; posts around it. With the first numbers of quaternions.
fn cell() -> (WorldDescription, usize) {
    let joints = [
        (JointKind::Floating, [0.1, 0.2, 0.3], Vec3::Z),
        (JointKind::Planar, [0.2, 0.0, 0.0], vec3(0.6, 0.0, 0.8)),
        (JointKind::Revolute, [0.3, 0.0, 0.1], Vec3::Y),
        (JointKind::Continuous, [0.2, 0.1, 0.0], vec3(0.48, 0.6, 0.64)),
        (JointKind::Prismatic, [0.1, 0.0, 0.2], -Vec3::X),
        (JointKind::Revolute, [0.2, 0.0, 0.0], Vec3::X),
        (JointKind::Fixed, [0.1, 0.0, 0.1], Vec3::Z),
    ];
    let mut robot = chain("r", &joints);
    robot.joints[5].mimic = Some(Mimic { joint: "j3".into(), multiplier: -0.7, offset: 0.2 });
    for joint in &mut robot.joints {
        if let Some(limits) = &mut joint.limits {
            (limits.lower, limits.upper) = (-1.5, 1.5);
        }
    }
    let mut shapes = one_of_each().into_iter();
    for link in &mut robot.links[1..] {
        link.shapes.extend(shapes.next());
    }
    let mut obstacles: Vec<ObstacleDescription> = (0..6)
        .map(|i| {
            let at = vec3(0.5, 0.1, 0.2) * f64::from(i) * 0.15;
            let round = ShapeDescription::Sphere { radius: 0.12 };
            let long = ShapeDescription::Ellipsoid { radii: [0.05, 0.1, 0.2] };
            obstacle(&format!("o{i}"), at.to_array(), vec![shape(if i % 2 == 0 { round } else { long })])
        })
        .collect();
    let mut held = obstacle("held", [0.0, 0.1, 0.0], vec![ball(0.0, 0.0, 0.1, 0.05)]);
    held.attached_to = Some(Attachment { body: "r/7".into(), touch: vec![] });
    obstacles.push(held);
    (WorldDescription { obstacles, padding: 0.003, ..alone(robot) }, 3)
}

#[test]
fn gradients_are_those_of_differences() {
    let (description, quaternion) = cell();
    let world = World::compile(&description).unwrap();
    let mut checker = Checker::new(&world);
    let (rng, mut sum) = (&mut Rng::new(31), Compared::default());
    for _ in 0..100 {
        let mut q: Vec<f64> = world.neutral_values().iter().map(|_| rng.range(-0.6, 0.6)).collect();
        q[quaternion..quaternion + 4].copy_from_slice(&rng.quaternion());
        compare_gradients(&mut checker, &q, &[quaternion], 2e-12, &mut sum);
    }
    assert!(sum.smooth > 50_000 && sum.depths > 300 && sum.moving > 30_000, "{sum:?}");
    assert!(sum.rough * 5 < sum.smooth, "{sum:?}");
}

#[test]
fn the_answer_of_all_pairs_has_the_gradient_of_its_pair() {
    let (description, quaternion) = cell();
    let world = World::compile(&description).unwrap();
    let mut checker = Checker::new(&world);
    let mut q = world.neutral_values();
    q[quaternion] = 1.0;
    checker.set(&q).unwrap();
    let answer = checker.ask(&Question::distance());
    let (pair, witness) = (answer.pair.unwrap(), answer.witness.unwrap());
    let own = answer.gradient(&mut checker).unwrap().to_vec();
    assert_eq!(checker.gradient(pair, &witness), Some(&own[..]));
    assert!(own.iter().any(|slope| slope.abs() > 0.01), "{own:?}");
    // A number of no pair; an answer that bounds decided.
    assert_eq!(checker.gradient(PairId(u32::MAX), &witness), None);
    let far = checker.ask(&Question::distance().cutoff(-10.0));
    assert!(far.witness.is_some() || far.gradient(&mut checker).is_none());
}
