//! A hull contains its mesh: it is a bound, and never the answer. A ball slides past the opening of an L,
//! whose hull it nearly touches, and a post beside it is the nearest all along, or the wall of the L: by
//! formula, whatever is asked and however.

use crate::support::bent::{LEGS, ell};
use crate::support::describe::*;
use elbowroom::describe::{JointKind, WorldDescription};
use elbowroom::math::vec3;
use elbowroom::motion::{Claim, Edge, EdgeOptions, MotionChecker, ProveOptions, Prover, verify};
use elbowroom::pair::Ask;
use elbowroom::{Answer, Batch, Checker, Geometry, PairId, Question, Verdict, World};

const RADIUS: f64 = 0.05;
/// Where the ball is 7 micrometres from the L's hull, whose edge is the line `x + y = 1.2`.
const NEAR_HULL: f64 = 0.6 + (RADIUS + 7e-6) * std::f64::consts::FRAC_1_SQRT_2;
/// Between the ball's middle and the post's, which is as thick.
const POST: f64 = 0.2;

/// The ball on its slide along the diagonal, with so much padding, before the L and the post.
fn cell(padding: f64) -> World {
    let along = vec3(1.0, 1.0, 0.0) * std::f64::consts::FRAC_1_SQRT_2;
    let mut robot = chain("slide", &[(JointKind::Prismatic, [NEAR_HULL, NEAR_HULL, 0.5], along)]);
    robot.links[1].shapes.push(ball(0.0, 0.0, 0.0, RADIUS));
    let limits = robot.joints[0].limits.as_mut().unwrap();
    (limits.lower, limits.upper) = (-0.45, 0.5);
    let wall = shape(ell(LEGS, [0.0, 1.0]));
    let aside = POST * std::f64::consts::FRAC_1_SQRT_2;
    let post = [NEAR_HULL + aside, NEAR_HULL - aside, 0.5];
    let obstacles = vec![
        obstacle("ell", [0.0; 3], vec![wall]),
        obstacle("post", post, vec![ball(0.0, 0.0, 0.0, RADIUS)]),
    ];
    World::compile(&WorldDescription { obstacles, padding, ..alone(robot) }).unwrap()
}

/// The clearances of the L and of the post, by the formula.
fn truth(s: f64, padding: f64) -> [f64; 2] {
    let middle = NEAR_HULL + s * std::f64::consts::FRAC_1_SQRT_2;
    [middle - 0.2 - RADIUS - padding, POST.hypot(s) - 2.0 * RADIUS - padding]
}

fn pair(world: &World, body: &str) -> PairId {
    let is = |id: &PairId| world.pair_names(*id).unwrap().iter().any(|n| n.ends_with(body));
    (0..world.pairs().len() as u32).map(PairId).find(is).unwrap()
}

fn around(answer: &Answer, truth: f64, what: &str) {
    assert!(
        answer.interval.lower <= truth + 1e-14 && truth <= answer.interval.upper + 1e-14,
        "{what}: {truth}: {answer:?}"
    );
}

/// Along the slide: at the hull, in the L, and past it.
fn places() -> impl Iterator<Item = f64> {
    (0..=95).map(|k| -0.45 + 0.01 * f64::from(k)).chain([0.0, 1e-5, -1e-5, 1e-3])
}

