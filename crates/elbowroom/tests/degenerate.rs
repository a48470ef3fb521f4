//! Worlds at the edge: nothing, one, a thousand in one place, all in one plane, obstacles all around, groups
//! of nobody, robots that cannot move or have no shapes. Each question has the answer that every pair by
//! itself has, and nothing panics.
//!
//! `ELBOWROOM_PLANE` is how many obstacles lie in one plane (`cargo xtask race`: a million).
use elbowroom_testkit as support;

use elbowroom::Interval;
use elbowroom::describe::JointKind;
use elbowroom::math::Vec3;
use elbowroom::motion::bounds::Swept;
use elbowroom::motion::{Claim, Edge, EdgeOptions, MotionChecker, ProveOptions, Prover, ranges};
use elbowroom::pair::Ask;
use elbowroom::world::{BodyId, GroupId};
use elbowroom::{Answer, Checker, Counts, Geometry, Question, Verdict, World};
use support::ask::{intervals_meet, smaller_distance};
use support::describe::*;
use support::number_from_environment;
use support::rng::Rng;
use support::straight::mix_values;
use support::worlds::{Known, odd_worlds};

fn random(world: &World, rng: &mut Rng) -> Vec<f64> {
    ranges(world).iter().map(|[low, high]| rng.range(low.max(-3.0), high.min(3.0))).collect()
}

/// Every pair by itself, as far as the answer goes.
fn by_pairs(checker: &mut Checker, question: &Question, upper: f64) -> Answer {
    let cutoff = if checker.world().pairs().len() > 20_000 { upper.max(0.0) + 1e-3 } else { f64::INFINITY };
    checker.all_pairs(&question.cutoff(cutoff), |_| {})
}

/// Every question at a pose against every pair by itself; the answer.
fn ask_all(name: &str, checker: &mut Checker, question: &Question) -> Answer {
    let world = checker.world();
    let answer = checker.ask(question);
    let truth = by_pairs(checker, question, answer.interval.upper);
    let meets =
        |r: &Answer| r.interval.lower <= r.interval.upper && intervals_meet(&r.interval, &truth.interval);
    let place = format!("{name}, {question:?}: truth {truth:?}");
    assert!(meets(&answer) && answer.verdict == truth.verdict, "{place}: {answer:?}");
    if truth.interval.lower > 0.0 && truth.interval.lower < f64::INFINITY {
        let width = 1e-9 * (1.0 + truth.interval.upper.abs());
        assert!(answer.interval.width() <= width, "{place}: {answer:?}");
    }
    for ask in [Ask::Test, Ask::LowerBound] {
        let answer = checker.ask(&question.with_ask(ask));
        assert!(meets(&answer), "{place}: {answer:?}");
        assert!(ask == Ask::LowerBound || answer.verdict == truth.verdict, "{place}: {answer:?}");
        assert!(!(truth.interval.lower > 1e-9) || answer.interval.lower > 0.0, "{place}: {answer:?}");
    }
    for cutoff in [0.0, 0.1] {
        let answer = checker.ask(&question.cutoff(cutoff));
        assert!(meets(&answer) && answer.verdict == truth.verdict, "{place}: {answer:?}");
    }
    let of_groups: Vec<_> = world.index_set().collect();
    let of_groups = of_groups.into_iter().map(|index| checker.between(index, question).unwrap().interval);
    if let Some(least) = of_groups.reduce(|a, b| smaller_distance(&a, &b)) {
        assert!(intervals_meet(&least, &truth.interval), "{place}: groups {least:?}");
    }
    // Groups of nobody, groups with themselves, groups that are none.
    for j in 0..=world.groups().len() as u32 {
        for l in 0..=j {
            let none = j as usize == world.groups().len();
            let answer = checker.between([GroupId(j), GroupId(l)], question);
            assert_eq!(answer.is_none(), none, "{name}");
            assert!(answer.is_none_or(|v| v.interval.lower <= v.interval.upper), "{name}: {answer:?}");
        }
    }
    answer
}

