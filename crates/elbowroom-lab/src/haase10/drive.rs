//! How a joint of the simulated hand is driven, and what its last positions say of the next one (haase10,
//! section IV-A, equations 8 to 10).
//!
//! The hand offers two velocity profiles between positions, *ramp* and *sin^2*, and velocity control. Each
//! has its own prediction from a position that is late. The bracket of (9) has the ramp's first part alone,
//! so ramps are predicted by (8), the last difference, for the part of a period that went by. The printed
//! `sin^2` lacks its pi, and its integral is lost: here it is `v/2 (t - T/(2 pi) sin(2 pi t/T))`.

use super::controller::{ACCELERATION, PERIOD};
use elbowroom::math::sin_cos;
use std::f64::consts::{PI, TAU};

/// What drives a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drive {
    /// The velocity rises in a ramp, is held, and falls in a ramp, so that it rests after this time (s).
    Ramp {
        /// The velocity that is held (rad/s).
        peak: f64,
        /// From rest to rest (s).
        duration: f64,
    },
    /// The velocity is `peak sin^2(pi t / duration)`.
    SineSquared {
        /// The velocity half-way (rad/s).
        peak: f64,
        /// From rest to rest (s).
        duration: f64,
    },
    /// This velocity is held (rad/s).
    Velocity(f64),
}

/// What is known of a joint when a position is told.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// When it was taken, after the movement began (s).
    pub taken: f64,
    /// The position, and that of a period before (rad).
    pub positions: [f64; 2],
    /// The velocity (rad/s).
    pub velocity: f64,
}

impl Drive {
    /// The velocity that is asked for (rad/s) so long after the movement began (s).
    #[inline]
    pub fn velocity_at(&self, t: f64) -> f64 {
        match *self {
            Drive::Ramp { peak, duration } => {
                if duration - t > peak.abs() / ACCELERATION {
                    peak
                } else {
                    0.0
                }
            }
            Drive::SineSquared { peak, duration } => {
                let (sine, _) = sin_cos(PI * t.clamp(0.0, duration) / duration);
                peak * sine * sine
            }
            Drive::Velocity(velocity) => velocity,
        }
    }

    /// Where the joint is `ahead` (s) after a reading, and its velocity there: (8), `sin^2` or (10).
    pub fn predict(&self, reading: &Reading, ahead: f64) -> [f64; 2] {
        let [last, before] = reading.positions;
        match *self {
            Drive::Ramp { .. } => {
                let velocity = (last - before) / PERIOD;
                [last + velocity * ahead, velocity]
            }
            Drive::SineSquared { peak, duration } => {
                let way = |t: f64| {
                    let t = t.clamp(0.0, duration);
                    0.5 * peak * (t - duration / TAU * sin_cos(TAU * t / duration).0)
                };
                let (from, to) = (reading.taken, reading.taken + ahead);
                [last + way(to) - way(from), self.velocity_at(to)]
            }
            Drive::Velocity(_) => [last + reading.velocity * ahead, reading.velocity],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictions_are_exact_without_errors_of_the_encoder() {
        // A joint that is at `1 + 0.8 t`.
        let reading = Reading { taken: 0.3, positions: [1.0, 1.0 - 0.8 * PERIOD], velocity: 0.8 };
        for drive in [Drive::Ramp { peak: 0.8, duration: 1.0 }, Drive::Velocity(0.8)] {
            let [at, velocity] = drive.predict(&reading, 0.05);
            assert!((at - 1.04).abs() < 1e-12 && (velocity - 0.8).abs() < 1e-12, "{drive:?}");
        }
        // The integral of the velocity, by small steps.
        let drive = Drive::SineSquared { peak: 0.8, duration: 1.2 };
        let steps = 10_000;
        let step = 0.5 / f64::from(steps);
        let way: f64 = (0..steps).map(|k| drive.velocity_at(0.3 + (f64::from(k) + 0.5) * step) * step).sum();
        let [at, velocity] = drive.predict(&reading, 0.5);
        assert!((at - 1.0 - way).abs() < 1e-8 && (velocity - drive.velocity_at(0.8)).abs() < 1e-12);
        assert_eq!(drive.velocity_at(1.3), drive.velocity_at(1.2));
    }
}
