//! Straight ways of joints of several values, and what is told of the first contact: by construction, and
//! against many samples.

use crate::support::ask::check_edge_anew;
use crate::support::describe::*;
use crate::support::rng::Rng;
use crate::support::straight::straight_values;
use elbowroom::describe::*;
use elbowroom::math::{Mat3, Vec3, sin_cos};
use elbowroom::motion::{Edge, EdgeAsk, EdgeOptions, MotionChecker, Way, verify};
use elbowroom::world::BodyPair;
use elbowroom::{Checker, Question, Verdict, World};
use std::f64::consts::{FRAC_PI_2, PI};

fn about(axis: Vec3, angle: f64) -> [f64; 4] {
    let (s, c) = sin_cos(0.5 * angle);
    [c, s * axis.x, s * axis.y, s * axis.z]
}

fn pair(world: &World, a: &str, b: &str) -> BodyPair {
    let [a, b] = [a, b].map(|name| world.body_by_name(name).unwrap());
    BodyPair { a: a.min(b), b: a.max(b) }
}

/// A bar of 2 by 0.2 by 0.2 m on a joint of several values, and a wall from y = 0.8 on, all turned by `turn`.
fn bar_before_a_wall(kind: JointKind, turn: Mat3) -> World {
    let mut robot = chain("r", &[(kind, [0.0; 3], Vec3::Z)]);
    robot.links.iter_mut().for_each(|link| link.shapes.clear());
    robot.links[1].shapes = vec![shape(ShapeDescription::Box { size: [2.0, 0.2, 0.2] })];
    let mut d = alone(robot);
    d.robots[0].base_in_world.rotation = turn;
    let wall = shape(ShapeDescription::Box { size: [8.0, 1.0, 8.0] });
    d.obstacles.push(obstacle("wall", (turn * Vec3 { x: 0.0, y: 1.3, z: 0.0 }).to_array(), vec![wall]));
    d.obstacles[0].pose.rotation = turn;
    World::compile(&d).unwrap()
}

/// The turn from which on a corner of the bar, at (1, 0.1), is higher than 0.8 m: of `sqrt(1.01) sin(angle +
/// atan 0.1)`.
fn angle_of_contact() -> f64 {
    (0.8 / 1.01_f64.sqrt()).asin() - 0.1_f64.atan()
}

#[test]
fn orientations_take_the_shorter_arc() {
    let options = EdgeOptions::default();
    let known = angle_of_contact();
    let mut rng = Rng::new(71);
    for k in 0..8 {
        let turn = if k == 0 { Mat3::IDENTITY } else { Mat3::from_quat_wxyz(rng.quaternion()).unwrap() };
        let world = bar_before_a_wall(JointKind::Floating, turn);
        let at = |angle: f64, sign: f64| {
            let q = about(Vec3::Z, angle).map(|v| sign * v);
            [&[0.0; 3][..], &q[..]].concat()
        };
        // Turned by so much, the shorter way round, whatever the sign of the quaternion.
        for (angle, arc) in
            [(2.0, 2.0), (1.0, 1.0), (-1.5, 1.5), (4.0, 2.0 * PI - 4.0), (6.0, 2.0 * PI - 6.0)]
        {
            for sign in [1.0, -1.0] {
                let found = check_edge_anew(&world, [&at(0.0, 1.0), &at(angle, sign)], &options);
                if arc < known {
                    assert_eq!(found, Edge::Free, "{angle}");
                    continue;
                }
                let Edge::Contact { first: [a, b], free_until, open: None, .. } = found else {
                    panic!("{found:?}")
                };
                assert!(a * arc <= known + 1e-9 && known <= b * arc + 1e-9, "{angle}: {found:?} {known}");
                assert!((b - a) * arc < 3e-6 && free_until == a, "{found:?}");
            }
        }
        // Up to just before it, and just beyond; with the margin it is earlier.
        assert_eq!(check_edge_anew(&world, [&at(0.0, 1.0), &at(known - 1e-5, -1.0)], &options), Edge::Free);
        let beyond = check_edge_anew(&world, [&at(0.0, -1.0), &at(known + 1e-5, 1.0)], &options);
        assert!(matches!(beyond, Edge::Contact { .. }), "{beyond:?}");
        let wide = options.margin(0.01);
        let near = check_edge_anew(&world, [&at(0.0, 1.0), &at(known - 1e-5, 1.0)], &wide);
        assert!(matches!(near, Edge::Contact { first: [_, b], .. } if b < 0.999), "{near:?}");
        // Moved along at the same time: away from the wall as fast as the corner comes nearer than it can,
        // and towards it.
        for (away, free) in [(-2.0, true), (0.3, false)] {
            let mut to = at(2.0, 1.0);
            to[1] = away;
            assert_eq!(check_edge_anew(&world, [&at(0.0, 1.0), &to], &options) == Edge::Free, free, "{away}");
        }
        // A quaternion and its negative are one orientation: nothing moves.
        assert_eq!(check_edge_anew(&world, [&at(0.3, 1.0), &at(0.3, -1.0)], &options), Edge::Free);
    }
}

