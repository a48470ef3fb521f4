//! Pieces of splines in time, and tubes around them: by construction, against formulas and against samples.

use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::describe::*;
use elbowroom::math::{Vec3, sin_cos};
use elbowroom::motion::{
    CertificateFault, Edge, EdgeAsk, EdgeOptions, EdgePairs, MotionChecker, Piece, SplineFault, SplinePiece,
    SplineProblem, verify, verify_spline,
};
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, Question, World};

/// A ball of 0.1 m on an arm of 1 m that turns about z and then slides along it, and a post of 0.2 m at
/// (0, 1, 0).
fn turning_ball() -> World {
    let joints = [(JointKind::Revolute, [0.0; 3], Vec3::Z), (JointKind::Prismatic, [0.0; 3], Vec3::Z)];
    let mut robot = chain("r", &joints);
    robot.links[2].shapes.push(ball(1.0, 0.0, 0.0, 0.1));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("post", [0.0, 1.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.2)]));
    World::compile(&d).unwrap()
}

/// The angle at which the ball touches the post, as long as it does not slide.
fn angle_of_contact() -> f64 {
    std::f64::consts::FRAC_PI_2 - 2.0 * (0.3_f64 / 2.0).asin()
}

fn values_at(piece: &SplinePiece, t: f64, count: usize) -> Vec<f64> {
    let mut values = vec![0.0; count];
    piece.write_values(t, &mut values);
    values
}

/// Asked by a new checker. The certificate of a free one is whole, and no certificate without its first
/// piece.
fn check_anew(world: &World, piece: &SplinePiece, options: &EdgeOptions) -> Edge {
    let mut checker = MotionChecker::new(world);
    let edge = checker.check_spline(piece, options).unwrap();
    if edge == Edge::Free {
        verify_spline(world, piece, checker.pieces(), options).unwrap();
        checker.verify_spline(piece, options).unwrap();
        assert!(verify_spline(world, piece, &checker.pieces()[1..], options).is_err());
    }
    let any = EdgeOptions { ask: EdgeAsk::IsFree, ..*options };
    assert_eq!(checker.check_spline(piece, &any).unwrap() == Edge::Free, edge == Edge::Free);
    edge
}

/// The public formulas of `joint_trajectory_controller`, in seconds since the piece began.
fn controlled(t: f64, seconds: f64, p: [f64; 2], v: [f64; 2], a: Option<[f64; 2]>) -> f64 {
    let time = |n: i32| seconds.powi(n);
    let c = match a {
        None => [
            p[0],
            v[0],
            (-3.0 * p[0] + 3.0 * p[1] - 2.0 * v[0] * time(1) - v[1] * time(1)) / time(2),
            (2.0 * p[0] - 2.0 * p[1] + v[0] * time(1) + v[1] * time(1)) / time(3),
            0.0,
            0.0,
        ],
        Some(a) => [
            p[0],
            v[0],
            0.5 * a[0],
            (-20.0 * p[0] + 20.0 * p[1] - 3.0 * a[0] * time(2) + a[1] * time(2)
                - 12.0 * v[0] * time(1)
                - 8.0 * v[1] * time(1))
                / (2.0 * time(3)),
            (30.0 * p[0] - 30.0 * p[1] + 3.0 * a[0] * time(2) - 2.0 * a[1] * time(2)
                + 16.0 * v[0] * time(1)
                + 14.0 * v[1] * time(1))
                / (2.0 * time(4)),
            (-12.0 * p[0] + 12.0 * p[1] - a[0] * time(2) + a[1] * time(2)
                - 6.0 * v[0] * time(1)
                - 6.0 * v[1] * time(1))
                / (2.0 * time(5)),
        ],
    };
    (0..6).map(|k| c[k as usize] * t.powi(k)).sum()
}

