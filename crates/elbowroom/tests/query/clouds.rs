//! Clouds of points in a world, beside the same points as obstacles.

use crate::scenes::{convex, scene};
use crate::support::ask::{every_pair, intervals_meet};
use crate::support::describe::*;
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use crate::support::turned::{polygon, ring_mesh};
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3};
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::pose::{ChangeFault, SetOptions};
use elbowroom::world::BodyId;
use elbowroom::{Checker, Interval, Question, Verdict, World};

/// A wall, a line, a clump, or anything, of some points.
fn points(rng: &mut Rng) -> Vec<[f64; 3]> {
    let count = 1 + rng.below(200);
    let (about, normal, kind) = (rng.point(0.7), rng.direction(), rng.below(4));
    let point = |rng: &mut Rng| {
        let p = rng.point(0.8);
        about
            + match kind {
                0 => p - normal * p.dot(normal),
                1 => normal * p.x,
                2 => p * 0.1,
                _ => p * 2.0,
            }
    };
    (0..count).map(|_| point(rng).to_array()).collect()
}

/// Each point as an obstacle, and what fills the spare place.
fn as_balls(
    d: &WorldDescription,
    points: &[[f64; 3]],
    held: Option<&ObstacleDescription>,
) -> WorldDescription {
    let mut d = d.clone();
    d.spares.clear();
    d.obstacles.extend(held.cloned());
    let radius = d.clouds[0].radius;
    d.clouds.clear();
    d.obstacles.extend(points.iter().enumerate().map(|(i, p)| {
        let shapes = vec![ball(0.0, 0.0, 0.0, radius)];
        ObstacleDescription {
            pose: Transform::from_translation(Vec3::from(*p)),
            ..obstacle(&format!("p{i}"), [0.0; 3], shapes)
        }
    }));
    d.obstacles.iter_mut().for_each(|o| o.movable = false);
    d
}

/// The least of all intervals.
fn least(intervals: impl Iterator<Item = Interval>) -> Option<Interval> {
    intervals.reduce(|a, b| Interval::new(a.lower.min(b.lower), a.upper.min(b.upper), a.geometry))
}

