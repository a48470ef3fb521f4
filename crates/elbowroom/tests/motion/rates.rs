//! How fast splines go: known answers, and samples that may not be beyond what is proved.

use crate::support::describe::*;
use crate::support::rng::Rng;
use elbowroom::World;
use elbowroom::motion::{EdgeOptions, MotionChecker, SplineFault, SplinePeak, SplinePiece};

fn two_joints() -> World {
    World::compile(&alone(row_of_balls("r", 2, 0.5, 0.1))).unwrap()
}

const REST: [&[f64]; 2] = [&[0.0; 2], &[0.0; 2]];

#[test]
fn a_quintic_from_rest_to_rest_is_as_fast_as_its_formulas() {
    let world = two_joints();
    for (way, seconds) in [(1.0, 1.0), (-0.7, 0.3), (2.5, 7.0), (1e-3, 1e-2)] {
        let ends = [&[0.2, 0.1][..], &[0.2 + way, 0.1]];
        let piece = SplinePiece::quintic_between(&world, seconds, ends, REST, REST).unwrap();
        let size = f64::abs(way);
        let known = [
            1.875 * size / seconds,
            10.0 / 3.0_f64.sqrt() * size / seconds.powi(2),
            60.0 * size / seconds.powi(3),
        ];
        for (order, known) in (1..).zip(known) {
            let peak = piece.find_rate_peak(0, order, 0.0).unwrap();
            assert!((peak.reached / known - 1.0).abs() < 2e-9, "{order}: {peak:?} {known}");
            assert!(peak.reached <= peak.bound && peak.bound <= known * (1.0 + 1e-9), "{order}: {peak:?}");
            assert!((peak.at * seconds - peak.seconds).abs() < 1e-12);
            // Its own largest rate is within the limit, and a little less is not.
            assert_eq!(piece.find_rate_fault(0, order, known), None, "{order}");
            let fault = piece.find_rate_fault(0, order, known * (1.0 - 1e-8)).unwrap();
            assert!(fault.reached > known * (1.0 - 1e-8), "{order}: {fault:?}");
            // What stands still has no rate.
            assert_eq!(piece.find_rate_peak(1, order, 0.0).unwrap().bound, 0.0);
        }
        let fastest = piece.find_rate_peak(0, 1, 0.0).unwrap();
        assert!((fastest.at - 0.5).abs() < 1e-4, "{fastest:?}");
        assert!(piece.find_swing(0, 1e-9).unwrap().bound <= 1e-9);
    }
}

#[test]
fn lines_and_cubics_are_as_fast_as_their_formulas() {
    let world = two_joints();
    let line = SplinePiece::linear_between(&world, 0.5, [&[1.0, 0.0], &[0.0, 0.0]]).unwrap();
    let peak = line.find_rate_peak(0, 1, 0.0).unwrap();
    assert!((peak.reached - 2.0).abs() < 1e-12 && peak.bound >= 2.0, "{peak:?}");
    assert_eq!(line.find_rate_fault(0, 1, 2.0), None);
    assert!(line.find_rate_peak(0, 2, 0.0).unwrap().bound < 1e-9);
    // From rest to rest: 1.5 in the middle, accelerations 6 at its ends, jerk 12 throughout.
    let cubic = SplinePiece::cubic_between(&world, 1.0, [&[0.0, 0.0], &[1.0, 0.0]], REST).unwrap();
    for (order, known, at) in [(1, 1.5, 0.5), (2, 6.0, 0.0), (3, 12.0, 0.0)] {
        let peak = cubic.find_rate_peak(0, order, 0.0).unwrap();
        assert!((peak.reached / known - 1.0).abs() < 1e-9 && peak.bound < known * (1.0 + 1e-9), "{peak:?}");
        assert!((peak.at - at).abs() < 1e-4 || order == 3, "{peak:?}");
        assert_eq!(cubic.find_rate_fault(0, order, known), None);
    }
    // From 0 back to it at 1 rad/s: a quarter of a radian beyond both ends.
    let swings =
        SplinePiece::cubic_between(&world, 1.0, [&[0.0; 2], &[0.0; 2]], [&[1.0, 0.0], &[-1.0, 0.0]]).unwrap();
    let swing = swings.find_swing(0, 0.01).unwrap();
    assert!((swing.reached - 0.25).abs() < 1e-9 && (swing.at - 0.5).abs() < 1e-4, "{swing:?}");
    assert!(swings.find_swing(1, 0.01).unwrap().bound <= 0.01);
    // Where less than that matters, no more than a bound is found.
    assert!(swings.find_swing(0, 1.0).unwrap().bound <= 1.0);
    assert_eq!(swings.find_rate_peak(2, 1, 0.0), None, "no such value");
}

#[test]
fn no_sample_is_faster_than_what_is_proved() {
    let (world, mut rng) = (two_joints(), Rng::new(39));
    let (mut inside, mut near) = (0, 0);
    for case in 0..1500 {
        let seconds = rng.range(0.01, 4.0);
        let mut row = [0.0; 6];
        for (k, c) in row.iter_mut().enumerate().take(2 + case % 5) {
            *c = rng.range(-1.0, 1.0) / f64::powi(seconds, k as i32);
        }
        let piece = SplinePiece::new(&world, seconds, &[row, [0.0; 6]]).unwrap();
        // By power of the seconds, the derivative that is asked for.
        for order in 1..=3_u8 {
            let mut own = row.to_vec();
            for _ in 0..order {
                own = own.iter().enumerate().skip(1).map(|(k, c)| c * k as f64).collect();
            }
            let rate = |t: f64| own.iter().rev().fold(0.0, |sum, c| sum * t + c).abs();
            let SplinePeak { reached, bound, seconds: at, .. } = piece.find_rate_peak(0, order, 0.0).unwrap();
            let sampled = (0..=1000).map(|k| rate(seconds * f64::from(k) / 1000.0)).fold(0.0, f64::max);
            assert!(sampled <= bound + 1e-12 * bound, "{case} {order}: {sampled} {bound}");
            assert!(rate(at) >= reached * (1.0 - 1e-10), "{case} {order}: {at} {reached}");
            assert!((bound - reached) <= 1e-9 * reached || bound < 1e-9, "{case} {order}: {bound} {reached}");
            inside += usize::from(at > 0.0 && at < seconds);
            near += usize::from(sampled > 0.9 * bound);
        }
    }
    assert!(inside > 100 && near > 3000, "{inside} {near}");
}

#[test]
fn what_ends_inside_is_held_against_its_limits() {
    let world = two_joints();
    // Beyond 4 rad by less than rounding, and by more.
    for (top, is_beyond) in [(4.0, false), (4.0 + 1e-10, false), (4.0 + 1e-7, true)] {
        let ends = [&[top - 0.25, 0.0][..], &[top - 0.25, 0.0]];
        let piece = SplinePiece::cubic_between(&world, 1.0, ends, [&[1.0, 0.0], &[-1.0, 0.0]]).unwrap();
        let mut checker = MotionChecker::new(&world);
        let found = checker.check_spline(&piece, &EdgeOptions::default());
        match found {
            Ok(_) => assert!(!is_beyond, "{top}"),
            Err(SplineFault::Values(faults)) => assert!(is_beyond && faults.len() == 1, "{faults:?}"),
            Err(fault) => panic!("{fault}"),
        }
    }
}
