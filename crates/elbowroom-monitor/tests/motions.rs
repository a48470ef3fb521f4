//! Joints that are simulated until they rest, with every value drawn from what is said of it: none leaves the
//! interval, and the interval is not wider than what a joint can do.

use elbowroom::math::Random;
use elbowroom_monitor::stopping::{
    Between, Brake, JointState, Profile, Range, RecordedStop, SpeedTable, StopRow, Stopping, fit_brake,
};
use std::f64::consts::{FRAC_PI_2, PI};

/// What a joint and its limits are drawn with.
struct Rng(Random);

impl Rng {
    /// Uniform between two values; at times one of the two.
    fn between(&mut self, least: f64, most: f64) -> f64 {
        match self.below(10) {
            0 => least,
            1 => most,
            _ => self.0.range(least, most),
        }
    }
    fn of(&mut self, range: &Range) -> f64 {
        self.between(range.least, range.most)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.0.bits() % n
    }
    /// Of very different sizes.
    fn sized(&mut self, least: f64, most: f64) -> f64 {
        let (low, high) = (libm::log(least), libm::log(most));
        libm::exp(self.between(low, high)).clamp(least, most)
    }
    /// Some value with its uncertainty.
    fn about(&mut self, least: f64, most: f64) -> Range {
        let value = self.sized(least, most);
        let uncertainty = value * self.between(0.0, 0.5);
        Range::about(value, uncertainty)
    }
}

/// A joint on its way: where it is, how fast, and how far it has been.
struct Joint {
    q: f64,
    v: f64,
    been: Range,
}

impl Joint {
    fn new(q: f64, v: f64) -> Joint {
        Joint { q, v, been: Range::exactly(q) }
    }
    fn at(&mut self, q: f64) {
        self.q = q;
        self.been = Range { least: self.been.least.min(q), most: self.been.most.max(q) };
    }
    /// On for a time with a constant acceleration; where it turns back counts.
    fn accelerate(&mut self, a: f64, time: f64) {
        let (q, v) = (self.q, self.v);
        let turn = -v / a;
        if turn > 0.0 && turn < time {
            self.at(q + v * turn / 2.0);
        }
        self.at(q + v * time + a / 2.0 * time * time);
        self.v = v + a * time;
    }
    /// On for a time with a constant acceleration, but not to beyond a speed. A joint that is faster keeps
    /// its velocity.
    fn ramp(&mut self, a: f64, time: f64, speed: f64) {
        let cap = speed.max(self.v * a.signum()) * a.signum();
        let until = if a == 0.0 { time } else { ((cap - self.v) / a).clamp(0.0, time) };
        self.accelerate(a, until);
        if until < time {
            self.v = cap;
            self.accelerate(0.0, time - until);
        }
    }
    /// On for a time in a move of `sin^2`, from a phase in radians, in a direction.
    fn sin_squared(&mut self, direction: f64, peak: f64, duration: f64, phase: f64, time: f64) {
        let turn = PI / duration * time;
        let before = libm::sin(2.0 * phase);
        let way = peak / 2.0 * (time - duration / (2.0 * PI) * (libm::sin(2.0 * (phase + turn)) - before));
        self.at(self.q + direction * way.max(0.0));
        self.v = direction * peak * libm::pow(libm::sin(phase + turn), 2.0);
    }
}

fn profile(rng: &mut Rng) -> Profile {
    match rng.below(3) {
        0 => Profile::Ramp { acceleration: rng.about(0.1, 30.0), speed: rng.about(0.2, 5.0) },
        1 => Profile::SinSquared { peak: rng.about(0.2, 5.0), duration: rng.about(0.05, 3.0) },
        _ => Profile::Velocity { drift: rng.about(0.001, 0.5) },
    }
}

/// The greatest speed that a profile allows from a speed.
fn speed_limit(profile: &Profile, v: f64) -> f64 {
    match profile {
        Profile::Ramp { speed, .. } => speed.most.max(v),
        Profile::SinSquared { peak, .. } => peak.most.max(v),
        Profile::Velocity { drift } => v + drift.most,
    }
}

/// A brake, and the truth behind it: a delay and a deceleration, or a slope and an offset.
enum Truth {
    Line { slope: Range, offset: Range },
    Delayed { delay: Range, deceleration: Range },
}

