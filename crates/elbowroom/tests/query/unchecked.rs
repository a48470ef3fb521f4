//! Where no pair is checked nothing is proved, however it is asked; nor is anything clear beyond a margin
//! of NaN.

use crate::support::describe::*;
use elbowroom::CheckWork;
use elbowroom::batch::{Batch, BatchCounts};
use elbowroom::check::{Ask, Options, all_pairs, collision_vector, smallest};
use elbowroom::compile::compile;
use elbowroom::describe::{AllowedPair, JointKind, WorldDescription};
use elbowroom::id::GroupId;
use elbowroom::math::Vec3;
use elbowroom::motion::edge::{CertificateFault, Edge, EdgeOptions, EdgeWork, check_edge, verify};
use elbowroom::motion::update::{Keep, Update};
use elbowroom::report::{Counts, Report};
use elbowroom::verdict::Verdict;
use elbowroom::world::World;

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
    .map(|(name, d)| (name, compile(&d).unwrap()))
    .into()
}

#[test]
fn where_nothing_is_checked_every_question_says_unknown() {
    for (name, world) in unchecked() {
        assert!(world.pairs().is_empty(), "{name}");
        let nothing = Report {
            counts: Counts { allowed: world.allowed_count(), ..Counts::default() },
            ..Report::default()
        };
        assert_eq!(nothing.verdict, Verdict::Unknown);
        assert_eq!((nothing.lower, nothing.upper), (f64::NEG_INFINITY, f64::INFINITY));
        let values = world.neutral_values();
        let mut pose = CheckWork::new(&world);
        pose.set(&world, &values).unwrap();
        for ask in ASKS {
            for margin in [0.0, 0.1, f64::NAN, -1.0] {
                let options = Options { ask, margin, ..Options::default() };
                assert_eq!(smallest(&world, &mut pose, &options), nothing, "{name} {options:?}");
                let found = all_pairs(&world, &mut pose, &options, |pair| panic!("{name}: {pair:?}"));
                assert_eq!(found, nothing, "{name} {options:?}");
                for j in 0..world.groups().len() as u32 {
                    for l in 0..=j {
                        let found = collision_vector(&world, &mut pose, [GroupId(j), GroupId(l)], &options);
                        assert_eq!(found, Some(nothing), "{name} {options:?}");
                    }
                }
                for keep in [Keep::Global, Keep::Local] {
                    let mut update = Update::new(&world, keep, 0.05);
                    for _ in 0..2 {
                        let found = update.smallest(&world, &mut pose, &values, &options).unwrap();
                        assert_eq!(found, nothing, "{name} {keep:?}");
                        assert_eq!(update.still(&values), f64::NEG_INFINITY, "{name} {keep:?}");
                    }
                }
                many(name, &world, &values, &options, nothing);
            }
        }
        let answer = check_edge(
            &world,
            &mut pose,
            &mut EdgeWork::new(&world),
            [&values, &values],
            &EdgeOptions::of(&world),
        );
        assert!(matches!(answer, Ok(Edge::Unknown { pair: None, .. })), "{name}: {answer:?}");
        let told = verify(&world, &mut pose, [&values, &values], &[], &EdgeOptions::of(&world));
        assert_eq!(told, Err(CertificateFault::NothingKnown), "{name}");
        let told: Box<dyn std::error::Error> = told.unwrap_err().into();
        assert_eq!(
            told.to_string(),
            "no pair is checked, or a robot has no shape at all: nothing can be proved"
        );
    }
}