#[test]
fn pieces_are_those_of_the_controller() {
    let world = turning_ball();
    let mut rng = Rng::new(39);
    for _ in 0..200 {
        let seconds = rng.decades(-2.0, 1.0);
        let mut two = || [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)];
        let (p, q) = (two(), two());
        let rates = [two(), two(), two(), two()].map(|two| two.map(|rate| rate / seconds));
        let [v, w, a, b] = &rates;
        let linear = SplinePiece::linear_between(&world, seconds, [&p, &q]).unwrap();
        let cubic = SplinePiece::cubic_between(&world, seconds, [&p, &q], [v, w]).unwrap();
        let quintic = SplinePiece::quintic_between(&world, seconds, [&p, &q], [v, w], [a, b]).unwrap();
        for k in 0..=20 {
            let t = f64::from(k) / 20.0;
            for i in 0..2 {
                let near = |piece: &SplinePiece, wanted: f64| {
                    let found = values_at(piece, t, 2)[i];
                    assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
                };
                let (ends, speeds) = ([p[i], q[i]], [v[i], w[i]]);
                near(&linear, p[i] + (q[i] - p[i]) * t);
                near(&cubic, controlled(t * seconds, seconds, ends, speeds, None));
                near(&quintic, controlled(t * seconds, seconds, ends, speeds, Some([a[i], b[i]])));
            }
        }
    }
    // From rest to rest: known numbers.
    let rest = [&[0.0; 2][..], &[0.0; 2]];
    let ends = [&[0.0, 0.0][..], &[1.0, 2.0]];
    let cubic = SplinePiece::cubic_between(&world, 2.0, ends, rest).unwrap();
    let quintic = SplinePiece::quintic_between(&world, 2.0, ends, rest, rest).unwrap();
    assert_eq!(values_at(&cubic, 0.25, 2), [0.15625, 0.3125]);
    assert!((values_at(&quintic, 0.25, 2)[0] - 0.103515625).abs() < 1e-15);
}

#[test]
fn a_quintic_that_swings_out_touches_where_the_edge_does_not() {
    let world = turning_ball();
    let options = EdgeOptions::default().margin(0.0);
    let (known, none) = (angle_of_contact(), [&[0.0; 2][..], &[0.0; 2]]);
    // From 1 rad to 1 rad at speed: `speed t (1 - t)` at first order, 5/16 of the speed more at the middle.
    for (swing, touches) in [(0.9, false), (0.999, false), (1.001, true), (1.5, true)] {
        let speed = swing * (known - 1.0) * 16.0 / 5.0;
        let rates = [&[speed, 0.0][..], &[-speed, 0.0]];
        let piece =
            SplinePiece::quintic_between(&world, 1.0, [&[1.0, 0.0], &[1.0, 0.0]], rates, none).unwrap();
        let found = check_anew(&world, &piece, &options);
        assert_eq!(matches!(found, Edge::Contact { .. }), touches, "{swing} {found:?}");
        assert_eq!(found == Edge::Free, !touches, "{swing} {found:?}");
        if let Edge::Contact { first: [a, b], free_until, .. } = found {
            assert!(values_at(&piece, a, 2)[0] <= known + 1e-9, "{found:?}");
            assert!(values_at(&piece, b, 2)[0] >= known - 1e-9, "{found:?}");
            assert!(free_until == a && (swing < 1.1 || b - a < 1e-4), "{found:?}");
        }
    }
    let mut checker = MotionChecker::new(&world);
    assert_eq!(checker.check_edge([&[1.0, 0.0], &[1.0, 0.0]], &options).unwrap(), Edge::Free);
}

#[test]
fn a_spline_goes_over_what_its_edge_touches() {
    let world = turning_ball();
    let options = EdgeOptions::default().margin(0.0);
    let ends = [&[0.5, 0.0][..], &[2.6, 0.0]];
    let mut checker = MotionChecker::new(&world);
    assert!(matches!(checker.check_edge(ends, &options).unwrap(), Edge::Contact { .. }));
    // Lifted by 0.5 m on the way.
    let piece = SplinePiece::cubic_between(&world, 1.0, ends, [&[2.1, 2.0], &[2.1, -2.0]]).unwrap();
    assert_eq!(check_anew(&world, &piece, &options), Edge::Free);
    // And not enough.
    let low = SplinePiece::cubic_between(&world, 1.0, ends, [&[2.1, 1.1], &[2.1, -1.1]]).unwrap();
    assert!(matches!(check_anew(&world, &low, &options), Edge::Contact { .. }));
}

