//! The times that states name, beside the clock of this machine.
//!
//! A state says when it was measured, on a clock of the controller. All that is proved of it counts from
//! there, so a clock that lies makes old states look new. Nobody knows where that clock begins, so the states
//! are compared with each other: between any two of an arm both clocks must have gone as far, but for
//! `clock_drift` (the part by which one may run faster) and `clock_offset` (how far a state may lie beside
//! that, since some are read later than others):
//!
//! ```text
//! |dt - dm| <= clock_offset + clock_drift dm
//! ```
//!
//! `dt` is the advance of the states' times and `dm` that of this machine's clock, which is monotonic. A new
//! state is compared with all before it at once: each of them draws a line from above and one from below,
//! which only spread by the drift, and the tightest of either is kept. So no state that was read late blinds
//! the rest: it is tightest on one side only.
//!
//! A state may have waited in the socket before it was read. It was measured before, so this machine's clock
//! is behind by up to that wait, and its line from above lies higher by as much. States that wait are what
//! `overrun` is for, and not this.
//!
//! What is found is a stop that waits for a reset, and then all begins anew. While the arms wait for a reset
//! nothing is compared. Each arm may have a clock of its own, and is judged by itself.

use elbowroom_monitor::limits::CLOCK_ANY;
use std::time::Instant;

/// A state that draws a line.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    /// Its time, and when it was read (s).
    t: f64,
    read: f64,
    /// How long it may have waited before (s).
    waited: f64,
}

/// The tightest lines of an arm.
#[derive(Clone, Copy, Debug)]
struct ClockLines {
    above: Anchor,
    below: Anchor,
}

/// What was compared so far.
#[derive(Debug)]
pub struct Stamps {
    drift: f64,
    offset: f64,
    zero: Instant,
    arms: Vec<Option<ClockLines>>,
}

/// Two clocks that differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lie {
    /// How far the states' clock has gone between two states (s).
    pub states: f64,
    /// How far this machine's has (s).
    pub own: f64,
    /// By how much they may differ (s).
    pub most: f64,
}

impl Stamps {
    /// Of so many arms, as the settings have it.
    pub fn new(arms: usize, [drift, offset]: [f64; 2]) -> Stamps {
        Stamps { drift, offset, zero: Instant::now(), arms: vec![None; arms] }
    }

    /// All begins anew.
    pub fn forget_arms(&mut self) {
        self.arms.fill(None);
    }

    /// Compares a state of an arm, or of all, with those before it. `t` is its time (s), `read` when it was
    /// read, and `waited` how long it may have waited before (s).
    pub fn find_lie(&mut self, arm: Option<usize>, t: f64, read: Instant, waited: f64) -> Option<Lie> {
        if self.drift >= CLOCK_ANY {
            return None;
        }
        let read = read.saturating_duration_since(self.zero).as_secs_f64();
        let new = Anchor { t, read, waited };
        let mut lie = None;
        let of_state = |(k, lines)| arm.is_none_or(|arm| arm == k).then_some(lines);
        for lines in self.arms.iter_mut().enumerate().filter_map(of_state) {
            match lines {
                None => *lines = Some(ClockLines { above: new, below: new }),
                Some(lines) => {
                    let found = lines.find_contradiction(&new, [self.drift, self.offset]);
                    if found.is_none() {
                        lines.tighten_lines(&new, self.drift);
                    }
                    lie = lie.or(found);
                }
            }
        }
        lie
    }
}

impl Anchor {
    /// How far the states' clock has gone farther than this machine's since then (s), at a new state.
    fn clock_gain(&self, new: &Anchor) -> f64 {
        (new.t - self.t) - (new.read - self.read)
    }
}

impl ClockLines {
    /// How a new state contradicts those before.
    fn find_contradiction(&self, new: &Anchor, [drift, offset]: [f64; 2]) -> Option<Lie> {
        // Times are decimal numbers, and rounded.
        let rounds = 4.0 * f64::EPSILON * (new.t.abs() + 1.0);
        let most = |from: &Anchor, waited: f64| offset + drift * (new.read - from.read) + waited + rounds;
        let (ahead, behind) = (most(&self.above, self.above.waited), most(&self.below, 0.0));
        let of = |from: &Anchor, most| Lie { states: new.t - from.t, own: new.read - from.read, most };
        if self.above.clock_gain(new) > ahead {
            Some(of(&self.above, ahead))
        } else if self.below.clock_gain(new) < -behind {
            Some(of(&self.below, behind))
        } else {
            None
        }
    }