/// Batches, on one thread and many.
fn many(name: &str, world: &World, values: &[f64], options: &Options, nothing: Report) {
    let count = 21;
    let rows = values.repeat(count);
    let mut verdicts = vec![Verdict::Clear; count];
    let asked = BatchCounts { poses: count, ..BatchCounts::default() };
    assert_eq!(Batch::new(world).tests(world, &rows, options, &mut verdicts), Ok(asked), "{name}");
    assert_eq!(verdicts, vec![Verdict::Unknown; count], "{name}");
    let mut reports = vec![Report { verdict: Verdict::Clear, ..Report::default() }; count];
    assert_eq!(Batch::new(world).smallest(world, &rows, options, &mut reports), Ok(asked), "{name}");
    assert_eq!(reports, vec![nothing; count], "{name}");
    #[cfg(feature = "rayon")]
    {
        use elbowroom::batch::{smallest_on_threads, tests_on_threads};
        verdicts.fill(Verdict::Clear);
        assert_eq!(tests_on_threads(world, &rows, options, &mut verdicts), Ok(asked), "{name}");
        assert_eq!(verdicts, vec![Verdict::Unknown; count], "{name}");
        reports.fill(Report { verdict: Verdict::Clear, ..Report::default() });
        assert_eq!(smallest_on_threads(world, &rows, options, &mut reports), Ok(asked), "{name}");
        assert_eq!(reports, vec![nothing; count], "{name}");
    }
}

#[test]
fn groups_between_which_nothing_is_checked_are_unknown() {
    let mut d = balls(JointKind::Revolute);
    d.allowed.push(AllowedPair { a: "r".into(), b: "world/post".into(), reason: "far".into() });
    let world = compile(&d).unwrap();
    let [robot, cell] = ["r", "world"].map(|name| world.group_named(name).unwrap());
    assert_eq!(world.group_named("nobody"), None);
    let mut pose = CheckWork::new(&world);
    let options = Options::default();
    assert_eq!(smallest(&world, &mut pose, &options).verdict, Verdict::Clear);
    assert_eq!(
        collision_vector(&world, &mut pose, [robot, robot], &options).unwrap().verdict,
        Verdict::Clear
    );
    for index in [[robot, cell], [cell, robot], [cell, cell]] {
        let found = collision_vector(&world, &mut pose, index, &options).unwrap();
        assert_eq!((found.verdict, found.lower), (Verdict::Unknown, f64::NEG_INFINITY));
        assert_eq!((found.upper, found.pair, found.counts.pairs), (f64::INFINITY, None, 0));
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
            let world = compile(&d).unwrap();
            let values = world.neutral_values();
            let mut pose = CheckWork::new(&world);
            pose.set(&world, &values).unwrap();
            let truth = smallest(&world, &mut pose, &Options::default());
            let overlap = post[1] == 0.0;
            assert_eq!(truth.verdict, if overlap { Verdict::Collision } else { Verdict::Clear });
            let mut ask = |options: &Options, expected: Verdict| {
                let mut reports = vec![
                    smallest(&world, &mut pose, options),
                    all_pairs(&world, &mut pose, options, |pair| {
                        assert!(!options.margin.is_nan() || pair.verdict >= Verdict::Collision);
                    }),
                ];
                for keep in [Keep::Global, Keep::Local] {
                    let mut update = Update::new(&world, keep, 0.05);
                    for _ in 0..2 {
                        reports.push(update.smallest(&world, &mut pose, &values, options).unwrap());
                    }
                }
                let mut batch = Batch::new(&world);
                let mut report = [Report::default()];
                batch.smallest(&world, &values, options, &mut report).unwrap();
                reports.extend(report);
                for report in reports {
                    assert_eq!(report.verdict, expected, "{options:?}: {report:?}");
                    assert!(report.lower <= truth.upper && truth.lower <= report.upper, "{report:?}");
                }
                let mut verdict = [Verdict::Near];
                batch.tests(&world, &values, options, &mut verdict).unwrap();
                assert_eq!(verdict, [expected], "{options:?}");
                seen[expected as usize] += 1;
            };
            let apart = |verdict| if overlap { Verdict::Collision } else { verdict };
            for asked in ASKS {
                let options = Options { ask: asked, ..Options::default() };
                for cutoff in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.5, f64::INFINITY] {
                    for margin in [f64::NAN, -f64::NAN] {
                        ask(&Options { margin, cutoff, ..options }, apart(Verdict::Unknown));
                    }
                    for margin in [-1.0, f64::NEG_INFINITY, 0.0] {
                        ask(&Options { margin, cutoff, ..options }, apart(Verdict::Clear));
                    }
                    ask(&Options { margin: f64::INFINITY, cutoff, ..options }, apart(Verdict::Near));
                }
            }
            // Without a cutoff a distance is exact.
            let found = smallest(&world, &mut pose, &Options { cutoff: f64::NAN, ..Options::default() });
            assert_eq!((found.lower, found.upper), (truth.lower, truth.upper));
            let ends = [&values[..], &values[..]];
            for clearance in [-1.0, f64::NEG_INFINITY, 0.0, f64::NAN] {
                let options = EdgeOptions { clearance, ..EdgeOptions::default() };
                let mut work = EdgeWork::new(&world);
                let answer = check_edge(&world, &mut pose, &mut work, ends, &options).unwrap();
                let told = verify(&world, &mut pose, ends, work.pieces(), &options);
                match answer {
                    Edge::Free => assert!(!overlap && !clearance.is_nan() && told == Ok(())),
                    Edge::Contact { .. } => assert!(overlap && !clearance.is_nan() && told.is_err()),
                    Edge::Unknown { .. } => assert!(clearance.is_nan() && told.is_err()),
                }
            }
        }
    }
    assert!([0, 1, 3, 4].iter().all(|v| seen[*v] > 40), "{seen:?}");
}

