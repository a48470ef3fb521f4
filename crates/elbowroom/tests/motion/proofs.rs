//! What is proved over all poses: claims with a known end, and what is out of reach.

use crate::contacts::rod;
use crate::support::bent::ell;
use crate::support::describe::*;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::motion::bounds::Swept;
use elbowroom::motion::{Claim, ProveOptions, Prover};
use elbowroom::pair::Scratch;
use elbowroom::pose::SetOptions;
use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, PairId, Question, Verdict, World};

#[test]
fn what_is_out_of_reach_is_known() {
    // The ring of the ball's centre has radius 1: 0.1 to spare inside and outside.
    let mut scratch = Scratch::default();
    for (away, gap) in [(0.6, 0.1), (1.5, 0.2), (0.0, 0.7)] {
        let world = rod(away);
        let pair = world.pairs().get(PairId(0)).unwrap();
        let found = Swept::new(&world).gap(pair.a, pair.b, &mut scratch);
        assert!(found <= gap && found > gap - 1e-9, "{away}: {found} {gap}");
    }
    let world = rod(1.1);
    let pair = world.pairs().get(PairId(0)).unwrap();
    assert!(Swept::new(&world).gap(pair.a, pair.b, &mut scratch) <= 0.0);
    assert_eq!(Swept::new(&world).gap(pair.b, pair.a, &mut scratch), f64::NEG_INFINITY);
}

/// Two links that are not convex, each with a pin at the end of one of its legs, where they overlap; the
/// second turns about the pin. `apart` is the height between them.
fn linkage(apart: f64) -> World {
    // The first leg along x, its end about the origin.
    let legs = [[-1.0, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.8, 0.1], [-0.8, 0.9], [-1.0, 0.9]];
    let link = |z: f64, size: f64| {
        shape_at(
            ell(legs.map(|p| p.map(|x| x * size)), [0.0, 0.05]),
            Transform::from_translation(vec3(0.0, 0.0, z)),
        )
    };
    let mut robot = chain("r", &[(JointKind::Revolute, [0.0; 3], Vec3::Z)]);
    robot.joints[0].limits = Some(JointLimits { lower: 2.0, upper: 2.8 });
    // Each is thickest where the other one never is.
    robot.links[0].shapes = vec![link(0.0, 1.0), ball(-1.0, 0.5, -0.5, 0.2)];
    robot.links[1].shapes = vec![link(apart, 0.7), ball(-0.7, 0.4, 0.5, 0.2)];
    World::compile(&alone(robot)).unwrap()
}

#[test]
fn links_on_one_pin_always_overlap() {
    let prove = |world: &World| {
        let [a, b] = ["r/0", "r/1"].map(|name| world.body_by_name(name).unwrap());
        Prover::new(world).pair(BodyPair { a, b }, &ProveOptions::default())
    };
    for apart in [0.015, 0.02, 0.03] {
        let proof = prove(&linkage(apart));
        assert!(proof.claim == Claim::Always && proof.boxes < 256, "{apart}: {proof:?}");
    }
    assert!(matches!(prove(&linkage(0.0501)).claim, Claim::Never { .. }));
    // Faces that touch overlap nowhere, and what is climbed in vain ends.
    let proof = Prover::new(&linkage(0.05)).pair(
        BodyPair { a: BodyId(0), b: BodyId(1) },
        &ProveOptions { boxes: 300, ..ProveOptions::default() },
    );
    assert_eq!(proof.claim, Claim::Open);
}

