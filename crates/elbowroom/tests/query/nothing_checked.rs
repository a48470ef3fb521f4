//! Where no pair is checked nothing is proved, however it is asked; nor is anything clear beyond a margin
//! of NaN.

use crate::support::ask::intervals_meet;
use crate::support::describe::*;
use elbowroom::batch::{Batch, BatchCounts};
use elbowroom::describe::{AllowedPair, JointKind, WorldDescription};
use elbowroom::math::Vec3;
use elbowroom::motion::{CertificateFault, Edge, EdgeOptions, MotionChecker, verify};
use elbowroom::pair::Ask;
use elbowroom::world::GroupId;
use elbowroom::{Answer, Checker, Counts, Question, Verdict, World};

const ASKS: [Ask; 3] = [Ask::Test, Ask::LowerBound, Ask::Distance];

/// A chain of balls on joints of a kind, and a post.
fn balls(kind: JointKind) -> WorldDescription {
    let mut robot = chain("r", &[(kind, [1.0, 0.0, 0.0], Vec3::Z); 3]);
    for link in &mut robot.links {
        link.shapes.push(ball(0.0, 0.0, 0.0, 0.1));
    }
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [0.0, 5.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    d
}

/// Worlds without a checked pair: with lanes and without, with robots and without.
fn unchecked() -> Vec<(&'static str, World)> {
    let mut free = alone(chain("r", &[(JointKind::Floating, [0.0; 3], Vec3::Z)]));
    free.robots[0].robot.links[1].shapes.push(ball(0.0, 0.0, 0.0, 0.1));
    let all = |kind| {
        let (a, b) = ("*".into(), "*".into());
        WorldDescription { allowed: vec![AllowedPair { a, b, reason: "all".into() }], ..balls(kind) }
    };
    [
        ("nothing", WorldDescription::default()),
        ("one ball", alone(row_of_balls("r", 1, 1.0, 0.1))),
        ("one free body", free),
        ("all pairs allowed", all(JointKind::Revolute)),
        ("all pairs of floating joints allowed", all(JointKind::Floating)),
    ]
    .map(|(name, d)| (name, World::compile(&d).unwrap()))
    .into()
}

#[test]
fn where_nothing_is_checked_every_question_says_unknown() {
    for (name, world) in unchecked() {
        assert!(world.pairs().is_empty(), "{name}");
        let nothing = Answer {
            counts: Counts { allowed: world.allowed_count(), ..Counts::default() },
            ..Answer::default()
        };
        assert_eq!(nothing.verdict, Verdict::Unknown);
        assert_eq!((nothing.interval.lower, nothing.interval.upper), (f64::NEG_INFINITY, f64::INFINITY));
        let values = world.neutral_values();
        let mut checker = Checker::new(&world);
        checker.set(&values).unwrap();
        for ask in ASKS {
            for margin in [0.0, 0.1, f64::NAN, -1.0] {
                let question = Question::from_ask(ask).margin(margin);
                assert_eq!(checker.ask(&question), nothing, "{name} {question:?}");
                let answer = checker.all_pairs(&question, |pair| panic!("{name}: {pair:?}"));
                assert_eq!(answer, nothing, "{name} {question:?}");
                for j in 0..world.groups().len() as u32 {
                    for l in 0..=j {
                        let answer = checker.between([GroupId(j), GroupId(l)], &question);
                        assert_eq!(answer, Some(nothing), "{name} {question:?}");
                    }
                }
                many(name, &world, &values, &question, nothing);
            }
        }
        let edge = MotionChecker::new(&world).check_edge([&values, &values], &EdgeOptions::default());
        assert!(matches!(edge, Ok(Edge::Unknown { pair: None, .. })), "{name}: {edge:?}");
        let told = verify(&world, [&values, &values], &[], &EdgeOptions::default());
        assert_eq!(told, Err(CertificateFault::NothingKnown), "{name}");
        let told: Box<dyn std::error::Error> = told.unwrap_err().into();
        assert_eq!(format!("{told:?}"), told.to_string());
        assert_eq!(
            told.to_string(),
            "no pair is checked, or a robot has no shape at all: nothing can be proved"
        );
    }
}

/// Batches, on one thread and many.
fn many(name: &str, world: &World, values: &[f64], question: &Question, nothing: Answer) {
    let count = 21;
    let rows = values.repeat(count);
    let mut verdicts = vec![Verdict::Clear; count];
    let counts = BatchCounts { poses: count, ..BatchCounts::default() };
    assert_eq!(Batch::new(world).test(&rows, question, &mut verdicts), Ok(counts), "{name}");
    assert_eq!(verdicts, vec![Verdict::Unknown; count], "{name}");
    let mut answers = vec![Answer { verdict: Verdict::Clear, ..Answer::default() }; count];
    assert_eq!(Batch::new(world).ask(&rows, question, &mut answers), Ok(counts), "{name}");
    assert_eq!(answers, vec![nothing; count], "{name}");
    #[cfg(feature = "rayon")]
    {
        use elbowroom::batch::{ask_on_threads, test_on_threads};
        verdicts.fill(Verdict::Clear);
        assert_eq!(test_on_threads(world, &rows, question, &mut verdicts), Ok(counts), "{name}");
        assert_eq!(verdicts, vec![Verdict::Unknown; count], "{name}");
        answers.fill(Answer { verdict: Verdict::Clear, ..Answer::default() });
        assert_eq!(ask_on_threads(world, &rows, question, &mut answers), Ok(counts), "{name}");
        assert_eq!(answers, vec![nothing; count], "{name}");
    }
}

#[test]
fn groups_between_which_nothing_is_checked_are_unknown() {
    let mut d = balls(JointKind::Revolute);
    d.allowed.push(AllowedPair { a: "r".into(), b: "world/post".into(), reason: "far".into() });
    let world = World::compile(&d).unwrap();
    let [robot, cell] = ["r", "world"].map(|name| world.group_by_name(name).unwrap());
    assert_eq!(world.group_by_name("nobody"), None);
    let mut checker = Checker::new(&world);
    let question = Question::distance();
    assert_eq!(checker.ask(&question).verdict, Verdict::Clear);
    assert_eq!(checker.between([robot, robot], &question).unwrap().verdict, Verdict::Clear);
    for index in [[robot, cell], [cell, robot], [cell, cell]] {
        let answer = checker.between(index, &question).unwrap();
        assert_eq!((answer.verdict, answer.interval.lower), (Verdict::Unknown, f64::NEG_INFINITY));
        assert_eq!((answer.interval.upper, answer.pair, answer.counts.pairs), (f64::INFINITY, None, 0));
    }
}

/// What the interval of every question says with margins and cutoffs that are no clearances.
#[test]
fn margins_and_cutoffs_that_are_none_prove_nothing() {
    // With lanes; without; with a crowd of fixed bodies.
    let mut crowded = balls(JointKind::Revolute);
    for i in 0..40 {
        let at = [30.0, 0.0, f64::from(i)];
        crowded.obstacles.push(obstacle(&format!("o{i}"), at, vec![ball(0.0, 0.0, 0.0, 0.1)]));
    }
    let mut seen = [0; 5];
    for d in [balls(JointKind::Revolute), balls(JointKind::Floating), crowded] {
        for post in [[0.0, 5.0, 0.0], [2.05, 0.0, 0.0]] {
            let mut d = d.clone();
            d.obstacles[0].pose.translation = elbowroom::math::vec3(post[0], post[1], post[2]);
            let world = World::compile(&d).unwrap();
            let values = world.neutral_values();
            let mut checker = Checker::new(&world);
            checker.set(&values).unwrap();
            let truth = checker.ask(&Question::distance());
            let overlap = post[1] == 0.0;
            assert_eq!(truth.verdict, if overlap { Verdict::Collision } else { Verdict::Clear });
            let mut ask = |margin: f64, cutoff: f64, asked: Ask, expected: Verdict| {
                let question = &Question::from_ask(asked).margin(margin).cutoff(cutoff);
                let mut answers = vec![
                    checker.ask(question),
                    checker.all_pairs(question, |pair| {
                        assert!(!margin.is_nan() || pair.verdict >= Verdict::Collision);
                    }),
                ];
                let mut batch = Batch::new(&world);
                let mut answer = [Answer::default()];
                batch.ask(&values, question, &mut answer).unwrap();
                answers.extend(answer);
                for answer in answers {
                    assert_eq!(answer.verdict, expected, "{question:?}: {answer:?}");
                    assert!(intervals_meet(&answer.interval, &truth.interval), "{answer:?}");
                }
                let mut verdict = [Verdict::Near];
                batch.test(&values, question, &mut verdict).unwrap();
                assert_eq!(verdict, [expected], "{question:?}");
                seen[expected as usize] += 1;
            };
            let apart = |verdict| if overlap { Verdict::Collision } else { verdict };
            for asked in ASKS {
                for cutoff in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.5, f64::INFINITY] {
                    for margin in [f64::NAN, -f64::NAN] {
                        ask(margin, cutoff, asked, apart(Verdict::Unknown));
                    }
                    for margin in [-1.0, f64::NEG_INFINITY, 0.0] {
                        ask(margin, cutoff, asked, apart(Verdict::Clear));
                    }
                    ask(f64::INFINITY, cutoff, asked, apart(Verdict::Near));
                }
            }
            // Without a cutoff a distance is exact.
            let answer = checker.ask(&Question::distance().cutoff(f64::NAN));
            assert_eq!(
                (answer.interval.lower, answer.interval.upper),
                (truth.interval.lower, truth.interval.upper)
            );
            let ends = [&values[..], &values[..]];
            for margin in [-1.0, f64::NEG_INFINITY, 0.0, f64::NAN] {
                let options = EdgeOptions::default().margin(margin);
                let mut edges = MotionChecker::new(&world);
                let edge = edges.check_edge(ends, &options).unwrap();
                let told = verify(&world, ends, edges.pieces(), &options);
                match edge {
                    Edge::Free => assert!(!overlap && !margin.is_nan() && told == Ok(())),
                    Edge::Contact { .. } => assert!(overlap && !margin.is_nan() && told.is_err()),
                    Edge::Unknown { .. } => assert!(margin.is_nan() && told.is_err()),
                }
            }
        }
    }
    assert!([0, 1, 3, 4].iter().all(|v| seen[*v] > 40), "{seen:?}");
}

