//! Where a joint can be until it rests: after haase10, section IV-A.
//!
//! A joint's position and velocity are late when they are read, and a command is late when it acts. In all
//! that time, the *latency*, the joint goes on as its controller lets it: its [`Profile`]. Then its [`Brake`]
//! acts. Of each of these only ranges are known. [`Stopping::passed_positions`] gives an interval of
//! positions that holds every one of the joint from the measurement until rest, whatever the values within
//! their ranges are.
//!
//! # Why the interval holds
//!
//! One direction, the rising one; the other is its mirror. Let `h(t)` be an upper bound on the velocity at
//! the time `t` after the measurement, one that never falls (`Profile`), and `S(v)` one on the stopping angle
//! from the velocity `v > 0`, one that never falls either (`Brake`). Braking begins at a time `L`, at most
//! the greatest latency `M`.
//!
//! * Before `L` the joint has come at most `H(t)`, the integral of `h` from 0 to `t`. `H` is convex because
//!   `h` never falls, so it is greatest at an end: `H(0) = 0` or `H(L)`.
//! * If `h(L) <= 0`, the joint does not move that way when the brake acts, nor did it before: it passes
//!   nothing. Else it passes at most `H(L) + S(h(L))`, or what it passed before, nothing.
//! * Where `h` is above zero both terms never fall with `L`. So `L = M` bounds all smaller latencies, and the
//!   joint passes at most `max(0, H(M) + S(h(M)))`, and nothing if `h(M) <= 0`.
//!
//! Every step rounds up. For ramps and a drift, with a brake that is a formula, the bound is reached by a
//! motion within the ranges. For `sin^2` it is as long as the latency ends before the fastest move's peak; a
//! longer latency makes it at most twice what such a motion reaches. A table adds what it does not know
//! between its rows.
//!
//! The paper's predictions (eqs. 8 and 9 for ramps, 10 for velocity control) are single positions within this
//! interval. In the bracket of eq. 9 both terms are read as velocities: only then do its units fit.

mod brake;
mod fit;
mod profile;
mod range;

pub use brake::{Between, Brake, SpeedTable, StopRow};
pub use fit::{Fit, RecordedStop, fit_brake};
pub use profile::Profile;
pub use range::Range;

use crate::fault::{Faults, Log, Place};
use range::{add, multiply_up, times_down};

/// What was measured of a joint. Angles are radians; for a joint that slides read metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointState {
    /// Its position (rad), with the uncertainty of the encoder and its calibration.
    pub position: Range,
    /// Its velocity (rad/s), with its uncertainty.
    pub velocity: Range,
}

/// How long a joint goes on before its brake acts, beside the latency.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GoingOn {
    /// So much later than the latency says (s, >= 0): as if nobody had told it to stop yet.
    pub later: f64,
    /// Or it goes on for this time more (s, >= 0), at a multiple of its measured velocity.
    pub ahead: f64,
    /// That multiple; with 0 it does not go on.
    pub factor: f64,
}

/// How a joint that is told to stop goes on, in both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Told {
    down: Way,
    up: Way,
}

/// How far a joint goes in a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Way {
    /// The greatest velocity that is measured that way (rad/s), or zero.
    v: f64,
    /// Until the brake acts, and from then on (rad).
    free: f64,
    braked: f64,
}

impl Way {
    /// Nothing is known.
    const ENDLESS: Way = Way { v: 0.0, free: f64::INFINITY, braked: f64::INFINITY };
}

impl Told {
    /// Nothing is known.
    pub(crate) const ENDLESS: Told = Told { down: Way::ENDLESS, up: Way::ENDLESS };
}

/// How one joint comes to rest: checked, and ready to be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopping {
    profile: Profile,
    brake: Brake,
    latency: Range,
}

