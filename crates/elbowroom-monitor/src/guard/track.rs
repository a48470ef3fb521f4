//! What the positions of a joint value alone say of its velocity.
//!
//! A velocity that is told may be wrong in any way: a driver repeats the last one, two joints are swapped, a
//! unit is another, a clock is slow. So no stopping set is built on it. Of the joint it is known that its
//! speed rises no faster than its profile lets it, and falls no faster than its greatest acceleration. From
//! that, and from positions with their errors, follows an interval for the velocity now: the stopping set is
//! that of the interval. What is told must lie in it, and is believed where speeds alone are limited.
//!
//! # Why the interval holds
//!
//! The upper end; the lower one is its mirror. Let `x` be the velocity now, and `d` the most that the joint
//! can have come in the last time `T`: the difference of two positions and twice their error. Going back from
//! now the velocity falls by at most `a` (the profile's rise) while it is above zero, and by at most `A >= a`
//! below. So the joint has come at least `m(x)`, which rises with `x`:
//!
//! * `x T - a T^2 / 2` for `x >= a T`: then `x <= d / T + a T / 2`, where `d >= a T^2 / 2`;
//! * `x T - A T^2 / 2` for `x <= 0`: then `x <= d / T + A T / 2`, where `d <= -A T^2 / 2`;
//! * between these `a s^2 / 2 - A (T - s)^2 / 2` with `s = x / a`. That is concave in `s`, so `s` as a
//!   function of `d` lies below the chord of its ends.
//!
//! Each position of a window gives such a bound, and the least of them counts. It is best at `T = sqrt(4 e /
//! a)` for a position error `e`, and at most about `2 sqrt(2 e a)` wide at rest; older positions tell less.
//! So few are kept, a quarter of that time apart. The interval before, moved on by what the joint can do
//! since, is one more bound: it carries the first velocity, which is believed, until positions say better.
//!
//! In the same way the position now is bounded by the one before, moved on. Errors of positions that waver
//! from state to state so become smaller than those of one.
//!
//! An encoder may freeze as well. Positions that stay the same to the last bit while the velocities that are
//! told lead away from them by more than twice their error are not believed.

use super::description::JointDescription;
use crate::stopping::{Range, Stopping};

/// Positions that are kept: with a quarter of the best time between them they reach twice as far back.
const KEPT: usize = 8;
const PARTS: f64 = 4.0;

/// Longest time between two positions that are kept (s). Where a joint may hardly accelerate the best time is
/// long, but a lie must be found soon.
const SPARSE: f64 = 0.05;

/// A position that was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark {
    t: f64,
    q: f64,
    /// Where it was in truth.
    at: Range,
    /// How far the velocities that were told have led since the track began, and how wrong that may be; NaN
    /// where none was told.
    led: f64,
    slack: f64,
}

/// What is known of a joint value before it is measured.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    stopping: Stopping,
    position_error: f64,
    velocity_error: f64,
    /// How far the time of a state may be from the true one (s), and by which part of the time the clock of
    /// states may run faster or slower.
    time_error: f64,
    pub drift: f64,
    /// How fast its speed may rise and fall (rad/s^2).
    rise: f64,
    fall: f64,
    /// The least time between two marks (s).
    sparse: f64,
}

/// The velocity of a joint value, as far as positions tell it.
#[derive(Clone, Debug)]
pub(super) struct Track {
    marks: [Mark; KEPT],
    /// How many marks there are, and where the next one goes.
    count: usize,
    next: usize,
    last: Mark,
    last_told: f64,
    /// How far the velocities that were told have led since the position changed in its last bit: at least,
    /// upwards and downwards.
    still: [f64; 2],
    pub velocity: Range,
}

impl Mark {
    const NONE: Mark = Mark { t: 0.0, q: 0.0, at: Range::exactly(0.0), led: f64::NAN, slack: 0.0 };
}

/// What a new position and a velocity say together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Finding {
    /// They agree.
    Agrees,
    /// No motion within the greatest acceleration has these positions and this velocity: one of them lies.
    /// The velocity that the positions have.
    Contradiction(f64),
    /// The joint does what its profile does not: it is faster than this (rad/s, signed).
    Beyond(f64),
}

