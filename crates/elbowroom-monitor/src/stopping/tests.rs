use super::*;
use std::f64::consts::PI;

const STILL: Range = Range::exactly(0.0);
/// A brake that acts at once: what is left is the latency.
const AT_ONCE: Brake = Brake::Linear { slope: STILL, offset: STILL, fastest: f64::INFINITY };
const HELD: Profile = Profile::Velocity { drift: STILL };

fn state(position: f64, velocity: f64) -> JointState {
    JointState { position: Range::exactly(position), velocity: Range::exactly(velocity) }
}

fn row(speed: f64, way: f64) -> StopRow {
    StopRow { speed: Range::exactly(speed), way: Range::exactly(way) }
}

fn fault_places(faults: &Faults) -> Vec<String> {
    faults.0.iter().map(|fault| fault.place.to_string()).collect()
}

#[test]
fn equations_6_and_7() {
    // 100 degrees a second, read 30 ms late: 3 degrees.
    let stopping = Stopping::new(HELD, AT_ONCE, Range::exactly(0.03)).unwrap();
    let passed = stopping.passed_positions(&state(0.0, 100.0_f64.to_radians()));
    assert_eq!(passed.least, 0.0);
    let angle = passed.most;
    assert!((angle.to_degrees() - 3.0).abs() < 1e-12 && angle >= 100.0_f64.to_radians() * 0.03);
    // A finger of 155 mm: 8.11 mm. The fingertip moves along an arc, whose chord is a little longer.
    let tip = 155.0 * libm::sin(angle);
    assert_eq!((tip * 100.0).round() / 100.0, 8.11);
    let chord = 2.0 * 155.0 * libm::sin(angle / 2.0);
    assert!(tip < chord && chord < 155.0 * angle, "{tip} {chord}");
}

#[test]
fn the_predictions_of_equations_8_to_10_lie_in_the_interval() {
    let period = 1.0 / 30.0;
    for (before, now, acceleration) in [(0.1, 0.15, 0.0), (0.1, 0.15, 2.0), (0.3, 0.2, 1.0), (0.0, 0.0, 3.0)]
    {
        let velocity = (now - before) / period;
        let most = f64::max(acceleration, 0.5);
        let ramp = Profile::Ramp { acceleration: Range::exactly(most), speed: Range::exactly(9.0) };
        let ramp = Stopping::new(ramp, AT_ONCE, Range::exactly(period)).unwrap();
        let held = Stopping::new(HELD, AT_ONCE, Range::exactly(period)).unwrap();
        let given = JointState { position: Range::about(now, 1e-12), velocity: Range::about(velocity, 1e-9) };
        // Eq. 8: the last difference again. Eq. 10: the velocity over the delay. Eq. 9: with an acceleration.
        let eighth = now + (now - before);
        let tenth = velocity * period + now;
        assert!(
            ramp.passed_positions(&given).contains(eighth) && held.passed_positions(&given).contains(eighth)
        );
        assert!(
            ramp.passed_positions(&given).contains(tenth) && held.passed_positions(&given).contains(tenth)
        );
        for share in 0..=10 {
            let time = period * f64::from(share) / 10.0;
            let ninth = acceleration / 2.0 * time * time + velocity * time + now;
            assert!(ramp.passed_positions(&given).contains(ninth));
        }
    }
    // The paper's sin^2, with and without the pi: the velocity's integral, by its sum.
    let (peak, duration, period) = (1.5, 0.8, 0.1);
    let profile = Profile::SinSquared { peak: Range::exactly(peak), duration: Range::exactly(duration) };
    let stopping = Stopping::new(profile, AT_ONCE, Range::exactly(period)).unwrap();
    for turn in [1.0, PI] {
        for start in [0.0, 0.1, 0.3, 0.5, 0.7] {
            let velocity = |t: f64| peak * libm::pow(libm::sin(turn * t / duration), 2.0);
            let steps = 1000;
            let middle = |step: i32| start + period * (f64::from(step) + 0.5) / f64::from(steps);
            let way: f64 =
                (0..steps).map(|step| velocity(middle(step))).sum::<f64>() * period / f64::from(steps);
            let passed = stopping.passed_positions(&state(0.0, velocity(start)));
            assert!(passed.contains(way - 1e-8), "{turn} {start}: {way} {passed:?}");
        }
    }
}

#[test]
fn what_moves_away_is_not_in_front() {
    let ramp = Profile::Ramp { acceleration: Range::exactly(1.0), speed: Range::exactly(2.0) };
    let stopping =
        Stopping::new(ramp, Brake::Deceleration(Range::about(5.0, 1.0)), Range::exactly(0.1)).unwrap();
    let passed = stopping.passed_positions(&state(1.0, -0.5));
    assert_eq!(passed.most, 1.0);
    // 0.5 x 0.1 + 0.005, then 0.6^2 / 8.
    assert!((passed.least - (1.0 - 0.055 - 0.045)).abs() < 1e-12, "{passed:?}");
    // The mirror, to the bit.
    let mirror = stopping.passed_positions(&state(-1.0, 0.5));
    assert_eq!((-mirror.most, -mirror.least), (passed.least, passed.most));
    // Slow enough to turn back within the latency: both ways, and short.
    let both = stopping.passed_positions(&state(1.0, -0.05));
    assert!(both.most > 1.0 && both.most < 1.001 && both.least < 0.99, "{both:?}");
}