#[test]
fn the_number_told_is_the_bodies() {
    let (mut of_ell, mut of_post) = (0, 0);
    for padding in [0.0, 1e-4] {
        let world = cell(padding);
        let [ell, post] = ["ell", "post"].map(|name| pair(&world, name));
        let (mut checker, mut batch) = (Checker::new(&world), Batch::new(&world));
        for s in places() {
            checker.set(&[s]).unwrap();
            let each = truth(s, padding);
            let least = each[0].min(each[1]);
            let nearest = if each[0] < each[1] { ell } else { post };
            *(if nearest == ell { &mut of_ell } else { &mut of_post }) += 1;
            for margin in [0.0, 1e-5, 0.05] {
                let what = format!("at {s}, margin {margin}, padding {padding}");
                let question = Question::distance().margin(margin);
                let answer = checker.ask(&question);
                around(&answer, least, &what);
                assert!(answer.interval.width() < 1e-12, "{what}: {answer:?}");
                assert_eq!((answer.pair, answer.verdict), (Some(nearest), Verdict::Clear), "{what}");
                let mut number = 0;
                let all = checker.all_pairs(&question, |p| {
                    let truth = each[usize::from(p.pair == post)];
                    assert!(
                        p.interval.lower <= truth + 1e-14 && truth <= p.interval.upper + 1e-14,
                        "{what}: {p:?}"
                    );
                    assert!(p.interval.width() < 1e-12, "{what}: {p:?}");
                    number += 1;
                });
                assert_eq!((number, all.pair), (2, Some(nearest)), "{what}");
                for ask in [Ask::Test, Ask::LowerBound] {
                    let bound = checker.ask(&question.with_ask(ask));
                    around(&bound, least, &what);
                    assert_eq!(bound.verdict, Verdict::Clear, "{what}: {bound:?}");
                }
                let mut row = [Answer::default()];
                batch.ask(&[s], &question, &mut row).unwrap();
                around(&row[0], least, &what);
                assert_eq!(row[0].pair, Some(nearest), "{what}");
            }
        }
    }
    assert!(of_ell > 20 && of_post > 40, "{of_ell} {of_post}");
}

#[test]
fn a_body_declared_to_be_its_hull_is_its_hull() {
    let world = cell(0.0);
    let mut checker = Checker::new(&world);
    let hulls = Question::distance().geometry(Geometry::Hull);
    for s in places().filter(|s| *s > -0.01) {
        checker.set(&[s]).unwrap();
        let answer = checker.ask(&hulls);
        around(&answer, (7e-6 + s).min(truth(s, 0.0)[1]), &format!("at {s}"));
    }
}

#[test]
fn motions_and_proofs_are_of_the_bodies() {
    let world = cell(0.0);
    let mut edges = MotionChecker::new(&world);
    let ends = [&[-0.2][..], &[0.3][..]];
    // The hulls touch on the way; the bodies stay a tenth apart.
    let options = EdgeOptions::default().margin(0.099);
    assert_eq!(edges.check_edge(ends, &options).unwrap(), Edge::Free);
    verify(&world, ends, edges.pieces(), &options).unwrap();
    let options = EdgeOptions::default().geometry(Geometry::Hull);
    let edge = edges.check_edge(ends, &options).unwrap();
    assert!(matches!(edge, Edge::Contact { .. } | Edge::Unknown { .. }), "{edge:?}");

    let mut prover = Prover::new(&world);
    let bodies = world.pairs().get(pair(&world, "ell")).unwrap();
    let proof = prover.pair(bodies, &ProveOptions::default());
    let Claim::Never { least } = proof.claim else { panic!("{proof:?}") };
    assert!(least > 0.0 && least <= truth(-0.45, 0.0)[0], "{proof:?}");
    let hulls = ProveOptions { geometry: Geometry::Hull, ..ProveOptions::default() };
    assert_eq!(prover.pair(bodies, &hulls).claim, Claim::Sometimes);
}

#[test]
fn more_body_is_never_farther_off() {
    // The ball held still, 7 micrometres from the hull, and grown through it: the hull says nothing any more,
    // and the wall is nearer.
    let worlds = [0.0, 1e-6, 5e-6, 1e-5, 1e-4, 1e-3].map(cell);
    let mut before = f64::INFINITY;
    for world in &worlds {
        let mut checker = Checker::new(world);
        checker.set(&[0.0]).unwrap();
        let ell = pair(world, "ell");
        checker.all_pairs(&Question::distance(), |p| {
            if p.pair == ell {
                assert!(p.interval.lower <= before, "{p:?}, {before} before");
                before = p.interval.upper;
            }
        });
    }
    assert!((before - truth(0.0, 1e-3)[0]).abs() < 1e-12);
}
