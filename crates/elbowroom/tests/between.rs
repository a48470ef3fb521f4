//! Between poses, by construction: every kind of joint, first contacts with a formula, ranges with a known
//! end.

mod common;

use common::*;
use elbowroom::CheckWork;
use elbowroom::bounds::AlignedBox;
use elbowroom::check::{Options, all_pairs, smallest};
use elbowroom::compile::compile;
use elbowroom::describe::*;
use elbowroom::id::{BodyId, PairId};
use elbowroom::math::{Mat3, Vec3};
use elbowroom::motion::approach_at;
use elbowroom::motion::edge::{Edge, EdgeOptions, EdgeWork, check_edge, verify};
use elbowroom::motion::prove::{Claim, ProveOptions, Prover};
use elbowroom::motion::ranges::ranges;
use elbowroom::motion::reach::Reach;
use elbowroom::motion::swept::Swept;
use elbowroom::motion::update::{Keep, Update};
use elbowroom::narrow::{Ask, Scratch};
use elbowroom::pairs::BodyPair;
use elbowroom::pose::SetOptions;
use elbowroom::verdict::Verdict;
use elbowroom::world::World;
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
    for (i, name) in world.value_names().iter().enumerate() {
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
        let Ok(world) = compile(&anyhow(&mut rng)) else { continue };
        robots += 1;
        floating += usize::from(world.value_names().iter().any(|n| n.ends_with("/rot_w")));
        let (reach, swept) = (Reach::new(&world), Swept::new(&world));
        let (mut p, mut q) = (CheckWork::new(&world), CheckWork::new(&world));
        let loose = SetOptions { ignore_limits: true };
        for _ in 0..12 {
            let from = random(&world, &mut rng);
            let mut to = random(&world, &mut rng);
            let share = rng.pick(&[1.0, 0.1, 0.01]);
            to = straight::straight(&world, [&from, &to], share);
            if rng.chance(0.5) {
                let only = rng.below(to.len().max(1));
                to.iter_mut().zip(&from).enumerate().for_each(|(i, (t, f))| {
                    if i != only {
                        *t = *f
                    }
                });
            }
            // Quaternions between two are none.
            if p.set_with(&world, &from, loose).is_err() || q.set_with(&world, &to, loose).is_err() {
                continue;
            }
            let change: Vec<f64> = from.iter().zip(&to).map(|(a, b)| (a - b).abs()).collect();
            for body in (0..world.bodies().len() as u32).map(BodyId) {
                let ball = world.shapes()[world.bodies()[body.index()].shapes.start as usize].clone();
                let center = ball.shape_in_body().translation;
                let at = |pose: &CheckWork| pose.body_in_world(&world, body).unwrap().point(center);
                let bound = reach.moved(body, &change);
                let moved = (at(&p) - at(&q)).norm();
                assert!(moved <= bound + 1e-12, "{moved} of {bound}: {:?}", world.joints());
                if moved > 1e-6 && bound < f64::INFINITY {
                    moved_most = moved_most.max(moved / bound);
                }
                if let Some(around) = swept.ball_in_world(&world, body) {
                    assert!((at(&q) - around.center).norm() <= around.radius + 1e-12, "{:?}", world.joints());
                }
            }
            let distances = |pose: &mut CheckWork| {
                let mut all = Vec::new();
                all_pairs(&world, pose, &Options::default(), |r| all.push(r.distance));
                all
            };
            let bounds: Vec<f64> = world
                .pairs()
                .iter()
                .map(|pair| approach_at(&world, &reach, &p, [pair.a, pair.b], &change))
                .collect();
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
        let Ok(world) = compile(&anyhow(&mut rng)) else { continue };
        let (mut pose, mut work) = (CheckWork::new(&world), EdgeWork::new(&world));
        let (from, to) = (random(&world, &mut rng), random(&world, &mut rng));
        let options = EdgeOptions { set: SetOptions { ignore_limits: true }, ..EdgeOptions::default() };
        let answer = check_edge(&world, &mut pose, &mut work, [&from, &to], &options).unwrap();
        let hits = |pose: &mut CheckWork, t: f64| {
            let values = straight::straight(&world, [&from, &to], t);
            pose.set_with(&world, &values, options.set).unwrap();
            smallest(&world, pose, &Options::default()).verdict == Verdict::Collision
        };
        let hit = (0..=300).map(|i| f64::from(i) / 300.0).find(|t| hits(&mut pose, *t));
        match answer {
            Edge::Free => {
                free += 1;
                assert_eq!(hit, None, "{:?}", world.joints());
                let pieces = work.pieces().to_vec();
                verify(&world, &mut pose, [&from, &to], &pieces, &options).unwrap();
            }
            Edge::Contact { first: [a, b], free_until, .. } => {
                contact += 1;
                assert!(free_until <= a && a <= b && hits(&mut pose, b));
                assert!(hit.is_none_or(|t| free_until <= t), "{answer:?} {hit:?}");
            }
            Edge::Unknown { at, .. } => {
                other += 1;
                assert!(hit.is_none_or(|t| at[0] <= t), "{answer:?} {hit:?}");
            }
        }
    }
    assert!(free > 50 && contact > 8 && other < 5, "{free} {contact} {other}");
}

