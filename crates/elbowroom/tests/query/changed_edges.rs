//! Straight motions while bodies are held and placed, compared with a freshly compiled world, and with
//! samples.

use crate::changes::{Notes, Seen, change};
use crate::scenes::scene;
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use elbowroom::math::Transform;
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker, ProveOptions, Prover};
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyId;
use elbowroom::{Batch, Checker, Question, Verdict, World};

/// Puts a part, if nothing carries it, near the first robot's tool, which takes it.
pub fn take_in_hand(checker: &mut Checker, notes: &mut Notes, part: BodyId, rng: &mut Rng) {
    let tool = checker.world().body_by_name("r/tool").unwrap();
    let at = checker.body_in_world(tool).unwrap() * rng.pose(0.3);
    if checker.place(part, &at).is_ok() && checker.attach(part, tool, &[]).is_ok() {
        notes.carried.insert(part, (tool, Vec::new()));
    }
}

/// `ELBOWROOM_EDGES` motions, a hundred and fifty unless told.
#[test]
fn motions_with_what_is_held_are_those_of_a_world_compiled_anew() {
    let (wanted, mut seed) = (number_from_environment("ELBOWROOM_EDGES", 150), 0);
    let (mut free, mut contact, mut held_contact, mut samples, mut done) = (0, 0, 0, 0, 0);
    while done < wanted {
        seed += 1;
        let mut rng = Rng::new(1000 + seed);
        let d = scene(&mut rng);
        let world = World::compile(&d).unwrap();
        let is_movable = |id: &BodyId| world.bodies()[id.index()].name.starts_with("world/part");
        let movable: Vec<BodyId> = (0..world.bodies().len() as u32).map(BodyId).filter(is_movable).collect();
        let (mut checker, mut notes, mut seen) =
            (Checker::new(&world), Notes::of(&world, &d), Seen::default());
        let (mut edges, mut batch) = (MotionChecker::new(&world), Batch::new(&world));
        for _ in 0..6 {
            for _ in 0..4 {
                change(&mut checker, &mut notes, &movable, &mut rng, &mut seen);
            }
            take_in_hand(&mut checker, &mut notes, rng.pick(&movable), &mut rng);
            let fresh = World::compile(&notes.describe(&d, &checker)).unwrap();
            let mut others = MotionChecker::new(&fresh);
            assert!(
                edges.copy_state_from(&checker)
                    && batch.copy_state_from(&checker)
                    && !others.copy_state_from(&checker)
            );
            let from: Vec<f64> = checker.values().iter().map(|_| rng.range(-2.0, 2.0)).collect();
            let to: Vec<f64> = from.iter().map(|q| q + rng.range(-1.5, 1.5)).collect();
            let (ways, options) = ([&from[..], &to[..]], EdgeOptions::default());
            let place = format!("seed {seed}");
            let mine = edges.check_edge(ways, &options).unwrap();
            let theirs = others.check_edge(ways, &options).unwrap();
            match (mine, theirs) {
                (Edge::Free, Edge::Free) => {
                    free += 1;
                    edges.verify(ways, &options).unwrap_or_else(|fault| panic!("{place}: {fault}"));
                }
                (Edge::Contact { first: [a, b], pair, .. }, Edge::Contact { first: [c, d], .. }) => {
                    assert!(a <= d + 1e-6 && c <= b + 1e-6, "{place}: {mine:?} {theirs:?}");
                    contact += 1;
                    let carried = [pair.a, pair.b].iter().any(|body| notes.link(&world, *body).is_some());
                    held_contact += u64::from(carried);
                }
                (Edge::Unknown { .. }, _) | (_, Edge::Unknown { .. }) => {}
                _ => panic!("{place}: {mine:?} {theirs:?}"),
            }
            // Samples of a free motion are clear, one by one and in a batch.
            let rows: Vec<f64> = (0..=10)
                .flat_map(|k| from.iter().zip(&to).map(move |(a, b)| a + (b - a) * f64::from(k) / 10.0))
                .collect();
            let mut verdicts = [Verdict::Unknown; 11];
            batch.test(&rows, &Question::test(), &mut verdicts).unwrap();
            for (row, verdict) in rows.chunks(from.len()).zip(verdicts) {
                checker.set(row).unwrap();
                checker.forget_history();
                assert_eq!(checker.ask(&Question::test()).verdict, verdict, "{place}");
                assert!(mine != Edge::Free || verdict != Verdict::Collision, "{place}: {mine:?}");
                samples += 1;
            }
            done += 1;
        }
    }
    println!("{free} free, {contact} contacts, {held_contact} of what is carried, {samples} samples");
    assert!(
        free * 20 > done && contact * 8 > done && held_contact * 40 > done,
        "{free} {contact} {held_contact}"
    );
}

#[test]
fn what_is_held_is_proved_against_the_robot_that_holds_it() {
    use crate::support::describe::*;
    let mut d = alone(row_of_balls("arm", 2, 0.5, 0.1));
    let part = obstacle("part", [1.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.05)]);
    d.obstacles.push(elbowroom::describe::ObstacleDescription { movable: true, ..part });
    d.obstacles.push(obstacle("post", [0.0, 5.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    let world = World::compile(&d).unwrap();
    let [base, hand, part, post] =
        ["arm/0", "arm/2", "world/part", "world/post"].map(|name| world.body_by_name(name).unwrap());
    let pair = |a: BodyId, b: BodyId| elbowroom::world::BodyPair { a: a.min(b), b: a.max(b) };
    let (mut checker, mut prover) = (Checker::new(&world), Prover::new(&world));
    checker.set_with(&[0.0, 0.0], SetOptions::default()).unwrap();
    let never =
        |proof: elbowroom::motion::Proof| matches!(proof.claim, elbowroom::motion::Claim::Never { .. });
    // A metre from the base, but 4 m from the post at the least.
    checker.place(part, &Transform::from_translation([1.3, 0.0, 0.0].into())).unwrap();
    checker.attach(part, hand, &[]).unwrap();
    assert!(prover.copy_state_from(&checker));
    assert!(never(prover.pair(pair(part, post), &ProveOptions::default())));
    assert!(!never(prover.pair(pair(part, base), &ProveOptions::default())), "the arm can fold");
    // Let go beside the post it is within reach of nothing but the hand.
    checker.detach(part).unwrap();
    checker.place(part, &Transform::from_translation([0.0, 4.0, 0.0].into())).unwrap();
    prover.copy_state_from(&checker);
    assert!(never(prover.pair(pair(part, hand), &ProveOptions::default())));
}
