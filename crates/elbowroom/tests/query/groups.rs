//! Collision groups and their index set, and the search among what never moves against every pair by itself.

use crate::support::ask::{every_pair, intervals_meet};
use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::pair::Ask;
use elbowroom::world::{CollisionGroup, GroupId};
use elbowroom::{Checker, PairAnswer, Question, Verdict, World};

/// Whether the group's frame differs between two poses, and whether a body differs in that frame, by more
/// than `tolerance` (metres, and radians for turns).
fn find_motion(group: &CollisionGroup, poses: [&Checker; 2], tolerance: f64) -> (bool, bool) {
    let place = |pose: &Checker, body| pose.body_in_world(body).unwrap();
    let differ = |a: &Transform, b: &Transform| {
        let turned = a.rotation.cols.iter().zip(&b.rotation.cols).map(|(p, q)| (*p - *q).norm());
        (a.translation - b.translation).norm() > tolerance || turned.fold(0.0, f64::max) > tolerance
    };
    let frames = poses.map(|pose| group.frame.map_or(Transform::IDENTITY, |frame| place(pose, frame)));
    let is_dynamic = group.bodies.iter().any(|body| {
        let [a, b] = [0, 1].map(|k| frames[k].relative(&place(poses[k], *body)));
        differ(&a, &b)
    });
    (differ(&frames[0], &frames[1]), is_dynamic)
}

/// henrich92's example: two arms hang from a gallows on a vehicle, and all is one robot.
fn gallows() -> WorldDescription {
    let links = vec![
        link("floor", vec![]),
        link("vehicle", vec![ball(0.0, 0.0, 0.3, 0.3)]),
        link("gallows", vec![ball(0.0, 0.0, 0.0, 0.2)]),
    ];
    let joints = vec![
        joint("drive", JointKind::Planar, "floor", "vehicle", [0.0; 3], Vec3::Z),
        joint("post", JointKind::Fixed, "vehicle", "gallows", [0.0, 0.0, 2.0], Vec3::Z),
    ];
    let mut robot = RobotDescription { links, joints, ..RobotDescription::default() };
    let mut groups = Vec::new();
    for (arm, side) in [("left", 0.6), ("right", -0.6)] {
        let mut members = Vec::new();
        for i in 0..3 {
            let name = format!("{arm}{i}");
            let parent = if i == 0 { "gallows".into() } else { format!("{arm}{}", i - 1) };
            let at = if i == 0 { [0.0, side, 0.0] } else { [0.0, 0.0, -0.4] };
            robot.links.push(link(&name, vec![ball(0.0, 0.0, -0.2, 0.1)]));
            let turn = joint(&format!("{arm}_j{i}"), JointKind::Revolute, &parent, &name, at, Vec3::Y);
            robot.joints.push(turn);
            members.push(format!("r/{name}"));
        }
        groups.push(BodyGroup { name: arm.into(), members });
    }
    let mut d = alone(robot);
    d.robots[0].name = "r".into();
    groups.push(BodyGroup { name: "gallows".into(), members: vec!["r/gallows".into()] });
    groups.push(BodyGroup { name: "vehicle".into(), members: vec!["r/vehicle".into()] });
    d.groups = groups;
    for (a, b) in [("left", "right"), ("left", "vehicle"), ("right", "vehicle"), ("gallows", "vehicle")] {
        d.checks.push([a.into(), b.into()]);
    }
    d
}

fn group<'w>(world: &'w World, name: &str) -> (GroupId, &'w CollisionGroup) {
    let at = world.groups().iter().position(|g| g.name == name).unwrap();
    (GroupId(at as u32), &world.groups()[at])
}