#[test]
fn a_joint_at_rest_that_nothing_moves_passes_nothing() {
    for brake in [AT_ONCE, Brake::Deceleration(Range::exactly(1.0))] {
        let stopping = Stopping::new(HELD, brake, Range::exactly(0.1)).unwrap();
        assert_eq!(stopping.passed_positions(&state(0.3, 0.0)), Range::exactly(0.3));
    }
}

#[test]
fn a_ramp_ends_at_its_speed_and_a_joint_that_is_faster_stays_so() {
    let ramp = Profile::Ramp { acceleration: Range::exactly(10.0), speed: Range::exactly(1.0) };
    let stopping = Stopping::new(ramp, AT_ONCE, Range::exactly(1.0)).unwrap();
    // 0.1 s to reach 1 rad/s, 0.05 rad; then 0.9 rad.
    assert!((stopping.passed_positions(&state(0.0, 0.0)).most - 0.95).abs() < 1e-12);
    assert!((stopping.passed_positions(&state(0.0, 3.0)).most - 3.0).abs() < 1e-12);
    let moves = Profile::SinSquared { peak: Range::exactly(1.0), duration: Range::exactly(0.5) };
    let stopping = Stopping::new(moves, AT_ONCE, Range::exactly(1.0)).unwrap();
    // A quarter of the peak's way until the peak, 0.25 s; then 0.75 s at the peak.
    assert!((stopping.passed_positions(&state(0.0, 0.0)).most - 0.875).abs() < 1e-12);
    assert!((stopping.passed_positions(&state(0.0, 3.0)).most - 3.0).abs() < 1e-12);
    // The fastest move downward ends in a quarter of a second, and what it passed is passed again; then 0.5
    // s.
    for speed in [-1.0, -3.0] {
        assert!((stopping.passed_positions(&state(0.0, speed)).most - 0.5).abs() < 1e-7);
    }
}

#[test]
fn tables_bound_what_is_between_and_nothing_beyond() {
    let rows = [row(0.5, 0.1), row(1.0, 0.3), row(2.0, 1.0)];
    let way = |between, speed| {
        let table = SpeedTable::new(&rows, between).unwrap();
        let stopping = Stopping::new(HELD, Brake::Table(table), STILL).unwrap();
        stopping.passed_positions(&state(0.0, speed)).most
    };
    for (speed, rising, convex) in [(0.25, 0.1, 0.05), (0.5, 0.1, 0.1), (0.75, 0.3, 0.2), (1.5, 1.0, 0.65)] {
        for (between, want) in [(Between::Rising, rising), (Between::Convex, convex)] {
            let got = way(between, speed);
            assert!((got - want).abs() < 1e-12, "{speed} {between:?}: {got}");
        }
    }
    assert_eq!(way(Between::Convex, 2.1), f64::INFINITY);
    // A greater angle below is kept.
    let noisy = [
        StopRow { speed: Range::about(0.5, 0.1), way: Range::about(0.2, 0.1) },
        StopRow { speed: Range::about(1.0, 0.1), way: Range::about(0.25, 0.02) },
    ];
    let table = SpeedTable::new(&noisy, Between::Rising).unwrap();
    let stopping = Stopping::new(HELD, Brake::Table(table), STILL).unwrap();
    assert!((stopping.passed_positions(&state(0.0, 0.8)).most - 0.3).abs() < 1e-12);
    assert_eq!(
        stopping.passed_positions(&state(0.0, 0.95)).most,
        f64::INFINITY,
        "it may be beyond the last row"
    );
}

#[test]
fn tables_that_say_what_cannot_be_are_refused() {
    let places = |rows: &[StopRow], between| match SpeedTable::new(rows, between) {
        Ok(_) => Vec::new(),
        Err(faults) => fault_places(&faults),
    };
    assert_eq!(places(&[], Between::Rising), ["brake.table: "]);
    assert_eq!(places(&[row(1.0, 0.1), row(1.0, 0.2)], Between::Rising), ["brake.table, row 2: "]);
    assert_eq!(places(&[row(1.0, 0.3), row(2.0, 0.2)], Between::Rising), ["brake.table, row 2: "]);
    let bent = [row(1.0, 0.3), row(2.0, 0.4)];
    assert_eq!(places(&bent, Between::Rising).len(), 0);
    assert_eq!(places(&bent, Between::Convex), ["brake.table, row 1: "]);
    let all = [row(0.0, 0.1), row(f64::NAN, -1.0), row(3.0, f64::INFINITY)];
    let Err(faults) = SpeedTable::new(&all, Between::Rising) else { panic!("accepted") };
    assert!(faults.0.len() >= 4, "{faults}");
}

