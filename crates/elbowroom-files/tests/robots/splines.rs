//! Splines in time of real robots among obstacles, and tubes around them: arms, hands that mimic, two arms,
//! an arm on a base that drives and one on a base that flies. No piece that is called free has an execution
//! within its tolerance that collides at a sample, and the piece itself collides at no sample before what is
//! told of a contact.
//!
//! `ELBOWROOM_SPLINES` is the number of pieces of each cell (`cargo xtask race`: 1,200), each that is free
//! then sampled at 2,000 instants: more than ten million samples. The race counts how many free pieces came
//! within a millimetre of an overlap at a sample.

use crate::cells::{Cell, compile_world, load_description, load_robot_cells, panda_cells};
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use crate::support::threads::run_each;
use elbowroom::describe::{JointDescription, JointKind, LinkDescription};
use elbowroom::math::{Transform, Vec3, sin_cos};
use elbowroom::motion::{
    CertificateFault, Edge, EdgeOptions, MotionChecker, SplinePiece, ranges, verify_spline,
};
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, Geometry, Question, World};

/// What counts as near (metres).
const NEAR: f64 = 1e-3;

#[derive(Clone, Copy, Debug, Default)]
struct SplineTally {
    free: u64,
    tubes: u64,
    contact: u64,
    unknown: u64,
    samples: u64,
    near: u64,
}

/// A cell whose first robot stands on a base of several values.
fn on_base(name: &str, kind: JointKind) -> Option<Cell> {
    let mut description = load_description("dual_panda_moveit/panda.urdf", true)?;
    let robot = &mut description.robots[0].robot;
    let is_child = |link: &LinkDescription| robot.joints.iter().any(|joint| joint.child == link.name);
    let root = robot.links.iter().find(|link| !is_child(link))?.name.clone();
    robot.links.push(LinkDescription { name: "ground".into(), shapes: vec![] });
    robot.joints.push(JointDescription {
        name: "base".into(),
        kind,
        parent: "ground".into(),
        child: root,
        joint_in_parent: Transform::IDENTITY,
        axis: Vec3::Z,
        limits: None,
        mimic: None,
    });
    let mut cell = panda_cells(1).pop()?;
    description.obstacles = core::mem::take(&mut cell.description.obstacles);
    Some(Cell { name: name.into(), description })
}

/// Whether a value is one of a quaternion's four, and the first of them.
fn quaternion_starts(world: &World) -> Vec<usize> {
    (0..world.dof_names().len()).filter(|i| world.dof_names()[*i].ends_with("/rot_w")).collect()
}

/// Values within limits; bases stay within half a metre.
fn draw_near(world: &World, rng: &mut Rng) -> Vec<f64> {
    let mut values: Vec<f64> = ranges(world)
        .iter()
        .map(|[low, high]| rng.range(low.max(-3.0).min(*high) + 1e-8, high.min(3.0).max(*low) - 1e-8))
        .collect();
    let base = |name: &String| name.contains("/base/");
    for (i, _) in world.dof_names().iter().enumerate().filter(|(_, name)| base(name)) {
        values[i] = rng.range(-0.5, 0.5);
    }
    for i in quaternion_starts(world) {
        values[i..i + 4].copy_from_slice(&rng.quaternion());
    }
    values
}

/// A piece from a pose, in a random time: a cubic or a quintic, at rest or at speed.
fn draw_piece(world: &World, from: &[f64], size: f64, rng: &mut Rng) -> Option<SplinePiece> {
    let (starts, seconds) = (quaternion_starts(world), rng.decades(-1.0, 1.0));
    let other = draw_near(world, rng);
    let mut to: Vec<f64> = from
        .iter()
        .zip(ranges(world))
        .map(|(q, [low, high])| (q + size * rng.range(-1.0, 1.0)).clamp(low + 1e-8, high - 1e-8))
        .collect();
    let at_rest = rng.chance(0.3);
    let mut rates = [1, 1, 2, 2].map(|power| -> Vec<f64> {
        let most = if at_rest { 0.0 } else { 2.0 * size / seconds.powi(power) };
        from.iter().map(|_| rng.range(-most, most)).collect()
    });
    for i in starts {
        to[i..i + 4].copy_from_slice(&other[i..i + 4]);
        rates.iter_mut().for_each(|rate| rate[i..i + 4].fill(0.0));
    }
    let [v, w, a, b] = rates.each_ref().map(|rate| &rate[..]);
    let piece = if rng.chance(0.5) {
        SplinePiece::cubic_between(world, seconds, [from, &to], [v, w])
    } else {
        SplinePiece::quintic_between(world, seconds, [from, &to], [v, w], [a, b])
    };
    piece.ok()
}

/// An execution within the tolerance at a fraction.
fn executed(world: &World, piece: &SplinePiece, t: f64, tolerance: &[f64], rng: &mut Rng) -> Vec<f64> {
    let mut values = vec![0.0; tolerance.len()];
    piece.write_values(t, &mut values);
    let starts = quaternion_starts(world);
    // The ends of a tolerance more often than its middle.
    let off = |rng: &mut Rng| rng.range(-1.5, 1.5).clamp(-1.0, 1.0);
    for (i, (value, own)) in values.iter_mut().zip(tolerance).enumerate() {
        if !starts.iter().any(|start| (*start..start + 4).contains(&i)) {
            *value += own * off(rng);
        }
    }
    for i in starts {
        let (sine, cosine) = sin_cos(0.5 * tolerance[i] * off(rng));
        let by = rng.direction() * sine;
        let [w, x, y, z] = [0, 1, 2, 3].map(|k| values[i + k]);
        let v = Vec3 { x, y, z };
        let turned = by * w + v * cosine + v.cross(by);
        values[i..i + 4].copy_from_slice(&[w * cosine - v.dot(by), turned.x, turned.y, turned.z]);
    }
    values
}

