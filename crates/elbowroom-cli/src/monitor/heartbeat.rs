//! When a state must come. The clock is the program's own and monotonic: whatever sets the clock of the
//! machine changes nothing here.

use std::time::{Duration, Instant};

/// Answers to one silence that nobody asked for. Then it is known.
const SILENCES: u32 = 100;

/// Longest wait (s): nothing that is waited for depends on it.
const LONGEST: f64 = 10.0;

/// When the last state was answered, and what must be said since.
#[derive(Debug)]
pub struct Heartbeat {
    late: f64,
    period: f64,
    seen: Instant,
    /// The time of the last state, on its own clock; `None` before the first.
    of_last: Option<f64>,
    /// When silence is told next, behind the last state (s), and how often it was told.
    due: f64,
    told: u32,
    /// The last state that had been waited for: when it was answered, and its time (s).
    fresh: Option<(Instant, f64)>,
    /// Whether nothing is there to be read: what comes next is fresh.
    waits: bool,
}

impl Heartbeat {
    /// From now on a state must come within `late`; then silence is told once a `period` (s).
    pub fn new([late, period]: [f64; 2]) -> Heartbeat {
        let seen = Instant::now();
        Heartbeat { late, period, seen, of_last: None, due: late, told: 0, fresh: None, waits: true }
    }

    /// How long ago the state before the present one was answered (s), if that is longer than `late` and
    /// nobody has been told: for so long its command was relied on.
    pub fn missed(&self) -> Option<f64> {
        let elapsed = self.seen.elapsed().as_secs_f64();
        (self.of_last.is_some() && self.told == 0 && elapsed > self.late).then_some(elapsed)
    }

    /// Whether nothing is there to be read.
    pub fn waits(&mut self, waits: bool) {
        self.waits |= waits;
    }

    /// How long a state of a time (s, its own clock) has waited to be read, if that is longer than `late`:
    /// what was proved of it is of the past. Its clock and this one began together at the last state that was
    /// waited for.
    pub fn lag(&self, t: f64) -> Option<f64> {
        let (seen, of_fresh) = self.fresh.filter(|_| !self.waits)?;
        let lag = seen.elapsed().as_secs_f64() - (t - of_fresh);
        (lag > self.late).then_some(lag)
    }

    /// A state of a time (s, its own clock) was answered.
    pub fn state(&mut self, t: f64) {
        let Heartbeat { late, period, waits, .. } = *self;
        let now = Heartbeat::new([late, period]);
        let fresh = if waits { Some((now.seen, t)) } else { self.fresh };
        *self = Heartbeat { of_last: Some(t), fresh, waits: false, ..now };
    }

    /// The time (s, the states' clock) of a silence that must be told now. `now` is what is known of that
    /// clock before the first state. A state that waits to be read ends no silence: it was not answered in
    /// time.
    pub fn overdue(&mut self, now: f64) -> Option<f64> {
        let elapsed = self.seen.elapsed().as_secs_f64();
        if elapsed <= self.due || self.told == SILENCES {
            return None;
        }
        self.told += 1;
        self.due = elapsed + self.period;
        Some(self.of_last.map_or(now, |t| t + elapsed))
    }

    /// How long to wait for a line before silence is told; `None` when it was told often enough.
    pub fn wait(&self) -> Option<Duration> {
        let left = self.due - self.seen.elapsed().as_secs_f64();
        (self.told < SILENCES).then(|| Duration::from_secs_f64(left.clamp(0.0, LONGEST)))
    }
}