#[test]
fn a_robot_without_shapes_leaves_nothing_free_by_any_question() {
    // A world with a bare robot and one without it: nothing but what is free changes.
    let mut far = balls(JointKind::Revolute);
    far.margin = 0.01;
    let mut blind = far.clone();
    blind.robots.push(placed(chain("bare", &[])));
    let [with, without] = [World::compile(&blind).unwrap(), World::compile(&far).unwrap()];
    let [clear, folded] = [[0.0; 3], [0.0, 3.1, 0.0]];
    let mut collisions = 0;
    for values in [clear, folded] {
        for ask in ASKS {
            let question = Question::from_ask(ask);
            let [mut checker, mut other] = [Checker::new(&with), Checker::new(&without)];
            checker.set(&values).unwrap();
            other.set(&values).unwrap();
            let (answer, truth) = (checker.ask(&question), other.ask(&question));
            let collides = truth.verdict == Verdict::Collision;
            collisions += usize::from(collides);
            let expected = if collides { Verdict::Collision } else { Verdict::Unknown };
            assert_eq!(
                (answer.interval.lower, answer.interval.upper, answer.verdict),
                (truth.interval.lower, truth.interval.upper, expected)
            );
            assert_eq!(checker.all_pairs(&question, |_| {}).verdict, expected);
            let mut verdicts = [Verdict::Clear];
            let mut batch = Batch::new(&with);
            batch.test(&values, &question, &mut verdicts).unwrap();
            assert_eq!(verdicts, [expected]);
        }
    }
    assert_eq!(collisions, 3);
    let mut edges = MotionChecker::new(&with);
    let (options, near) = (EdgeOptions::default(), [0.1, 0.0, 0.0]);
    let edge = edges.check_edge([&clear, &near], &options).unwrap();
    assert!(matches!(edge, Edge::Unknown { pair: None, .. }));
    let again = verify(&with, [&clear, &near], edges.pieces(), &options);
    assert_eq!(again, Err(CertificateFault::NothingKnown));
    let edge = edges.check_edge([&clear, &folded], &options).unwrap();
    assert!(matches!(edge, Edge::Contact { .. }));
}