#[test]
fn a_linear_piece_is_the_edge() {
    let mut rng = Rng::new(3);
    let mut robot = row_of_balls("r", 5, 0.3, 0.08);
    robot.joints.iter_mut().for_each(|joint| joint.axis = rng.direction());
    let mut d = alone(robot);
    for k in 0..10 {
        let at = rng.point(1.5).to_array();
        d.obstacles.push(obstacle(&k.to_string(), at, vec![ball(0.0, 0.0, 0.0, 0.15)]));
    }
    let world = World::compile(&d).unwrap();
    let (mut checker, options) = (MotionChecker::new(&world), EdgeOptions::default());
    let mut kinds = [0; 3];
    for _ in 0..300 {
        let [from, to] = [0; 2].map(|_| (0..5).map(|_| rng.range(-1.2, 1.2)).collect::<Vec<_>>());
        let piece = SplinePiece::linear_between(&world, rng.decades(-2.0, 1.0), [&from, &to]).unwrap();
        let edge = checker.check_edge([&from, &to], &options).unwrap();
        let edge_counts = checker.edge_counts();
        match (edge, checker.check_spline(&piece, &options).unwrap()) {
            (Edge::Free, Edge::Free) => {
                kinds[0] += 1;
                assert_eq!(edge_counts.poses, checker.edge_counts().poses + 2);
            }
            (Edge::Contact { first: [a, b], pair, .. }, Edge::Contact { first: [c, d], pair: other, .. }) => {
                kinds[1] += 1;
                assert!(pair == other && (a - c).abs().max((b - d).abs()) < 1e-5, "{a} {b} {c} {d}");
            }
            (Edge::Unknown { .. }, Edge::Unknown { .. }) => kinds[2] += 1,
            (edge, spline) => panic!("{edge:?} {spline:?}"),
        }
    }
    assert!(kinds[0] > 50 && kinds[1] > 50, "{kinds:?}");
}

#[test]
fn a_tube_is_proved_as_far_as_it_is_free() {
    let world = turning_ball();
    let options = EdgeOptions::default().margin(0.0);
    let rest = [&[0.0; 2][..], &[0.0; 2]];
    let known = angle_of_contact();
    let piece = SplinePiece::quintic_between(&world, 2.0, [&[0.0, 0.0], &[1.1, 0.0]], rest, rest).unwrap();
    let within = |by: f64| piece.clone().with_tolerance(&world, &[by, 0.0]).unwrap();
    // It is proved up to what is left; what is bounded in one direction loses little.
    assert_eq!(check_anew(&world, &within(0.85 * (known - 1.1)), &options), Edge::Free);
    let wide = check_anew(&world, &within(1.01 * (known - 1.1)), &options);
    assert!(matches!(wide, Edge::Unknown { at: [a, _], .. } if a > 0.5), "{wide:?}");
    let mut checker = MotionChecker::new(&world);
    let factor = checker.largest_tolerance(&within(0.5), &options).unwrap().unwrap();
    assert!((0.85..=1.0).contains(&(0.5 * factor / (known - 1.1))), "{factor}");
    let least = checker.largest_tolerance(&within(0.001), &options).unwrap().unwrap();
    assert!((0.98..1.02).contains(&(0.001 * least / (0.5 * factor))), "{least} {factor}");
    assert_eq!(checker.largest_tolerance(&piece, &options).unwrap(), Some(f64::from(1 << 20)));
    // What touches itself is told so, with a tolerance as without.
    let touches = SplinePiece::quintic_between(&world, 2.0, [&[0.0, 0.0], &[1.4, 0.0]], rest, rest).unwrap();
    let tube = touches.clone().with_tolerance(&world, &[0.02, 0.01]).unwrap();
    let (own, with) = (check_anew(&world, &touches, &options), check_anew(&world, &tube, &options));
    let (Edge::Contact { first, .. }, Edge::Contact { first: same, free_until, open, .. }) = (own, with)
    else {
        panic!("{own:?} {with:?}")
    };
    assert!(first == same && free_until < first[0] && open.is_some(), "{own:?} {with:?}");
    assert_eq!(checker.largest_tolerance(&tube, &options).unwrap(), None);
    // Standing still has a tube too.
    let still = SplinePiece::linear_between(&world, 1.0, [&[1.1, 0.0], &[1.1, 0.0]]).unwrap();
    assert_eq!(check_anew(&world, &still, &options), Edge::Free);
    let tube = |by: f64| still.clone().with_tolerance(&world, &[by, 0.0]).unwrap();
    assert_eq!(check_anew(&world, &tube(0.1), &options), Edge::Free);
    assert!(matches!(check_anew(&world, &tube(0.2), &options), Edge::Unknown { .. }));
}