/// A ball of 0.1 m on a rod of 1 m that turns about z, and a post of 0.2 m at (0, `away`).
fn rod(away: f64) -> World {
    let mut robot = chain("rod", &[(JointKind::Continuous, [0.0; 3], Vec3::Z)]);
    robot.links[1].shapes.push(ball(1.0, 0.0, 0.0, 0.1));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [0.0, away, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
    compile(&d).unwrap()
}

fn ask(world: &World, from: &[f64], to: &[f64], clearance: f64) -> Edge {
    let options = EdgeOptions { clearance, ..EdgeOptions::default() };
    check_edge(world, &mut CheckWork::new(world), &mut EdgeWork::new(world), [from, to], &options).unwrap()
}

#[test]
fn first_contacts_are_where_the_formula_says() {
    // The centres are 0.3 apart where the chord is: 2 sin(a / 2) = 0.3 before the quarter turn.
    let world = rod(1.0);
    for clearance in [0.0, 0.05, 0.2] {
        let angle = PI / 2.0 - 2.0 * libm_asin((0.3 + clearance) / 2.0);
        for end in [1.4, 2.0, 10.0] {
            let Edge::Contact { first: [a, b], .. } = ask(&world, &[0.0], &[end], clearance) else {
                panic!()
            };
            assert!(a * end <= angle + 1e-12 && angle <= b * end + 1e-12 && (b - a) * end < 3e-6, "{a} {b}");
        }
        assert_eq!(ask(&world, &[0.0], &[angle - 1e-5], clearance), Edge::Free);
        assert!(matches!(ask(&world, &[0.0], &[angle + 1e-5], clearance), Edge::Contact { .. }));
    }
    // In contact from the start, all along, and only at the end.
    assert!(matches!(ask(&world, &[1.5], &[0.0], 0.0), Edge::Contact { first: [0.0, 0.0], .. }));
    assert!(matches!(ask(&world, &[1.5], &[1.5], 0.0), Edge::Contact { first: [0.0, 0.0], .. }));
    let touching = ask(&rod(1.3), &[0.0], &[3.0], 0.0);
    let Edge::Unknown { at: [a, b], pair: Some(_) } = touching else { panic!("{touching:?}") };
    assert!(a * 3.0 < PI / 2.0 && PI / 2.0 < b * 3.0 + 0.01, "{touching:?}");
    assert_eq!(ask(&rod(1.3 + 1e-4), &[0.0], &[3.0], 0.0), Edge::Free);
    // A robot without a shape is not free, but unknown.
    let bare = compile(&alone(chain("bare", &[(JointKind::Continuous, [0.0; 3], Vec3::Z)]))).unwrap();
    assert!(matches!(ask(&bare, &[0.0], &[1.0], 0.0), Edge::Unknown { pair: None, .. }));
    let ends = [&[0.0][..], &[1.0][..]];
    assert!(verify(&bare, &mut CheckWork::new(&bare), ends, &[], &EdgeOptions::default()).is_err());
    // No work, no answer.
    let options = EdgeOptions { work: 0, ..EdgeOptions::default() };
    let none = check_edge(
        &world,
        &mut CheckWork::new(&world),
        &mut EdgeWork::new(&world),
        [&[0.0], &[0.1]],
        &options,
    );
    assert!(matches!(none, Ok(Edge::Unknown { at: [0.0, 1.0], .. })), "{none:?}");
}

fn libm_asin(x: f64) -> f64 {
    // By halving: the test's own.
    let (mut low, mut high) = (0.0, PI / 2.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if elbowroom::math::sin_cos(middle).0 < x { low = middle } else { high = middle }
    }
    low
}

#[test]
fn what_is_out_of_reach_is_known() {
    // The ring of the ball's centre has radius 1: 0.1 to spare inside and outside.
    let mut scratch = Scratch::default();
    for (away, gap) in [(0.6, 0.1), (1.5, 0.2), (0.0, 0.7)] {
        let world = rod(away);
        let pair = world.pairs().get(PairId(0)).unwrap();
        let found = Swept::new(&world).gap(&world, pair.a, pair.b, &mut scratch);
        assert!(found <= gap && found > gap - 1e-9, "{away}: {found} {gap}");
    }
    let far = AlignedBox { low: Vec3 { x: 2.0, y: -1.0, z: 0.0 }, high: Vec3 { x: 3.0, y: 1.0, z: 1.0 } };
    let world = rod(1.1);
    let swept = Swept::new(&world);
    let gap = swept.gap_to_box(world.pairs().get(PairId(0)).unwrap().a, &far);
    assert!(gap <= 0.9 && gap > 0.9 - 1e-9, "{gap}");
    assert_eq!(swept.gap_to_box(BodyId(99), &far), f64::NEG_INFINITY);
    let pair = world.pairs().get(PairId(0)).unwrap();
    assert!(Swept::new(&world).gap(&world, pair.a, pair.b, &mut scratch) <= 0.0);
    assert_eq!(Swept::new(&world).gap(&world, pair.b, pair.a, &mut scratch), f64::NEG_INFINITY);
}

#[test]
fn claims_are_as_constructed() {
    let claim = |world: &World| {
        let (pair, options) = (
            world.pairs().get(PairId(0)).unwrap(),
            ProveOptions { boxes: 10_000, ..ProveOptions::default() },
        );
        Prover::new(world).pair(world, pair, &options).claim
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
    assert_eq!(claim(&compile(&d).unwrap()), Claim::Always);
    // A small box that moves a little well inside a large one, whose witnesses are outside of it; and a bar
    // through it.
    let joints = [(JointKind::Prismatic, [0.0; 3], Vec3::X), (JointKind::Prismatic, [0.0; 3], Vec3::Y)];
    let large = PlacedShape { shape: ShapeDescription::Box { size: [1.0; 3] }, ..ball(0.0, 0.0, 0.0, 1.0) };
    for size in [[0.1; 3], [0.2, 0.2, 3.0]] {
        let mut robot = chain("r", &joints);
        robot.joints.iter_mut().for_each(|j| j.limits = Some(JointLimits { lower: -0.001, upper: 0.001 }));
        robot.links.iter_mut().for_each(|link| link.shapes.clear());
        robot.links[2].shapes =
            vec![PlacedShape { shape: ShapeDescription::Box { size }, ..ball(0.0, 0.0, 0.0, 1.0) }];
        let mut d = alone(robot);
        d.obstacles.push(obstacle("large", [0.0; 3], vec![large.clone()]));
        assert_eq!(claim(&compile(&d).unwrap()), Claim::Always, "{size:?}");
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
        let world = compile(&d).unwrap();
        let [a, b] = ["r/3", "world/o"].map(|name| world.body_named(name).unwrap());
        let proof = Prover::new(&world).pair(&world, BodyPair { a, b }, &ProveOptions::default());
        assert_eq!(proof.claim, if possible { Claim::Always } else { Claim::Open }, "{low}");
        let told = proof.overlap_at.map(|values| CheckWork::new(&world).set(&world, &values).is_ok());
        assert_eq!(told, possible.then_some(true), "{low}");
    }
    // Without limits nothing is proved; without joints, everything at once.
    let mut robot = chain("r", &[(JointKind::Floating, [0.0; 3], Vec3::Z)]);
    robot.links[1].shapes.push(ball(0.0, 0.0, 0.0, 0.2));
    d.robots[0].robot = robot;
    assert_eq!(claim(&compile(&d).unwrap()), Claim::Open);
    let mut robot = chain("r", &[]);
    robot.links[0].shapes.push(ball(0.0, 0.0, 0.0, 0.1));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("large", [0.0; 3], vec![large]));
    let world = compile(&d).unwrap();
    let [a, b] = ["r/0", "world/large"].map(|name| world.body_named(name).unwrap());
    let still = Prover::new(&world).pair(&world, BodyPair { a, b }, &ProveOptions::default());
    assert_eq!((still.claim, still.boxes), (Claim::Always, 1));
    let world = rod(1.0);
    let same =
        BodyPair { a: world.pairs().get(PairId(0)).unwrap().a, b: world.pairs().get(PairId(0)).unwrap().a };
    assert_eq!(Prover::new(&world).pair(&world, same, &ProveOptions::default()).claim, Claim::Open);
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
        let world = compile(&d).unwrap();
        let pair = world.pairs().get(PairId(0)).unwrap();
        let mut prover = Prover::new(&world);
        assert_eq!(prover.narrowed(pair), leader > 0.6, "{leader}");
        let mut never = |mimic_limits: bool| {
            let proof = prover.pair(&world, pair, &ProveOptions { mimic_limits, ..ProveOptions::default() });
            if let Claim::Sometimes = proof.claim {
                // Told where: beyond the limits of the mimic, within the leader's.
                let at = proof.overlap_at.unwrap()[0];
                let mut pose = CheckWork::new(&world);
                assert!(at.abs() <= leader + 1e-8 && pose.set(&world, &[at]).is_err());
                pose.set_with(&world, &[at], SetOptions { ignore_limits: true }).unwrap();
                assert_eq!(smallest(&world, &mut pose, &Options::default()).verdict, Verdict::Collision);
            }
            matches!(proof.claim, Claim::Never { .. })
        };
        assert_eq!((never(true), never(false)), claims, "{leader}");
    }
}