fn brake(rng: &mut Rng, fastest: f64) -> (Brake, Truth) {
    let none = Range::exactly(0.0);
    match rng.below(4) {
        0 => {
            let (slope, offset) = (rng.about(0.01, 0.3), rng.about(1e-4, 0.02));
            (Brake::Linear { slope, offset, fastest: 2.0 * fastest }, Truth::Line { slope, offset })
        }
        1 => {
            let deceleration = rng.about(1.0, 50.0);
            (Brake::Deceleration(deceleration), Truth::Delayed { delay: none, deceleration })
        }
        kind => {
            let (delay, deceleration) = (rng.about(0.001, 0.05), rng.about(1.0, 50.0));
            let worst = |v: f64| v * delay.most + v * v / (2.0 * deceleration.least);
            let rows = 2 + rng.below(10);
            let row = |n: u64| {
                let speed = 1.01 * fastest * n as f64 / rows as f64;
                let uncertainty = 0.01 * worst(speed);
                // What was measured holds the worst stop.
                let measured = worst(speed) + rng.between(-0.9, 0.9) * uncertainty;
                StopRow { speed: Range::exactly(speed), way: Range::about(measured, uncertainty) }
            };
            let rows: Vec<StopRow> = (1..=rows).map(row).collect();
            let between = if kind == 2 { Between::Rising } else { Between::Convex };
            let table = SpeedTable::new(&rows, between).expect("a rising, convex table");
            (Brake::Table(table), Truth::Delayed { delay, deceleration })
        }
    }
}

impl Truth {
    /// A stop from a speed, anything that can happen.
    fn stop(&self, v: f64, rng: &mut Rng) -> f64 {
        match self {
            _ if v == 0.0 => 0.0,
            Truth::Line { slope, offset } => rng.of(slope) * v + rng.of(offset),
            Truth::Delayed { delay, deceleration } => {
                rng.of(delay) * v + v * v / (2.0 * rng.of(deceleration))
            }
        }
    }
    /// The longest one.
    fn worst(&self, v: f64) -> f64 {
        match self {
            _ if v <= 0.0 => 0.0,
            Truth::Line { slope, offset } => slope.most * v + offset.most,
            Truth::Delayed { delay, deceleration } => delay.most * v + v * v / (2.0 * deceleration.least),
        }
    }
}

/// Anything that the controller can do for a time.
fn drive(joint: &mut Joint, profile: &Profile, time: f64, rng: &mut Rng) {
    let pieces = 1 + rng.below(5);
    match profile {
        Profile::Ramp { acceleration, speed } => {
            let speed = rng.of(speed);
            for _ in 0..pieces {
                let most = rng.of(acceleration);
                joint.ramp(rng.between(-most, most), time / pieces as f64, speed);
            }
        }
        Profile::Velocity { drift } => {
            let measured = joint.v;
            for _ in 0..pieces {
                let most = rng.of(drift);
                joint.v = measured + rng.between(-most, most);
                joint.accelerate(0.0, time / pieces as f64);
            }
        }
        Profile::SinSquared { peak, duration } => {
            let mut left = time;
            let mut direction = joint.v.signum();
            // In a move of some peak, on its way up or down; then other moves.
            while left > 0.0 {
                let most = rng.of(peak).max(joint.v.abs());
                let top = rng.between(joint.v.abs(), most);
                // A joint that is faster than any move goes on as it is.
                if top > peak.most {
                    joint.accelerate(0.0, left);
                    break;
                }
                let long = rng.of(duration) * if rng.below(3) == 0 { rng.between(1.0, 5.0) } else { 1.0 };
                let up = if top > 0.0 { libm::asin(libm::sqrt((joint.v.abs() / top).min(1.0))) } else { 0.0 };
                let phase = if rng.below(2) == 0 { up } else { PI - up };
                let rest = (PI - phase) / PI * long;
                let now = rest.min(left);
                if now > 0.0 {
                    joint.sin_squared(direction, top, long, phase, now);
                }
                left -= now;
                if left > 0.0 {
                    joint.v = 0.0;
                    direction = if rng.below(2) == 0 { 1.0 } else { -1.0 };
                    // Some rest in between.
                    left -= rng.between(0.0, 0.2) * left;
                    left -= f64::from(u8::from(rest == 0.0)) * 1e-3 * time;
                }
            }
        }
    }
}

