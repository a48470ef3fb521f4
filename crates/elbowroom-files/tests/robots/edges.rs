//! Straight motions of real robots among obstacles: arms, two arms, hands that mimic, sliding fingers, joints
//! without end. No motion that is called free has a colliding sample, and no sample collides before the
//! interval of first contact; what is in contact at its end is so; the certificate of a free one is checked
//! by itself.
//!
//! `ELBOWROOM_EDGES` is the number of motions of each cell (`cargo xtask race`: 200), each then sampled at
//! 10,000 points.

use crate::cells::{
    Cell, compile_world, draw_step, draw_values, load_description, load_robot_cells, panda_cells,
    through_tree,
};
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use crate::support::straight::mix_values;
use crate::support::threads::run_each;
use elbowroom::describe::JointKind;
use elbowroom::motion::{CertificateFault, Edge, EdgeAsk, EdgeOptions, MotionChecker, ranges, verify};
use elbowroom::pair::Ask;
use elbowroom::world::BodyPair;
use elbowroom::{Checker, Geometry, Question, Verdict, World};

/// A clearance that poses of the Puma's cell have and have not (metres).
const CLOSE: f64 = 0.002;

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    free: u64,
    contact: u64,
    unknown: u64,
    samples: u64,
    /// First contacts that samples saw too.
    seen: u64,
    /// Parts of the motions from the start of the interval to the first sample that saw it: what was told
    /// earlier than sampled.
    earlier: f64,
    /// Intervals wider than a thousandth of the motion.
    wide: u64,
    /// Contacts at another place than the first one, where any contact was asked for.
    later: u64,
    /// Contacts that were not found then.
    missed: u64,
}

/// Whether a pair is proved to overlap at a fraction of a motion.
fn overlaps_at(
    (pair, t): (BodyPair, f64),
    [from, to]: [&[f64]; 2],
    checker: &mut Checker,
    question: &Question,
) -> bool {
    checker.set(&mix_values([from, to], t)).unwrap();
    let (world, mut told) = (checker.world(), false);
    checker.all_pairs(&question.with_ask(Ask::Distance), |p| {
        told |= world.pairs().get(p.pair) == Some(pair) && p.verdict == Verdict::Collision;
    });
    told
}

/// The first of so many samples that is proved to be in contact.
fn first_hit(
    [from, to]: [&[f64]; 2],
    n: u64,
    until: f64,
    checker: &mut Checker,
    question: &Question,
) -> Option<f64> {
    (0..=n).map(|i| i as f64 / n as f64).take_while(|t| *t <= until).find(|t| {
        let values = mix_values([from, to], *t);
        checker.set(&values).unwrap();
        checker.ask(question).interval.upper < 0.0
    })
}

