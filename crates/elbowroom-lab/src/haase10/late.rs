//! How wrong a late position is, and what prediction and a model of the brake leave of it (haase10, section
//! IV-A, Figs. 8 to 13).
//!
//! A joint of the simulated hand moves, by each of the three drives, and is told to stop at a random moment.
//! What is known then is what its encoder said last, up to 30 ms ago. From that position are measured
//!
//! - the error while it moves (Fig. 8): the paper's bound is 3 degrees and 8.11 mm (6, 7);
//! - the way to rest with the stop command (Figs. 9 and 10) and with the emergency stop (Figs. 11 and 12);
//! - of the latter, what is left if the place of rest is predicted: position and velocity by [`Drive`], the
//!   mean delay, and the mean of the brake (Fig. 13). The paper has 0.55 degrees and 1.17 mm.
//!
//! At 100 degrees per second 0.55 degrees are 5.5 ms. So the machine's delay was as steady as that, though
//! the paper only says "about 30 ms". Stops are run with a [`STEADY`] delay and with any delay up to 30 ms.
//! The paper's millimetres are of another lever: 0.55 degrees at 155 mm are 1.49 mm.

use super::controller::{DELAY, FASTEST, PERIOD, SLOPE, TICK, VELOCITY_ERROR};
use super::drive::{Drive, Reading};
use super::hand::hand_error;
use super::joint::{SimulatedJoint, StopCourse, StopKind};
use crate::error::LabError;
use elbowroom::math::Random;
use elbowroom_monitor::stopping::{Fit, RecordedStop, fit_brake};

/// The finger's length (mm).
pub const LEVER: f64 = 155.0;
/// The least and the greatest delay of a command that is steady to 3 ms (s).
pub const STEADY: [f64; 2] = [DELAY - 0.003, DELAY];
/// The least and the greatest delay of a command of which no more is known (s).
pub const UNSTEADY: [f64; 2] = [0.0, DELAY];
/// How long each movement lasts (s).
const MOVEMENT: f64 = 1.0;
/// Stops are told in this part of the movement (s).
const TOLD: [f64; 2] = [0.25, 0.75];
/// Speeds: so many steps up to the greatest.
const SPEEDS: u32 = 10;
/// Stops of each drive in each step of speed.
const STOPS: u32 = 200;
/// How long a course is followed after its stop was told (s).
const FOLLOWED: f64 = 0.4;

/// The names of the drives, by [`MeasuredStop::drive`].
pub const DRIVE_NAMES: [&str; 3] = ["ramp", "sin^2", "velocity"];

/// A stop, measured. Angles are degrees, counted from the last position that was told, in the direction of
/// the movement.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeasuredStop {
    /// Which drive, of [`DRIVE_NAMES`].
    pub drive: usize,
    /// The greatest speed of the movement, and the speed when the stop was told (degrees per second).
    pub speeds: [f64; 2],
    /// Where the joint was when the stop was told.
    pub moving: f64,
    /// How far from there it was predicted to be.
    pub predicted: f64,
    /// Where it came to rest.
    pub rest: f64,
    /// How far from there it was predicted to rest, by an emergency stop.
    pub left: f64,
    /// A distance from the joint at which all this is seen (mm).
    pub lever: f64,
}

/// The course of a joint after its stop was told.
#[derive(Clone, Debug)]
pub struct FollowedStop {
    /// The speed when it was told (degrees per second).
    pub speed: f64,
    /// By tick of a millisecond, the angle from where it was told (degrees).
    pub angles: Vec<f64>,
}

/// The largest errors of the stops in one step of speed (degrees).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LateRow {
    /// Up to this speed (degrees per second).
    pub speed: f64,
    /// Of the last position, while it moves (Fig. 8).
    pub moving: f64,
    /// Of the prediction, while it moves, by drive.
    pub predicted: [f64; 3],
    /// Of the last position, at rest after an emergency stop (Fig. 11).
    pub at_rest: f64,
    /// Of the prediction with the brake, at rest, with a steady delay, by drive (Fig. 13).
    pub steady: [f64; 3],
    /// Of the prediction with the brake, at rest, with any delay up to 30 ms, of all drives.
    pub unsteady: f64,
    /// Of the last position, at rest after a stop command (Fig. 9).
    pub turned_back: f64,
}

