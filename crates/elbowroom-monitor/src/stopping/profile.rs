//! How a controller moves a joint on while nobody has told it to stop yet.
//!
//! From a velocity that is known to be at most `v`, [`Profile::motion_ahead`] bounds from above the velocity
//! after a time `t`, and how far the joint comes until then. Each bound is the motion that rises fastest; it
//! never falls, so the bound on the way is its integral.

use super::range::{Range, add, divide_up, multiply_up, over_down, times_down};
use crate::fault::{Log, Place};
use std::f64::consts::{FRAC_PI_2, PI};

/// How the controller lets a joint's velocity change (haase10 section IV-A). What is stated holds for both
/// directions. Angles are radians; for a joint that slides read metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Profile {
    /// The velocity changes in ramps (eqs. 8 and 9): no faster than `acceleration`, and no ramp leads beyond
    /// `speed` in either direction. A joint that is faster already keeps its velocity, or slows down.
    Ramp {
        /// The greatest acceleration and deceleration (rad/s^2).
        acceleration: Range,
        /// The greatest speed (rad/s).
        speed: Range,
    },
    /// Every move has the velocity `peak sin^2(pi t / duration)`, with a peak of its own up to `peak` and a
    /// duration of its own from `duration` on. Moves follow each other in any direction, at once or later.
    /// The paper prints the formula without the pi. Its velocity then rises more slowly, and is bounded too.
    SinSquared {
        /// The greatest peak of a move (rad/s).
        peak: Range,
        /// The shortest duration of a move (s).
        duration: Range,
    },
    /// A commanded velocity is held (eq. 10); the true one stays within `drift` of the one that was measured.
    /// A command that changes within the latency is a part of the drift.
    Velocity {
        /// How far the velocity can leave the measured one (rad/s).
        drift: Range,
    },
}

/// What a joint can have done after a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead {
    /// Not faster than this (rad/s, signed).
    pub velocity: f64,
    /// Not farther than this from where it was, if `velocity` is above zero (rad).
    pub way: f64,
}

impl Profile {
    pub(super) fn check(&self, log: &mut Log) {
        match self {
            Profile::Ramp { acceleration, speed } => {
                acceleration.check(log, Place::Field("profile.acceleration"), "the acceleration");
                speed.check(log, Place::Field("profile.speed"), "the speed");
            }
            Profile::SinSquared { peak, duration } => {
                peak.check(log, Place::Field("profile.peak"), "the peak");
                let place = Place::Field("profile.duration");
                if duration.check(log, place, "the duration") && duration.least < MOVE_SECONDS {
                    let what = format!("a move may take {} s", duration.least);
                    log.fault(place, what, format!("name a shortest move of {MOVE_SECONDS} s or more"));
                }
            }
            Profile::Velocity { drift } => {
                drift.check(log, Place::Field("profile.drift"), "the drift");
            }
        }
    }

    /// How fast the speed may rise (rad/s^2); infinite where that is not said.
    pub(super) fn greatest_rise(&self) -> f64 {
        match self {
            Profile::Ramp { acceleration, .. } => acceleration.most,
            // The slope of the fastest move where it is steepest: at half its peak.
            Profile::SinSquared { peak, duration } => {
                divide_up(multiply_up(PI.next_up(), peak.most), duration.least)
            }
            Profile::Velocity { .. } => f64::INFINITY,
        }
    }

    /// What the joint can have done `time` later, if its velocity is at most `v`.
    pub(super) fn motion_ahead(&self, v: f64, time: f64) -> Ahead {
        match self {
            Profile::Ramp { acceleration, speed } => {
                ramp_motion(v, time, acceleration.most, speed.most.max(v))
            }
            // A joint that is faster than any move began: it is not known to become slower.
            Profile::SinSquared { peak, .. } if v >= peak.most => {
                Ahead { velocity: v, way: multiply_up(v, time) }
            }
            Profile::SinSquared { peak, duration } => sin_squared(v, time, peak.most, duration.least),
            Profile::Velocity { drift } => {
                let velocity = add(v, drift.most);
                Ahead { velocity, way: multiply_up(velocity, time) }
            }
        }
    }
}

/// Shortest move that is believed (s): a thousandth of a control period of 1 kHz. Shorter ones are a unit
/// mistaken.
const MOVE_SECONDS: f64 = 1e-6;

/// With the greatest acceleration from `v` up to `cap`, then on at `cap`.
fn ramp_motion(v: f64, time: f64, acceleration: f64, cap: f64) -> Ahead {
    let free = add(v, multiply_up(acceleration, time));
    // v t + a t^2 / 2
    let rising =
        add(multiply_up(v, time), multiply_up(multiply_up(acceleration, time), time) / 2.0).next_up();
    if free <= cap {
        return Ahead { velocity: free, way: rising };
    }
    // cap t - (cap - v)^2 / (2 a): what is missing until the cap is reached.
    let gap = (cap - v).next_down().max(0.0);
    let missing = if gap > 0.0 { over_down(times_down(gap, gap), 2.0 * acceleration).max(0.0) } else { 0.0 };
    let capped = (multiply_up(cap, time) - missing).next_up();
    // Both are bounds; a NaN, of an infinity less an infinity, is passed over.
    Ahead { velocity: cap, way: capped.min(rising) }
}

/// The fastest rise among all moves: v' <= (2 pi / duration) sqrt(|v| (peak - |v|)), because a smaller peak
/// or a longer duration makes it less. With equality that is `peak sin^2(s)` along `s = s0 + pi t /
/// duration`, negative before `s = 0`, where another move begins. From `s = pi / 2` on the peak is held.
fn sin_squared(v: f64, time: f64, peak: f64, duration: f64) -> Ahead {
    // Above and below by some units in the last place: a root, an arc sine and a quotient have three.
    let (more, less) = (1.0 + 8.0 * f64::EPSILON, 1.0 - 8.0 * f64::EPSILON);
    // A later phase is faster and comes farther.
    let start = if v > 0.0 {
        libm::asin(libm::sqrt((v / peak * more).min(1.0))) * more
    } else if v < 0.0 {
        -libm::asin(libm::sqrt((-v / peak * less).min(1.0))) * less
    } else {
        0.0
    };
    let turn = PI / duration * time * more;
    let end = add(start, turn);
    let sine = libm::sin(end.min(FRAC_PI_2));
    let velocity =
        if end >= 0.0 { (peak * sine * sine * more).min(peak) } else { -peak * sine * sine * less };
    // Each integral has some units in the last place of the angles, and of one.
    let slack = 16.0 * f64::EPSILON * (1.0 + start.abs() + end.abs());
    let way = (phase_integral(end) - phase_integral(start) + slack) * (peak * duration / PI) * more;
    Ahead { velocity, way: way.min(multiply_up(peak, time)) }
}

/// The integral of the bound's velocity over its phase, from zero, at a peak of one.
fn phase_integral(phase: f64) -> f64 {
    let rising = phase.abs().min(FRAC_PI_2);
    (phase - FRAC_PI_2).max(0.0) + rising / 2.0 - libm::sin(2.0 * rising) / 4.0
}
