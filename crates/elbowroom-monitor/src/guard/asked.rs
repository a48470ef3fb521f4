//! The speed that the controller asks for, as far as the guard can see it.
//!
//! The controller is told a part of the speed that it asks for, and the guard sees what the arms do. While
//! they are slowed, it takes the speed at which they were before for what is asked for; that fades in some
//! seconds.

use super::now::Now;

/// The greatest multiple of the present speed that is asked about.
const FASTEST: f64 = 8.0;
/// How fast the speed that was asked for fades (1/s).
const FADE: f64 = 0.3;
/// Below this part of the speed that was asked for, arms come to rest by themselves: what their speed is
/// multiplied by then says little, and the part that was permitted stays.
const SLOW: f64 = 0.01;

/// What is known of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    /// The greatest of all velocities, each as a part of its limit.
    speed: f64,
    t: f64,
}

impl Asked {
    /// Sees the present speed; returns the multiple of it that was asked for.
    pub fn see(&mut self, speed: f64, now: Now) -> f64 {
        let dt = (now.t - self.t).max(0.0);
        self.t = now.t;
        let full = now.permitted >= 1.0;
        self.speed = if full { speed } else { speed.max(self.speed - self.speed * (FADE * dt).min(1.0)) };
        if speed > 0.0 { (self.speed / speed).clamp(1.0, FASTEST) } else { 1.0 }
    }

    /// Which part of it a multiple of the present speed is.
    pub fn part(&self, speed: f64, multiple: f64, now: Now) -> f64 {
        let share = speed / self.speed.max(speed);
        if share > SLOW { multiple * share } else { now.permitted }
    }
}