/// All stops that were measured.
#[derive(Clone, Debug)]
pub struct LateStops {
    /// Emergency stops with a steady delay.
    pub emergency: Vec<MeasuredStop>,
    /// Emergency stops with any delay up to 30 ms.
    pub unsteady: Vec<MeasuredStop>,
    /// Stop commands.
    pub command: Vec<MeasuredStop>,
    /// Courses of three stop commands.
    pub courses: Vec<FollowedStop>,
    /// The line through the ways of the emergency stops that are steady (rad, s): Fig. 12.
    pub line: Fit,
}

/// An angle at the finger's length (mm).
pub fn arc_of(degrees: f64) -> f64 {
    arc_at(degrees, LEVER)
}

/// An angle at a distance from the joint (mm).
pub fn arc_at(degrees: f64, lever: f64) -> f64 {
    lever * degrees.to_radians()
}

/// Measures all stops.
///
/// # Errors
/// No line goes through them.
pub fn measure_stops() -> Result<LateStops, LabError> {
    let emergency = measure_kind(StopKind::Emergency, STEADY, 1);
    let recorded = |stop: &MeasuredStop| RecordedStop {
        speed: stop.speeds[1].to_radians(),
        way: stop.rest.to_radians().max(0.0),
    };
    let line = fit_brake(&emergency.iter().map(recorded).collect::<Vec<_>>())
        .map_err(|faults| hand_error(&faults.to_string()))?;
    let random = &mut Random(4);
    let follow = |part: f64| {
        let course = StopCourse::draw_course(StopKind::Command, random);
        follow_stop(&Drive::Velocity(part * FASTEST), course, STEADY, random).1
    };
    Ok(LateStops {
        unsteady: measure_kind(StopKind::Emergency, UNSTEADY, 2),
        command: measure_kind(StopKind::Command, STEADY, 3),
        courses: [0.25, 0.5, 1.0].map(follow).to_vec(),
        emergency,
        line,
    })
}

fn measure_kind(kind: StopKind, delay: [f64; 2], seed: u64) -> Vec<MeasuredStop> {
    let random = &mut Random(seed);
    let mut stops = Vec::new();
    for step in 1..=SPEEDS {
        for drive in (0..STOPS).flat_map(|_| 0..DRIVE_NAMES.len()) {
            let part = (f64::from(step) - random.range(0.0, 1.0)) / f64::from(SPEEDS);
            let course = StopCourse::draw_course(kind, random);
            let (stop, _) = follow_stop(&draw_drive(drive, part * FASTEST), course, delay, random);
            let lever = random.range(0.0, LEVER);
            stops.push(MeasuredStop { drive, lever, ..stop });
        }
    }
    stops
}

/// A drive of [`DRIVE_NAMES`] with a greatest speed (rad/s).
fn draw_drive(drive: usize, peak: f64) -> Drive {
    match drive {
        0 => Drive::Ramp { peak, duration: MOVEMENT },
        1 => Drive::SineSquared { peak, duration: MOVEMENT },
        _ => Drive::Velocity(peak),
    }
}

/// One movement up to its rest.
fn follow_stop(
    drive: &Drive,
    course: StopCourse,
    delay: [f64; 2],
    random: &mut Random,
) -> (MeasuredStop, FollowedStop) {
    let ticks = |seconds: f64| (seconds / TICK).round() as u32;
    let mut joint =
        SimulatedJoint::at_rest(random.range(0.0, 1.0), [f64::NEG_INFINITY, f64::INFINITY], *drive);
    let peak = match *drive {
        Drive::Ramp { peak, .. } | Drive::SineSquared { peak, .. } | Drive::Velocity(peak) => peak,
    };
    let taken = ticks(random.range(TOLD[0], TOLD[1]));
    let before = taken - ticks(PERIOD);
    (0..before).for_each(|_| joint.advance());
    let earlier = joint.encoder_position();
    (before..taken).for_each(|_| joint.advance());
    let reading = Reading {
        taken: f64::from(taken) * TICK,
        positions: [joint.encoder_position(), earlier],
        velocity: joint.v + VELOCITY_ERROR * random.range(-1.0, 1.0),
    };
    // The position was taken a while before the moment at which it is used.
    let age = ticks(random.range(0.0, DELAY));
    (0..age).for_each(|_| joint.advance());
    let (told_at, told_speed) = (joint.q, joint.v);
    let acts = ticks(random.range(delay[0], delay[1]));
    let mut angles = vec![0.0];
    for tick in 0..ticks(FOLLOWED) {
        if tick == acts {
            joint.stop(course, told_at);
        }
        joint.advance();
        angles.push((joint.q - told_at).to_degrees());
    }
    let known_age = f64::from(age) * TICK;
    let [now, _] = drive.predict(&reading, known_age);
    let [acts_at, velocity] = drive.predict(&reading, known_age + 0.5 * (delay[0] + delay[1]));
    let rests_at = acts_at + velocity * 0.5 * (SLOPE[0] + SLOPE[1]);
    let [last, _] = reading.positions;
    let speed = told_speed.to_degrees();
    let stop = MeasuredStop {
        drive: 0,
        speeds: [peak.to_degrees(), speed],
        moving: (told_at - last).to_degrees(),
        predicted: (told_at - now).to_degrees(),
        rest: (joint.q - last).to_degrees(),
        left: (joint.q - rests_at).to_degrees(),
        lever: 0.0,
    };
    (stop, FollowedStop { speed, angles })
}