#[test]
fn two_arms_a_gallows_and_a_vehicle() {
    let world = World::compile(&gallows()).unwrap();
    let names: Vec<[&str; 2]> =
        world.index_set().map(|p| p.map(|g| world.groups()[g.index()].name.as_str())).collect();
    // The pair (3, 4) is asked for, as in the paper's formula, and is none, as in its text: they never move
    // against each other.
    assert_eq!(names, [["left", "right"], ["left", "vehicle"], ["right", "vehicle"]]);
    for (name, moved, dynamic) in
        [("left", true, true), ("right", true, true), ("gallows", true, false), ("vehicle", true, false)]
    {
        let group = group(&world, name).1;
        assert_eq!((group.moved, group.dynamic), (moved, dynamic), "{name}");
    }

    // What poses show never goes beyond that, and reaches it; the vectors are those of the pairs.
    let (mut one, mut other, mut rng) = (Checker::new(&world), Checker::new(&world), Rng::new(5));
    let mut seen = vec![(false, false); world.groups().len()];
    for _ in 0..200 {
        let values: Vec<f64> = world.dof_names().iter().map(|_| rng.range(-1.0, 1.0)).collect();
        one.set(&values).unwrap();
        for (i, g) in world.groups().iter().enumerate() {
            let (moved, dynamic) = find_motion(g, [&one, &other], 1e-9);
            assert!((g.moved || !moved) && (g.dynamic || !dynamic), "{}", g.name);
            seen[i] = (seen[i].0 | moved, seen[i].1 | dynamic);
        }
        let (pairs, _) = every_pair(&mut one, &Question::distance());
        let mut least = f64::INFINITY;
        for index in world.index_set() {
            let answer = one.between(index, &Question::distance()).unwrap();
            let [j, l] = index.map(|g| &world.groups()[g.index()]);
            let within = |p: &&PairAnswer| {
                let p = world.pairs().get(p.pair).unwrap();
                (j.contains(p.a) && l.contains(p.b)) || (j.contains(p.b) && l.contains(p.a))
            };
            let chosen: Vec<&PairAnswer> = pairs.iter().filter(within).collect();
            assert_eq!(answer.counts.pairs, chosen.len());
            let nearest = chosen.iter().min_by(|p, q| p.interval.upper.total_cmp(&q.interval.upper)).unwrap();
            assert!(
                answer.pair == Some(nearest.pair)
                    && (answer.interval.upper - nearest.interval.upper).abs() < 1e-12
            );
            least = least.min(answer.interval.upper);
        }
        let all = one.ask(&Question::distance());
        assert!((all.interval.upper - least).abs() < 1e-12);
        core::mem::swap(&mut one, &mut other);
    }
    let expected: Vec<(bool, bool)> = world.groups().iter().map(|g| (g.moved, g.dynamic)).collect();
    assert_eq!(seen, expected);
    assert!(one.between([GroupId(0), GroupId(4)], &Question::distance()).is_none());
}