/// Motions of a world; long ones, short ones, and of one joint alone.
fn run(name: &str, world: &World, motions: u64, fine: u64, seed: u64) -> Tally {
    let (mut checker, mut edges, mut tally) =
        (Checker::new(world), MotionChecker::new(world), Tally::default());
    let rng = &mut Rng::new(seed);
    for k in 0..motions {
        // From where it is free: contacts at the start tell little.
        let mut from = draw_values(world, rng);
        for _ in 0..20 {
            checker.set(&from).unwrap();
            if checker.ask(&Question::test().margin(0.0)).verdict != Verdict::Collision {
                break;
            }
            from = draw_values(world, rng);
        }
        let size = [0.1, 0.4, 1.0][(k % 3) as usize];
        let mut to: Vec<f64> = ranges(world)
            .iter()
            .zip(&from)
            .map(|([low, high], q)| {
                (q + rng.range(-size, size) * (high - low).min(2.0)).clamp(low + 1e-8, high - 1e-8)
            })
            .collect();
        if k % 5 == 4 {
            let only = rng.below(to.len());
            (0..to.len()).filter(|i| *i != only).for_each(|i| to[i] = from[i]);
        }
        let geometry = if k % 4 == 3 { Geometry::Mesh } else { Geometry::Hull };
        let options = EdgeOptions::default().margin(0.0).geometry(geometry);
        let ends = [&from[..], &to[..]];
        let edge = edges.check_edge(ends, &options).unwrap();
        // Only what decides: proofs of overlap.
        let question = Question::test().margin(0.0).geometry(geometry);
        let place = format!("{name}, motion {k}, {geometry:?}, {from:?} to {to:?}: {edge:?}");
        match edge {
            Edge::Free => {
                tally.free += 1;
                let n = if tally.free <= fine { 10_000 } else { 50 };
                tally.samples += n;
                let hit = first_hit(ends, n, 1.0, &mut checker, &question);
                assert_eq!(hit, None, "{place}");
                if k % 8 == 0 {
                    let pieces = edges.pieces().to_vec();
                    verify(world, ends, &pieces, &options).unwrap_or_else(|f| panic!("{place}: {f:?}"));
                    let none = verify(world, ends, &[], &options);
                    assert!(matches!(none, Err(CertificateFault::Gap { .. })), "{place}: {none:?}");
                }
            }
            Edge::Contact { first: [a, b], pair, free_until, .. } => {
                tally.contact += 1;
                assert!(0.0 <= free_until && free_until <= a && a <= b && b <= 1.0, "{place}");
                // Nothing before it; a sample may well lie in it; it is there at its end.
                let n = if tally.contact <= fine { 10_000 } else { 50 };
                tally.samples += n;
                let hit = first_hit(ends, n, 1.0, &mut checker, &question);
                assert!(hit.is_none_or(|t| free_until <= t), "{place}, but samples collide at {hit:?}");
                tally.seen += u64::from(hit.is_some());
                tally.earlier += hit.map_or(0.0, |t| t - a);
                tally.wide += u64::from(b - a > 1e-3);
                // And it is of the pair that is named.
                assert!(overlaps_at((pair, b), ends, &mut checker, &question), "{place}");
            }
            Edge::Unknown { at: [a, _], .. } => {
                tally.unknown += 1;
                let hit = first_hit(ends, 200, a, &mut checker, &question);
                assert!(hit.is_none_or(|t| t >= a), "{place}, but samples collide at {hit:?}");
            }
        }
        // Asked whether it is free: the same motions are free, and a pair that is named overlaps.
        let any = EdgeOptions { ask: EdgeAsk::IsFree, ..options };
        let told = edges.check_edge(ends, &any).unwrap();
        let place = format!("{place}, any contact: {told:?}");
        match (edge, told) {
            (Edge::Free, Edge::Free) => {
                let pieces = edges.pieces().to_vec();
                verify(world, ends, &pieces, &any).unwrap_or_else(|f| panic!("{place}: {f:?}"));
            }
            (Edge::Free, _) | (_, Edge::Free) => panic!("{place}"),
            (_, Edge::Contact { first: [a, b], pair, free_until, open }) => {
                assert!(a == 0.0 && free_until == 0.0 && b <= 1.0 && open.is_none(), "{place}");
                assert!(overlaps_at((pair, b), ends, &mut checker, &question), "{place}");
                let earlier = matches!(edge, Edge::Contact { first: [_, t], .. } if t < b);
                tally.later += u64::from(earlier);
            }
            (Edge::Contact { .. }, Edge::Unknown { .. }) => tally.missed += 1,
            (Edge::Unknown { at: [a, _], .. }, Edge::Unknown { at: [b, _], .. }) => {
                assert!(b <= a, "{place}");
            }
        }
    }
    tally
}

/// A cell whose turning joints have no end, but for those that are followed.
fn endless(cell: &Cell) -> Cell {
    let mut d = cell.description.clone();
    for robot in &mut d.robots {
        let followed: Vec<String> =
            robot.robot.joints.iter().filter_map(|j| j.mimic.as_ref().map(|m| m.joint.clone())).collect();
        for joint in
            robot.robot.joints.iter_mut().filter(|j| j.kind == JointKind::Revolute && j.mimic.is_none())
        {
            if !followed.contains(&joint.name) {
                (joint.kind, joint.limits) = (JointKind::Continuous, None);
            }
        }
    }
    Cell { name: format!("{} without limits", cell.name), description: d }
}