impl FollowedStop {
    /// The tick at which it is farthest behind where it was told: *u*.
    pub fn farthest_behind(&self) -> usize {
        let ticks = self.angles.iter().enumerate();
        ticks.min_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(tick, _)| tick)
    }
}

impl LateStops {
    /// The largest errors, by steps of the greatest speed.
    pub fn rows(&self) -> Vec<LateRow> {
        let wide = FASTEST.to_degrees() / f64::from(SPEEDS);
        let in_step = |stops: &[MeasuredStop], step: u32, of: &dyn Fn(&MeasuredStop) -> f64| {
            let is_in = |stop: &&MeasuredStop| (stop.speeds[0] / wide).ceil() as u32 == step;
            stops.iter().filter(is_in).map(|stop| of(stop).abs()).fold(0.0, f64::max)
        };
        let by_drive = |step: u32, of: fn(&MeasuredStop) -> f64| {
            std::array::from_fn(|drive| {
                in_step(&self.emergency, step, &|s| if s.drive == drive { of(s) } else { 0.0 })
            })
        };
        let row = |step: u32| LateRow {
            speed: wide * f64::from(step),
            moving: in_step(&self.emergency, step, &|s| s.moving),
            predicted: by_drive(step, |s| s.predicted),
            at_rest: in_step(&self.emergency, step, &|s| s.rest),
            steady: by_drive(step, |s| s.left),
            unsteady: in_step(&self.unsteady, step, &|s| s.left),
            turned_back: in_step(&self.command, step, &|s| s.rest),
        };
        (1..=SPEEDS).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::controller::ENCODER;
    use super::*;

    #[test]
    fn a_late_position_is_three_degrees_off_at_the_greatest_speed() {
        let stops = measure_stops().unwrap();
        let (rows, encoder) = (stops.rows(), ENCODER.to_degrees());
        assert_eq!(rows.len(), 10);
        // Equations 6 and 7, and half a step of the encoder.
        let last = rows.last().unwrap();
        assert!((2.9..3.0 + 0.51 * encoder).contains(&last.moving), "{last:?}");
        assert!((arc_of(3.0) - 8.11).abs() < 0.01);
        for row in &rows {
            // The overrun is linear in the speed, with the delays in it (Fig. 12).
            let most = row.speed * (2.0 * DELAY + SLOPE[1]) + 0.51 * encoder;
            assert!(row.at_rest <= most && row.at_rest > 0.8 * (most - encoder), "{row:?}");
        }
        // What is left with a steady delay is a fraction of what was.
        assert!(last.steady.iter().all(|left| *left < 0.2 * last.at_rest), "{last:?}");
        assert!(last.unsteady > 1.0 && last.predicted.iter().all(|off| *off < 0.3 * last.moving), "{last:?}");
        let slope = stops.line.slope;
        assert!((0.5 * DELAY + SLOPE[0]..2.0 * DELAY + SLOPE[1]).contains(&slope), "{slope}");
    }

    #[test]
    fn a_stop_command_first_goes_on_and_then_turns_back() {
        let stops = measure_stops().unwrap();
        assert_eq!(stops.courses.len(), 3);
        for course in &stops.courses {
            let most = course.angles.iter().copied().fold(0.0, f64::max);
            let least = course.angles.iter().copied().fold(0.0, f64::min);
            let rest = course.angles.last().unwrap();
            assert!(most > 0.04 * course.speed && least < 0.0 && *rest < 0.1 && *rest >= least);
        }
    }
}
