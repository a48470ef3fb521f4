//! When a state must come. The clock is the program's own and monotonic: whatever sets the clock of the
//! machine changes nothing here.

use std::time::{Duration, Instant};

/// Answers to one silence that nobody asked for. Then it is known.
const SILENCES: u32 = 100;

/// Longest wait (s): nothing that is waited for depends on it.
const LONGEST: f64 = 10.0;

/// A state is on pace if it comes no later than its time says, but for this part of the time between the two.
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
    /// Whether the last state was on pace. Only then is a delay of the next one taken for the time that it
    /// waited: the states of a slow simulation are never on pace, and do not wait.
    on_pace: bool,
    /// The time of the last state, on its own clock; `None` before the first.
    of_last: Option<f64>,
    /// When silence is told next, behind the last state (s), and how often it was told.
    due: f64,
    told: u32,
    /// The last state for which the monitor had to wait: when it was read, and its time (s).
    fresh: Option<(Instant, f64)>,
    /// When the client connected. Its first lines may have waited since then.
    came: Instant,
    /// Whether nothing was there to be read: the next state is fresh.
    waits: bool,
}

impl Heartbeat {
    /// From now on a state must come within `late`; then silence is told once a `period` (s). The client has
    /// connected before, at a known time.
    pub fn new([late, period]: [f64; 2], came: Instant) -> Heartbeat {
        let now = Instant::now();
        Heartbeat {
            late,
            period,
            read: now,
            seen: now,
            on_pace: false,
            of_last: None,
            due: late,
            told: 0,
            fresh: None,
            came,
            waits: false,
        }
    }

    /// Something was read now.
    pub fn note_read(&mut self) {
        self.read = Instant::now();
    }

    /// The time since the last state came (s), if it is longer than `late` and no silence was told since.
    /// What was proved of that state holds no longer then. The client may have read its answer that late.
    pub fn elapsed_if_late(&self) -> Option<f64> {
        let elapsed = self.seen.elapsed().as_secs_f64();
        (self.of_last.is_some() && self.told == 0 && elapsed > self.late).then_some(elapsed)
    }

    /// By how much the next state is overdue (s): the time since the last one, less a period. Any answer has
    /// so much less time. Zero before the first state, and once silence was told.
    pub fn time_behind(&self) -> f64 {
        let is_known = self.of_last.is_some() && self.told == 0;
        if is_known { (self.seen.elapsed().as_secs_f64() - self.period).max(0.0) } else { 0.0 }
    }

    /// Whether nothing is there to be read.
    pub fn note_waiting(&mut self, waits: bool) {
        self.waits |= waits;
    }

    /// How long a state waited in the socket before it was read (s), if that is longer than `late`. `t` is
    /// its time (s, its own clock). The monitor compares how far both clocks have advanced since the last
    /// state that it had to wait for. Before there is one, a state may be as old as the connection.
    pub fn state_lag(&self, t: f64) -> Option<f64> {
        let (seen, of_fresh) = self.fresh.unwrap_or((self.came, t));
        let lag = seen.elapsed().as_secs_f64() - (t - of_fresh);
        (!self.waits && lag > self.late).then_some(lag)
    }

    /// When the last bytes were read, and how long a state in them may have waited in the socket before (s).
    pub fn read_and_waited(&self) -> (Instant, f64) {
        let since = self.fresh.map_or(self.came, |(read, _)| read);
        let waited = if self.waits { 0.0 } else { self.read.saturating_duration_since(since).as_secs_f64() };
        (self.read, waited)
    }