/// `ELBOWROOM_CLOUDS` scenes, sixty unless told.
#[test]
fn a_cloud_is_as_far_as_its_points_are() {
    let (wanted, mut compared, mut nearest, mut colliding, mut free, mut contacts, mut to_held) =
        (number_from_environment("ELBOWROOM_CLOUDS", 60), 0, 0, 0, 0, 0, 0);
    for seed in 1..=wanted {
        let mut rng = Rng::new(seed);
        let mut d = scene(&mut rng);
        d.allowed.clear();
        d.checks.clear();
        // Nothing is placed or carried here: other tests compare that with a freshly compiled world.
        d.obstacles.iter_mut().for_each(|o| (o.attached_to, o.movable) = (None, false));
        d.spares.truncate(1);
        d.spares.iter_mut().for_each(|spare| spare.corners = 100);
        d.clouds.push(CloudDescription {
            name: "scan".into(),
            radius: rng.decades(-3.0, -1.0),
            capacity: 200,
        });
        let far = if seed % 5 == 0 { 1e4 } else { 0.0 };
        d.robots.iter_mut().for_each(|r| r.base_in_world.translation.x += far);
        d.obstacles.iter_mut().for_each(|o| o.pose.translation.x += far);
        let world = World::compile(&d).unwrap();
        let scan = world.body_by_name("world/scan").unwrap();
        let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
        // Far away the poses that are told of both bodies round, and with them where the one is on the other.
        let part = world.body_by_name("world/part_later0").filter(|_| far == 0.0);
        let tool = world.body_by_name("r/tool").unwrap();
        if let Some(part) = part {
            let by_tool = checker.body_in_world(tool).unwrap() * rng.pose(0.3);
            checker.place(part, &by_tool).unwrap();
            checker.attach(part, tool, &[]).unwrap();
        }
        for round in 0..3 {
            let held = part.map(|part| {
                let (placed, compiled) = convex(&mut rng);
                checker.insert_obstacle(part, &compiled).unwrap();
                let [tool, part] = [tool, part].map(|body| checker.body_in_world(body).unwrap());
                ObstacleDescription {
                    pose: tool.relative(&part),
                    attached_to: Some(Attachment { body: "r/tool".into(), touch: vec![] }),
                    ..obstacle("part_later0", [0.0; 3], vec![placed])
                }
            });
            let mut cloud = points(&mut rng);
            cloud.iter_mut().for_each(|p| p[0] += far);
            checker.update_cloud(scan, &cloud).unwrap();
            let fresh = World::compile(&as_balls(&d, &cloud, held.as_ref())).unwrap();
            let mut other = Checker::new(&fresh);
            let of_cloud = |name: &str| {
                name == "world/scan" || name.starts_with("world/p") && !name.starts_with("world/part")
            };
            for _ in 0..4 {
                let values: Vec<f64> = checker.values().iter().map(|_| rng.range(-3.0, 3.0)).collect();
                checker.set_with(&values, SetOptions::default()).unwrap();
                other.set_with(&values, SetOptions::default()).unwrap();
                let place = format!("seed {seed}, round {round}");
                for question in [Question::distance(), Question::test(), Question::lower_bound()] {
                    let (now, then) = (checker.ask(&question), other.ask(&question));
                    assert!(intervals_meet(&now.interval, &then.interval), "{place}: {now:?} {then:?}");
                    let border = [now, then].iter().any(|a| {
                        a.interval.lower.abs().min(a.interval.upper.abs()) < 1e-9
                            || (a.interval.lower - world.margin()).abs() < 1e-9
                    });
                    assert!(border || now.verdict == then.verdict, "{place}: {now:?} {then:?}");
                    if let (Some(pair), true) = (now.pair, question == Question::distance()) {
                        let names = world.pair_names(pair).unwrap();
                        nearest += u64::from(names.iter().any(|n| of_cloud(n)));
                        to_held += u64::from(names.contains(&"world/part_later0"));
                        colliding += u64::from(now.verdict == Verdict::Collision);
                        let width = now.interval.upper - now.interval.lower;
                        assert!(now.verdict == Verdict::Collision || width < 1e-6, "{place}: {now:?}");
                    }
                }
                // All pairs of the cloud together, and kept ones.
                let (mine, _) = every_pair(&mut checker, &Question::distance());
                let (theirs, _) = every_pair(&mut other, &Question::distance());
                let only = |world: &World, pairs: &[elbowroom::PairAnswer]| {
                    let of = |p: &&elbowroom::PairAnswer| {
                        world.pair_names(p.pair).unwrap().iter().any(|n| of_cloud(n))
                    };
                    least(pairs.iter().filter(of).map(|p| p.interval))
                };
                if let (Some(a), Some(b)) = (only(&world, &mine), only(&fresh, &theirs)) {
                    assert!(intervals_meet(&a, &b), "{place}: {a:?} {b:?}");
                }
                let mut kept = Vec::new();
                checker.nearest_k(2, &Question::distance(), &mut kept);
                assert_eq!(kept.len(), mine.len().min(2));
                compared += 1;
            }
            assert!(edges.copy_state_from(&checker));
            let from: Vec<f64> = checker.values().iter().map(|_| rng.range(-2.0, 2.0)).collect();
            let to: Vec<f64> = from.iter().map(|q| q + rng.range(-0.5, 0.5)).collect();
            let (ways, options) = ([&from[..], &to[..]], EdgeOptions::default());
            let theirs = MotionChecker::new(&fresh).check_edge(ways, &options).unwrap();
            match (edges.check_edge(ways, &options).unwrap(), theirs) {
                (Edge::Free, Edge::Free) => {
                    free += 1;
                    edges.verify(ways, &options).unwrap();
                }
                (Edge::Contact { first: [a, b], .. }, Edge::Contact { first: [c, d], .. }) => {
                    assert!(a <= d + 1e-6 && c <= b + 1e-6, "seed {seed}: {a} {b} {c} {d}");
                    contacts += 1;
                }
                (Edge::Unknown { .. }, _) | (_, Edge::Unknown { .. }) => {}
                (mine, theirs) => panic!("seed {seed}: {mine:?} {theirs:?}"),
            }
        }
    }
    println!(
        "{compared} poses, {nearest} nearest to the cloud, {to_held} of a held part, {colliding} colliding; \
         ways: {free} free, {contacts} in contact"
    );
    assert!(nearest * 10 > compared && colliding * 20 > compared && colliding * 10 < 9 * compared);
    assert!(to_held * 20 > compared, "{to_held} {compared}");
    assert!(free * 30 > wanted && contacts * 30 > wanted);
}

