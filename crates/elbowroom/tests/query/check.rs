//! Queries against the obvious: every pair of balls by hand, in f64, in both orders of asking.

use crate::support::ask::every_pair;
use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::CheckWork;
use elbowroom::check::{Options, smallest};
use elbowroom::compile::compile;
use elbowroom::describe::*;
use elbowroom::id::PairId;
use elbowroom::math::Vec3;
use elbowroom::motion::edge::{Edge, EdgeOptions, EdgeWork, check_edge};
use elbowroom::narrow::{Ask, Geometry};
use elbowroom::pose::SetOptions;
use elbowroom::report::Report;
use elbowroom::verdict::Verdict;
use elbowroom::world::World;

/// An arm of six links with two or three balls each, in a cage of scattered balls.
fn cage() -> WorldDescription {
    let mut rng = Rng::new(8);
    let mut robot = row_of_balls("arm", 6, 0.4, 0.1);
    for (i, link) in robot.links.iter_mut().enumerate() {
        link.shapes.push(ball(0.2, 0.0, 0.0, 0.08));
        if i % 2 == 0 {
            link.shapes.push(ball(0.1, 0.0, 0.1, 0.05));
        }
    }
    for (i, joint) in robot.joints.iter_mut().enumerate() {
        joint.axis = [Vec3::Z, Vec3::Y, Vec3::X][i % 3];
    }
    let mut d = alone(robot);
    for i in 0..9 {
        let xyz = [rng.range(-1.5, 1.5), rng.range(-1.5, 1.5), rng.range(-1.0, 1.0)];
        let shapes = vec![ball(0.0, 0.0, 0.0, 0.1), ball(0.1, 0.1, 0.0, 0.15)];
        d.obstacles.push(obstacle(&format!("o{i}"), xyz, shapes));
    }
    d.margin = 0.05;
    d
}

fn balls_of(world: &World, pose: &CheckWork, body: usize) -> Vec<(Vec3, f64)> {
    let at = pose.body_in_world(world, elbowroom::id::BodyId(body as u32)).unwrap();
    let shapes = world.bodies()[body].shapes.clone().map(|s| &world.shapes()[s as usize]);
    shapes.map(|s| (at.point(s.shape_in_body().translation), s.shape.radius)).collect()
}

/// The signed distance of every checked pair, the slow way.
fn by_hand(world: &World, pose: &CheckWork) -> Vec<f64> {
    let balls: Vec<_> = (0..world.bodies().len()).map(|b| balls_of(world, pose, b)).collect();
    let apart = |p: &(Vec3, f64), q: &(Vec3, f64)| (p.0 - q.0).norm() - p.1 - q.1;
    let pairs = world.pairs().iter().map(|p| (&balls[p.a.index()], &balls[p.b.index()]));
    pairs
        .map(|(a, b)| a.iter().flat_map(|p| b.iter().map(|q| apart(p, q))).fold(f64::MAX, f64::min))
        .collect()
}

fn random_values(world: &World, rng: &mut Rng) -> Vec<f64> {
    world.value_names().iter().map(|_| rng.range(-2.0, 2.0)).collect()
}

fn sums_up(report: &Report) -> bool {
    let c = report.counts;
    c.pruned + c.proved + c.unknown + c.skipped == c.pairs
}