impl Stopping {
    /// A controller's profile, a brake and a latency: the time (s) from the moment for which a state was
    /// measured to the moment at which the brake acts. It is the sum of the state's age, the guard's period
    /// and its work, the command's way, and the time that the brake needs to engage. Delays that the stops of
    /// the brake's model already hold are not counted again: Fig. 12 of haase10 holds them.
    ///
    /// ```
    /// use elbowroom_monitor::stopping::{Brake, JointState, Profile, Range, Stopping};
    ///
    /// // 30 ms, give or take 5; 2 rad/s^2 in ramps up to 1 rad/s; a brake of 10 rad/s^2, give or take 2.
    /// let ramp = Profile::Ramp { acceleration: Range::exactly(2.0), speed: Range::exactly(1.0) };
    /// let brake = Brake::Deceleration(Range::about(10.0, 2.0));
    /// let stopping = Stopping::new(ramp, brake, Range::about(0.03, 0.005))?;
    /// let state = JointState { position: Range::about(0.4, 0.003), velocity: Range::about(0.5, 0.01) };
    /// let passed = stopping.passed_positions(&state);
    /// assert!(passed.least == state.position.least, "it does not turn back");
    /// assert!(passed.most > 0.42 && passed.most < 0.45);
    /// # Ok::<(), elbowroom_monitor::Faults>(())
    /// ```
    ///
    /// # Errors
    /// All faults: ranges that are not finite, not in order or below zero, and brakes that do not brake.
    pub fn new(profile: Profile, brake: Brake, latency: Range) -> Result<Stopping, Faults> {
        let mut log = Log::default();
        profile.check(&mut log);
        brake.check(&mut log);
        latency.check(&mut log, Place::Field("latency"), "the latency");
        log.finish(Stopping { profile, brake, latency })
    }

    /// The time from a measurement until the brake acts (s).
    pub fn latency(&self) -> Range {
        self.latency
    }

    /// How fast its speed may rise (rad/s^2), by its profile; infinite where the profile does not say.
    pub(crate) fn greatest_rise(&self) -> f64 {
        self.profile.greatest_rise()
    }

    /// The greatest velocity (rad/s) after a time (s) of a joint that has at most `v` (>= 0) and is not
    /// braked, and how far it has come at most (rad).
    pub(crate) fn unbraked_motion(&self, v: f64, time: f64) -> (f64, f64) {
        let ahead = self.profile.motion_ahead(v, time);
        (ahead.velocity, ahead.way)
    }

    /// The greatest velocity (rad/s) and how far it has come (rad), both upwards and at most, after a time
    /// (s) of a joint that had at most `v` and whose brake acts from `latest` (s) on. How fast it is then is
    /// known only of brakes with a deceleration.
    pub(crate) fn braked_motion(&self, v: f64, latest: f64, time: f64) -> (f64, f64) {
        // A command to go on that was told before may act until then, and a stop before that one.
        let turned =
            if v < 0.0 { (v + multiply_up(self.brake.greatest_deceleration(), latest)).min(0.0) } else { v };
        let ahead = self.profile.motion_ahead(turned, time.min(latest));
        if !(ahead.velocity > 0.0) {
            return (0.0, 0.0);
        }
        if time <= latest {
            return (ahead.velocity, ahead.way.max(0.0));
        }
        let velocity = match &self.brake {
            Brake::Deceleration(range) => {
                (ahead.velocity - times_down(range.least, (time - latest).next_down())).next_up().max(0.0)
            }
            Brake::Linear { .. } | Brake::Table(_) => ahead.velocity,
        };
        (velocity, add(ahead.way.max(0.0), self.brake.way(ahead.velocity)))
    }

    /// The positions (rad) that the joint may pass from the measurement until it rests, as an interval that
    /// holds them all. An end is infinite where nothing bounds it: the brake was not measured at a speed that
    /// the joint can have, or the state holds no number. Nothing is allocated.
    pub fn passed_positions(&self, state: &JointState) -> Range {
        self.passed_by(state, &GoingOn::default())
    }

    /// As [`Stopping::passed_positions`], for a joint that goes on before it brakes as `on` says.
    pub fn passed_by(&self, state: &JointState, on: &GoingOn) -> Range {
        let told = self.stopping_motion(state, on.later, false);
        self.passed_after(state, &told, (on.ahead, on.factor), &state.velocity)
    }