#[test]
fn claims_are_as_constructed() {
    let claim = |world: &World| {
        let (pair, options) = (
            world.pairs().get(PairId(0)).unwrap(),
            ProveOptions { boxes: 10_000, ..ProveOptions::default() },
        );
        Prover::new(world).pair(pair, &options).claim
    };
    assert!(matches!(claim(&rod(1.31)), Claim::Never { least } if least > 0.0 && least < 0.011));
    assert!(matches!(claim(&rod(0.69)), Claim::Never { .. }));
    assert_eq!(claim(&rod(1.29)), Claim::Sometimes);
    // Touching in one place: never and sometimes are as far away.
    assert_eq!(claim(&rod(1.3)), Claim::Open);
    // A ball about the axis, and a post about the axis.
    let mut robot = chain(
        "r",
        &[(JointKind::Continuous, [0.0; 3], Vec3::Z), (JointKind::Revolute, [0.1, 0.0, 0.0], Vec3::X)],
    );
    robot.links[2].shapes.push(ball(0.0, 0.05, 0.0, 0.2));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [0.0; 3], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    assert_eq!(claim(&World::compile(&d).unwrap()), Claim::Always);
    // A small box that moves a little well inside a large one, whose witnesses are outside of it; and a bar
    // through it.
    let joints = [(JointKind::Prismatic, [0.0; 3], Vec3::X), (JointKind::Prismatic, [0.0; 3], Vec3::Y)];
    let large = shape(ShapeDescription::Box { size: [1.0; 3] });
    for size in [[0.1; 3], [0.2, 0.2, 3.0]] {
        let mut robot = chain("r", &joints);
        robot.joints.iter_mut().for_each(|j| j.limits = Some(JointLimits { lower: -0.001, upper: 0.001 }));
        robot.links.iter_mut().for_each(|link| link.shapes.clear());
        robot.links[2].shapes = vec![shape(ShapeDescription::Box { size })];
        let mut d = alone(robot);
        d.obstacles.push(obstacle("large", [0.0; 3], vec![large.clone()]));
        assert_eq!(claim(&World::compile(&d).unwrap()), Claim::Always, "{size:?}");
    }
    // What is told to overlap is a configuration, though the neutral one is none: a mimic has limits of its
    // own.
    for (low, possible) in [(0.3, true), (2.0, false)] {
        let out = [1.0, 0.0, 0.0];
        let mut robot =
            chain("r", &[(JointKind::Revolute, out, Vec3::Z), (JointKind::Revolute, out, Vec3::Z)]);
        robot.joints.push(joint("j3", JointKind::Revolute, "0", "3", out, Vec3::Z));
        robot.links.push(link("3", vec![ball(0.0, 0.0, 0.0, 0.2)]));
        robot.joints.iter_mut().for_each(|j| j.limits = Some(JointLimits { lower: -1.0, upper: 1.0 }));
        robot.joints[1].limits = Some(JointLimits { lower: low, upper: low + 0.5 });
        robot.joints[1].mimic = Some(Mimic { joint: "j1".into(), multiplier: 1.0, offset: 0.0 });
        let mut d = alone(robot);
        d.obstacles.push(obstacle("o", [1.0, 0.1, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
        let world = World::compile(&d).unwrap();
        let [a, b] = ["r/3", "world/o"].map(|name| world.body_by_name(name).unwrap());
        let proof = Prover::new(&world).pair(BodyPair { a, b }, &ProveOptions::default());
        assert_eq!(proof.claim, if possible { Claim::Always } else { Claim::Open }, "{low}");
        let told = proof.overlap_at.map(|values| Checker::new(&world).set(&values).is_ok());
        assert_eq!(told, possible.then_some(true), "{low}");
    }
    // Without limits nothing is proved; without joints, everything at once.
    let mut robot = chain("r", &[(JointKind::Floating, [0.0; 3], Vec3::Z)]);
    robot.links[1].shapes.push(ball(0.0, 0.0, 0.0, 0.2));
    d.robots[0].robot = robot;
    assert_eq!(claim(&World::compile(&d).unwrap()), Claim::Open);
    let mut robot = chain("r", &[]);
    robot.links[0].shapes.push(ball(0.0, 0.0, 0.0, 0.1));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("large", [0.0; 3], vec![large]));
    let world = World::compile(&d).unwrap();
    let [a, b] = ["r/0", "world/large"].map(|name| world.body_by_name(name).unwrap());
    let still = Prover::new(&world).pair(BodyPair { a, b }, &ProveOptions::default());
    assert_eq!((still.claim, still.boxes), (Claim::Always, 1));
    let world = rod(1.0);
    let same =
        BodyPair { a: world.pairs().get(PairId(0)).unwrap().a, b: world.pairs().get(PairId(0)).unwrap().a };
    assert_eq!(Prover::new(&world).pair(same, &ProveOptions::default()).claim, Claim::Open);
}

#[test]
fn limits_of_mimics_can_be_left_out_of_proofs() {
    // A rod that follows a leader: its own limits keep it from the post, the leader's do not, or do.
    for (leader, claims) in [(3.0, (true, false)), (0.5, (true, true)), (0.9, (true, true))] {
        let joints = [(JointKind::Revolute, [0.0; 3], Vec3::Z), (JointKind::Revolute, [0.0; 3], Vec3::Z)];
        let mut robot = chain("r", &joints);
        robot.joints[1].parent = "0".into();
        robot.joints[0].limits = Some(JointLimits { lower: -leader, upper: leader });
        robot.joints[1].limits = Some(JointLimits { lower: -0.6, upper: 0.6 });
        robot.joints[1].mimic = Some(Mimic { joint: "j1".into(), multiplier: 1.0, offset: 0.0 });
        robot.links.iter_mut().for_each(|link| link.shapes.clear());
        robot.links[2].shapes.push(ball(1.0, 0.0, 0.0, 0.1));
        let mut d = alone(robot);
        d.obstacles.push(obstacle("post", [0.0, 1.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
        let world = World::compile(&d).unwrap();
        let pair = world.pairs().get(PairId(0)).unwrap();
        let mut prover = Prover::new(&world);
        assert_eq!(prover.narrowed(pair), leader > 0.6, "{leader}");
        let mut never = |mimic_limits: bool| {
            let proof = prover.pair(pair, &ProveOptions { mimic_limits, ..ProveOptions::default() });
            if let Claim::Sometimes = proof.claim {
                // Told where: beyond the limits of the mimic, within the leader's.
                let at = proof.overlap_at.unwrap()[0];
                let mut checker = Checker::new(&world);
                assert!(at.abs() <= leader + 1e-8 && checker.set(&[at]).is_err());
                checker.set_with(&[at], SetOptions { ignore_limits: true }).unwrap();
                assert_eq!(checker.ask(&Question::distance()).verdict, Verdict::Collision);
            }
            matches!(proof.claim, Claim::Never { .. })
        };
        assert_eq!((never(true), never(false)), claims, "{leader}");
    }
}