#[test]
fn smallest_is_the_smallest_of_all() {
    let world = compile(&cage()).unwrap();
    let (mut pose, mut rng) = (CheckWork::new(&world), Rng::new(1));
    let (mut seen, mut asked) = ([0; 5], 0);
    for _ in 0..500 {
        pose.set(&world, &random_values(&world, &mut rng)).unwrap();
        let truth = by_hand(&world, &pose);
        let (nearest, distance) =
            truth.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map(|(i, d)| (i, *d)).unwrap();
        let report = smallest(&world, &mut pose, &Options::of(&world));
        assert!(report.lower - 1e-13 <= distance && distance <= report.upper + 1e-13);
        assert!(report.upper - report.lower < 1e-12 && report.lower <= report.distance);
        assert!(report.distance <= report.upper && sums_up(&report));
        assert_eq!(report.pair, Some(PairId(nearest as u32)));
        let witness = report.witness.unwrap();
        assert!((witness.vector().dot(witness.normal) - distance).abs() < 1e-12);
        let near = world.pairs().get(PairId(nearest as u32)).unwrap();
        for (body, point) in [(near.a, witness.a), (near.b, witness.b)] {
            let inside = |(c, r): &(Vec3, f64)| (point - *c).norm() <= r + 1e-12;
            assert!(balls_of(&world, &pose, body.index()).iter().any(inside), "a witness lies in its body");
        }
        seen[report.verdict as usize] += 1;
        asked += report.counts.proved;

        let (pairs, together) = every_pair(&world, &mut pose, &Options::of(&world));
        for (pair, truth) in pairs.iter().zip(&truth) {
            assert!(pair.lower - 1e-13 <= *truth && *truth <= pair.upper + 1e-13);
            assert!(pair.upper - pair.lower < 1e-12);
        }
        assert_eq!(pairs.len(), truth.len());
        assert_eq!(
            (together.pair, together.verdict, together.upper),
            (report.pair, report.verdict, report.upper)
        );
        assert!(together.counts.proved == together.counts.pairs && sums_up(&together));
    }
    // The poses reach what they are for, and bounds spare most pairs.
    assert!(seen[Verdict::Clear as usize] > 20 && seen[Verdict::Near as usize] > 20, "{seen:?}");
    assert!(seen[Verdict::Collision as usize] > 100 && seen[Verdict::Unknown as usize] == 0, "{seen:?}");
    assert!(asked < 500 * world.pairs().len() / 4, "{asked} pairs asked");
}

#[test]
fn a_test_has_the_same_verdict() {
    let world = compile(&cage()).unwrap();
    let (mut pose, mut rng) = (CheckWork::new(&world), Rng::new(2));
    let (mut stopped, mut unasked) = (0, 0);
    for _ in 0..500 {
        pose.set(&world, &random_values(&world, &mut rng)).unwrap();
        let exact = smallest(&world, &mut pose, &Options::of(&world));
        let test = smallest(&world, &mut pose, &Options { ask: Ask::Test, ..Options::of(&world) });
        assert_eq!(test.verdict, exact.verdict);
        assert!(test.lower <= exact.upper && exact.lower <= test.upper && sums_up(&test));
        stopped += test.counts.skipped;
        let bound = smallest(&world, &mut pose, &Options { ask: Ask::LowerBound, ..Options::of(&world) });
        assert!(bound.lower <= exact.upper && sums_up(&bound));
        // A pair that was left out of the asking can be the one with the smallest bound: it is named.
        let truth = by_hand(&world, &pose);
        for report in [&test, &bound] {
            assert!(report.lower <= truth[report.lower_pair.unwrap().index()] + 1e-13);
            assert!(report.upper_pair.is_none_or(|p| truth[p.index()] <= report.upper + 1e-13));
            assert_eq!(report.upper_pair.is_some(), report.upper.is_finite());
        }
        unasked += usize::from(test.lower_pair != test.pair);
        // With a cutoff nothing but the digits beyond it is lost.
        let near = smallest(&world, &mut pose, &Options { cutoff: 0.1, ..Options::of(&world) });
        assert_eq!(near.verdict, exact.verdict);
        assert!(near.lower <= exact.upper && exact.lower <= near.upper);
        assert!(exact.lower > 0.1 || (near.pair, near.upper) == (exact.pair, exact.upper));
    }
    assert!(stopped > 100, "{stopped} pairs left after a collision");
    assert!(unasked > 5, "{unasked} lower bounds are of another pair than the one that decided");

    // Far apart, bounds alone decide, and no point is claimed to be a witness.
    let world = compile(&alone(row_of_balls("r", 3, 1.0, 0.1))).unwrap();
    let mut pose = CheckWork::new(&world);
    let report = smallest(&world, &mut pose, &Options { ask: Ask::Test, margin: 0.5, ..Options::default() });
    assert_eq!((report.verdict, report.counts.pruned, report.counts.shape_queries), (Verdict::Clear, 3, 0));
    assert!(report.lower > 0.5 && report.lower <= 1.8 && report.upper == f64::INFINITY);
    assert_eq!((report.witness, report.distance), (None, report.lower));
}