#[test]
fn every_question_has_its_answer_at_the_edge() {
    let many = number_from_environment("ELBOWROOM_PLANE", 20_000) as usize;
    let (mut seen, mut kinds) = ([0; 5], [0; 3]);
    for world_of in odd_worlds(many) {
        let name = world_of.name;
        let start = std::time::Instant::now();
        let world = World::compile(&world_of.description).unwrap_or_else(|f| panic!("{name}: {}", f.0[0]));
        let built = start.elapsed().as_secs_f64();
        let large = world.pairs().len() > 20_000;
        let (mut checker, mut rng) = (Checker::new(&world), Rng::new(42));
        let mut edges = MotionChecker::new(&world);
        let mut values = world.neutral_values();
        for k in 0..if large { 6 } else { 24 } {
            if k > 0 {
                let to = random(&world, &mut rng);
                let share = [0.02, 1.0][k % 2];
                let next = mix_values([&values, &to], share);
                // The way there, and what samples of it show.
                let ends = [&values[..], &next[..]];
                let options = EdgeOptions { work: 200_000, ..EdgeOptions::default().margin(0.0) };
                let edge = edges.check_edge(ends, &options).unwrap();
                let hit = (0..=20).map(|i| f64::from(i) / 20.0).find(|t| {
                    let at = mix_values([&values, &next], *t);
                    checker.set(&at).unwrap();
                    let test = Question::test().margin(0.0);
                    checker.ask(&test).verdict == Verdict::Collision
                });
                match edge {
                    Edge::Free => assert_eq!(hit, None, "{name} {k}"),
                    Edge::Contact { first: [a, b], .. } => {
                        assert!(a <= b && hit.is_none_or(|t| a <= t), "{name} {k}: {edge:?} {hit:?}");
                    }
                    Edge::Unknown { at, .. } => {
                        assert!(hit.is_none_or(|t| at[0] <= t), "{name} {k}: {edge:?} {hit:?}")
                    }
                }
                kinds[match edge {
                    Edge::Free => 0,
                    Edge::Contact { .. } => 1,
                    Edge::Unknown { .. } => 2,
                }] += 1;
                values = next;
            }
            checker.set(&values).unwrap();
            for geometry in [Geometry::Hull, Geometry::Mesh] {
                let question = Question::distance().geometry(geometry);
                let answer = ask_all(name, &mut checker, &question);
                match world_of.known {
                    Known::Nothing => {}
                    Known::NoPairs => {
                        let counts = Counts { allowed: world.allowed_count(), ..Counts::default() };
                        let interval = Interval::nothing(geometry);
                        let nothing = Answer { counts, interval, ..Answer::default() };
                        assert_eq!(answer, nothing, "{name}");
                    }
                    Known::Inside => {
                        assert_eq!(answer.verdict, Verdict::Collision, "{name} {geometry:?}: {answer:?}")
                    }
                }
                if geometry == Geometry::Mesh {
                    seen[answer.verdict as usize] += 1;
                }
            }
        }
        // What is proved over all poses: no panic, and nothing that the last pose refutes.
        let (mut prover, swept) = (Prover::new(&world), Swept::new(&world));
        let mut scratch = elbowroom::pair::Scratch::default();
        for pair in world.pairs().iter().step_by(world.pairs().len().div_ceil(20).max(1)) {
            let proof = prover.pair(pair, &ProveOptions { boxes: 50, ..ProveOptions::default() });
            let inside = world_of.known == Known::Inside && world.bodies()[pair.b.index()].robot.is_none();
            assert!(!inside || !matches!(proof.claim, Claim::Never { .. }), "{name}: {proof:?}");
            assert!(!swept.gap(pair.a, pair.b, &mut scratch).is_nan());
        }
        assert!(
            (0..world.bodies().len() as u32)
                .all(|b| swept.ball_in_world(BodyId(b)).is_none_or(|b| !b.radius.is_nan()))
        );
        println!(
            "{name}: {} pairs, {built:.2} s to compile, {:.2} s in all",
            world.pairs().len(),
            start.elapsed().as_secs_f64()
        );
    }
    println!("{seen:?} {kinds:?}");
    assert!(seen[Verdict::Clear as usize] > 100 && seen[Verdict::Collision as usize] > 50, "{seen:?}");
    assert!(kinds[0] > 100 && kinds[1] > 100, "{kinds:?}");
}

/// In a closed room the distance is to the nearest wall, by the formula.
#[test]
fn rooms_by_the_formula() {
    for n in [1, 10] {
        let mut robot = chain(
            "slider",
            &[(JointKind::Prismatic, [0.0; 3], Vec3::X), (JointKind::Prismatic, [0.0; 3], Vec3::Y)],
        );
        robot.links[2].shapes.push(ball(0.0, 0.0, 0.0, 0.1));
        let mut d = alone(robot);
        support::worlds::add_closed_shell(&mut d, 1.0, n);
        let world = World::compile(&d).unwrap();
        let (mut checker, mut rng) = (Checker::new(&world), Rng::new(3));
        for _ in 0..200 {
            let (x, y) = (rng.range(-1.2, 1.2), rng.range(-1.2, 1.2));
            checker.set(&[x, y]).unwrap();
            let answer = checker.ask(&Question::distance());
            let far = x.abs().max(y.abs());
            let truth = 0.99 - far - 0.1;
            if truth > 0.0 {
                assert!(
                    answer.interval.lower <= truth + 1e-12 && truth - 1e-12 <= answer.interval.upper,
                    "{n}: {x} {y}: {answer:?}"
                );
                assert!(answer.interval.width() < 1e-9);
            } else if far < 1.0 {
                assert_eq!(answer.verdict, Verdict::Collision, "{n}: {x} {y}");
            }
        }
    }
}