#[test]
fn a_certificate_is_of_its_own_piece_and_tolerance() {
    let world = turning_ball();
    let options = EdgeOptions::default().margin(0.0);
    let rest = [&[0.0; 2][..], &[0.0; 2]];
    let to =
        |angle: f64| SplinePiece::cubic_between(&world, 1.0, [&[0.0, 0.0], &[angle, 0.0]], rest).unwrap();
    let mut checker = MotionChecker::new(&world);
    assert_eq!(checker.check_spline(&to(1.2), &options).unwrap(), Edge::Free);
    let pieces = checker.pieces().to_vec();
    verify_spline(&world, &to(1.2), &pieces, &options).unwrap();
    let not_proved = |piece: &SplinePiece, pieces: &[Piece]| {
        let found = verify_spline(&world, piece, pieces, &options);
        assert!(matches!(found, Err(CertificateFault::NotProved { .. })), "{found:?}");
    };
    not_proved(&to(1.35), &pieces);
    not_proved(&to(1.2).with_tolerance(&world, &[0.1, 0.0]).unwrap(), &pieces);
    // A gap that is hidden by a wider piece.
    let mut wider = pieces[..1].to_vec();
    wider[0].t = [0.0, 1.0];
    verify_spline(&world, &to(0.5), &wider, &options).unwrap();
    not_proved(&to(2.2), &wider);
    assert!(verify_spline(&world, &to(4.5), &pieces, &options).is_err(), "beyond limits");
}

#[test]
fn limits_hold_between_the_ends() {
    let world = turning_ball();
    let mut checker = MotionChecker::new(&world);
    let options = EdgeOptions::default().margin(0.0);
    // From 3.9 rad back to it at 1 rad/s: 4.15 after half a second, beyond 4.
    let (at, rates) = ([&[3.9, 0.0][..], &[3.9, 0.0]], [&[1.0, 0.0][..], &[-1.0, 0.0]]);
    let swings = SplinePiece::cubic_between(&world, 1.0, at, rates).unwrap();
    let fault = checker.check_spline(&swings, &options).unwrap_err();
    let SplineFault::Values(faults) = &fault else { panic!("{fault}") };
    let SplineProblem::OutOfLimits { value, upper, at, .. } = faults[0].problem else { panic!("{fault}") };
    assert!(faults.len() == 1 && faults[0].name == "r/j1" && upper == 4.0 && value > 4.0, "{fault}");
    assert!((value - values_at(&swings, at, 2)[0]).abs() < 1e-12, "{fault}");
    assert!(fault.to_string().contains("outside its limits -4 to 4"), "{fault}");
    let ignoring = EdgeOptions { set: SetOptions { ignore_limits: true }, ..options };
    assert_eq!(check_anew(&world, &swings, &ignoring), Edge::Free);
    // Up to the limit itself, at rest; its tolerance may lead beyond.
    let rest = [&[0.0; 2][..], &[0.0; 2]];
    let up = SplinePiece::quintic_between(&world, 1.0, [&[2.5, 0.0], &[4.0, 0.0]], rest, rest).unwrap();
    assert_eq!(check_anew(&world, &up, &options), Edge::Free);
    let tube = up.with_tolerance(&world, &[0.01, 0.01]).unwrap();
    assert_eq!(check_anew(&world, &tube, &options), Edge::Free);
}