#[test]
fn no_free_motion_has_a_colliding_sample() {
    let long = number_from_environment("ELBOWROOM_EDGES", 0);
    let Some(mut cells) = load_robot_cells(long > 0) else { return };
    cells.push(endless(&cells[1]));
    cells.extend(panda_cells(if long > 0 { 21 } else { 2 }));
    let (motions, fine) = if long > 0 { (long, u64::MAX) } else { (20, 1) };
    let tallies = run_each(cells.len(), |i| {
        let (cell, start) = (&cells[i], std::time::Instant::now());
        // Through the tree of what is fixed, and pair by pair, in turns.
        let d = &cell.description;
        let world = if i.is_multiple_of(2) { through_tree(d) } else { compile_world(d) };
        let seed = number_from_environment("ELBOWROOM_RACE_FROM", 5) + i as u64;
        let tally = run(&cell.name, &world, motions, fine, seed);
        println!("{}: {tally:?}, {:.1} s", cell.name, start.elapsed().as_secs_f64());
        tally
    });
    let sum = |of: fn(&Tally) -> u64| tallies.iter().map(of).sum::<u64>();
    let all = sum(|t| t.free) + sum(|t| t.contact) + sum(|t| t.unknown);
    println!("{all} motions, {} samples", sum(|t| t.samples));
    assert!(sum(|t| t.free) * 5 > all && sum(|t| t.contact) * 5 > all, "{tallies:?}");
    assert!(sum(|t| t.wide) * 20 <= sum(|t| t.contact), "{tallies:?}");
    assert!(sum(|t| t.later) * 5 > sum(|t| t.contact), "{tallies:?}");
    assert!(sum(|t| t.missed) * 50 <= sum(|t| t.contact), "{tallies:?}");
    assert!(sum(|t| t.unknown) * 20 <= all && sum(|t| t.seen) * 2 > sum(|t| t.contact), "{tallies:?}");
}

#[test]
fn edges_of_triangles_and_with_clearance() {
    let Some(description) = load_description("puma260/bottleneck.toml", true) else { return };
    let world = compile_world(&description);
    let mut rng = Rng::new(15);
    let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
    let (mut free, mut contacts) = (0, 0);
    for _ in 0..40 {
        let from = draw_values(&world, &mut rng);
        let to = draw_step(&world, &mut rng, &from, 0.2);
        let options = EdgeOptions::default().margin(CLOSE);
        match edges.check_edge([&from, &to], &options).unwrap() {
            Edge::Free => {
                free += 1;
                for t in [0.0, 0.3, 0.7, 1.0] {
                    let values = mix_values([&from, &to], t);
                    checker.set(&values).unwrap();
                    let answer = checker.ask(&Question::distance());
                    assert!(answer.interval.upper >= CLOSE, "{answer:?}");
                }
            }
            Edge::Contact { first, .. } => {
                contacts += 1;
                let values = mix_values([&from, &to], first[1]);
                checker.set(&values).unwrap();
                assert!(checker.ask(&Question::distance()).interval.lower <= CLOSE);
            }
            Edge::Unknown { .. } => {}
        }
    }
    assert!(free > 3 && contacts > 3, "{free} {contacts}");
    // Standing still, and what is no configuration.
    let home = world.neutral_values();
    let options = EdgeOptions::default().margin(0.0);
    let still = edges.check_edge([&home, &home], &options).unwrap();
    assert!(matches!(still, Edge::Free), "{still:?}");
    let pieces = edges.pieces().to_vec();
    verify(&world, [&home, &home], &pieces, &options).unwrap();
    assert!(edges.check_edge([&home, &home[1..]], &EdgeOptions::default()).is_err());
    let mut far = home.clone();
    far[0] = f64::NAN;
    assert!(edges.check_edge([&home, &far], &EdgeOptions::default()).is_err());
}
