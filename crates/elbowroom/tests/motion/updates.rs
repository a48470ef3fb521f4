//! Answers that are kept from pose to pose.

use crate::contacts::rod;
use crate::support::bent::bent;
use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::describe::*;
use elbowroom::math::Vec3;
use elbowroom::motion::{Keep, Update};
use elbowroom::{Checker, Question, Verdict, World};
use std::f64::consts::PI;

#[test]
fn updates_keep_what_still_holds() {
    let world = rod(1.0);
    for keep in [Keep::Global, Keep::Local] {
        let mut update = Update::new(&world, keep, 0.1);
        let question = Question::distance();
        assert_eq!(update.still(&[0.0]), f64::NEG_INFINITY);
        let first = update.nearest(&[0.0], &question).unwrap();
        let kept = update.nearest(&[0.5], &question).unwrap();
        assert_eq!((kept.counts.shape_queries, kept.witness), (0, first.witness), "{keep:?}");
        let truth = 2.0 * elbowroom::math::sin_cos(0.5 * (PI / 2.0 - 0.5)).0 - 0.3;
        assert!(kept.interval.contains(truth) && kept.verdict == Verdict::Clear, "{kept:?}");
        let answer = update.nearest(&[1.0], &question).unwrap();
        if keep == Keep::Global {
            // The ball's points are up to 1.1 from the axis.
            assert!((first.interval.lower - 0.55 - kept.interval.lower).abs() < 1e-6, "{kept:?}");
            assert!(answer.counts.shape_queries == 1 && answer.interval.width() < 1e-9, "{answer:?}");
        } else {
            // Balls decided: there was nothing to ask. Nearer than the threshold there is.
            let near = update.nearest(&[1.25], &question).unwrap();
            let kept = update.nearest(&[1.2501], &question).unwrap();
            assert!(answer.counts.shape_queries == 0 && near.counts.shape_queries == 1, "{near:?}");
            assert!(update.still(&[1.2501]) > 0.0 && kept.interval.lower > 0.0, "{kept:?}");
        }
        assert_eq!(update.still(&[f64::NAN]), f64::NEG_INFINITY);
        assert_eq!(update.still(&[]), f64::NEG_INFINITY);
        update.forget();
        assert_eq!(update.still(&[1.0]), f64::NEG_INFINITY);
    }
}

#[test]
fn kept_tests_tell_on_which_side_of_the_margin_a_pair_is() {
    // A bound within a tenth of the distance does not, just beyond the margin: it was told as near.
    let mut rng = Rng::new(53);
    let (mut beyond, mut within) = (0, 0);
    for _ in 0..60 {
        let hull = |rng: &mut Rng| ShapeDescription::Convex {
            vertices: (0..40).map(|_| (rng.direction() * 0.1).to_array()).collect(),
        };
        let mut robot = chain("r", &[(JointKind::Prismatic, [0.0; 3], Vec3::X)]);
        robot.joints[0].limits = Some(JointLimits { lower: -5.0, upper: 5.0 });
        robot.links[1].shapes = vec![shape(hull(&mut rng))];
        let shapes = vec![shape(hull(&mut rng))];
        let world = World::compile(&WorldDescription {
            robots: vec![placed(robot)],
            obstacles: vec![obstacle("o", [1.0, 0.02, 0.05], shapes)],
            margin: 0.01,
            ..WorldDescription::default()
        })
        .unwrap();
        let question = Question::test();
        let mut update = Update::new(&world, Keep::Local, 0.03);
        let mut exact = Checker::new(&world);
        for k in 0..60 {
            let values = [0.78 + 0.001 * f64::from(k) + rng.range(0.0, 1e-4)];
            exact.set(&values).unwrap();
            let truth = exact.nearest(&Question::distance());
            let answer = update.nearest(&values, &question).unwrap();
            assert_eq!(answer.verdict, truth.verdict, "{answer:?} {truth:?}");
            beyond += usize::from(truth.interval.lower > 0.01 && truth.interval.lower < 0.0111);
            within += usize::from(truth.verdict == Verdict::Near);
        }
    }
    assert!(beyond > 50 && within > 300, "{beyond} {within}");
}

#[test]
fn what_is_kept_of_hulls_is_a_bound_and_gives_way_to_triangles() {
    // One ball before the notch of a bent block, 0.11 from its hull and 0.56 from its triangles; another 0.2
    // above a plate. The first moves with x alone.
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let mut robot = chain("r", &axes.map(|axis| (JointKind::Prismatic, [0.0; 3], axis)));
    robot.joints.iter_mut().for_each(|j| j.limits = Some(JointLimits { lower: -2.0, upper: 2.0 }));
    robot.links.iter_mut().for_each(|link| link.shapes.clear());
    let middle = 1.5 + 0.16 / 2.0_f64.sqrt();
    robot.links[1].shapes = vec![ball(middle, middle, 0.5, 0.05)];
    robot.links[3].shapes = vec![ball(0.0, 0.0, -5.0, 0.05)];
    let block = vec![shape(bent(1.0))];
    let plate = ShapeDescription::Box { size: [4.0, 4.0, 0.1] };
    let plate = vec![shape(plate)];
    let world = World::compile(&WorldDescription {
        obstacles: vec![obstacle("block", [0.0; 3], block), obstacle("plate", [0.0, 0.0, -5.3], plate)],
        robots: vec![placed(robot)],
        margin: 0.1,
        ..WorldDescription::default()
    })
    .unwrap();
    let mut update = Update::new(&world, Keep::Local, f64::INFINITY);
    // The plate is the nearest, though the hull is nearer; then the block, inside its hull; then the plate
    // again.
    let block = middle - 0.4 - 1.0 - 0.05;
    for (values, distance) in [
        ([0.0; 3], 0.2),
        ([0.0, 0.08, 0.0], 0.2),
        ([-0.02, 0.13, 0.0], 0.2),
        ([-0.4, 0.13, 0.0], block),
        ([-0.4, 0.13, 0.1], block),
        ([0.02, 0.13, 0.01], 0.21),
    ] {
        let answer = update.nearest(&values, &Question::distance()).unwrap();
        assert!(
            (answer.interval.lower - distance).abs() < 1e-9
                && (answer.interval.upper - distance).abs() < 1e-9,
            "{answer:?}"
        );
    }
}