#[test]
fn what_is_no_number_or_no_brake_is_refused_all_at_once() {
    let profile =
        Profile::Ramp { acceleration: Range { least: 2.0, most: 1.0 }, speed: Range::about(1.0, -1.0) };
    let Err(faults) = Stopping::new(profile, Brake::Deceleration(STILL), Range::exactly(-0.1)) else {
        panic!("accepted")
    };
    let places = ["profile.acceleration: ", "profile.speed: ", "brake.deceleration: ", "latency: "];
    assert_eq!(fault_places(&faults), places);
    let moves = Profile::SinSquared { peak: Range::exactly(f64::NAN), duration: Range::exactly(0.0) };
    let linear = Brake::Linear { slope: Range::EVERYWHERE, offset: STILL, fastest: f64::NAN };
    let Err(faults) = Stopping::new(moves, linear, Range::exactly(f64::INFINITY)) else { panic!("accepted") };
    assert_eq!(faults.0.len(), 5, "{faults}");
    let drift = Profile::Velocity { drift: Range::exactly(-1.0) };
    assert_eq!(Stopping::new(drift, AT_ONCE, STILL).unwrap_err().0.len(), 1);
}

#[test]
fn a_state_without_numbers_is_everywhere_and_speeds_that_were_not_measured_are_unbounded() {
    let linear = Brake::Linear { slope: Range::exactly(0.1), offset: STILL, fastest: 1.0 };
    let stopping = Stopping::new(HELD, linear, Range::exactly(0.1)).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(stopping.passed_positions(&state(bad, 0.0)), Range::EVERYWHERE);
        assert_eq!(stopping.passed_positions(&state(0.0, bad)), Range::EVERYWHERE);
    }
    let turned = JointState { position: STILL, velocity: Range { least: 1.0, most: -1.0 } };
    assert_eq!(stopping.passed_positions(&turned), Range::EVERYWHERE);
    assert_eq!(stopping.passed_positions(&state(0.0, 1.5)), Range { least: 0.0, most: f64::INFINITY });
    assert_eq!(stopping.passed_positions(&state(0.0, -1.5)), Range { least: f64::NEG_INFINITY, most: 0.0 });
    for extreme in [f64::MAX, 1e300, f64::MIN_POSITIVE, 5e-324] {
        for stopping in [
            Stopping::new(HELD, AT_ONCE, Range::exactly(extreme)).unwrap(),
            Stopping::new(HELD, Brake::Deceleration(Range::exactly(extreme)), Range::exactly(0.1)).unwrap(),
        ] {
            for speed in [extreme, -extreme, 1.0, 0.0] {
                let passed = stopping.passed_positions(&state(0.5, speed));
                assert!(passed.least <= 0.5 && passed.most >= 0.5, "{extreme} {speed}: {passed:?}");
            }
        }
    }
}

#[test]
fn a_line_is_fitted_as_in_figure_12() {
    let stop = |speed, way| RecordedStop { speed, way };
    // On a line: found, with nothing left over.
    let line: Vec<_> = (1..=6).map(|n| stop(f64::from(n), 0.02 + 0.05 * f64::from(n))).collect();
    let found = fit_brake(&line).unwrap();
    assert!((found.slope - 0.05).abs() < 1e-14 && (found.offset - 0.02).abs() < 1e-14);
    assert!(found.deviation < 1e-14 && found.residuals.iter().all(|r| r.abs() < 1e-14));
    assert_eq!((found.residuals.len(), found.fastest), (6, 6.0));
    // Known sums: speeds 0 1 2 3, angles 1 0 2 3: slope 0.8, offset 0.3.
    let angles = [1.0, 0.0, 2.0, 3.0];
    let four: Vec<_> = (0..4).zip(angles).map(|(n, way)| stop(f64::from(n), way)).collect();
    let found = fit_brake(&four).unwrap();
    assert!((found.slope - 0.8).abs() < 1e-15 && (found.offset - 0.3).abs() < 1e-15);
    for (residual, want) in found.residuals.iter().zip([0.7, -1.1, 0.1, 0.3]) {
        assert!((residual - want).abs() < 1e-14);
    }
    assert!((found.deviation - libm::sqrt(1.8 / 2.0)).abs() < 1e-14);
    assert!((found.envelope.1 - 1.0).abs() < 1e-14);
    // Angles that fall: the envelope does not.
    let falling = fit_brake(&[stop(1.0, 0.3), stop(2.0, 0.2), stop(3.0, 0.1)]).unwrap();
    assert!(falling.slope < 0.0 && falling.envelope == (0.0, 0.3_f64.next_up()), "{falling:?}");

    let places = |stops: &[RecordedStop]| fault_places(&fit_brake(stops).unwrap_err());
    assert_eq!(places(&[]), ["stops: "]);
    assert_eq!(places(&[stop(1.0, 0.1); 5]), ["stops: "]);
    let bad = [stop(1.0, f64::NAN), stop(-1.0, -0.1), stop(2.0, 0.1)];
    assert_eq!(places(&bad)[..3], ["stops, row 1: ", "stops, row 2: ", "stops, row 2: "]);
}