#[test]
fn every_kind_of_shape_keeps_its_promises() {
    let mut robot = row_of_balls("arm", 7, 0.3, 0.1);
    for (i, (link, shape)) in robot.links.iter_mut().zip(one_of_each()).enumerate() {
        link.shapes = vec![shape];
        if i > 0 {
            robot.joints[i - 1].axis = [Vec3::Z, Vec3::Y, Vec3::X][i % 3];
        }
    }
    let mut d = alone(robot);
    for (i, shape) in one_of_each().into_iter().enumerate() {
        let angle = i as f64 * 0.8;
        let (y, x) = elbowroom::math::sin_cos(angle);
        d.obstacles.push(obstacle(&format!("o{i}"), [x, y, 0.3 * y], vec![shape]));
    }
    d.margin = 0.02;
    let world = compile(&d).unwrap();
    let (mut pose, mut rng, mut seen, mut two_pairs) = (CheckWork::new(&world), Rng::new(6), [0; 5], 0);
    for _ in 0..300 {
        pose.set(&world, &random_values(&world, &mut rng)).unwrap();
        let options = Options::of(&world);
        let exact = smallest(&world, &mut pose, &options);
        seen[exact.verdict as usize] += 1;
        let (pairs, together) = every_pair(&world, &mut pose, &options);
        assert_eq!(pairs.len(), world.pairs().len());
        // Two proved intervals of one number have a number in common. They are narrow, unless a mesh is cut:
        // how deep is then only known between bounds.
        assert!(exact.lower <= together.upper && together.lower <= exact.upper);
        assert!(exact.lower.is_finite() && exact.lower <= exact.distance && exact.distance <= exact.upper);
        assert!(exact.lower <= 0.0 || exact.upper - exact.lower < 1e-7);
        assert!(pairs.iter().all(|p| p.upper >= exact.lower));
        // Each end of the interval is of the pair that is named for it, and the points are of the pair named
        // first.
        for ask in [Ask::Distance, Ask::LowerBound, Ask::Test] {
            let (pairs, together) = every_pair(&world, &mut pose, &Options { ask, ..options });
            let named = |id: Option<PairId>| pairs[id.unwrap().index()];
            assert_eq!(named(together.lower_pair).lower, together.lower);
            assert_eq!(together.upper_pair.is_some(), together.upper.is_finite());
            assert!(together.upper_pair.is_none_or(|p| pairs[p.index()].upper == together.upper));
            assert_eq!(named(together.pair).witness, together.witness);
            two_pairs += usize::from(together.upper_pair.is_some_and(|p| Some(p) != together.lower_pair));
        }
        let named = |id: Option<PairId>| pairs[id.unwrap().index()];
        assert!(exact.lower <= named(exact.lower_pair).upper && named(exact.upper_pair).lower <= exact.upper);
        for ask in [Ask::Test, Ask::LowerBound] {
            let report = smallest(&world, &mut pose, &Options { ask, ..options });
            assert!(report.lower <= exact.upper && exact.lower <= report.upper && sums_up(&report));
            assert!(ask == Ask::LowerBound || report.verdict == exact.verdict, "{report:?} {exact:?}");
        }
        // A cold start proves the same.
        pose.forget();
        let cold = smallest(&world, &mut pose, &options);
        assert!(cold.verdict == exact.verdict);
        assert!(exact.lower <= 0.0 || (cold.distance - exact.distance).abs() < 1e-7);
        let hulls = Options { geometry: Geometry::Hull, ..options };
        let hulls = smallest(&world, &mut pose, &hulls);
        assert!(hulls.upper - hulls.lower < 1e-7 && hulls.lower <= exact.upper);
        let meshes = Options { geometry: Geometry::Mesh, cutoff: 0.1, ..options };
        let meshes = smallest(&world, &mut pose, &meshes);
        assert!(meshes.lower.is_finite() && meshes.verdict == exact.verdict);
    }
    assert!(seen[Verdict::Clear as usize] > 10 && seen[Verdict::Collision as usize] > 30, "{seen:?}");
    assert!(two_pairs > 3, "{two_pairs} times the ends were of two pairs");
}

