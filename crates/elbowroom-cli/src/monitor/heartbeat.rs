//! When a state must come. The clock is the program's own and monotonic: whatever sets the clock of the
//! machine changes nothing here.

use std::time::{Duration, Instant};

/// Answers to one silence that nobody asked for. Then it is known.
const SILENCES: u32 = 100;

/// Longest wait (s): nothing that is waited for depends on it.
const LONGEST: f64 = 10.0;

/// By this part of the time between two states their arrival may waver, and count as one on pace.
const WAVERS: f64 = 1.0 / 8.0;

/// When the last state came, and what must be said since.
#[derive(Debug)]
pub struct Heartbeat {
    late: f64,
    period: f64,
    /// When something was read last.
    read: Instant,
    /// When the last state was there to be read. `late` counts from here.
    seen: Instant,
    /// Whether it came as long after the one before as its time says. If the next one comes later than its
    /// time says, it has waited then. Behind the states of a slow simulation it has not.
    on_pace: bool,
    /// The time of the last state, on its own clock; `None` before the first.
    of_last: Option<f64>,
    /// When silence is told next, behind the last state (s), and how often it was told.
    due: f64,
    told: u32,
    /// The last state for which the monitor had to wait: when it was read, and its time (s).
    fresh: Option<(Instant, f64)>,
    /// Whether nothing was there to be read: the next state is fresh.
    waits: bool,
}

impl Heartbeat {
    /// From now on a state must come within `late`; then silence is told once a `period` (s).
    pub fn new([late, period]: [f64; 2]) -> Heartbeat {
        let seen = Instant::now();
        let waits = true;
        let on_pace = false;
        Heartbeat {
            late,
            period,
            read: seen,
            seen,
            on_pace,
            of_last: None,
            due: late,
            told: 0,
            fresh: None,
            waits,
        }
    }

    /// Something was read now.
    pub fn reads(&mut self) {
        self.read = Instant::now();
    }

    /// The time since the last state was there (s), if it is longer than `late` and no silence was told
    /// since: what was proved of it holds no longer. The client may have read its answer so late, too.
    pub fn missed(&self) -> Option<f64> {
        let elapsed = self.seen.elapsed().as_secs_f64();
        // As long as the watchdog waits, at the least.
        let most = self.late.max(1.5 * self.period);
        (self.of_last.is_some() && self.told == 0 && elapsed > most).then_some(elapsed)
    }

    /// Whether nothing is there to be read.
    pub fn waits(&mut self, waits: bool) {
        self.waits |= waits;
    }

    /// How long a state waited in the socket before it was read (s), if that is longer than `late`. `t` is
    /// its time (s, its own clock). It is by how much more this clock has advanced than that of the states,
    /// since the last state that the monitor had to wait for.
    pub fn lag(&self, t: f64) -> Option<f64> {
        let (seen, of_fresh) = self.fresh.filter(|_| !self.waits)?;
        let lag = seen.elapsed().as_secs_f64() - (t - of_fresh);
        (lag > self.late).then_some(lag)
    }

    /// A state of a time (s, its own clock) was answered.
    pub fn state(&mut self, t: f64) {
        let Heartbeat { late, period, read, waits, .. } = *self;
        let fresh = if waits { Some((read, t)) } else { self.fresh };
        let [came, should] =
            [read.duration_since(self.seen).as_secs_f64(), self.of_last.map_or(0.0, |of| t - of)];
        let is_next = should > 0.0 && should <= late;
        let waited = if is_next && self.on_pace { (came - should).clamp(0.0, late) } else { 0.0 };
        let on_pace = is_next && came <= should * (1.0 + WAVERS);
        let seen = read.checked_sub(Duration::from_secs_f64(waited)).unwrap_or(read);
        let now = Heartbeat { read, seen, on_pace, fresh, waits: false, ..Heartbeat::new([late, period]) };
        *self = Heartbeat { of_last: Some(t), ..now };
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
