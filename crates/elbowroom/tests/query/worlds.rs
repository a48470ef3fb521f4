//! Where shortcuts may go wrong: bodies in the tree of what is fixed, worlds that differ in little, proofs of
//! a clone.

use crate::support::describe::{alone, ball, link, obstacle, shape_at};
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::pair::Ask;
use elbowroom::{Batch, Checker, Question, Verdict, World};

fn at(x: f64, y: f64, z: f64, shape: ShapeDescription) -> PlacedShape {
    shape_at(shape, Transform::from_translation(vec3(x, y, z)))
}

fn joint(kind: JointKind, parent: &str, child: &str, offset: [f64; 3]) -> JointDescription {
    let limits = (kind != JointKind::Fixed).then_some(JointLimits { lower: -3.0, upper: 3.0 });
    JointDescription {
        limits,
        ..crate::support::describe::joint(child, kind, parent, child, offset, Vec3::Z)
    }
}

fn of(links: Vec<LinkDescription>, joints: Vec<JointDescription>) -> WorldDescription {
    alone(RobotDescription { name: "r".into(), links, joints, ..RobotDescription::default() })
}

#[test]
fn what_is_fixed_by_way_of_a_link_without_shapes_is_where_it_is() {
    // The plate hangs on a bare mount, the hand on a bare arm: they overlap.
    for far in [0, 14, 15, 16, 40] {
        let mut d = of(
            vec![
                link("base", vec![]),
                link("mount", vec![]),
                link("plate", vec![ball(0.0, 0.0, 0.0, 0.1)]),
                link("arm", vec![]),
                link("hand", vec![ball(1.0, 0.0, 5.0, 0.1)]),
            ],
            vec![
                joint(JointKind::Fixed, "base", "mount", [1.0, 0.0, 5.0]),
                joint(JointKind::Fixed, "mount", "plate", [0.0; 3]),
                joint(JointKind::Revolute, "base", "arm", [0.0; 3]),
                joint(JointKind::Revolute, "arm", "hand", [0.0; 3]),
            ],
        );
        d.obstacles = (0..far)
            .map(|i| obstacle(&format!("o{i}"), [30.0, 0.0, f64::from(i)], vec![ball(0.0, 0.0, 0.0, 0.1)]))
            .collect();
        let world = World::compile(&d).unwrap();
        let mut checker = Checker::new(&world);
        checker.set(&[0.0, 0.0]).unwrap();
        for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
            let question = Question::from_ask(ask);
            let answer = checker.ask(&question);
            let truth = checker.all_pairs(&Question::distance(), |_| {});
            assert_eq!(truth.verdict, Verdict::Collision);
            assert!(
                answer.verdict == Verdict::Collision && answer.interval.lower <= truth.interval.upper,
                "{far} {ask:?}: {answer:?}"
            );
        }
    }
}

#[test]
fn worlds_that_differ_in_a_shape_or_the_margin_are_told_apart() {
    let world = |on_arm: ShapeDescription, fixed: ShapeDescription, margin: f64| {
        let mut d = of(
            vec![link("base", vec![]), link("arm", vec![at(3.0, 0.0, 0.0, on_arm)])],
            vec![joint(JointKind::Revolute, "base", "arm", [0.0; 3])],
        );
        d.obstacles.push(obstacle("o", [4.8, 0.0, 0.0], vec![at(0.0, 0.0, 0.0, fixed)]));
        d.margin = margin;
        World::compile(&d).unwrap()
    };
    let a_box = |x: f64, y: f64| ShapeDescription::Box { size: [x, y, 1.0] };
    let ellipsoid = |x: f64, y: f64| ShapeDescription::Ellipsoid { radii: [x, y, 1.0] };
    let first = world(a_box(0.5, 2.9), a_box(1.0, 1.0), 0.0);
    let others = [
        world(a_box(2.9, 0.5), a_box(1.0, 1.0), 0.0),
        world(a_box(0.5, 2.9), a_box(1.0, 1.0), 0.01),
        world(a_box(0.5, 2.9), ellipsoid(0.5, 0.7), 0.0),
        world(a_box(0.5, 2.9), ellipsoid(0.7, 0.5), 0.0),
    ];
    for (i, a) in others.iter().chain([&first]).enumerate() {
        for (j, b) in others.iter().chain([&first]).enumerate().filter(|(j, _)| *j != i) {
            assert_ne!(a.fingerprint(), b.fingerprint(), "{i} {j}");
        }
    }
}

#[test]
fn a_batch_of_a_world_that_proved_more_is_right() {
    let mut d = of(
        vec![link("base", vec![]), link("arm", vec![]), link("hand", vec![ball(0.5, 0.0, 0.0, 0.1)])],
        vec![
            joint(JointKind::Revolute, "base", "arm", [0.0; 3]),
            joint(JointKind::Revolute, "arm", "hand", [1.0, 0.0, 0.0]),
        ],
    );
    d.obstacles.push(obstacle("a", [1.72, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    d.obstacles.push(obstacle("b", [-1.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    let plain = World::compile(&d).unwrap();
    let proved = plain.clone().with_proofs(200_000);
    assert!(proved.proved_apart_count() > plain.proved_apart_count(), "the clone knows more");
    let question = Question::distance().margin(0.1);
    for world in [&plain, &proved] {
        let mut verdict = [Verdict::Unknown];
        Batch::new(world).test(&[0.0, 0.0], &question, &mut verdict).unwrap();
        assert_eq!(verdict, [Verdict::Near]);
    }
}

/// Two combs whose teeth stand between each other: boxes around the bodies overlap, and so do balls around
/// the teeth.
#[test]
fn boxes_around_shapes_leave_most_pairs_of_shapes_unasked() {
    let tooth = || ShapeDescription::Box { size: [0.02, 0.02, 1.0] };
    let comb = |from: f64| (0..6).map(|k| at(from + 0.2 * f64::from(k), 0.0, 0.0, tooth())).collect();
    let mut d = of(
        vec![link("base", vec![]), link("comb", comb(0.0))],
        vec![joint(JointKind::Prismatic, "base", "comb", [0.0; 3])],
    );
    d.obstacles.push(obstacle("other", [0.0; 3], comb(0.1)));
    let world = World::compile(&d).unwrap();
    let mut checker = Checker::new(&world);
    checker.set(&[0.1]).unwrap();
    let test = checker.ask(&Question::from_ask(Ask::Test));
    assert_eq!((test.verdict, test.counts.shape_queries), (Verdict::Clear, 0), "{test:?}");
    let distance = checker.ask(&Question::distance());
    assert!((distance.distance - 0.08).abs() < 1e-12, "{distance:?}");
    // Eleven of the 36 pairs are neighbours, all as near.
    assert!((1..=11).contains(&distance.counts.shape_queries), "{distance:?}");
}