#[test]
fn same_question_same_bits() {
    let d = cage();
    let worlds = [compile(&d).unwrap(), compile(&d).unwrap()];
    let mut poses = [CheckWork::new(&worlds[0]), CheckWork::new(&worlds[1])];
    let mut rng = Rng::new(3);
    for i in 0..200 {
        let values = random_values(&worlds[0], &mut rng);
        // The second pose has a different past.
        if i % 3 == 0 {
            poses[1].set(&worlds[1], &random_values(&worlds[1], &mut Rng::new(i))).unwrap();
            smallest(&worlds[1], &mut poses[1], &Options::default());
            poses[1].forget();
        }
        let [a, b] = [0, 1].map(|k| {
            poses[k].set(&worlds[k], &values).unwrap();
            let report = smallest(&worlds[k], &mut poses[k], &Options::default());
            (report.lower.to_bits(), report.upper.to_bits(), report.pair, report.witness, report.counts)
        });
        assert_eq!(a, b);
    }
}

#[test]
fn far_from_the_origin_is_like_at_the_origin() {
    // Every number of the cell is a multiple of 2^-20, so that it stays exact ten kilometres away.
    let exact = |v: f64| (v * 1048576.0).round() / 1048576.0;
    let mut near = cage();
    for o in &mut near.obstacles {
        let t = &mut o.pose.translation;
        (t.x, t.y, t.z) = (exact(t.x), exact(t.y), exact(t.z));
    }
    let mut far = near.clone();
    let shift = elbowroom::math::vec3(10_000.0, -7_000.5, 3.25);
    far.robots[0].base_in_world.translation += shift;
    far.obstacles.iter_mut().for_each(|o| o.pose.translation += shift);
    let worlds = [compile(&near).unwrap(), compile(&far).unwrap()];
    let mut rng = Rng::new(4);
    for _ in 0..50 {
        let values = random_values(&worlds[0], &mut rng);
        let [a, b] = [0, 1].map(|k| {
            let mut pose = CheckWork::new(&worlds[k]);
            pose.set(&worlds[k], &values).unwrap();
            smallest(&worlds[k], &mut pose, &Options::default())
        });
        assert_eq!((a.lower, a.upper, a.pair), (b.lower, b.upper, b.pair));
        assert!((b.witness.unwrap().a - a.witness.unwrap().a - shift).norm() < 1e-11);
    }
}

#[test]
fn a_long_way_off_widens_the_interval_and_keeps_the_truth() {
    // A vehicle on a floating joint, a hundred kilometres out, meets a post that stands there.
    let mut robot = chain("car", &[(JointKind::Floating, [0.0; 3], Vec3::Z)]);
    robot.links[1].shapes.push(ball(0.0, 0.0, 0.0, 0.25));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [100_000.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.25)]));
    let world = compile(&d).unwrap();
    let mut pose = CheckWork::new(&world);
    let width = |pose: &mut CheckWork, x: f64| {
        pose.set(&world, &[x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
        let r = smallest(&world, pose, &Options::default());
        let truth = (100_000.0 - x).abs() - 0.5;
        assert!(r.lower <= truth && truth <= r.upper, "{x}: {truth} in [{}, {}]", r.lower, r.upper);
        r.upper - r.lower
    };
    for x in [99_998.5, 99_999.75, 99_999.937_5, 100_000.0, 0.0] {
        let w = width(&mut pose, x);
        assert!(w > 1e-12 && w < 1e-8, "{x}: {w}");
    }
    assert_eq!(pose.values()[0], 0.0);
}

#[test]
fn values_beyond_limits_keep_their_own_error() {
    let mut robot = chain("r", &[(JointKind::Prismatic, [0.0; 3], Vec3::X)]);
    robot.links[1].shapes.push(ball(0.0, 0.0, 0.0, 0.25));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [1.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.25)]));
    let world = compile(&d).unwrap();
    let mut pose = CheckWork::new(&world);
    let mut width = |x: f64, ignore_limits: bool| {
        pose.set_with(&world, &[x], SetOptions { ignore_limits }).unwrap();
        let r = smallest(&world, &mut pose, &Options::default());
        (r.upper - r.lower) / (x - 1.0).abs()
    };
    let inside = width(3.0, false);
    assert!(width(3e8, true) * 3e8 > 1e-8);
    assert_eq!(width(3.0, false), inside, "worst errors are back");
    assert!(width(3.0, true) <= inside);
}

