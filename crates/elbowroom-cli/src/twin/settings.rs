//! What a monitor tells of its settings: the times that states keep, and whether another one judges alike.

use serde_json::Value;
use std::fmt;
use std::time::Duration;

/// The settings of a monitor.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The time between two states of an arm (s).
    pub period: f64,
    /// The longest time between them (s).
    pub late: f64,
    /// Of its world and all its settings.
    fingerprint: String,
}

impl Settings {
    /// Reads the answer to `{"settings": {}}`, or says what is wrong with it.
    pub fn read(answer: &[u8]) -> Result<Settings, String> {
        let said: Value = serde_json::from_slice(answer).unwrap_or_default();
        let seconds = |key: &str| {
            let time = said.get("settings").and_then(|settings| settings.get(key)).and_then(Value::as_f64);
            // What a guard takes, so that all sums of times are times.
            time.filter(|time| (1e-6..=1000.0).contains(time))
        };
        let fingerprint = said.get("fingerprint").and_then(Value::as_str);
        match (seconds("period"), seconds("late"), fingerprint) {
            (Some(period), Some(late), Some(fingerprint)) => {
                Ok(Settings { period, late, fingerprint: fingerprint.into() })
            }
            _ => {
                let reason = said.pointer("/reasons/0/text").and_then(Value::as_str);
                Err(format!("it does not tell its settings: {}", reason.unwrap_or("it is no such monitor")))
            }
        }
    }

    /// How long an answer may take: what `late` leaves behind a period, as the monitors have it.
    pub fn usual_within(&self) -> f64 {
        (self.late - self.period).max(0.5 * self.period)
    }

    /// How long a command holds behind its state.
    pub fn late(&self) -> Duration {
        Duration::from_secs_f64(self.late)
    }

    /// What is kept of `late` for saying a stop: a sixteenth. With 25 ms that is 1.6 ms; to say a line takes
    /// some hundredths of that.
    pub fn room(&self) -> Duration {
        self.late() / 16
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { period, late, fingerprint } = self;
        write!(f, "period {period} s, late {late} s, fingerprint {fingerprint}")
    }
}
