//! The linear brake model from recorded stops (haase10, Fig. 12): the line of least squares, how far each
//! stop is from it, and a line above all of them.

use super::brake::Brake;
use super::range::{Range, add, times_down};
use crate::fault::{Fault, Faults, Log, Place};
use crate::limits;

/// A stop that was recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedStop {
    /// The speed at which the brake began to act (rad/s), without its sign.
    pub speed: f64,
    /// The angle from there until rest (rad), without its sign.
    pub way: f64,
}

/// A line through recorded stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The slope of the line of least squares (rad/(rad/s) = s).
    pub slope: f64,
    /// Its angle at no speed (rad); it may be below zero.
    pub offset: f64,
    /// How far each stop lies above the line (rad), in the order of the stops.
    pub residuals: Vec<f64>,
    /// The standard deviation of the stops from the line (rad): the root of the sum of squares over the
    /// number of stops less two.
    pub deviation: f64,
    /// The upper envelope: a slope (s), not below zero, and an offset (rad), not below zero. No recorded stop
    /// is above this line. It is parallel to the line of least squares where that rises.
    pub envelope: (f64, f64),
    /// The speed of the fastest stop (rad/s).
    pub fastest: f64,
}

impl Fit {
    /// The envelope as a brake, for speeds up to the fastest recorded one. A few stops do not show the worst
    /// one: `beyond` (rad) is added to every angle. It is the caller's judgement, as some multiple of
    /// [`Fit::deviation`].
    pub fn brake_beyond(&self, beyond: f64) -> Brake {
        let (slope, offset) = self.envelope;
        let offset = Range { least: 0.0, most: if beyond == 0.0 { offset } else { add(offset, beyond) } };
        Brake::Linear { slope: Range { least: 0.0, most: slope }, offset, fastest: self.fastest }
    }
}

/// Fits the linear model.
///
/// ```
/// use elbowroom_monitor::stopping::{RecordedStop, fit_brake};
///
/// let stops = [(0.5, 0.06), (1.0, 0.10), (1.5, 0.16)].map(|(speed, way)| RecordedStop { speed, way });
/// let fit = fit_brake(&stops)?;
/// assert!((fit.slope - 0.1).abs() < 1e-12);
/// let (slope, offset) = fit.envelope;
/// assert!(stops.iter().all(|stop| stop.way <= slope * stop.speed + offset + 1e-15));
/// # Ok::<(), elbowroom_monitor::Faults>(())
/// ```
///
/// # Errors
/// All faults: fewer than three stops, no two different speeds, numbers below zero or that are none.
pub fn fit_brake(stops: &[RecordedStop]) -> Result<Fit, Faults> {
    let mut log = Log::default();
    let whole = Place::Field("stops");
    if stops.len() < 3 {
        log.fault(whole, format!("{} stops were recorded", stops.len()), "record three or more");
    }
    for (number, stop) in (1..).zip(stops) {
        let place = Place::Row { of: "stops", number };
        for (value, what) in [(stop.speed, "speed"), (stop.way, "angle")] {
            if !(0.0..=limits::RECORDED).contains(&value) {
                let help = format!("give it without its sign, at most {}", limits::RECORDED);
                log.fault(place, format!("the {what} is {value}"), help);
            }
        }
    }
    let count = stops.len() as f64;
    let mean = |of: fn(&RecordedStop) -> f64| stops.iter().map(of).sum::<f64>() / count;
    let (speed, way) = (mean(|stop| stop.speed), mean(|stop| stop.way));
    // About their means the sums keep their digits.
    let spread: f64 = stops.iter().map(|stop| (stop.speed - speed) * (stop.speed - speed)).sum();
    let together: f64 = stops.iter().map(|stop| (stop.speed - speed) * (stop.way - way)).sum();
    let fastest = stops.iter().fold(0.0, |most: f64, stop| most.max(stop.speed));
    let slowest = stops.iter().fold(fastest, |least: f64, stop| least.min(stop.speed));
    // Speeds that differ by less are one speed, measured again.
    if stops.len() >= 3 && !(fastest - slowest > 1e-6 * fastest) {
        log.fault(whole, "all stops were at one speed", "record stops at slow and at fast speeds");
    }
    log.finish(())?;

    let slope = together / spread;
    let offset = way - slope * speed;
    let residuals: Vec<f64> = stops.iter().map(|stop| stop.way - (offset + slope * stop.speed)).collect();
    let squares: f64 = residuals.iter().map(|residual| residual * residual).sum();
    let deviation = libm::sqrt(squares / (count - 2.0));
    let above = slope.max(0.0);
    // The least offset that is above all stops, rounded up.
    let lift = |stop: &RecordedStop| add(stop.way, -times_down(above, stop.speed));
    let lifted = stops.iter().map(lift).fold(0.0, f64::max);
    let fit = Fit { slope, offset, residuals, deviation, envelope: (above, lifted), fastest };
    if [fit.slope, fit.offset, fit.deviation, lifted].iter().all(|value| value.is_finite()) {
        return Ok(fit);
    }
    let (what, help) =
        ("the line through these stops is not finite".into(), "give less extreme numbers".into());
    Err(Faults(vec![Fault { place: whole, what, help }]))
}