impl Motion {
    /// Of a joint whose states have times that are wrong by an error (s), on a clock that drifts.
    pub fn new(joint: &JointDescription, [time_error, drift]: [f64; 2]) -> Motion {
        let most = joint.acceleration.most;
        let of_profile = joint.stopping.greatest_rise();
        let rise = if of_profile.is_finite() { of_profile } else { most };
        let best = libm::sqrt(4.0 * joint.position_error / rise);
        Motion {
            stopping: joint.stopping.clone(),
            position_error: joint.position_error,
            velocity_error: joint.velocity_error,
            time_error,
            drift,
            rise,
            fall: most.max(rise),
            sparse: if best.is_finite() { (best / PARTS).min(SPARSE) } else { 0.0 },
        }
    }

    /// How far a position that was measured at `t` (s) may be from that of its time, at a speed.
    pub fn position_error(&self, t: f64, q: f64, speed: f64) -> f64 {
        let rounded = f64::EPSILON * (1.0 + q.abs());
        self.position_error + rounded + (self.time_error + f64::EPSILON * t.abs()) * speed
    }

    /// How fast a joint that rests may seem to be, by states that come each `period` (s).
    pub fn seeming_speed(&self, period: f64) -> f64 {
        let (error, rise) = (self.position_error, self.rise);
        if !rise.is_finite() {
            return 2.0 * self.velocity_error;
        }
        let of = |time: f64| self.bound_velocity(4.0 * error, [time, 1.0 / time], rise);
        // The marks lie whole periods apart, and the newest is as old as it happens to be.
        let between = (self.sparse / period).ceil().max(1.0);
        let worst = |age: f64| {
            let back = |k: usize| period * (age + k as f64 * between);
            (0..KEPT).map(back).map(of).fold(of(period), f64::min)
        };
        let ages = std::iter::successors(Some(1.0), |age| Some(age + 1.0)).take_while(|age| *age <= between);
        ages.map(worst).fold(2.0 * self.velocity_error, f64::max)
    }

    /// The greatest velocity after a time `dt` (s) of a joint that had at most `v`, and how far it has come
    /// at most.
    fn advance_velocity(&self, v: f64, dt: f64) -> (f64, f64) {
        if v == f64::INFINITY {
            return (v, v);
        }
        // Both of the times between which it is may be wrong, and their clock.
        let longest = (dt + 2.0 * self.time_error) * (1.0 + self.drift);
        let shortest = ((dt - 2.0 * self.time_error) / (1.0 + self.drift)).max(0.0);
        // What moves the other way brakes first.
        let turned = v + self.fall * longest;
        if v < 0.0 && turned <= 0.0 {
            return (turned, (v + 0.5 * self.fall * longest) * shortest);
        }
        let from = v.max(0.0);
        let (velocity, way) = self.stopping.unbraked_motion(from, longest);
        (velocity.min(from + self.fall * longest), way.max(0.0))
    }

    /// The greatest velocity now of a joint that has come at most `d` in the time `t` (s; `by_time` is one
    /// over it). The module says why.
    #[inline]
    fn bound_velocity(&self, d: f64, [t, by_time]: [f64; 2], rise: f64) -> f64 {
        let (half_rise, half_fall) = (0.5 * rise * t, 0.5 * self.fall * t);
        let speed = d * by_time;
        let most = if d >= half_rise * t {
            speed + half_rise
        } else if d <= -half_fall * t {
            speed + half_fall
        } else if half_fall.is_finite() {
            rise * (d + half_fall * t) / (half_rise + half_fall)
        } else {
            rise * t
        };
        // No term changes by more than this if the time is a part longer or shorter, or by twice its error.
        // What a wrong time makes of a speed is in the errors of positions.
        let wavers = if half_fall.is_finite() { half_fall } else { 2.0 * half_rise };
        most + self.drift * (speed.abs() + wavers) + 2.0 * self.time_error * wavers * by_time
    }
}

impl Track {
    /// Nothing is known yet.
    pub fn new() -> Track {
        Track {
            marks: [Mark::NONE; KEPT],
            count: 0,
            next: 0,
            last: Mark::NONE,
            last_told: f64::NAN,
            still: [0.0; 2],
            velocity: Range::EVERYWHERE,
        }
    }