#[test]
fn what_was_not_seen_is_unknown_and_what_is_hidden_is_not_there() {
    let mut d = alone(row_of_balls("arm", 2, 0.5, 0.1));
    d.clouds.push(CloudDescription { name: "scan".into(), radius: 0.02, capacity: 3 });
    d.obstacles.push(obstacle("post", [0.0, 3.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    d.checks.push(["arm".into(), "world".into()]);
    let world = World::compile(&d).unwrap();
    let [scan, post] = ["world/scan", "world/post"].map(|name| world.body_by_name(name).unwrap());
    let nobody = elbowroom::world::BodyId(99);
    assert_eq!([scan, post, nobody].map(|body| world.cloud_room(body)), [Some(3), None, None]);
    assert_eq!([scan, post, nobody].map(|body| world.is_movable(body)), [Some(true), Some(false), None]);
    let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
    let way = [&[0.0, 0.0][..], &[0.1, 0.1]];
    for question in [Question::distance(), Question::test(), Question::lower_bound()] {
        let answer = checker.ask(&question);
        assert!(answer.verdict == Verdict::Unknown && answer.interval.lower == f64::NEG_INFINITY);
    }
    assert!(matches!(edges.check_edge(way, &EdgeOptions::default()).unwrap(), Edge::Unknown { .. }));
    // Nothing seen is refused, and so are points that cannot be used; those before stay.
    assert!(matches!(checker.update_cloud(scan, &[]), Err(ChangeFault::NothingSeen { .. })));
    assert!(matches!(checker.update_cloud(post, &[[0.0; 3]]), Err(ChangeFault::NoCloud { .. })));
    checker.update_cloud(scan, &[[1.0, 1.0, 0.0]]).unwrap();
    for points in [&[[f64::NAN, 0.0, 0.0]][..], &[[0.0; 3]; 4], &[[0.0, 1e300, 0.0]]] {
        let told = checker.update_cloud(scan, points).unwrap_err().to_string();
        assert!(told.contains("world/scan") && told.contains("point"), "{told}");
    }
    let answer = checker.ask(&Question::distance());
    assert!(answer.interval.contains(1.0 - 0.12) && answer.verdict == Verdict::Clear, "{answer:?}");
    assert!(edges.copy_state_from(&checker));
    assert_eq!(edges.check_edge(way, &EdgeOptions::default()).unwrap(), Edge::Free);
    // A cloud is not placed and not carried, and carries nothing.
    assert!(matches!(checker.place(scan, &Transform::IDENTITY), Err(ChangeFault::Cloud { .. })));
    let hand = world.body_by_name("arm/2").unwrap();
    assert!(matches!(checker.attach(scan, hand, &[]), Err(ChangeFault::Cloud { .. })));
    checker.hide(scan).unwrap();
    let answer = checker.ask(&Question::distance());
    assert!(answer.interval.contains(0.5_f64.hypot(3.0) - 0.2), "{answer:?}");
}

/// A point with a radius comes out of a body by moving along some of these, if it comes out by so much.
fn comes_out(checker: &mut Checker, scan: BodyId, at: Vec3, length: f64) -> bool {
    let mut rng = Rng::new(9);
    (0..60).any(|_| {
        let moved = at + rng.direction() * length;
        checker.update_cloud(scan, &[moved.to_array()]).unwrap();
        checker.ask(&Question::test().margin(0.0)).verdict == Verdict::Clear
    })
}

#[test]
fn points_that_are_found_at_a_depth_are_that_deep() {
    let mut robot = chain("arm", &[(JointKind::Revolute, [0.0; 3], Vec3::Z)]);
    let hole = ring_mesh(&polygon(6, 0.2), &polygon(6, 0.5), [-0.2, 0.2]);
    robot.links[1].shapes = vec![
        ball(5.0, 0.0, 0.0, 0.5),
        shape_at(
            ShapeDescription::Box { size: [1.0; 3] },
            Transform::from_translation([-5.0, 0.0, 0.0].into()),
        ),
        shape(hole),
    ];
    let mut d = alone(robot);
    let radius = 0.05;
    d.clouds.push(CloudDescription { name: "scan".into(), radius, capacity: 2000 });
    let world = World::compile(&d).unwrap();
    let scan = world.body_by_name("world/scan").unwrap();
    let (mut checker, mut own) = (Checker::new(&world), Vec::new());

    // In a ball and below the middle of a face of a box a depth is exact.
    let depths: Vec<f64> = (1..40).map(|k| 0.013 * f64::from(k)).collect();
    let at = |middle: f64, depth: f64| [middle + 0.5 + radius - depth, 0.0, 0.0];
    for middle in [5.0, -5.0] {
        let points: Vec<_> = depths.iter().map(|depth| at(middle, *depth)).collect();
        checker.update_cloud(scan, &points).unwrap();
        for (k, depth) in depths.iter().enumerate() {
            for (within, first) in [(-depth + 1e-6, k), (-depth - 1e-6, k + 1)] {
                checker.find_self_points(scan, within, &mut own).unwrap();
                let found: Vec<usize> = own.iter().map(|(point, _)| *point).collect();
                assert_eq!(found, (first..depths.len()).collect::<Vec<_>>(), "{middle} {within}");
            }
        }
    }

    // In and about a hole each found point is that deep: no shorter way leads out.
    let mut rng = Rng::new(4);
    let mut point = || [0.55, 0.55, 0.3].map(|most: f64| rng.range(-most, most));
    let cloud: Vec<[f64; 3]> = (0..300).map(|_| point()).collect();
    let (mut found, mut shallow) = (0, 0);
    for depth in [0.02, 0.05, 0.1] {
        checker.update_cloud(scan, &cloud).unwrap();
        checker.find_self_points(scan, -depth, &mut own).unwrap();
        let deep: Vec<usize> = own.iter().map(|(point, _)| *point).collect();
        for (k, point) in cloud.iter().enumerate() {
            let out = comes_out(&mut checker, scan, (*point).into(), 0.99 * depth);
            assert!(!(out && deep.binary_search(&k).is_ok()), "{depth}: {point:?} comes out");
            shallow += u32::from(out);
        }
        found += deep.len();
    }
    assert!(found > 50 && shallow > 50, "{found} {shallow}");
}

#[test]
fn clouds_that_cannot_be_are_faults() {
    let mut d = alone(row_of_balls("arm", 2, 0.5, 0.1));
    for (name, radius, capacity) in [("a", 0.0, 1), ("b", f64::NAN, 1), ("c", 0.1, usize::MAX), ("a", 0.1, 1)]
    {
        d.clouds.push(CloudDescription { name: name.into(), radius, capacity });
    }
    let told = World::compile(&d).unwrap_err().to_string();
    for words in ["radius", "NaN", "points in a cloud", "world/a"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}