/// How far a joint comes in the rising direction when all is at its worst, by a motion that can happen.
fn worst_motion(profile: &Profile, v: f64, time: f64, truth: &Truth) -> f64 {
    let mut joint = Joint::new(0.0, v);
    match profile {
        Profile::Ramp { acceleration, speed } => {
            joint.ramp(acceleration.most, time, speed.most);
        }
        Profile::Velocity { drift } => {
            joint.v += drift.most;
            joint.accelerate(0.0, time);
        }
        Profile::SinSquared { peak, .. } if v >= peak.most => joint.accelerate(0.0, time),
        Profile::SinSquared { peak, duration } => {
            let phase = libm::asin(libm::sqrt((v.abs() / peak.most).min(1.0)));
            let mut left = time;
            if v < 0.0 {
                // The end of a move downward.
                let rest = phase / PI * duration.least;
                joint.sin_squared(-1.0, peak.most, duration.least, PI - phase, rest.min(left));
                left -= rest.min(left);
            }
            if left > 0.0 {
                let phase = if v < 0.0 { 0.0 } else { phase };
                // As fast as a move rises, or as slowly as it must so as not to fall again.
                let slow = PI * left / (FRAC_PI_2 - phase);
                joint.sin_squared(1.0, peak.most, slow.max(duration.least), phase, left);
            }
        }
    }
    let stop = truth.worst(joint.v);
    joint.at(joint.q + stop);
    joint.been.most
}

/// Whether the fastest move's peak comes after the latency.
fn before_its_peak(profile: &Profile, v: f64, time: f64) -> bool {
    match profile {
        Profile::SinSquared { peak, duration } if v < peak.most => {
            let phase = libm::asin(libm::sqrt((v.abs() / peak.most).min(1.0))).copysign(v);
            phase + PI * time / duration.least < FRAC_PI_2
        }
        Profile::SinSquared { .. } | Profile::Ramp { .. } | Profile::Velocity { .. } => true,
    }
}

#[test]
fn no_motion_leaves_the_interval_and_the_interval_is_no_wider_than_motions() {
    let mut rng = Rng(Random(7));
    let (mut motions, mut reached, mut turned, mut late) = (0, 0, 0, 0);
    let (mut used, mut given) = (0.0, 0.0);
    for case in 0..10_000 {
        let profile = profile(&mut rng);
        let limit = speed_limit(&profile, 0.0);
        // At times faster than the profile ends.
        let v = rng.between(-limit, limit) * if rng.below(8) == 0 { 1.5 } else { 1.0 };
        let v = if rng.below(10) == 0 { 0.0 } else { v };
        let v = Range::about(v, rng.between(0.0, 0.05) * limit);
        let q = Range::about(rng.between(-3.0, 3.0), rng.between(0.0, 0.01));
        let latency = rng.about(0.001, 0.2);
        let fastest = speed_limit(&profile, v.most.max(-v.least));
        let (brake, truth) = brake(&mut rng, fastest * 1.0001);
        let table = matches!(brake, Brake::Table(_));
        let stopping = Stopping::new(profile, brake, latency).expect("ranges are in order");
        let passed = stopping.passed_positions(&JointState { position: q, velocity: v });
        let what = || format!("case {case}: {stopping:?} {q:?} {v:?} -> {passed:?}");
        assert!(passed.width().is_finite(), "{}", what());

        // Ten motions within all that is stated: none leaves the interval.
        let mut been = Range::exactly(q.least);
        for _ in 0..10 {
            let mut joint = Joint::new(rng.of(&q), rng.of(&v));
            let first = joint.v;
            drive(&mut joint, &profile, rng.of(&latency), &mut rng);
            turned += usize::from(first * joint.v < 0.0);
            let way = truth.stop(joint.v.abs(), &mut rng);
            joint.at(joint.q + way * joint.v.signum());
            // The simulation's own rounding.
            let rounding = 1e-13 * (1.0 + joint.q.abs());
            let inside =
                joint.been.least >= passed.least - rounding && joint.been.most <= passed.most + rounding;
            assert!(inside, "{} was in {:?}", what(), joint.been);
            been = Range { least: been.least.min(joint.been.least), most: been.most.max(joint.been.most) };
            motions += 1;
        }
        used += been.width();
        given += passed.width();

        // The worst motion of each direction comes to the end of the interval.
        let way = worst_motion(&profile, v.most, latency.most, &truth);
        let reach = passed.most - q.most;
        assert!(way <= reach + 1e-12, "{}: {way}", what());
        // How much wider a table is has a test of its own.
        if table {
            continue;
        }
        let early = before_its_peak(&profile, v.most, latency.most);
        late += usize::from(!early);
        let factor = if early { 1.0 + 1e-9 } else { 2.0 };
        reached += 1;
        // Rounding up can turn rest into the least speed there is, from which a brake has its whole offset.
        let way = worst_motion(&profile, v.most + 1e-12, latency.most, &truth).max(way);
        assert!(reach <= factor * way + 1e-12, "{}: {way}, and {reach} was given", what());
    }
    assert_eq!(motions, 100_000);
    assert!(reached > 4_000 && turned > 3_000 && late > 250, "{reached} {turned} {late}");
    // Ten random motions of a case fill half of what is given, all cases together.
    assert!(given < 2.0 * used, "{given} of {used}");
}