    /// Begins at a position, known to within an error, with a velocity that is believed.
    pub fn begin(&mut self, (t, q, error): (f64, f64, f64), told: Option<f64>, velocity: Range) {
        let led = if told.is_some() { 0.0 } else { f64::NAN };
        (self.count, self.next) = (0, 0);
        self.last = Mark { t, q, at: Range::about(q, error), led, slack: 0.0 };
        self.last_told = told.unwrap_or(f64::NAN);
        self.still = [0.0; 2];
        self.velocity = velocity;
    }

    /// Forgets all positions but the last, and believes a velocity.
    pub fn restart_track(&mut self, velocity: Range, motion: &Motion) {
        let Mark { t, q, .. } = self.last;
        let told = Some(self.last_told).filter(|told| !told.is_nan());
        let fastest = velocity.least.abs().max(velocity.most.abs());
        self.begin((t, q, motion.position_error(t, q, fastest)), told, velocity);
    }

    /// Where the joint is.
    pub fn position(&self) -> Range {
        self.last.at
    }

    /// Moves all positions by so much (rad): a joint that turns without end counts from another turn.
    pub fn shift_positions(&mut self, by: f64) {
        let all = self.marks.iter_mut().chain(std::iter::once(&mut self.last));
        all.for_each(|mark| {
            mark.q += by;
            mark.at = Range { least: (mark.at.least + by).next_down(), most: (mark.at.most + by).next_up() };
        });
    }

    /// Takes the next position, and the velocity that is told with it.
    pub fn take_position(&mut self, t: f64, q: f64, told: Option<f64>, motion: &Motion) -> Finding {
        let dt = t - self.last.t;
        let mean = (q - self.last.q) / dt;
        let Range { least, most } = self.velocity;
        let fastest = told.map_or(0.0, f64::abs).max(mean.abs());
        let error = motion.position_error(t, q, fastest);

        // What the velocities that were told lead to: each second a trapezoid, from which no acceleration
        // leads farther away than a quarter of it, times the time squared.
        let v = told.unwrap_or(f64::NAN);
        let way = 0.5 * (self.last_told + v) * dt;
        let wrong = (motion.velocity_error + 0.25 * motion.fall * dt) * dt + motion.drift * way.abs();
        let least_way = motion.velocity_error * dt + motion.drift * way.abs();
        let is_still = q.to_bits() == self.last.q.to_bits() && !way.is_nan();
        let [up, down] = self.still;
        self.still = if is_still { [up + way - least_way, down - way - least_way] } else { [0.0; 2] };
        let is_frozen = self.still.iter().any(|led| *led > 2.0 * error);

        // Where it is: near what is measured, and no farther from the place before than it can have come.
        let ((falls, down), (rises, up)) =
            (motion.advance_velocity(-least, dt), motion.advance_velocity(most, dt));
        let measured = Range::about(q, error);
        let at = Range {
            least: measured.least.max((self.last.at.least - down).next_down()),
            most: measured.most.min((self.last.at.most + up).next_up()),
        };
        // What contradicts itself is found out below.
        let at = if at.least <= at.most { at } else { measured };
        let mut new = Mark { t, q, at, led: self.last.led + way, slack: self.last.slack + wrong };
        if new.led.is_nan() && told.is_some() {
            // From here on they are added up anew.
            (new.led, new.slack) = (0.0, 0.0);
            self.marks.iter_mut().for_each(|mark| mark.led = f64::NAN);
        }

        let predicted = Range { least: -falls, most: rises };
        let mut now = predicted;
        let mut led_astray = false;
        for mark in self.known_positions() {
            let (time, come) = (t - mark.t, q - mark.q);
            let time = [time, 1.0 / time];
            let (most, least) = (at.most - mark.at.least, at.least - mark.at.most);
            now.most = now.most.min(motion.bound_velocity(most, time, motion.rise));
            now.least = now.least.max(-motion.bound_velocity(-least, time, motion.rise));
            let astray = (come - (new.led - mark.led)).abs() > 2.0 * error + (new.slack - mark.slack);
            led_astray |= astray;
        }
        // Quotients of small times round.
        let rounding = 1e-9 * (1.0 + fastest);
        let of_told = told.map(|v| Range::about(v, motion.velocity_error + rounding));
        let is_empty = now.least > now.most + rounding;
        let is_other = of_told.is_some_and(|told| told.least > now.most || told.most < now.least);
        let found = if led_astray || is_frozen {
            Finding::Contradiction(mean)
        } else if is_empty || is_other {
            self.explain_finding(new, error, of_told, predicted, motion)
        } else {
            Finding::Agrees
        };

        self.velocity = Range { least: now.least.min(now.most), most: now.most.max(now.least) };
        if found != Finding::Agrees {
            // What was known is wrong. The arms stop until a reset, and after it what is told is believed.
            self.velocity = of_told.unwrap_or_else(|| self.excluded_velocities(t, q, error, motion));
            new.at = measured;
            self.count = 0;
        } else {
            let newest = self.marks.get((self.next + KEPT - 1) % KEPT).filter(|_| self.count > 0);
            if newest.is_none_or(|newest| self.last.t - newest.t >= motion.sparse) {
                if let Some(place) = self.marks.get_mut(self.next) {
                    *place = self.last;
                }
                self.next = (self.next + 1) % KEPT;
                self.count = (self.count + 1).min(KEPT);
            }
        }
        (self.last, self.last_told) = (new, v);
        found
    }