    /// A new state takes the place of an older one whose line is not so tight.
    fn tighten_lines(&mut self, new: &Anchor, drift: f64) {
        let spread = |from: &Anchor| drift * (new.read - from.read);
        if new.waited - self.above.waited <= spread(&self.above) - self.above.clock_gain(new) {
            self.above = *new;
        }
        if self.below.clock_gain(new) >= -spread(&self.below) {
            self.below = *new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Compares states, each with its time, when it is read (s), and how long it may have waited; the first
    /// that lies.
    fn first_lie(settings: [f64; 2], states: impl IntoIterator<Item = [f64; 3]>) -> Option<usize> {
        let mut stamps = Stamps::new(1, settings);
        let zero = stamps.zero;
        let mut lies = |[t, read, waited]: [f64; 3]| {
            stamps.find_lie(Some(0), t, zero + Duration::from_secs_f64(read), waited).is_some()
        };
        states.into_iter().position(&mut lies)
    }

    const USUAL: [f64; 2] = [0.01, 0.025];

    #[test]
    fn states_that_are_stamped_ahead_are_found_out() {
        // All are read at once.
        let burst = |zero: f64| (0..3000).map(move |k| [zero + 0.01 * f64::from(k), 1.0, 0.0]);
        assert_eq!(first_lie(USUAL, burst(0.0)), Some(3));
        assert_eq!(first_lie(USUAL, burst(1.7e9)), Some(3));
        // If they may have waited for a second, that is a second more.
        let burst = (0..3000).map(|k| [0.01 * f64::from(k), 1.0, 1.0]);
        assert_eq!(first_lie(USUAL, burst), Some(103));
    }

    #[test]
    fn a_clock_may_drift_and_no_faster_either_way() {
        let runs = |rate: f64| {
            (0..100_000).map(move |k| [5.0 + 0.01 * rate * f64::from(k), 0.01 * f64::from(k), 0.0])
        };
        for rate in [1.0, 1.0099, 0.9901] {
            assert_eq!(first_lie(USUAL, runs(rate)), None, "{rate}");
        }
        // The part beyond the drift adds up to the offset: 0.025 / (0.05 - 0.01) s.
        for rate in [1.05, 0.95] {
            let k = first_lie(USUAL, runs(rate)).unwrap();
            assert!((62..=65).contains(&k), "{rate}: {k}");
        }
        // As fast as a machine can.
        assert!(first_lie(USUAL, runs(100.0)).is_some());
        assert_eq!(first_lie([CLOCK_ANY, 0.025], runs(100.0)), None);
    }

    #[test]
    fn a_state_that_was_read_late_blinds_nothing() {
        // The first is read 20 ms late. A clock that jumps ahead, and one that falls behind.
        let states = |jump: f64| {
            (0..1000).map(move |k| {
                let t = 0.01 * f64::from(k);
                [t + if k >= 500 { jump } else { 0.0 }, t + if k == 0 { 0.02 } else { 0.0 }, 0.0]
            })
        };
        assert_eq!(first_lie(USUAL, states(0.0)), None);
        assert_eq!(first_lie([1e-4, 0.025], states(-0.026)), Some(500));
        assert_eq!(first_lie([1e-4, 0.025], states(0.026)), Some(500));
        // A clock that creeps ahead by less than the offset at once is held to where it was.
        let creeps = (0..1000).map(|k| {
            let t = 0.01 * f64::from(k);
            [t + 0.02 * f64::from(k / 100), t, 0.0]
        });
        assert_eq!(first_lie([1e-4, 0.025], creeps), Some(200));
    }

    #[test]
    fn states_that_are_read_late_by_less_than_the_offset_are_believed() {
        let mut seed = 7_u64;
        let jitters = (0..100_000).map(|k| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let t = 0.01 * f64::from(k);
            [t, t + 0.024 * (seed >> 40) as f64 / f64::from(1 << 24), 0.0]
        });
        assert_eq!(first_lie(USUAL, jitters), None);
    }

    #[test]
    fn each_arm_has_a_clock_of_its_own() {
        let mut stamps = Stamps::new(2, USUAL);
        let at = |s: f64| stamps.zero + Duration::from_secs_f64(s);
        let [first, second] = [at(1.0), at(1.01)];
        assert_eq!(stamps.find_lie(Some(0), 5.0, first, 0.0), None);
        assert_eq!(stamps.find_lie(Some(1), 900.0, first, 0.0), None);
        assert_eq!(stamps.find_lie(Some(1), 900.01, second, 0.0), None);
        assert!(stamps.find_lie(Some(0), 900.02, second, 0.0).is_some());
        // A state of all is one of each.
        assert!(stamps.find_lie(None, 5.01, second, 0.0).is_some());
        stamps.forget_arms();
        assert_eq!(stamps.find_lie(None, 5.01, second, 0.0), None);
    }
}