fn race_cell(name: &str, world: &World, pieces: u64, samples: u64, seed: u64) -> SplineTally {
    let (mut checker, mut edges) = (Checker::new(world), MotionChecker::new(world));
    let (mut tally, rng) = (SplineTally::default(), &mut Rng::new(seed));
    // Executions may leave limits.
    let loose = SetOptions { ignore_limits: true };
    for k in 0..pieces {
        let geometry = if k % 4 == 3 { Geometry::Mesh } else { Geometry::Hull };
        let question = Question::test().margin(0.0).geometry(geometry);
        let mut from = draw_near(world, rng);
        for _ in 0..20 {
            checker.set(&from).unwrap();
            if checker.ask(&question).interval.lower > 0.0 {
                break;
            }
            from = draw_near(world, rng);
        }
        let size = [0.05, 0.2, 0.6][(k % 3) as usize];
        let Some(piece) = draw_piece(world, &from, size, rng) else { continue };
        // Each second one has a tolerance.
        let mut tolerance = vec![if k % 2 == 0 { 0.0 } else { rng.decades(-5.0, -1.7) }; from.len()];
        quaternion_starts(world).iter().for_each(|i| tolerance[i + 1..i + 4].fill(0.0));
        let piece = piece.with_tolerance(world, &tolerance).unwrap();
        let options = EdgeOptions { set: loose, ..EdgeOptions::default().margin(0.0).geometry(geometry) };
        let answer = edges.check_spline(&piece, &options).unwrap();
        let place = format!("{name}, seed {seed}, piece {k}, {geometry:?}: {answer:?}, {piece:?}");
        match answer {
            Edge::Free => {
                (tally.free, tally.tubes) = (tally.free + 1, tally.tubes + u64::from(k % 2 == 1));
                let mut near = false;
                for i in 0..samples {
                    let t = if i < 2 { i as f64 } else { rng.unit() };
                    let values = executed(world, &piece, t, &tolerance, rng);
                    checker.set_with(&values, loose).unwrap();
                    let margin = if near { 0.0 } else { NEAR };
                    let interval = checker.ask(&question.margin(margin)).interval;
                    assert!(interval.upper >= 0.0, "{place}, but {values:?} collides at {t}");
                    near |= interval.upper < NEAR;
                }
                (tally.samples, tally.near) = (tally.samples + samples, tally.near + u64::from(near));
                if k % 8 < 2 {
                    let pieces = edges.pieces().to_vec();
                    verify_spline(world, &piece, &pieces, &options)
                        .unwrap_or_else(|f| panic!("{place}: {f}"));
                    let none = verify_spline(world, &piece, &[], &options);
                    assert!(matches!(none, Err(CertificateFault::Gap { .. })), "{place}: {none:?}");
                }
            }
            Edge::Contact { first: [a, b], free_until, .. } => {
                tally.contact += 1;
                assert!(free_until <= a && a <= b && b <= 1.0, "{place}");
                let mut values = vec![0.0; from.len()];
                piece.write_values(b, &mut values);
                checker.set_with(&values, loose).unwrap();
                assert!(checker.ask(&question).interval.upper < 0.0, "{place}");
                // Before it every execution is free; where it is 0, nothing is said.
                for i in 0..if free_until > 0.0 { 50 } else { 0 } {
                    let values = executed(world, &piece, free_until * f64::from(i) / 50.0, &tolerance, rng);
                    checker.set_with(&values, loose).unwrap();
                    assert!(checker.ask(&question).interval.upper >= 0.0, "{place}, but {values:?} collides");
                }
            }
            Edge::Unknown { .. } => tally.unknown += 1,
        }
    }
    tally
}

#[test]
fn no_execution_of_a_free_spline_collides() {
    let long = number_from_environment("ELBOWROOM_SPLINES", 0);
    let Some(mut cells) = load_robot_cells(long > 0) else { return };
    cells.extend(panda_cells(2));
    cells.extend(on_base("panda that drives", JointKind::Planar));
    cells.extend(on_base("panda that flies", JointKind::Floating));
    let (pieces, samples) = if long > 0 { (long, 2000) } else { (24, 60) };
    let tallies = run_each(cells.len(), |i| {
        let (cell, start) = (&cells[i], std::time::Instant::now());
        let world = compile_world(&cell.description);
        let seed = number_from_environment("ELBOWROOM_RACE_FROM", 39) + i as u64;
        let tally = race_cell(&cell.name, &world, pieces, samples, seed);
        println!("{}: {tally:?}, {:.1} s", cell.name, start.elapsed().as_secs_f64());
        tally
    });
    let sum = |of: fn(&SplineTally) -> u64| tallies.iter().map(of).sum::<u64>();
    let all = sum(|t| t.free) + sum(|t| t.contact) + sum(|t| t.unknown);
    println!("{all} pieces, {} samples, {} within {NEAR} m", sum(|t| t.samples), sum(|t| t.near));
    assert!(sum(|t| t.free) * 5 > all && sum(|t| t.contact) * 8 > all, "{tallies:?}");
    assert!(sum(|t| t.tubes) * 5 > sum(|t| t.free) && sum(|t| t.near) > 0, "{tallies:?}");
}
