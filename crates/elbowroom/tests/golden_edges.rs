//! Same input, same bits, for straight motions: a hash over all answers to a fixed set of edges, in debug and
//! release, cold and warm, and the work that they took. `ELBOWROOM_BLESS=1` writes `golden_edges.txt` anew.
use elbowroom_testkit as support;

use elbowroom::World;
use elbowroom::describe::JointKind;
use elbowroom::math::Vec3;
use elbowroom::motion::{Doubt, Edge, EdgeAsk, EdgeOptions, MotionChecker};
use elbowroom::world::BodyPair;
use support::describe::{alone, chain, obstacle, one_of_each};
use support::golden::{START, draw_values, fold_hashes, fold_numbers, hold_to, two_arms};

const EDGES: usize = 150;
const BLOCK: usize = 25;

/// A body that flies, with one that rolls on it, a slide and a turn: every kind of joint that moves.
fn flying_arm() -> World {
    let joints = [
        (JointKind::Floating, [0.0; 3], Vec3::Z),
        (JointKind::Planar, [0.4, 0.0, 0.0], Vec3::Z),
        (JointKind::Prismatic, [0.0, 0.4, 0.0], Vec3::X),
        (JointKind::Continuous, [0.4, 0.0, 0.0], Vec3::Y),
    ];
    let mut robot = chain("f", &joints);
    robot.links.iter_mut().skip(1).step_by(2).for_each(|link| link.shapes = one_of_each());
    let mut world = alone(robot);
    world.obstacles = [[0.6, 0.0, 0.0], [-0.5, 0.4, 0.2], [0.1, -0.5, -0.3]]
        .map(|xyz| obstacle("o", xyz, one_of_each()))
        .into();
    world.obstacles.iter_mut().zip(["a", "b", "c"]).for_each(|(own, name)| own.name = name.into());
    world.margin = 0.02;
    World::compile(&world).expect("no faults")
}

/// Two poses, one near the other, with quaternions of length 1; their values are as large as `size` says.
fn ends(world: &World, size: f64, row: usize) -> [Vec<f64>; 2] {
    let (from, by) = (draw_values(world, 2 * row), draw_values(world, 2 * row + 1));
    let from: Vec<f64> = from.iter().map(|value| size * value).collect();
    let to: Vec<f64> = from.iter().zip(&by).map(|(from, by)| from + 0.15 * by).collect();
    [from, to].map(|mut row| {
        for joint in world.joints().iter().filter(|joint| joint.kind == JointKind::Floating) {
            let turn = &mut row[joint.values.start + 3..joint.values.end];
            let length = turn.iter().map(|q| q * q).sum::<f64>().sqrt();
            turn.iter_mut().for_each(|q| *q /= length);
        }
        row
    })
}

fn fold_pair(hash: u64, pair: Option<BodyPair>) -> u64 {
    fold_numbers(hash, &pair.map_or([-1.0; 2], |pair| [pair.a, pair.b].map(|body| body.index() as f64)))
}

fn fold_edge(hash: u64, edge: &Edge) -> u64 {
    match *edge {
        Edge::Free => fold_numbers(hash, &[1.0]),
        Edge::Contact { first: [a, b], pair, free_until, open } => {
            fold_pair(fold_pair(fold_numbers(hash, &[2.0, a, b, free_until]), Some(pair)), open)
        }
        Edge::Unknown { at: [a, b], pair, why } => {
            let why = match why {
                Doubt::Touching => 0.0,
                Doubt::Close => 1.0,
                Doubt::Work => 2.0,
                Doubt::NothingKnown => 3.0,
            };
            fold_pair(fold_numbers(hash, &[3.0, a, b, why]), pair)
        }
    }
}

/// What a block of edges came to.
#[derive(Default)]
struct Tally {
    hashes: Vec<u64>,
    free: usize,
    /// Contacts that begin on the way.
    contact: usize,
    asked: u64,
    shape_queries: u64,
}

impl Tally {
    /// Asks an edge cold, and once more with what the first left behind: beyond the margin and apart, with
    /// its first contact and whether it is free at all.
    fn ask(&mut self, checker: &mut MotionChecker<'_>, ends: [&[f64]; 2]) {
        checker.forget_history();
        let mut hash = START;
        for ask in [EdgeAsk::FirstContact, EdgeAsk::IsFree, EdgeAsk::FirstContact] {
            for usual in [EdgeOptions::default(), EdgeOptions::default().margin(0.0)] {
                let options = EdgeOptions { ask, ..usual };
                let edge = checker.check_edge(ends, &options).expect("within limits");
                hash = fold_edge(hash, &edge);
                self.free += usize::from(edge == Edge::Free);
                self.contact +=
                    usize::from(matches!(edge, Edge::Contact { first: [from, _], .. } if from > 0.0));
                let counts = checker.edge_counts();
                self.asked += counts.asked;
                self.shape_queries += counts.shape_queries;
            }
        }
        self.hashes.push(hash);
    }
}

#[test]
fn same_bits_for_straight_edges() {
    let mut text = String::new();
    for (name, world, size) in [("arms", two_arms(), 0.6), ("flying", flying_arm(), 0.25)] {
        let mut checker = MotionChecker::new(&world);
        let (mut free, mut contact) = (0, 0);
        for first in (0..EDGES).step_by(BLOCK) {
            let mut tally = Tally::default();
            for row in first..first + BLOCK {
                let [from, to] = ends(&world, size, row);
                tally.ask(&mut checker, [&from, &to]);
            }
            let hash = fold_hashes(START, &tally.hashes);
            text += &format!("{name} {first} {hash:016x} {} {}\n", tally.asked, tally.shape_queries);
            (free, contact) = (free + tally.free, contact + tally.contact);
        }
        // Of six questions an edge; contact that begins on the way is told by four of them.
        assert!(
            free > EDGES && contact > EDGES / 8,
            "{name}: {free} free, {contact} with contact on the way"
        );
    }
    hold_to(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden_edges.txt"), &text);
}
