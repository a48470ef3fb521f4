//! Queries against the obvious: every pair of balls by hand, in f64, in both orders of asking.

use crate::support::ask::{every_pair, intervals_meet};
use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::describe::*;
use elbowroom::math::Vec3;
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::pair::Ask;
use elbowroom::pose::SetOptions;
use elbowroom::{Answer, Checker, Geometry, PairId, Question, Verdict, World};

/// An arm of six links with two or three balls each, in a cage of scattered balls.
pub fn cage() -> WorldDescription {
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

fn balls_of(checker: &Checker, body: usize) -> Vec<(Vec3, f64)> {
    let at = checker.body_in_world(elbowroom::world::BodyId(body as u32)).unwrap();
    let world = checker.world();
    let shapes = world.bodies()[body].shapes.clone().map(|s| &world.shapes()[s as usize]);
    shapes.map(|s| (at.point(s.shape_in_body().translation), s.shape.radius())).collect()
}

/// The signed distance of every checked pair, the slow way.
fn by_hand(checker: &Checker) -> Vec<f64> {
    let world = checker.world();
    let balls: Vec<_> = (0..world.bodies().len()).map(|b| balls_of(checker, b)).collect();
    let apart = |p: &(Vec3, f64), q: &(Vec3, f64)| (p.0 - q.0).norm() - p.1 - q.1;
    let pairs = world.pairs().iter().map(|p| (&balls[p.a.index()], &balls[p.b.index()]));
    pairs
        .map(|(a, b)| a.iter().flat_map(|p| b.iter().map(|q| apart(p, q))).fold(f64::MAX, f64::min))
        .collect()
}

fn random_values(world: &World, rng: &mut Rng) -> Vec<f64> {
    world.dof_names().iter().map(|_| rng.range(-2.0, 2.0)).collect()
}

fn sums_up(answer: &Answer) -> bool {
    let c = answer.counts;
    c.pruned + c.proved + c.unknown + c.skipped == c.pairs
}

#[test]
fn smallest_is_the_smallest_of_all() {
    let world = World::compile(&cage()).unwrap();
    let (mut checker, mut rng) = (Checker::new(&world), Rng::new(1));
    let (mut seen, mut asked) = ([0; 5], 0);
    for _ in 0..500 {
        checker.set(&random_values(&world, &mut rng)).unwrap();
        let truth = by_hand(&checker);
        let (nearest, distance) =
            truth.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map(|(i, d)| (i, *d)).unwrap();
        let answer = checker.ask(&Question::distance());
        assert!(answer.interval.lower - 1e-13 <= distance && distance <= answer.interval.upper + 1e-13);
        assert!(answer.interval.width() < 1e-12 && answer.interval.lower <= answer.distance);
        assert!(answer.distance <= answer.interval.upper && sums_up(&answer));
        assert_eq!(answer.pair, Some(PairId(nearest as u32)));
        let witness = answer.witness.unwrap();
        assert!((witness.vector().dot(witness.normal) - distance).abs() < 1e-12);
        let near = world.pairs().get(PairId(nearest as u32)).unwrap();
        for (body, point) in [(near.a, witness.a), (near.b, witness.b)] {
            let inside = |(c, r): &(Vec3, f64)| (point - *c).norm() <= r + 1e-12;
            assert!(balls_of(&checker, body.index()).iter().any(inside), "a witness lies in its body");
        }
        seen[answer.verdict as usize] += 1;
        asked += answer.counts.proved;

        let (pairs, together) = every_pair(&mut checker, &Question::distance());
        for (pair, truth) in pairs.iter().zip(&truth) {
            assert!(pair.interval.lower - 1e-13 <= *truth && *truth <= pair.interval.upper + 1e-13);
            assert!(pair.interval.width() < 1e-12);
        }
        assert_eq!(pairs.len(), truth.len());
        assert_eq!(
            (together.pair, together.verdict, together.interval.upper),
            (answer.pair, answer.verdict, answer.interval.upper)
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
    let world = World::compile(&cage()).unwrap();
    let (mut checker, mut rng) = (Checker::new(&world), Rng::new(2));
    let (mut stopped, mut unasked) = (0, 0);
    for _ in 0..500 {
        checker.set(&random_values(&world, &mut rng)).unwrap();
        let exact = checker.ask(&Question::distance());
        let test = checker.ask(&Question::test());
        assert_eq!(test.verdict, exact.verdict);
        assert!(intervals_meet(&test.interval, &exact.interval) && sums_up(&test));
        stopped += test.counts.skipped;
        let bound = checker.ask(&Question::lower_bound());
        assert!(bound.interval.lower <= exact.interval.upper && sums_up(&bound));
        // A pair that was left out of the asking can be the one with the smallest bound: it is named.
        let truth = by_hand(&checker);
        for answer in [&test, &bound] {
            assert!(answer.interval.lower <= truth[answer.lower_pair.unwrap().index()] + 1e-13);
            assert!(answer.upper_pair.is_none_or(|p| truth[p.index()] <= answer.interval.upper + 1e-13));
            assert_eq!(answer.upper_pair.is_some(), answer.interval.upper.is_finite());
        }
        unasked += usize::from(test.lower_pair != test.pair);
        // With a cutoff nothing but the digits beyond it is lost.
        let near = checker.ask(&Question::distance().cutoff(0.1));
        assert_eq!(near.verdict, exact.verdict);
        assert!(intervals_meet(&near.interval, &exact.interval));
        assert!(
            exact.interval.lower > 0.1
                || (near.pair, near.interval.upper) == (exact.pair, exact.interval.upper)
        );
    }
    assert!(stopped > 100, "{stopped} pairs left after a collision");
    assert!(unasked > 5, "{unasked} lower bounds are of another pair than the one that decided");

    // Far apart, bounds alone decide, and no point is claimed to be a witness.
    let world = World::compile(&alone(row_of_balls("r", 3, 1.0, 0.1))).unwrap();
    let mut checker = Checker::new(&world);
    let answer = checker.ask(&Question::test().margin(0.5));
    assert_eq!((answer.verdict, answer.counts.pruned, answer.counts.shape_queries), (Verdict::Clear, 3, 0));
    assert!(
        answer.interval.lower > 0.5 && answer.interval.lower <= 1.8 && answer.interval.upper == f64::INFINITY
    );
    assert_eq!((answer.witness, answer.distance), (None, answer.interval.lower));
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
    let world = World::compile(&d).unwrap();
    let (mut checker, mut rng, mut seen, mut two_pairs) = (Checker::new(&world), Rng::new(6), [0; 5], 0);
    for _ in 0..300 {
        checker.set(&random_values(&world, &mut rng)).unwrap();
        let question = Question::distance();
        let exact = checker.ask(&question);
        seen[exact.verdict as usize] += 1;
        let (pairs, together) = every_pair(&mut checker, &question);
        assert_eq!(pairs.len(), world.pairs().len());
        // Two proved intervals of one number have a number in common. They are narrow, unless a mesh is cut:
        // how deep is then only known between bounds.
        assert!(intervals_meet(&exact.interval, &together.interval));
        assert!(
            exact.interval.lower.is_finite()
                && exact.interval.lower <= exact.distance
                && exact.distance <= exact.interval.upper
        );
        assert!(exact.interval.lower <= 0.0 || exact.interval.width() < 1e-7);
        assert!(pairs.iter().all(|p| p.interval.upper >= exact.interval.lower));
        // Each end of the interval is of the pair that is named for it, and the points are of the pair named
        // first.
        for ask in [Ask::Distance, Ask::LowerBound, Ask::Test] {
            let (pairs, together) = every_pair(&mut checker, &question.with_ask(ask));
            let named = |id: Option<PairId>| pairs[id.unwrap().index()];
            assert_eq!(named(together.lower_pair).interval.lower, together.interval.lower);
            assert_eq!(together.upper_pair.is_some(), together.interval.upper.is_finite());
            assert!(
                together
                    .upper_pair
                    .is_none_or(|p| pairs[p.index()].interval.upper == together.interval.upper)
            );
            assert_eq!(named(together.pair).witness, together.witness);
            two_pairs += usize::from(together.upper_pair.is_some_and(|p| Some(p) != together.lower_pair));
        }
        let named = |id: Option<PairId>| pairs[id.unwrap().index()];
        assert!(
            exact.interval.lower <= named(exact.lower_pair).interval.upper
                && named(exact.upper_pair).interval.lower <= exact.interval.upper
        );
        for ask in [Ask::Test, Ask::LowerBound] {
            let answer = checker.ask(&question.with_ask(ask));
            assert!(intervals_meet(&answer.interval, &exact.interval) && sums_up(&answer));
            assert!(ask == Ask::LowerBound || answer.verdict == exact.verdict, "{answer:?} {exact:?}");
        }
        // A cold start proves the same.
        checker.forget_history();
        let cold = checker.ask(&question);
        assert!(cold.verdict == exact.verdict);
        assert!(exact.interval.lower <= 0.0 || (cold.distance - exact.distance).abs() < 1e-7);
        let hulls = question.geometry(Geometry::Hull);
        let hulls = checker.ask(&hulls);
        assert!(hulls.interval.width() < 1e-7 && hulls.interval.lower <= exact.interval.upper);
        let meshes = question.geometry(Geometry::Mesh).cutoff(0.1);
        let meshes = checker.ask(&meshes);
        assert!(meshes.interval.lower.is_finite() && meshes.verdict == exact.verdict);
    }
    assert!(seen[Verdict::Clear as usize] > 10 && seen[Verdict::Collision as usize] > 30, "{seen:?}");
    assert!(two_pairs > 3, "{two_pairs} times the ends were of two pairs");
}

#[test]
fn same_question_same_bits() {
    let d = cage();
    let worlds = [World::compile(&d).unwrap(), World::compile(&d).unwrap()];
    let mut checkers = [Checker::new(&worlds[0]), Checker::new(&worlds[1])];
    let mut rng = Rng::new(3);
    for i in 0..200 {
        let values = random_values(&worlds[0], &mut rng);
        // The second pose has a different past.
        if i % 3 == 0 {
            checkers[1].set(&random_values(&worlds[1], &mut Rng::new(i))).unwrap();
            checkers[1].ask(&Question::distance());
            checkers[1].forget_history();
        }
        let [a, b] = [0, 1].map(|k| {
            checkers[k].set(&values).unwrap();
            let answer = checkers[k].ask(&Question::distance());
            (
                answer.interval.lower.to_bits(),
                answer.interval.upper.to_bits(),
                answer.pair,
                answer.witness,
                answer.counts,
            )
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
    let worlds = [World::compile(&near).unwrap(), World::compile(&far).unwrap()];
    let mut rng = Rng::new(4);
    for _ in 0..50 {
        let values = random_values(&worlds[0], &mut rng);
        let [a, b] = [0, 1].map(|k| {
            let mut checker = Checker::new(&worlds[k]);
            checker.set(&values).unwrap();
            checker.ask(&Question::distance())
        });
        assert_eq!(
            (a.interval.lower, a.interval.upper, a.pair),
            (b.interval.lower, b.interval.upper, b.pair)
        );
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
    let world = World::compile(&d).unwrap();
    let mut checker = Checker::new(&world);
    let width = |checker: &mut Checker, x: f64| {
        checker.set(&[x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
        let answer = checker.ask(&Question::distance());
        let truth = (100_000.0 - x).abs() - 0.5;
        assert!(
            answer.interval.contains(truth),
            "{x}: {truth} in [{}, {}]",
            answer.interval.lower,
            answer.interval.upper
        );
        answer.interval.width()
    };
    for x in [99_998.5, 99_999.75, 99_999.937_5, 100_000.0, 0.0] {
        let w = width(&mut checker, x);
        assert!(w > 1e-12 && w < 1e-8, "{x}: {w}");
    }
    assert_eq!(checker.values()[0], 0.0);
}

#[test]
fn values_beyond_limits_keep_their_own_error() {
    let mut robot = chain("r", &[(JointKind::Prismatic, [0.0; 3], Vec3::X)]);
    robot.links[1].shapes.push(ball(0.0, 0.0, 0.0, 0.25));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [1.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.25)]));
    let world = World::compile(&d).unwrap();
    let mut checker = Checker::new(&world);
    let mut width = |x: f64, ignore_limits: bool| {
        checker.set_with(&[x], SetOptions { ignore_limits }).unwrap();
        let answer = checker.ask(&Question::distance());
        answer.interval.width() / (x - 1.0).abs()
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
        let world = World::compile(&d).unwrap().with_proofs(1000);
        assert_eq!(world.proved_apart_count(), 2, "{mimic}");
        let mut checker = Checker::new(&world);
        let set = SetOptions { ignore_limits: true };
        let question = |ask: Ask| Question::from_ask(ask);
        for (angle, verdict) in [(0.5, Verdict::Clear), (3.1, Verdict::Collision), (-0.5, Verdict::Clear)] {
            for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
                assert_eq!(checker.set(&[angle]).is_ok(), verdict == Verdict::Clear);
                checker.set_with(&[angle], set).unwrap();
                let answer = checker.ask(&question(ask));
                assert_eq!(answer.verdict, verdict, "{mimic} {angle} {ask:?}: {answer:?}");
                assert_eq!(every_pair(&mut checker, &question(ask)).1.verdict, verdict, "{mimic} {angle}");
                // Within limits a test looks at neither pair, though limits are not asked for.
                if (ask, verdict) == (Ask::Test, Verdict::Clear) {
                    assert!(answer.counts.shape_queries == 0 && answer.interval.lower > 0.0, "{answer:?}");
                }
            }
        }
        // Ways that lead beyond, and come back.
        let mut edges = MotionChecker::new(&world);
        let options = EdgeOptions { set, ..EdgeOptions::default() };
        for (from, to, free) in [(0.5, 0.9, true), (0.5, 3.1, false), (3.1, 0.5, false), (0.5, 2.5, true)] {
            let edge = edges.check_edge([&[from], &[to]], &options).unwrap();
            assert_eq!(edge == Edge::Free, free, "{mimic} {from} {to}: {edge:?}");
        }
    }
}

#[test]
fn touching_is_unknown_and_padding_counts() {
    let world = |padding: f64, own: f64| {
        let mut robot = row_of_balls("r", 2, 1.0, 0.5);
        robot.links[0].shapes[0].padding = own;
        World::compile(&WorldDescription { padding, ..alone(robot) }).unwrap()
    };
    let ask = |w: &World| Checker::new(w).ask(&Question::distance());
    // Three balls in a row: the outer two are checked, a metre of air between them.
    assert!((ask(&world(0.0, 0.0)).distance - 1.0).abs() < 1e-12);
    assert!((ask(&world(0.125, 0.25)).distance - 0.5).abs() < 1e-12);
    let touching = ask(&world(0.5, 0.0));
    assert_eq!((touching.verdict, touching.counts.unknown), (Verdict::Unknown, 1));
    assert!(touching.interval.lower < 0.0 && touching.interval.upper > 0.0);
    assert_eq!(ask(&world(0.5, 1e-6)).verdict, Verdict::Collision);
}
