//! The speed that the controller asks for, as far as the guard can see it.
//!
//! The controller is told a part of the speed that it asks for, and the guard sees what the arms do. A
//! controller may tell what it asks for. Of another one, while the arms are slowed, the guard takes the speed
//! at which they were before for it; that fades in some seconds.

use super::now::Now;

/// The greatest multiple of the present speed that is asked about.
const FASTEST: f64 = 8.0;
/// How fast the speed that was asked for fades (1/s).
const FADE: f64 = 0.3;
/// Below this part of the speed that was asked for, arms come to rest by themselves: multiples of their speed
/// say little then.
const SLOW: f64 = 0.01;

/// How fast the arms would go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pace {
    /// The multiple of their present speed.
    pub multiple: f64,
    /// The part of the speed that is asked for, up to 1: what they are told.
    pub part: f64,
}

/// What is known of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    /// The greatest of all velocities, each as a part of its limit.
    speed: f64,
    t: f64,
    /// Which part of it the present speed is.
    share: f64,
    /// The multiple of the present speed that was asked for.
    most: f64,
}

impl Pace {
    /// They do not go on.
    pub const REST: Pace = Pace { multiple: 0.0, part: 0.0 };
}

impl Asked {
    /// Sees the present speed, and what is asked for where that is told.
    pub fn note_present_speed(&mut self, now: Now) {
        let speed = now.joints.greatest_speed_part();
        let dt = (now.t - self.t).max(0.0);
        self.t = now.t;
        self.speed = match now.joints.asked_speed() {
            Some(asked) => asked.max(speed),
            None if now.joints.permitted >= 1.0 => speed,
            None => speed.max(self.speed - self.speed * (FADE * dt).min(1.0)),
        };
        self.most = if speed > 0.0 { (self.speed / speed).clamp(1.0, FASTEST) } else { 1.0 };
        self.share = if speed > 0.0 { speed / self.speed } else { 0.0 };
    }

    /// The pace if the arms are told this part of what is asked for.
    pub fn pace_at_part(&self, part: f64) -> Pace {
        let multiple = if part >= 1.0 {
            self.most
        } else if self.share > SLOW {
            (part / self.share).min(self.most)
        } else {
            1.0
        };
        Pace { multiple, part: part.min(1.0) }
    }

    /// Which part a multiple of the present speed is.
    pub fn part_of_multiple(&self, multiple: f64) -> f64 {
        if multiple >= self.most || !(self.share > SLOW) { 1.0 } else { (multiple * self.share).min(1.0) }
    }

    /// What the arms are told if a part is proved. Where they seem to come to rest by themselves, it stays.
    pub fn part_to_tell(&self, part: f64, now: Now) -> f64 {
        let known = self.share > SLOW || now.joints.asked_speed().is_some();
        if known || part >= 1.0 { part } else { now.joints.permitted }
    }
}