#[test]
fn half_a_turn_goes_the_way_the_signs_say() {
    // A post where only one of the two ways leads: the bar's end at +x goes through (0, 0.7) or (0, -0.7).
    let mut robot = chain("r", &[(JointKind::Floating, [0.0; 3], Vec3::Z)]);
    robot.links[1].shapes.push(ball(0.7, 0.0, 0.0, 0.1));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [0.0, 0.7, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    let world = World::compile(&d).unwrap();
    let start = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let half = |sign: f64| [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, sign];
    assert!(matches!(
        check_edge_anew(&world, [&start, &half(1.0)], &EdgeOptions::default()),
        Edge::Contact { .. }
    ));
    assert_eq!(check_edge_anew(&world, [&start, &half(-1.0)], &EdgeOptions::default()), Edge::Free);
    // What is between two poses, for who wants to look himself.
    let way = Way::new(&world);
    let mut middle = [0.0; 7];
    way.values_at([&start, &half(-1.0)], 0.5, &mut middle);
    assert!((middle[3] - 0.5_f64.sqrt()).abs() < 1e-15 && (middle[6] + 0.5_f64.sqrt()).abs() < 1e-15);
    way.values_at([&start, &start[1..]], 0.5, &mut middle);
    assert!(middle.iter().all(|v| v.is_nan()));
}

#[test]
fn planar_joints_take_the_shorter_arc() {
    let world = bar_before_a_wall(JointKind::Planar, Mat3::IDENTITY);
    let known = angle_of_contact();
    let options = EdgeOptions::default();
    for (from, to, arc) in
        [(0.0, 2.0, 2.0), (0.0, 4.0, 2.0 * PI - 4.0), (0.0, -1.0, 1.0), (0.0, 1.0 + 6.0 * PI, 1.0)]
    {
        let found = check_edge_anew(&world, [&[0.0, 0.0, from], &[0.0, 0.0, to]], &options);
        let Edge::Contact { first: [a, b], .. } = found else { panic!("{to}: {found:?}") };
        assert!(
            a * arc <= known + 1e-9 && known <= b * arc + 1e-9 && (b - a) * arc < 3e-6,
            "{to}: {found:?}"
        );
    }
    // Round from 3.1 to -3.1, where the long way is through the wall; and more turns than one, which come to
    // nothing.
    for to in [-3.1, 3.1 + 100.0 * PI, 3.1 - 4.0 * PI] {
        assert_eq!(
            check_edge_anew(&world, [&[0.0, 0.0, 3.1], &[0.0, 0.0, to]], &options),
            Edge::Free,
            "{to}"
        );
    }
    // Half a turn: both ways lead through the wall, and farther away neither does.
    let found = check_edge_anew(&world, [&[0.0; 3], &[0.0, 0.0, PI]], &options);
    assert!(matches!(found, Edge::Contact { .. }), "{found:?}");
    let found = check_edge_anew(&world, [&[0.0, -0.5, FRAC_PI_2], &[0.0, -0.5, -FRAC_PI_2]], &options);
    assert_eq!(found, Edge::Free);
}

/// A free box, or a box on a planar joint, with an arm of two links on it, among posts.
fn walker(rng: &mut Rng, kind: JointKind) -> World {
    let axis = rng.pick(&[Vec3::Z, -Vec3::Y, Rng::new(3).direction()]);
    let joints = [(kind, [0.1, 0.0, 0.0], axis), (JointKind::Revolute, [0.2, 0.0, 0.1], Vec3::Y)];
    let mut robot = chain("r", &joints);
    robot.joints[0].joint_in_parent.rotation = Mat3::from_quat_wxyz(rng.quaternion()).unwrap();
    robot.links.iter_mut().for_each(|link| link.shapes.clear());
    let size = [rng.range(0.2, 0.8), 0.2, 0.1];
    robot.links[1].shapes = vec![shape(ShapeDescription::Box { size })];
    robot.links[2].shapes = vec![ball(0.3, 0.0, 0.0, 0.05)];
    let mut d = alone(robot);
    for i in 0..14 {
        let p = rng.direction() * rng.range(0.5, 1.2);
        d.obstacles.push(obstacle(&i.to_string(), p.to_array(), vec![ball(0.0, 0.0, 0.0, 0.1)]));
    }
    World::compile(&d).unwrap()
}

#[test]
fn joints_of_several_values_are_as_sampled() {
    let mut rng = Rng::new(72);
    let (mut free, mut contacts, mut unknown, mut seen, mut later, mut turned) = (0, 0, 0, 0, 0, 0);
    for k in 0..400 {
        let kind = if k % 3 == 2 { JointKind::Planar } else { JointKind::Floating };
        let world = walker(&mut rng, kind);
        let values = |rng: &mut Rng, near: f64| -> Vec<f64> {
            let mut v = rng.point(near).to_array().to_vec();
            if kind == JointKind::Floating {
                v.extend(rng.quaternion());
            } else {
                v[2] = rng.range(-9.0, 9.0);
            }
            v.push(rng.range(-1.0, 1.0));
            v
        };
        let (from, mut to) = (values(&mut rng, 0.4), values(&mut rng, 0.4));
        if k % 4 == 0 {
            // In its place.
            to[..2].copy_from_slice(&from[..2]);
            if kind == JointKind::Floating {
                to[2] = from[2];
            }
        }
        let ends = [&from[..], &to[..]];
        let way = Way::new(&world);
        let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
        let options = EdgeOptions::default();
        let edge = edges.check_edge(ends, &options).unwrap();
        let collides = |checker: &mut Checker, t: f64, only: Option<BodyPair>| {
            checker.set(&straight_values(&world, ends, t)).unwrap();
            let mut hit = false;
            checker.all_pairs(&Question::distance(), |r| {
                let own = only.is_none_or(|pair| world.pairs().get(r.pair) == Some(pair));
                hit |= own && r.verdict == Verdict::Collision;
            });
            hit
        };
        // The engine's own way is the same.
        let mut own = vec![0.0; from.len()];
        let mut other = Checker::new(&world);
        for t in [0.0, 0.3, 0.77, 1.0] {
            way.values_at(ends, t, &mut own);
            checker.set(&own).unwrap();
            other.set(&straight_values(&world, ends, t)).unwrap();
            for name in ["r/1", "r/2"] {
                let body = world.body_by_name(name).unwrap();
                let [p, q] = [&checker, &other].map(|checker| checker.body_in_world(body).unwrap());
                let apart = (p.rotation.cols[0] - q.rotation.cols[0]).norm()
                    + (p.rotation.cols[1] - q.rotation.cols[1]).norm()
                    + (p.translation - q.translation).norm();
                assert!(apart < 1e-12, "{name} {t}: {apart}");
            }
        }
        let samples = 250;
        let hit = (0..=samples)
            .map(|i| f64::from(i) / f64::from(samples))
            .find(|t| collides(&mut checker, *t, None));
        match edge {
            Edge::Free => {
                free += 1;
                turned += usize::from(k % 4 == 0);
                assert_eq!(hit, None, "{from:?} {to:?}");
                let pieces = edges.pieces().to_vec();
                verify(&world, ends, &pieces, &options).unwrap();
                assert!(verify(&world, ends, &pieces[1..], &options).is_err());
            }
            Edge::Contact { first: [a, b], pair, free_until, .. } => {
                contacts += 1;
                seen += usize::from(hit.is_some());
                later += usize::from(a > 0.0);
                assert!(free_until <= a && a <= b && b - a < 1e-3, "{edge:?}");
                assert!(hit.is_none_or(|t| free_until <= t), "{edge:?} {hit:?}");
                // A sample's distance says how far it is from the end of the interval: overlap by its own
                // pair, to rounding.
                checker.set(&straight_values(&world, ends, b)).unwrap();
                assert!(checker.ask(&Question::distance()).interval.lower < 1e-9, "{edge:?}");
                assert!(!collides(&mut checker, a - 1e-9, Some(pair)) || a == 0.0, "{edge:?}");
            }
            Edge::Unknown { .. } => unknown += 1,
        }
    }
    // A clear motion and a collision on the way are both usual, and next to nothing stays open.
    println!(
        "{free} free ({turned} turned in place), {contacts} contacts ({seen} seen, {later} on the way), \
         {unknown} unknown"
    );
    assert!(free > 100 && turned > 30, "{free} {turned}");
    assert!(contacts > 100 && later > 60 && seen * 10 > contacts * 9, "{contacts} {later} {seen}");
    assert!(unknown * 100 < free + contacts, "{unknown}");
}

/// A rod of 1 m that turns about z with a ball at its end and one about the axis; a post that the latter
/// touches all along, one that the former touches once, at 0.5 rad, and one that it runs into: 2 sin(a / 2) =
/// 0.3 before the quarter turn.
fn rod_and_posts([touching, grazing]: [bool; 2]) -> World {
    let mut robot =
        chain("r", &[(JointKind::Continuous, [0.0; 3], Vec3::Z), (JointKind::Fixed, [0.0; 3], Vec3::Z)]);
    robot.links.iter_mut().for_each(|link| link.shapes.clear());
    robot.links[1].shapes = vec![ball(1.0, 0.0, 0.0, 0.1)];
    robot.links[2].shapes = vec![ball(0.0, 0.0, 0.0, 0.125), ball(-0.3, 0.0, 0.0, 0.01)];
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [0.0, 1.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
    if touching {
        d.obstacles.push(obstacle("touching", [0.0, 0.0, 0.25], vec![ball(0.0, 0.0, 0.0, 0.125)]));
    }
    if grazing {
        let (s, c) = sin_cos(0.5);
        let away = 1.2 + 0.1;
        d.obstacles.push(obstacle("grazing", [away * c, away * s, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
    }
    World::compile(&d).unwrap()
}

#[test]
fn a_pair_that_touches_does_not_widen_the_contact_of_another() {
    let angle = FRAC_PI_2 - 2.0 * 0.15_f64.asin();
    for (touching, grazing) in [(false, false), (true, false), (false, true), (true, true)] {
        let world = rod_and_posts([touching, grazing]);
        for end in [1.3, 2.0, 3.0] {
            let found = check_edge_anew(&world, [&[0.0], &[end]], &EdgeOptions::default());
            let Edge::Contact { first: [a, b], pair: named, free_until, open } = found else {
                panic!("{found:?}")
            };
            assert_eq!(named, pair(&world, "r/1", "world/post"), "{found:?}");
            // The pair's own interval: in it the end of the rod moves a few micrometres.
            assert!(a * end <= angle + 1e-12 && angle <= b * end + 1e-12, "{found:?}");
            assert!((b - a) * end < 5e-6, "{found:?}");
            // And what is known of everything.
            let expected = match (touching, grazing) {
                (true, _) => Some(pair(&world, "r/2", "world/touching")),
                (false, true) => Some(pair(&world, "r/1", "world/grazing")),
                (false, false) => None,
            };
            assert_eq!(open, expected, "{found:?}");
            match (touching, grazing) {
                (true, _) => assert_eq!(free_until, 0.0),
                (false, true) => assert!((0.4..=0.5 + 1e-9).contains(&(free_until * end)), "{found:?}"),
                (false, false) => assert_eq!(free_until, a),
            }
        }
        // Up to before the contact: open where something touches.
        let before = check_edge_anew(&world, [&[0.0], &[1.2]], &EdgeOptions::default());
        match (touching, grazing) {
            (true, _) => {
                assert!(matches!(before, Edge::Unknown { at: [0.0, 1.0], pair: Some(_), .. }), "{before:?}")
            }
            (false, true) => assert!(matches!(before, Edge::Unknown { .. }), "{before:?}"),
            (false, false) => assert_eq!(before, Edge::Free),
        }
    }
    // Where any contact will do, it is one of the post; before it, what touches leaves all unknown.
    let any = EdgeOptions { ask: EdgeAsk::IsFree, ..EdgeOptions::default() };
    for (kinds, free) in [([false, false], true), ([true, false], false), ([false, true], false)] {
        let world = rod_and_posts(kinds);
        let before = check_edge_anew(&world, [&[0.0], &[1.2]], &any);
        assert_eq!(before == Edge::Free, free, "{before:?}");
        for end in [1.3, 2.0, 3.0] {
            match check_edge_anew(&world, [&[0.0], &[end]], &any) {
                Edge::Contact { first: [a, b], pair: named, free_until, open: None } => {
                    assert_eq!(named, pair(&world, "r/1", "world/post"));
                    assert!(a == 0.0 && free_until == 0.0 && angle <= b * end + 1e-12, "{kinds:?}: {b}");
                }
                other => panic!("{kinds:?}, to {end}: {other:?}"),
            }
        }
    }
    // When the work ends, what is told is less, and true.
    let world = rod_and_posts([true, true]);
    for work in [1, 2, 3] {
        let told = check_edge_anew(&world, [&[0.0], &[1.2]], &EdgeOptions { work, ..any });
        assert!(matches!(told, Edge::Unknown { at: [0.0, 1.0], .. }), "{told:?}");
    }
    for work in [1, 4, 20, 60, 200] {
        let options = EdgeOptions { work, ..EdgeOptions::default() };
        match check_edge_anew(&world, [&[0.0], &[2.0]], &options) {
            Edge::Contact { first: [a, b], pair: named, free_until, .. } => {
                assert_eq!(named, pair(&world, "r/1", "world/post"));
                assert!(free_until <= a && a * 2.0 <= angle && angle <= b * 2.0 + 1e-12, "{work}: {a} {b}");
            }
            Edge::Unknown { at: [a, _], .. } => assert!(a * 2.0 <= angle),
            Edge::Free => panic!("{work}"),
        }
    }
}

#[test]
fn a_pair_that_hardly_moves_does_not_widen_the_contact_of_one_that_does() {
    // A small ball off the axis by 2 cm grazes its post just where the end of the rod is hit: what it moves
    // by a micrometre takes the rod's end thirty times as far.
    let angle = FRAC_PI_2 - 2.0 * 0.15_f64.asin();
    for shift in [-2e-5, -1e-5, -1e-6, 0.0, 1e-6, 1e-5, 2e-5] {
        let mut robot =
            chain("r", &[(JointKind::Continuous, [0.0; 3], Vec3::Z), (JointKind::Fixed, [0.0; 3], Vec3::Z)]);
        robot.links.iter_mut().for_each(|link| link.shapes.clear());
        robot.links[1].shapes = vec![ball(1.0, 0.0, 0.0, 0.1)];
        robot.links[2].shapes = vec![ball(0.02, 0.0, 0.0, 0.01)];
        let mut d = alone(robot);
        d.obstacles.push(obstacle("post", [0.0, 1.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
        let (s, c) = sin_cos(angle + shift);
        d.obstacles.push(obstacle("grazing", [0.13 * c, 0.13 * s, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
        let world = World::compile(&d).unwrap();
        for end in [1.3, 2.0, 3.0] {
            let found = check_edge_anew(&world, [&[0.0], &[end]], &EdgeOptions::default());
            let Edge::Contact { first: [a, b], pair: named, free_until, .. } = found else {
                panic!("{found:?}")
            };
            assert_eq!(named, pair(&world, "r/1", "world/post"), "{found:?}");
            assert!(a * end <= angle + 1e-12 && angle <= b * end + 1e-12, "{found:?}");
            assert!((b - a) * end < 5e-6 && free_until <= a, "{shift}: {found:?}");
        }
    }
}

/// A box that slides on slabs, which it touches all the way, and above it a ball that hits another in the
/// middle of the way if that is so deep in it (metres).
fn slide_on_slabs(slabs: usize, depth: f64) -> World {
    let mut robot = chain("r", &[(JointKind::Prismatic, [0.0; 3], Vec3::X)]);
    robot.joints[0].limits = Some(JointLimits { lower: -2.0, upper: 2.0 });
    robot.links.iter_mut().for_each(|link| link.shapes.clear());
    let slider = shape(ShapeDescription::Box { size: [0.25; 3] });
    robot.links[1].shapes = vec![slider, ball(0.0, 0.0, 0.5, 0.05)];
    let mut d = alone(robot);
    for slab in 0..slabs {
        let shapes = vec![shape(ShapeDescription::Box { size: [4.0, 4.0, 0.25] })];
        d.obstacles.push(obstacle(&format!("slab_{slab}"), [0.0, 0.0, -0.25], shapes));
    }
    d.obstacles.push(obstacle("ball", [0.123456, 0.0, 0.6 - depth], vec![ball(0.0, 0.0, 0.0, 0.05)]));
    World::compile(&d).unwrap()
}

#[test]
fn what_touches_all_the_way_hides_no_contact_and_costs_little() {
    for (slabs, depth) in [(1, -1e-3), (8, -1e-3), (1, 1e-9), (8, 1e-10), (64, 1e-8)] {
        let world = slide_on_slabs(slabs, depth);
        let mut checker = MotionChecker::new(&world);
        for ask in [EdgeAsk::FirstContact, EdgeAsk::IsFree] {
            let options = EdgeOptions { ask, ..EdgeOptions::default().margin(0.0) };
            let found = checker.check_edge([&[-1.0], &[1.0]], &options).unwrap();
            match found {
                Edge::Unknown { .. } if depth < 0.0 => {}
                Edge::Contact { pair: named, .. } if depth > 0.0 => {
                    assert_eq!(named, pair(&world, "r/1", "world/ball"));
                }
                _ => panic!("{slabs} slabs, {depth}, {ask:?}: {found:?}"),
            }
            // Each slab is given up after some tens of intervals; before that it is asked on the first 127.
            let asked = checker.edge_counts().asked;
            assert!(asked < 300 + 250 * slabs as u64, "{slabs} slabs, {depth}, {ask:?}: {asked}");
        }
    }
}