#[test]
fn beyond_limits_nothing_rests_on_what_is_proved_within_them() {
    // A ball on a rod of 1 m that never meets the post behind it within limits: its own, or those of a joint
    // that mimics it.
    for mimic in [false, true] {
        let mut robot =
            chain("r", &[(JointKind::Revolute, [0.0; 3], Vec3::Z), (JointKind::Revolute, [0.0; 3], Vec3::Z)]);
        robot.joints[1].parent = "0".into();
        robot.links[1].shapes.push(ball(1.0, 0.0, 0.0, 0.1));
        let narrow = Some(JointLimits { lower: -1.0, upper: 1.0 });
        robot.joints[usize::from(mimic)].limits = narrow;
        robot.joints[1].mimic = Some(Mimic { joint: "j1".into(), multiplier: 1.0, offset: 0.0 });
        let mut d = alone(robot);
        d.obstacles.push(obstacle("post", [-1.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
        d.obstacles.push(obstacle("other", [0.0, 3.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
        let mut world = compile(&d).unwrap();
        assert_eq!(world.prove_apart(1000), 2, "{mimic}");
        let mut pose = CheckWork::new(&world);
        let set = SetOptions { ignore_limits: true };
        let options = |ask: Ask| Options { ask, ..Options::default() };
        for (angle, verdict) in [(0.5, Verdict::Clear), (3.1, Verdict::Collision), (-0.5, Verdict::Clear)] {
            for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
                assert_eq!(pose.set(&world, &[angle]).is_ok(), verdict == Verdict::Clear);
                pose.set_with(&world, &[angle], set).unwrap();
                let report = smallest(&world, &mut pose, &options(ask));
                assert_eq!(report.verdict, verdict, "{mimic} {angle} {ask:?}: {report:?}");
                assert_eq!(
                    every_pair(&world, &mut pose, &options(ask)).1.verdict,
                    verdict,
                    "{mimic} {angle}"
                );
                // Within limits a test looks at neither pair, though limits are not asked for.
                if (ask, verdict) == (Ask::Test, Verdict::Clear) {
                    assert!(report.counts.shape_queries == 0 && report.lower > 0.0, "{report:?}");
                }
            }
        }
        // Ways that lead beyond, and come back.
        let mut work = EdgeWork::new(&world);
        let options = EdgeOptions { set, ..EdgeOptions::default() };
        for (from, to, free) in [(0.5, 0.9, true), (0.5, 3.1, false), (3.1, 0.5, false), (0.5, 2.5, true)] {
            let answer = check_edge(&world, &mut pose, &mut work, [&[from], &[to]], &options).unwrap();
            assert_eq!(answer == Edge::Free, free, "{mimic} {from} {to}: {answer:?}");
        }
    }
}

#[test]
fn a_pose_of_another_world_proves_nothing() {
    let world = compile(&alone(row_of_balls("r", 3, 1.0, 0.1))).unwrap();
    let other = compile(&alone(row_of_balls("r", 3, 2.0, 0.1))).unwrap();
    assert_eq!(smallest(&world, &mut CheckWork::new(&world), &Options::default()).verdict, Verdict::Clear);
    let report = smallest(&world, &mut CheckWork::new(&other), &Options::default());
    assert_eq!((report.verdict, report.lower), (Verdict::Unknown, f64::NEG_INFINITY));
}

#[test]
fn touching_is_unknown_and_padding_counts() {
    let world = |padding: f64, own: f64| {
        let mut robot = row_of_balls("r", 2, 1.0, 0.5);
        robot.links[0].shapes[0].padding = own;
        compile(&WorldDescription { padding, ..alone(robot) }).unwrap()
    };
    let report = |w: &World| smallest(w, &mut CheckWork::new(w), &Options::default());
    // Three balls in a row: the outer two are checked, a metre of air between them.
    assert!((report(&world(0.0, 0.0)).distance - 1.0).abs() < 1e-12);
    assert!((report(&world(0.125, 0.25)).distance - 0.5).abs() < 1e-12);
    let touching = report(&world(0.5, 0.0));
    assert_eq!((touching.verdict, touching.counts.unknown), (Verdict::Unknown, 1));
    assert!(touching.lower < 0.0 && touching.upper > 0.0);
    assert_eq!(report(&world(0.5, 1e-6)).verdict, Verdict::Collision);
}