    /// A state of a time (s, its own clock) was answered.
    pub fn note_state(&mut self, t: f64) {
        let Heartbeat { late, period, read, came, waits, .. } = *self;
        let fresh = if waits { Some((read, t)) } else { self.fresh.or(Some((came, t))) };
        // The time since the state before, by this clock and by that of the states.
        let took = read.duration_since(self.seen).as_secs_f64();
        let should = self.of_last.map_or(0.0, |of| t - of);
        let is_next = should > 0.0 && should <= late;
        let waited = if is_next && self.on_pace { (took - should).clamp(0.0, late) } else { 0.0 };
        let on_pace = is_next && took <= should * (1.0 + WAVERS);
        let seen = read.checked_sub(Duration::from_secs_f64(waited)).unwrap_or(read);
        let new = Heartbeat::new([late, period], came);
        *self = Heartbeat { read, seen, on_pace, of_last: Some(t), fresh, ..new };
    }

    /// The time (s, the states' clock) of a silence that must be told now. `now` is what is known of that
    /// clock before the first state. A state that waits to be read ends no silence: it was not answered in
    /// time.
    pub fn next_silence(&mut self, now: f64) -> Option<f64> {
        let elapsed = self.seen.elapsed().as_secs_f64();
        if elapsed <= self.due || self.told == SILENCES {
            return None;
        }
        self.told += 1;
        self.due = elapsed + self.period;
        Some(self.of_last.map_or(now, |t| t + elapsed))
    }

    /// How long to wait for a line before silence is told; `None` when it was told often enough.
    pub fn wait_time(&self) -> Option<Duration> {
        let left = self.due - self.seen.elapsed().as_secs_f64();
        (self.told < SILENCES).then(|| Duration::from_secs_f64(left.clamp(0.0, LONGEST)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: [f64; 2] = [0.025, 0.01];

    fn second() -> Duration {
        Duration::from_secs(1)
    }

    #[test]
    fn what_a_client_said_first_may_be_as_old_as_its_coming() {
        let came = Instant::now().checked_sub(second()).unwrap();
        let mut heart = Heartbeat::new(TIMES, came);
        heart.note_read();
        assert!(heart.state_lag(7.0).unwrap() >= 1.0);
        // The next one is as old, while it was there to be read.
        heart.note_state(7.0);
        heart.note_read();
        assert!(heart.state_lag(7.01).unwrap() >= 0.99);
        // One that was waited for is not.
        heart.note_waiting(true);
        heart.note_read();
        assert_eq!(heart.state_lag(7.02), None);
        heart.note_state(7.02);
        assert_eq!(heart.state_lag(7.03), None);
    }

    #[test]
    fn a_state_that_was_read_late_is_as_old_as_its_time_says() {
        let mut heart = Heartbeat::new(TIMES, Instant::now());
        let state = |heart: &mut Heartbeat, t: f64, after: f64| {
            heart.note_waiting(true);
            heart.read = heart.read.checked_add(Duration::from_secs_f64(after)).unwrap();
            heart.note_state(t);
            heart.read.duration_since(heart.seen).as_secs_f64()
        };
        // The second one is on pace, and the third is read 15 ms late.
        assert_eq!(state(&mut heart, 0.0, 0.0), 0.0);
        assert_eq!(state(&mut heart, 0.01, 0.01), 0.0);
        assert!((state(&mut heart, 0.02, 0.025) - 0.015).abs() < 1e-6);
        // A slow simulation is never on pace, and is not late.
        for k in 3..9 {
            assert_eq!(state(&mut heart, 0.01 * f64::from(k), 0.02), 0.0, "{k}");
        }
    }

    #[test]
    fn what_is_answered_long_after_a_state_has_less_time() {
        let mut heart = Heartbeat::new(TIMES, Instant::now());
        assert_eq!((heart.time_behind(), heart.elapsed_if_late()), (0.0, None), "nothing is known yet");
        heart.read = heart.read.checked_sub(second()).unwrap();
        heart.note_state(0.0);
        assert!(heart.time_behind() >= 0.99 && heart.elapsed_if_late().unwrap() >= 1.0);
        // Silence was told: the arms stop.
        assert!(heart.next_silence(0.0).is_some());
        assert_eq!((heart.time_behind(), heart.elapsed_if_late()), (0.0, None));
    }
}