#[test]
fn robots_and_the_cell_are_groups_of_themselves() {
    let mut d = alone(row_of_balls("arm", 4, 0.4, 0.1));
    let second = PlacedRobot {
        name: "second".into(),
        base_in_world: Transform::from_translation(vec3(0.0, 1.0, 0.0)),
        ..d.robots[0].clone()
    };
    d.robots.push(second);
    d.obstacles.push(obstacle("table", [0.0, 0.0, -1.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
    let mut held = obstacle("cup", [0.1, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.05)]);
    let carrier = world_link(&d, 0, 3);
    held.attached_to = Some(Attachment { body: carrier, touch: vec![] });
    d.obstacles.push(held);
    let world = World::compile(&d).unwrap();
    let of: Vec<(&str, usize, bool, bool)> =
        world.groups().iter().map(|g| (g.name.as_str(), g.bodies.len(), g.moved, g.dynamic)).collect();
    let first = d.robots[0].name.as_str();
    assert_eq!(of, [(first, 6, false, true), ("second", 5, false, true), ("world", 1, false, false)]);
    let index: Vec<[u32; 2]> = world.index_set().map(|p| p.map(|g| g.0)).collect();
    assert_eq!(index, [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2]]);
}

fn world_link(d: &WorldDescription, robot: usize, link: usize) -> String {
    format!("{}/{}", d.robots[robot].name, d.robots[robot].robot.links[link].name)
}

/// An arm among so many obstacles that they are a crowd; every third has three shapes, and one link may touch
/// some.
pub fn forest(seed: u64, count: usize) -> WorldDescription {
    let mut rng = Rng::new(seed);
    let mut robot = row_of_balls("arm", 5, 0.4, 0.1);
    for (i, joint) in robot.joints.iter_mut().enumerate() {
        joint.axis = [Vec3::Z, Vec3::Y, Vec3::X][i % 3];
    }
    let mut d = alone(robot);
    for i in 0..count {
        let xyz = [rng.range(-2.5, 2.5), rng.range(-2.5, 2.5), rng.range(-2.0, 2.0)];
        let mut shapes = vec![ball(0.0, 0.0, 0.0, 0.05)];
        if i % 3 == 0 {
            shapes.extend([ball(0.1, 0.0, 0.0, 0.08), ball(0.0, 0.2, 0.0, 0.02)]);
        }
        d.obstacles.push(obstacle(&format!("o{i}"), xyz, shapes));
    }
    for i in (0..count).step_by(7) {
        let b = format!("world/o{i}");
        d.allowed.push(AllowedPair { a: world_link(&d, 0, 1), b, reason: "it may".into() });
    }
    d.margin = 0.02;
    d
}

#[test]
fn a_crowd_has_the_answers_of_its_pairs() {
    let (mut seen, mut open) = ([0; 5], 0);
    for (seed, count) in [(1, 20), (2, 60), (3, 200), (4, 200)] {
        let world = World::compile(&forest(seed, count)).unwrap();
        let numbers: Vec<_> = world.pairs().iter().collect();
        assert_eq!(numbers.len(), world.pairs().len());
        let allowed =
            world.all_pairs().filter(|(_, _, s)| matches!(s, elbowroom::world::PairStatus::Allowed(_)));
        assert_eq!(allowed.count(), world.allowed_count());
        let (mut checker, mut rng) = (Checker::new(&world), Rng::new(seed));
        for step in 0..60 {
            let values: Vec<f64> = world.dof_names().iter().map(|_| rng.range(-2.0, 2.0)).collect();
            checker.set(&values).unwrap();
            let (pairs, together) = every_pair(&mut checker, &Question::distance());
            let nearest = pairs.iter().min_by(|p, q| p.interval.upper.total_cmp(&q.interval.upper)).unwrap();
            for cutoff in [f64::INFINITY, 0.1, 0.0] {
                let question = Question::distance().cutoff(cutoff);
                let one = checker.ask(&question);
                assert_eq!(one.verdict, together.verdict, "{seed} {step}");
                assert!(intervals_meet(&one.interval, &nearest.interval));
                if nearest.interval.upper <= cutoff {
                    assert!(
                        one.pair == Some(nearest.pair)
                            && (one.interval.upper - nearest.interval.upper).abs() < 1e-12
                    );
                    assert!((one.interval.lower - together.interval.lower).abs() < 1e-12);
                } else {
                    assert!(one.interval.lower > cutoff);
                }
                let c = one.counts;
                assert_eq!(c.pruned + c.proved + c.unknown + c.skipped, c.pairs);
                assert!(c.pairs == world.pairs().len() && one.lower_pair.is_some());
                open += usize::from(c.proved > 0 && c.proved < c.pairs / 4);
            }
            for ask in [Ask::Test, Ask::LowerBound] {
                let one = checker.ask(&Question::from_ask(ask));
                assert_eq!(one.verdict, together.verdict, "{seed} {step} {ask:?}");
                assert!(one.interval.lower <= nearest.interval.upper);
            }
            seen[together.verdict as usize] += 1;
        }
    }
    assert!(seen[Verdict::Clear as usize] > 20 && seen[Verdict::Collision as usize] > 20, "{seen:?}");
    assert!(open > 200, "{open}");
}

/// What is nearest may all be allowed: what is left out behind it bounds the answer all the same.
#[test]
fn what_hides_behind_allowed_bodies_still_counts() {
    let mut d = alone(row_of_balls("arm", 2, 0.1, 0.05));
    // A second robot far off: its pairs are listed, and much farther than the cell is.
    let mut far = d.robots[0].clone();
    far.name = "far".into();
    far.base_in_world = Transform::from_translation(vec3(0.0, 50.0, 0.0));
    d.robots.push(far);
    for (a, b) in [("far", "world"), ("arm", "arm/0")] {
        d.allowed.push(AllowedPair { a: a.into(), b: b.into(), reason: "elsewhere".into() });
    }
    for i in 0..8 {
        d.obstacles.push(obstacle(
            &format!("near{i}"),
            [1.0 + 0.01 * f64::from(i), 0.0, 0.0],
            vec![ball(0.0, 0.0, 0.0, 0.05)],
        ));
        d.obstacles.push(obstacle(
            &format!("behind{i}"),
            [3.0 + 0.01 * f64::from(i), 0.0, 0.0],
            vec![ball(0.0, 0.0, 0.0, 0.05)],
        ));
        d.allowed.push(AllowedPair { a: "*".into(), b: format!("world/near{i}"), reason: "it may".into() });
    }
    for i in 0..8 {
        d.obstacles.push(obstacle(
            &format!("side{i}"),
            [3.0, 3.0 + 0.01 * f64::from(i), 0.0],
            vec![ball(0.0, 0.0, 0.0, 0.05)],
        ));
    }
    let world = World::compile(&d).unwrap();
    let mut checker = Checker::new(&world);
    let mut truth = f64::INFINITY;
    checker.all_pairs(&Question::distance(), |p| truth = truth.min(p.interval.upper));
    assert!(truth < 3.0);
    for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
        for cutoff in [0.0, 0.5, f64::INFINITY] {
            let answer = checker.ask(&Question::from_ask(ask).cutoff(cutoff));
            assert!(
                answer.interval.lower <= truth && answer.verdict == Verdict::Clear,
                "{ask:?} {cutoff}: {answer:?}"
            );
            let pair = world.pairs().get(answer.lower_pair.unwrap()).unwrap();
            assert!(matches!(world.status(pair.a, pair.b), Some(elbowroom::world::PairStatus::Checked(_))));
        }
        for index in world.index_set() {
            let [j, l] = index.map(|g| &world.groups()[g.index()]);
            let question = Question::from_ask(ask).cutoff(0.5);
            let answer = checker.between(index, &question).unwrap();
            let p = world.pairs().get(answer.lower_pair.unwrap()).unwrap();
            assert!((j.contains(p.a) && l.contains(p.b)) || (j.contains(p.b) && l.contains(p.a)), "{ask:?}");
        }
    }
}

