//! Certificates of motions that somebody has changed: what is accepted is true all the same.

use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::describe::{JointKind, WorldDescription};
use elbowroom::math::Vec3;
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker, Piece, verify};
use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, Question, Verdict, World};

/// An arm of two links in a plane, among balls.
fn cell(rng: &mut Rng) -> World {
    let joints = [(JointKind::Revolute, [0.0; 3], Vec3::Z), (JointKind::Revolute, [0.5, 0.0, 0.0], Vec3::Z)];
    let mut robot = chain("arm", &joints);
    for link in [1, 2] {
        robot.links[link].shapes.push(ball(0.4, 0.0, 0.0, 0.06));
    }
    let mut d = WorldDescription { margin: 0.01, ..WorldDescription::default() };
    d.robots.push(placed(robot));
    for k in 0..4 {
        let at = [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0];
        d.obstacles.push(obstacle(&format!("post{k}"), at, vec![ball(0.0, 0.0, 0.0, 0.05)]));
    }
    World::compile(&d).unwrap()
}

/// Changes a certificate somehow.
fn tamper(pieces: &mut Vec<Piece>, bodies: u32, rng: &mut Rng) {
    if pieces.is_empty() {
        return;
    }
    let k = rng.below(pieces.len());
    match rng.below(7) {
        0 => drop(pieces.remove(k)),
        1 => pieces[k].t[rng.below(2)] = rng.range(-0.5, 1.5),
        2 => pieces[k].t = [0.0, 1.0],
        3 => pieces[k].t.swap(0, 1),
        4 => pieces[k].t[rng.below(2)] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][rng.below(3)],
        5 => {
            let [a, b] = [0, 1].map(|_| BodyId(rng.below(bodies as usize + 1) as u32));
            pieces[k].pair = BodyPair { a, b };
        }
        _ => {
            let other = pieces[rng.below(pieces.len())];
            pieces.push(Piece { t: other.t, ..pieces[k] });
        }
    }
}

#[test]
fn whatever_is_accepted_of_a_changed_certificate_is_true() {
    let (mut accepted, mut refused, mut of_contacts) = (0, 0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(17_000 + seed);
        let world = cell(&mut rng);
        let mut draw = || [0, 1].map(|_| rng.range(-2.0, 2.0));
        let (from, to) = (draw(), draw());
        let ends = [&from[..], &to[..]];
        let (mut edges, options) = (MotionChecker::new(&world), EdgeOptions::default());
        let edge = edges.check_edge(ends, &options).unwrap();
        // Sampled, and asked by itself.
        let mut checker = Checker::new(&world);
        let is_clear = (0..=400).all(|k| {
            let s = f64::from(k) / 400.0;
            checker.set(&[0, 1].map(|i| from[i] + s * (to[i] - from[i]))).unwrap();
            checker.ask(&Question::test()).verdict == Verdict::Clear
        });
        for _ in 0..50 {
            let mut pieces = edges.pieces().to_vec();
            for _ in 0..=rng.below(3) {
                tamper(&mut pieces, world.bodies().len() as u32, &mut rng);
            }
            match verify(&world, ends, &pieces, &options) {
                Ok(()) => {
                    assert!(is_clear && edge == Edge::Free, "{seed}: {pieces:?}");
                    accepted += 1;
                }
                Err(_) => refused += 1,
            }
            of_contacts += u32::from(edge != Edge::Free);
        }
    }
    assert!(accepted > 500 && refused > 2000 && of_contacts > 2000, "{accepted} {refused} {of_contacts}");
}