#[test]
fn updates_keep_what_still_holds() {
    let world = rod(1.0);
    for keep in [Keep::Global, Keep::Local] {
        let (mut pose, mut update) = (CheckWork::new(&world), Update::new(&world, keep, 0.1));
        let options = Options::default();
        assert_eq!(update.still(&[0.0]), f64::NEG_INFINITY);
        let first = update.smallest(&world, &mut pose, &[0.0], &options).unwrap();
        let kept = update.smallest(&world, &mut pose, &[0.5], &options).unwrap();
        assert_eq!((kept.counts.shape_queries, kept.witness), (0, first.witness), "{keep:?}");
        let truth = 2.0 * elbowroom::math::sin_cos(0.5 * (PI / 2.0 - 0.5)).0 - 0.3;
        assert!(kept.lower <= truth && truth <= kept.upper && kept.verdict == Verdict::Clear, "{kept:?}");
        let asked = update.smallest(&world, &mut pose, &[1.0], &options).unwrap();
        if keep == Keep::Global {
            // The ball's points are up to 1.1 from the axis.
            assert!((first.lower - 0.55 - kept.lower).abs() < 1e-6, "{kept:?}");
            assert!(asked.counts.shape_queries == 1 && asked.upper - asked.lower < 1e-9, "{asked:?}");
        } else {
            // Balls decided: there was nothing to ask. Nearer than the threshold there is.
            let near = update.smallest(&world, &mut pose, &[1.25], &options).unwrap();
            let kept = update.smallest(&world, &mut pose, &[1.2501], &options).unwrap();
            assert!(asked.counts.shape_queries == 0 && near.counts.shape_queries == 1, "{near:?}");
            assert!(update.still(&[1.2501]) > 0.0 && kept.lower > 0.0, "{kept:?}");
        }
        assert_eq!(update.still(&[f64::NAN]), f64::NEG_INFINITY);
        assert_eq!(update.still(&[]), f64::NEG_INFINITY);
        update.forget();
        assert_eq!(update.still(&[1.0]), f64::NEG_INFINITY);
        let other = rod(1.1);
        assert!(update.smallest(&other, &mut CheckWork::new(&other), &[0.0], &options).is_err());
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
    let world = compile(&alone(robot)).unwrap();
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

#[test]
fn edges_through_crowds_are_as_sampled() {
    let mut rng = Rng::new(31);
    let mut d = alone(row_of_balls("arm", 5, 0.3, 0.05));
    for i in 0..150 {
        // Not where the first link turns in its place.
        let z = rng.pick(&[-0.12, 0.12, 0.04, 0.3]);
        let p = Vec3 { z, ..rng.point(2.5) };
        let p = if p.norm() < 0.6 { p * 4.0 } else { p };
        // Some of several shapes.
        let shapes = (0..1 + i % 3).map(|k| ball(0.1 * k as f64, 0.0, 0.0, 0.03)).collect();
        d.obstacles.push(obstacle(&i.to_string(), p.to_array(), shapes));
    }
    // Exceptions of a crowd.
    for i in 0..20 {
        let (a, b) = ("arm/5".to_string(), format!("world/{i}"));
        d.allowed.push(AllowedPair { a, b, reason: String::new() });
    }
    let world = compile(&d).unwrap();
    let (mut pose, mut work) = (CheckWork::new(&world), EdgeWork::new(&world));
    let options = EdgeOptions::default();
    let (mut free, mut contacts, mut asked) = (0, 0, 0);
    for k in 0..150 {
        let from: Vec<f64> = (0..5).map(|_| rng.range(-3.0, 3.0)).collect();
        let to: Vec<f64> = from.iter().map(|v| v + rng.range(-0.3, 0.3)).collect();
        let answer = check_edge(&world, &mut pose, &mut work, [&from, &to], &options).unwrap();
        asked += work.counts().asked;
        let hit = (0..=200).map(|i| f64::from(i) / 200.0).find(|t| {
            let values: Vec<f64> = from.iter().zip(&to).map(|(a, b)| a + (b - a) * t).collect();
            pose.set(&world, &values).unwrap();
            smallest(&world, &mut pose, &Options::default()).verdict == Verdict::Collision
        });
        match answer {
            Edge::Free => {
                free += 1;
                assert_eq!(hit, None);
                if k < 60 {
                    let pieces = work.pieces().to_vec();
                    verify(&world, &mut pose, [&from, &to], &pieces, &options).unwrap();
                    let none: Vec<_> = pieces.into_iter().filter(|p| p.pair.a != p.pair.b).collect();
                    assert!(verify(&world, &mut pose, [&from, &to], &none, &options).is_err());
                }
            }
            Edge::Contact { first: [a, b], free_until, .. } => {
                contacts += 1;
                assert!(
                    free_until <= a && a <= b && hit.is_none_or(|t| free_until <= t),
                    "{answer:?} {hit:?}"
                );
            }
            Edge::Unknown { .. } => panic!("{answer:?}"),
        }
    }
    assert!(free > 10 && contacts > 20, "{free} {contacts}");
    assert!(asked < 150 * 200, "nearly all are left out: {asked}");
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
        robot.links[1].shapes = vec![PlacedShape { shape: hull(&mut rng), ..ball(0.0, 0.0, 0.0, 1.0) }];
        let shapes = vec![PlacedShape { shape: hull(&mut rng), ..ball(0.0, 0.0, 0.0, 1.0) }];
        let world = compile(&WorldDescription {
            robots: vec![placed(robot)],
            obstacles: vec![obstacle("o", [1.0, 0.02, 0.05], shapes)],
            margin: 0.01,
            ..WorldDescription::default()
        })
        .unwrap();
        let options = Options { ask: Ask::Test, ..Options::of(&world) };
        let (mut pose, mut update) = (CheckWork::new(&world), Update::new(&world, Keep::Local, 0.03));
        let mut exact = CheckWork::new(&world);
        for k in 0..60 {
            let values = [0.78 + 0.001 * f64::from(k) + rng.range(0.0, 1e-4)];
            exact.set(&world, &values).unwrap();
            let truth = smallest(&world, &mut exact, &Options::of(&world));
            let told = update.smallest(&world, &mut pose, &values, &options).unwrap();
            assert_eq!(told.verdict, truth.verdict, "{told:?} {truth:?}");
            beyond += usize::from(truth.lower > 0.01 && truth.lower < 0.0111);
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
    let block = vec![PlacedShape { shape: bent(1.0), ..ball(0.0, 0.0, 0.0, 1.0) }];
    let plate = ShapeDescription::Box { size: [4.0, 4.0, 0.1] };
    let plate = vec![PlacedShape { shape: plate, ..ball(0.0, 0.0, 0.0, 1.0) }];
    let world = compile(&WorldDescription {
        obstacles: vec![obstacle("block", [0.0; 3], block), obstacle("plate", [0.0, 0.0, -5.3], plate)],
        robots: vec![placed(robot)],
        margin: 0.1,
        ..WorldDescription::default()
    })
    .unwrap();
    let (mut pose, mut update) = (CheckWork::new(&world), Update::new(&world, Keep::Local, f64::INFINITY));
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
        let report = update.smallest(&world, &mut pose, &values, &Options::of(&world)).unwrap();
        assert!(
            (report.lower - distance).abs() < 1e-9 && (report.upper - distance).abs() < 1e-9,
            "{report:?}"
        );
    }
}

include!("support/bent.rs");