#[test]
fn what_is_asked_of_groups_is_of_no_others_whatever_the_margin() {
    // Two arms at the same place, that overlap: with a margin without end a test of the one was decided by
    // both.
    let mut d = alone(row_of_balls("l", 4, 0.4, 0.1));
    d.robots.push(placed(row_of_balls("r", 4, 0.4, 0.1)));
    let world = World::compile(&d).unwrap();
    let within = |name: &str| [world.group_by_name(name).unwrap(); 2];
    let mut told = 0;
    for index in [within("l"), within("r")] {
        for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
            for margin in [0.0, 0.05, f64::INFINITY] {
                let mut checker = Checker::new(&world);
                let question = Question::from_ask(ask).margin(margin);
                let answer = checker.between(index, &question).unwrap();
                assert!(
                    answer.interval.lower > 0.0 && answer.verdict != Verdict::Collision,
                    "{ask:?} {margin}: {answer:?}"
                );
                let group = &world.groups()[index[0].index()];
                for pair in [answer.pair, answer.lower_pair]
                    .into_iter()
                    .flatten()
                    .map(|p| world.pairs().get(p).unwrap())
                {
                    assert!(group.contains(pair.a) && group.contains(pair.b), "{ask:?} {margin}");
                    told += 1;
                }
            }
        }
    }
    assert!(told >= 18);
    assert_eq!(Checker::new(&world).ask(&Question::distance()).verdict, Verdict::Collision);
}