#[test]
fn a_table_is_no_wider_than_its_rows() {
    // The truth is known: a delay and a deceleration. Ten rows, exact.
    let truth = |v: f64| 0.02 * v + v * v / 8.0;
    let row = |n: i32| {
        let speed = f64::from(n) * 0.2;
        StopRow { speed: Range::exactly(speed), way: Range::exactly(truth(speed)) }
    };
    let rows: Vec<StopRow> = (1..=10).map(row).collect();
    let held = Profile::Velocity { drift: Range::exactly(0.0) };
    let way = |between, v| {
        let brake = Brake::Table(SpeedTable::new(&rows, between).unwrap());
        let stopping = Stopping::new(held, brake, Range::exactly(0.0)).unwrap();
        stopping
            .passed_positions(&JointState { position: Range::exactly(0.0), velocity: Range::exactly(v) })
            .most
    };
    for n in 1..199 {
        let v = f64::from(n) * 0.01;
        // A chord of a parabola is above it by at most the half of its curvature times the half step,
        // squared.
        let convex = way(Between::Convex, v) - truth(v);
        assert!((0.0..=0.01 / 8.0 + 1e-12).contains(&convex), "{v}: {convex}");
        // A step is above the truth by at most what a step of the speed makes.
        let rising = way(Between::Rising, v) - truth(v);
        assert!(rising >= 0.0 && rising <= truth(v + 0.2 + 1e-9) - truth(v), "{v}: {rising}");
    }
}

#[test]
fn fitted_envelopes_hold_what_was_recorded_and_find_the_line() {
    let mut rng = Rng(Random(3));
    for _ in 0..200 {
        let (slope, offset, noise) = (rng.between(0.0, 0.2), rng.between(0.0, 0.05), rng.between(0.0, 0.01));
        let stops: Vec<RecordedStop> = (0..40)
            .map(|n| {
                let speed = 0.1 + 0.05 * f64::from(n);
                let way = offset + slope * speed + rng.between(-noise, noise);
                RecordedStop { speed, way: way.max(0.0) }
            })
            .collect();
        let fit = fit_brake(&stops).unwrap();
        // The slope's standard error is noise / (sqrt(40) x 0.58): six of them.
        assert!((fit.slope - slope).abs() <= 1.7 * noise + 1e-12, "{slope} {noise} {fit:?}");
        let stopping = |beyond| {
            let held = Profile::Velocity { drift: Range::exactly(0.0) };
            Stopping::new(held, fit.brake_beyond(beyond), Range::exactly(0.0)).unwrap()
        };
        for stop in &stops[..39] {
            let state = JointState { position: Range::exactly(0.0), velocity: Range::exactly(stop.speed) };
            let most = stopping(0.0).passed_positions(&state).most;
            assert!(
                stop.way <= most && most <= stop.way + 2.0 * noise + 8.0 * noise + 1e-9,
                "{stop:?} {most}"
            );
            assert!(stopping(0.01).passed_positions(&state).most >= most + 0.01 - 1e-15);
        }
        // Faster than what was recorded: nothing is known.
        let beyond =
            JointState { position: Range::exactly(0.0), velocity: Range::exactly(fit.fastest * 1.01) };
        assert_eq!(stopping(0.0).passed_positions(&beyond).most, f64::INFINITY);
    }
}