#[test]
fn a_robot_without_shapes_leaves_nothing_free_by_any_question() {
    // The same world with it and without: nothing but what is free changes.
    let mut far = balls(JointKind::Revolute);
    far.margin = 0.01;
    let mut blind = far.clone();
    blind.robots.push(placed(chain("bare", &[])));
    let [with, without] = [compile(&blind).unwrap(), compile(&far).unwrap()];
    let [clear, folded] = [[0.0; 3], [0.0, 3.1, 0.0]];
    let mut collisions = 0;
    for values in [clear, folded] {
        for ask in ASKS {
            let options = Options { ask, ..Options::of(&with) };
            let [mut pose, mut other] = [CheckWork::new(&with), CheckWork::new(&without)];
            pose.set(&with, &values).unwrap();
            other.set(&without, &values).unwrap();
            let (found, truth) =
                (smallest(&with, &mut pose, &options), smallest(&without, &mut other, &options));
            let collides = truth.verdict == Verdict::Collision;
            collisions += usize::from(collides);
            let expected = if collides { Verdict::Collision } else { Verdict::Unknown };
            assert_eq!((found.lower, found.upper, found.verdict), (truth.lower, truth.upper, expected));
            assert_eq!(all_pairs(&with, &mut pose, &options, |_| {}).verdict, expected);
            let mut verdicts = [Verdict::Clear];
            let mut batch = Batch::new(&with);
            batch.tests(&with, &values, &options, &mut verdicts).unwrap();
            assert_eq!(verdicts, [expected]);
            for keep in [Keep::Global, Keep::Local] {
                let mut update = Update::new(&with, keep, 0.01);
                for _ in 0..2 {
                    let kept = update.smallest(&with, &mut pose, &values, &options).unwrap();
                    assert_eq!(kept.verdict, expected, "{keep:?}");
                }
            }
        }
    }
    assert_eq!(collisions, 3);
    let (mut pose, mut work) = (CheckWork::new(&with), EdgeWork::new(&with));
    let (options, near) = (EdgeOptions::default(), [0.1, 0.0, 0.0]);
    let told = check_edge(&with, &mut pose, &mut work, [&clear, &near], &options).unwrap();
    assert!(matches!(told, Edge::Unknown { pair: None, .. }));
    let again = verify(&with, &mut pose, [&clear, &near], work.pieces(), &options);
    assert_eq!(again, Err(CertificateFault::NothingKnown));
    let told = check_edge(&with, &mut pose, &mut work, [&clear, &folded], &options).unwrap();
    assert!(matches!(told, Edge::Contact { .. }));
}