#[test]
fn what_is_no_piece_is_refused_by_name() {
    let world = turning_ball();
    let (p, q) = ([0.0, 0.0], [1.0, 0.0]);
    for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let fault = SplinePiece::linear_between(&world, seconds, [&p, &q]).unwrap_err();
        assert!(matches!(fault, SplineFault::Seconds(_)), "{fault}");
    }
    let fault = SplinePiece::cubic_between(&world, 1.0, [&p, &q], [&p, &q[1..]]).unwrap_err();
    assert!(fault.to_string().contains("1 velocities were given"), "{fault}");
    let mut rows = [[0.0; 6]; 2];
    (rows[0][3], rows[1][5]) = (f64::NAN, 1e12);
    let fault = SplinePiece::new(&world, 1.0, &rows).unwrap_err().to_string();
    assert!(fault.contains("r/j1") && fault.contains("coefficient 3") && fault.contains("r/j2"), "{fault}");
    let piece = SplinePiece::linear_between(&world, 1.0, [&p, &q]).unwrap();
    for bad in [-0.1, f64::NAN, f64::INFINITY] {
        let fault = piece.clone().with_tolerance(&world, &[0.1, bad]).unwrap_err().to_string();
        assert!(fault.contains("r/j2") && !fault.contains("r/j1"), "{fault}");
    }
    let other = World::compile(&alone(row_of_balls("s", 3, 0.5, 0.1))).unwrap();
    let fault = MotionChecker::new(&other).check_spline(&piece, &EdgeOptions::default()).unwrap_err();
    assert!(matches!(fault, SplineFault::OtherWorld), "{fault}");
}

/// A quaternion that is turned about an axis.
fn turn_by([w, x, y, z]: [f64; 4], axis: Vec3, angle: f64) -> [f64; 4] {
    let (sine, cosine) = sin_cos(0.5 * angle);
    let (v, by) = (Vec3 { x, y, z }, axis * sine);
    let turned = by * w + v * cosine + v.cross(by);
    [w * cosine - v.dot(by), turned.x, turned.y, turned.z]
}

/// A bar on a planar or floating base, with a joint of its own, among balls: what is proved of tubes holds at
/// random executions within them.
#[test]
fn executions_within_a_tube_of_a_base_that_moves_are_free() {
    let mut rng = Rng::new(8);
    let (mut free, mut other) = (0, 0);
    for case in 0..240 {
        let kind = if case % 2 == 0 { JointKind::Planar } else { JointKind::Floating };
        let mut robot =
            chain("r", &[(kind, [0.0; 3], Vec3::Z), (JointKind::Revolute, [0.5, 0.0, 0.0], Vec3::Y)]);
        robot.links[1].shapes = vec![shape(ShapeDescription::Box { size: [0.8, 0.3, 0.1] })];
        robot.links[2].shapes = vec![ball(0.4, 0.0, 0.0, 0.1)];
        let mut d = alone(robot);
        for k in 0..6 {
            let at = rng.direction() * rng.range(0.6, 1.2);
            d.obstacles.push(obstacle(&k.to_string(), at.to_array(), vec![ball(0.0, 0.0, 0.0, 0.12)]));
        }
        let world = World::compile(&d).unwrap();
        let count = world.dof_names().len();
        let mut draw = |size: f64, unit: bool| {
            let mut values: Vec<f64> = (0..count).map(|_| rng.range(-size, size)).collect();
            if kind == JointKind::Floating {
                values[3..7].copy_from_slice(&if unit { rng.quaternion() } else { [0.0; 4] });
            }
            values
        };
        let (ends, rates) = ([draw(0.3, true), draw(0.3, true)], [draw(0.6, false), draw(0.6, false)]);
        let mut tolerance = vec![[0.0, 0.003, 0.02][case % 3]; count];
        if kind == JointKind::Floating {
            tolerance[4..7].fill(0.0);
        }
        let own = SplinePiece::cubic_between(
            &world,
            1.5,
            ends.each_ref().map(|q| &q[..]),
            rates.each_ref().map(|q| &q[..]),
        );
        let piece = own.unwrap().with_tolerance(&world, &tolerance).unwrap();
        let options = EdgeOptions::default().margin(0.0);
        if check_anew(&world, &piece, &options) != Edge::Free {
            other += 1;
            continue;
        }
        free += 1;
        let mut checker = Checker::new(&world);
        for _ in 0..200 {
            let mut values = values_at(&piece, rng.unit(), count);
            let turned = [values.get(3), values.get(4), values.get(5), values.get(6)].map(|v| v.copied());
            for (value, own) in values.iter_mut().zip(&tolerance) {
                // The ends of a tolerance more often than its middle.
                *value += own * rng.range(-1.5, 1.5).clamp(-1.0, 1.0);
            }
            if kind == JointKind::Floating {
                let by = tolerance[3] * rng.range(-1.5, 1.5).clamp(-1.0, 1.0);
                let turned = turned.map(|v| v.unwrap_or_default());
                values[3..7].copy_from_slice(&turn_by(turned, rng.direction(), by));
            }
            checker.set_with(&values, SetOptions { ignore_limits: true }).unwrap();
            let answer = checker.ask(&Question::test().margin(0.0));
            assert!(answer.interval.upper >= 0.0, "{case}: {values:?} {answer:?}");
        }
    }
    assert!(free > 40 && other > 40, "{free} {other}");
}

