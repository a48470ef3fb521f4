//! First contacts where a formula or samples of the way say.

use crate::support::ask::check_edge_anew;
use crate::support::describe::*;
use crate::support::rng::Rng;
use crate::support::straight::mix_values;
use elbowroom::describe::*;
use elbowroom::math::Vec3;
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker, verify};
use elbowroom::{Checker, Question, Verdict, World};
use std::f64::consts::PI;

/// A ball of 0.1 m on a rod of 1 m that turns about z, and a post of 0.2 m at (0, `away`).
pub fn rod(away: f64) -> World {
    let mut robot = chain("rod", &[(JointKind::Continuous, [0.0; 3], Vec3::Z)]);
    robot.links[1].shapes.push(ball(1.0, 0.0, 0.0, 0.1));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [0.0, away, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
    World::compile(&d).unwrap()
}

fn ask(world: &World, from: &[f64], to: &[f64], margin: f64) -> Edge {
    let options = EdgeOptions::default().margin(margin);
    check_edge_anew(world, [from, to], &options)
}

#[test]
fn first_contacts_are_where_the_formula_says() {
    // The centres are 0.3 apart where the chord is: 2 sin(a / 2) = 0.3 before the quarter turn.
    let world = rod(1.0);
    for margin in [0.0, 0.05, 0.2] {
        let angle = PI / 2.0 - 2.0 * libm_asin((0.3 + margin) / 2.0);
        for end in [1.4, 2.0, 10.0] {
            let Edge::Contact { first: [a, b], .. } = ask(&world, &[0.0], &[end], margin) else { panic!() };
            assert!(a * end <= angle + 1e-12 && angle <= b * end + 1e-12 && (b - a) * end < 3e-6, "{a} {b}");
        }
        assert_eq!(ask(&world, &[0.0], &[angle - 1e-5], margin), Edge::Free);
        assert!(matches!(ask(&world, &[0.0], &[angle + 1e-5], margin), Edge::Contact { .. }));
    }
    // In contact from the start, all along, and only at the end.
    assert!(matches!(ask(&world, &[1.5], &[0.0], 0.0), Edge::Contact { first: [0.0, 0.0], .. }));
    assert!(matches!(ask(&world, &[1.5], &[1.5], 0.0), Edge::Contact { first: [0.0, 0.0], .. }));
    let touching = ask(&rod(1.3), &[0.0], &[3.0], 0.0);
    let Edge::Unknown { at: [a, b], pair: Some(_), .. } = touching else { panic!("{touching:?}") };
    assert!(a * 3.0 < PI / 2.0 && PI / 2.0 < b * 3.0 + 0.01, "{touching:?}");
    assert_eq!(ask(&rod(1.3 + 1e-4), &[0.0], &[3.0], 0.0), Edge::Free);
    // A robot without a shape is not free, but unknown.
    let bare = World::compile(&alone(chain("bare", &[(JointKind::Continuous, [0.0; 3], Vec3::Z)]))).unwrap();
    assert!(matches!(ask(&bare, &[0.0], &[1.0], 0.0), Edge::Unknown { pair: None, .. }));
    let ends = [&[0.0][..], &[1.0][..]];
    assert!(verify(&bare, ends, &[], &EdgeOptions::default()).is_err());
    // No work, no answer.
    let options = EdgeOptions { work: 0, ..EdgeOptions::default() };
    let none = MotionChecker::new(&world).check_edge([&[0.0], &[0.1]], &options);
    assert!(matches!(none, Ok(Edge::Unknown { at: [0.0, 1.0], .. })), "{none:?}");
}

fn libm_asin(x: f64) -> f64 {
    // By halving: the test's own.
    let (mut low, mut high) = (0.0, PI / 2.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if elbowroom::math::sin_cos(middle).0 < x { low = middle } else { high = middle }
    }
    low
}

#[test]
fn edges_through_crowds_are_as_sampled() {
    let mut rng = Rng::new(31);
    let mut d = alone(row_of_balls("arm", 5, 0.3, 0.05));
    for i in 0..150 {
        // Not where the first link turns in its place.
        let z = rng.pick(&[-0.12, 0.12, 0.04, 0.3]);
        let p = Vec3 { z, ..rng.point(2.5) };
        let p = if p.norm() < 0.6 { p * 4.0 } else { p };
        // Some of several shapes.
        let shapes = (0..1 + i % 3).map(|k| ball(0.1 * k as f64, 0.0, 0.0, 0.03)).collect();
        d.obstacles.push(obstacle(&i.to_string(), p.to_array(), shapes));
    }
    // Exceptions of a crowd.
    for i in 0..20 {
        let (a, b) = ("arm/5".to_string(), format!("world/{i}"));
        d.allowed.push(AllowedPair { a, b, reason: String::new() });
    }
    let world = World::compile(&d).unwrap();
    let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
    let options = EdgeOptions::default();
    let (mut free, mut contacts, mut asked) = (0, 0, 0);
    for k in 0..150 {
        let from: Vec<f64> = (0..5).map(|_| rng.range(-3.0, 3.0)).collect();
        let to: Vec<f64> = from.iter().map(|v| v + rng.range(-0.3, 0.3)).collect();
        let edge = edges.check_edge([&from, &to], &options).unwrap();
        asked += edges.edge_counts().asked;
        let hit = (0..=200).map(|i| f64::from(i) / 200.0).find(|t| {
            let values = mix_values([&from, &to], *t);
            checker.set(&values).unwrap();
            checker.ask(&Question::distance()).verdict == Verdict::Collision
        });
        match edge {
            Edge::Free => {
                free += 1;
                assert_eq!(hit, None);
                if k < 60 {
                    let pieces = edges.pieces().to_vec();
                    verify(&world, [&from, &to], &pieces, &options).unwrap();
                    let none: Vec<_> = pieces.into_iter().filter(|p| p.pair.a != p.pair.b).collect();
                    assert!(verify(&world, [&from, &to], &none, &options).is_err());
                }
            }
            Edge::Contact { first: [a, b], free_until, .. } => {
                contacts += 1;
                assert!(free_until <= a && a <= b && hit.is_none_or(|t| free_until <= t), "{edge:?} {hit:?}");
            }
            Edge::Unknown { .. } => panic!("{edge:?}"),
        }
    }
    assert!(free > 10 && contacts > 20, "{free} {contacts}");
    assert!(asked < 150 * 200, "nearly all are left out: {asked}");
}