    /// The positions that are known: the last one first.
    fn known_positions(&self) -> impl Iterator<Item = &Mark> {
        let kept = (1..=self.count).filter_map(|back| self.marks.get((self.next + KEPT - back) % KEPT));
        std::iter::once(&self.last).chain(kept)
    }

    /// What positions leave of the velocity at `t` (s), whatever the profile says.
    fn excluded_velocities(&self, t: f64, q: f64, error: f64, motion: &Motion) -> Range {
        let mut left = Range::EVERYWHERE;
        for mark in self.known_positions() {
            let (time, come) = (t - mark.t, q - mark.q);
            let time = [time, 1.0 / time];
            left.most = left.most.min(motion.bound_velocity(come + 2.0 * error, time, motion.fall));
            left.least = left.least.max(-motion.bound_velocity(-come + 2.0 * error, time, motion.fall));
        }
        left
    }

    /// Why a position and a velocity do not agree with what was known: if the greatest acceleration does not
    /// explain them, one of them lies; else the joint has left its profile.
    fn explain_finding(
        &self,
        new: Mark,
        error: f64,
        told: Option<Range>,
        predicted: Range,
        motion: &Motion,
    ) -> Finding {
        let mean = (new.q - self.last.q) / (new.t - self.last.t);
        let left = self.excluded_velocities(new.t, new.q, error, motion);
        let is_other = told.is_some_and(|told| told.least > left.most || told.most < left.least);
        if is_other || left.least > left.most {
            return Finding::Contradiction(mean);
        }
        let is_down = told.map_or(mean, |told| 0.5 * (told.least + told.most)) < 0.0;
        Finding::Beyond(if is_down { predicted.least } else { predicted.most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::Limit;
    use crate::stopping::{Brake, Profile};
    use elbowroom::math::Random;

    fn motion(position_error: f64, rise: f64, fall: f64) -> Motion {
        let profile = Profile::Ramp { acceleration: Range::exactly(rise), speed: Range::exactly(2.0) };
        let brake = Brake::Deceleration(Range::exactly(fall));
        let joint = JointDescription {
            position: [-9.0, 9.0],
            position_error,
            velocity_error: 1e-3,
            velocity: Limit::NONE,
            acceleration: Limit::stop_beyond(fall),
            effort: Limit::NONE,
            current: Limit::NONE,
            stopping: Stopping::new(profile, brake, Range::exactly(0.01)).unwrap(),
        };
        Motion::new(&joint, [0.0; 2])
    }

    /// Joints that speed up and brake as hard as they may, with the worst noise: the interval holds the
    /// velocity at each state, whatever is told, and a velocity that is true is never doubted.
    #[test]
    fn the_interval_holds_the_velocity_whatever_is_told() {
        let mut random = Random(1);
        let (mut states, mut narrow, mut found) = (0, 0, 0);
        for case in 0..2000 {
            let mut draw = |least: f64, most: f64| random.range(least, most);
            let (error, rise) = (draw(0.0, 1e-3), draw(0.5, 4.0));
            let (fall, period) = (rise * draw(1.0, 8.0), draw(0.001, 0.02));
            let motion = motion(error, rise, fall);
            let (mut q, mut v, mut t) = (draw(-2.0, 2.0), 0.0, 0.0);
            let (mut track, mut wanted, mut until) = (Track::new(), 0.0, 0.0);
            let lies = case % 2 == 1;
            track.begin((t, q, error), Some(v), Range::about(v, 1e-3));
            for _ in 0..200 {
                // Ten parts of each period, piecewise at one acceleration.
                for _ in 0..10 {
                    if t >= until {
                        (wanted, until) = (draw(-1.5, 1.5), t + draw(0.02, 0.4));
                    }
                    let tick = 0.1 * period;
                    let gap: f64 = wanted - v;
                    let is_slower = gap * v < 0.0;
                    let most = if is_slower { fall } else { rise };
                    let less = if is_slower { v.abs().min(gap.abs()) } else { gap.abs() };
                    let next = v + gap.signum() * less.min(most * tick);
                    (q, v, t) = (q + 0.5 * (v + next) * tick, next, t + tick);
                }
                let worst = |n: f64| if n.abs() > 0.5 { n.signum() } else { n };
                let told = if lies { 0.0 } else { v + 1e-3 * worst(draw(-1.0, 1.0)) };
                let finding = track.take_position(t, q + error * worst(draw(-1.0, 1.0)), Some(told), &motion);
                let Range { least, most } = track.velocity;
                states += 1;
                if finding != Finding::Agrees {
                    assert!(lies, "{case} {t}: {v} {finding:?} {track:?} {motion:?}");
                    found += 1;
                    break;
                }
                assert!(least - 1e-9 <= v && v <= most + 1e-9, "{case} {t}: {v} not in {track:?} {motion:?}");
                let Range { least: low, most: high } = track.position();
                assert!(low - 1e-12 <= q && q <= high + 1e-12, "{case} {t}: {q} not in {track:?} {motion:?}");
                narrow += usize::from(most - least < 6.0 * libm::sqrt(2.0 * error * rise) + rise * period);
            }
        }
        assert!(states > 200_000 && 3 * narrow > 2 * states && found > 950, "{states} {narrow} {found}");
    }

    #[test]
    fn a_joint_that_leaves_its_profile_is_told_from_one_that_lies() {
        let motion = motion(1e-4, 2.0, 8.0);
        let mut track = Track::new();
        track.begin((0.0, 0.0, motion.position_error), Some(0.0), Range::about(0.0, 1e-3));
        let found = (1..20).map(|k| {
            let t = 0.01 * f64::from(k);
            track.take_position(t, 0.5 * 7.5 * t * t, Some(7.5 * t), &motion)
        });
        let found: Vec<Finding> = found.take_while(|found| !matches!(found, Finding::Beyond(_))).collect();
        assert!(found.len() < 3 && found.iter().all(|found| *found == Finding::Agrees), "{found:?}");
        // Positions within the profile, and a velocity that stays at zero.
        track.begin((0.0, 0.0, motion.position_error), Some(0.0), Range::about(0.0, 1e-3));
        let found = (1..20).map(|k| {
            let t = 0.01 * f64::from(k);
            track.take_position(t, 0.5 * 1.9 * t * t, Some(0.0), &motion)
        });
        let first = found.enumerate().find(|(_, found)| *found != Finding::Agrees).unwrap();
        assert!(first.0 < 5 && matches!(first.1, Finding::Contradiction(_)), "{first:?}");
    }

    #[test]
    fn a_joint_at_rest_is_not_thought_to_be_faster_than_is_told() {
        let motion = motion(1e-3, 2.0, 20.0);
        let (mut track, mut random, mut fastest) = (Track::new(), Random(7), 0.0_f64);
        let period = 0.005;
        track.begin((0.0, 0.0, motion.position_error), Some(0.0), Range::about(0.0, 1e-3));
        for k in 1..100_000 {
            let q = if random.unit() < 0.5 { -1e-3 } else { 1e-3 };
            let found = track.take_position(f64::from(k) * period, q, Some(0.0), &motion);
            assert_eq!(found, Finding::Agrees);
            fastest = fastest.max(track.velocity.most).max(-track.velocity.least);
        }
        let most = motion.seeming_speed(period);
        assert!(fastest <= most * (1.0 + 1e-9) && fastest > 0.3 * most, "{fastest} {most}");
    }
}