    /// What [`Stopping::passed_after`] needs of a state if the joint is told to stop so much later (s). It
    /// does not depend on whether the joint goes on. Where a stop may still act that was told before, the
    /// brake may end the motion sooner than the profile does, and the joint may turn back sooner.
    pub(crate) fn stopping_motion(&self, state: &JointState, later: f64, brakes: bool) -> Told {
        let JointState { position, velocity } = state;
        let known =
            |range: &Range| range.least.is_finite() && range.most.is_finite() && range.least <= range.most;
        if !(known(position) && known(velocity) && later >= 0.0) {
            return Told::ENDLESS;
        }
        let latest = add(self.latency.most, later);
        let braked = if brakes { multiply_up(self.brake.greatest_deceleration(), latest) } else { 0.0 };
        let turning = |v: f64| if v < 0.0 { (v + braked).min(0.0) } else { v };
        let (down, up) = (turning(-velocity.least), turning(velocity.most));
        Told { down: self.way_until_rest(down, latest), up: self.way_until_rest(up, latest) }
    }

    /// How far a joint goes, either way, that is not faster than `most` (rad/s) and is told to stop so much
    /// later (s).
    pub(crate) fn way_of(&self, most: f64, later: f64) -> f64 {
        self.reach_of_way(&self.way_until_rest(most, add(self.latency.most, later)), 0.0, 0.0)
    }

    fn way_until_rest(&self, v: f64, latest: f64) -> Way {
        let ahead = self.profile.motion_ahead(v, latest);
        if ahead.velocity <= 0.0 {
            return Way { v: 0.0, free: 0.0, braked: 0.0 };
        }
        let braked = self.brake.way(ahead.velocity);
        let known = !(ahead.way.is_nan() || braked.is_nan());
        if known { Way { v: v.max(0.0), free: ahead.way, braked } } else { Way::ENDLESS }
    }

    /// As [`Stopping::passed_by`], with what is known of the joint already. It goes on at a multiple of a
    /// velocity of its own.
    pub(crate) fn passed_after(
        &self,
        state: &JointState,
        told: &Told,
        (ahead, factor): (f64, f64),
        velocity: &Range,
    ) -> Range {
        if !(ahead >= 0.0 && factor >= 0.0) {
            return Range::EVERYWHERE;
        }
        // What rests does not start by that.
        let on =
            |v: f64, way: &Way| if factor > 0.0 && v > 0.0 { multiply_up(v.min(way.v), factor) } else { 0.0 };
        self.passed_at(state, told, ahead, [on(-velocity.least, &told.down), on(velocity.most, &told.up)])
    }

    /// As [`Stopping::passed_after`], for a joint that goes on at these speeds (rad/s), down and up. With 0
    /// or less it does not go on that way.
    pub(crate) fn passed_at(&self, state: &JointState, told: &Told, ahead: f64, speeds: [f64; 2]) -> Range {
        let least = match self.reach_of_way(&told.down, ahead, speeds[0]) {
            0.0 => state.position.least,
            f64::INFINITY => f64::NEG_INFINITY,
            way => -add(-state.position.least, way),
        };
        let most = match self.reach_of_way(&told.up, ahead, speeds[1]) {
            0.0 => state.position.most,
            f64::INFINITY => f64::INFINITY,
            way => add(state.position.most, way),
        };
        Range { least, most }
    }

    /// How far the joint goes in a direction (rad).
    fn reach_of_way(&self, way: &Way, ahead: f64, other: f64) -> f64 {
        let mut rest = way.braked;
        if !(other <= 0.0) {
            let gone_on = add(range::multiply_up(other, ahead), self.brake.way(other));
            rest = if gone_on.is_nan() { f64::INFINITY } else { rest.max(gone_on) };
        }
        let whole = add(way.free, rest);
        if whole.is_nan() { f64::INFINITY } else { whole.max(0.0) }
    }
}

#[cfg(test)]
mod tests;