/// Two turning balls side by side: what one of them does to a post counts for all pairs, and not for those
/// between robots.
#[test]
fn pairs_between_robots_can_be_asked_alone() {
    let robot = |name: &str| {
        let mut robot = chain(name, &[(JointKind::Revolute, [0.0; 3], Vec3::Z)]);
        robot.links[1].shapes.push(ball(1.0, 0.0, 0.0, 0.1));
        robot
    };
    let mut d = alone(robot("a"));
    let mut second = alone(robot("b")).robots.remove(0);
    second.name = "b".into();
    second.base_in_world.translation = Vec3 { x: 0.0, y: 0.0, z: 0.25 };
    d.robots.push(second);
    d.obstacles.push(obstacle("post", [0.0, 1.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.12)]));
    let world = World::compile(&d).unwrap();
    let between = EdgeOptions { pairs: EdgePairs::BetweenRobots, ..EdgeOptions::default() };
    // One above the other they are 5 cm apart; the lower one meets the post.
    let ends = [&[0.0, 0.0][..], &[2.0, 2.0]];
    let mut checker = MotionChecker::new(&world);
    assert!(matches!(checker.check_edge(ends, &EdgeOptions::default()), Ok(Edge::Contact { .. })));
    assert_eq!(checker.check_edge(ends, &between), Ok(Edge::Free));
    verify(&world, ends, checker.pieces(), &between).unwrap();
    assert!(verify(&world, ends, checker.pieces(), &EdgeOptions::default()).is_err());
    assert!(verify(&world, ends, &[], &between).is_err(), "there is a pair between them");
    // Of one robot there is none.
    let world = turning_ball();
    let mut checker = MotionChecker::new(&world);
    let ends = [&[0.0, 0.0][..], &[2.0, 0.0]];
    assert_eq!(checker.check_edge(ends, &between), Ok(Edge::Free));
    assert!(matches!(checker.check_edge(ends, &EdgeOptions::default()), Ok(Edge::Contact { .. })));
}

/// Two balls 5 mm apart that one joint turns, and of which another slides one: by however much the turn may
/// be off, both are off alike. Only the slide brings them together.
#[test]
fn a_tolerance_is_shared_by_bodies_that_the_same_joint_carries() {
    let joints = [
        (JointKind::Continuous, [0.0; 3], Vec3::Z),
        (JointKind::Prismatic, [0.0; 3], Vec3::Y),
        (JointKind::Prismatic, [0.0; 3], Vec3::Z),
    ];
    let mut robot = chain("r", &joints);
    robot.links[1].shapes.push(ball(0.5, 0.0, 0.0, 0.1));
    robot.links[3].shapes.push(ball(0.5, 0.205, 0.0, 0.1));
    let world = World::compile(&alone(robot)).unwrap();
    let ends = [&[0.0; 3][..], &[2.0, 0.0, 0.001]];
    let piece = SplinePiece::linear_between(&world, 1.0, ends).unwrap();
    let with = |tolerance: [f64; 3]| {
        let tube = piece.clone().with_tolerance(&world, &tolerance).unwrap();
        check_anew(&world, &tube, &EdgeOptions::default())
    };
    assert_eq!(with([3.0, 0.004, 0.0]), Edge::Free);
    assert_ne!(with([3.0, 0.0051, 0.0]), Edge::Free);
    assert_ne!(with([0.0, 0.0051, 0.0]), Edge::Free);
}
