//! Two monitors that are asked the same: only what both say passes.

use super::settings::Settings;
use super::side::Side;
use crate::monitor::lines::TakenLine;
use crate::monitor::words;
use crate::out::{clean_text, say_line};
use elbowroom_files::fault::counted_things;
use elbowroom_monitor::guard::compare_outcomes;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Disagreements that are shown on standard error.
const SHOWN: u64 = 3;

/// Most robots whose states are waited for each by itself.
const ROBOTS: usize = 256;

/// Two monitors.
pub struct Pair {
    sides: [Side; 2],
    /// Of both.
    settings: Settings,
    within: Duration,
    /// Robots, and when their last states came; the robot is `None` of states of all.
    states: Vec<(Option<String>, Instant)>,
    /// Whether the arms wait for a reset.
    latched: bool,
    lines: u64,
    stopped: u64,
}

impl Pair {
    /// Two monitors that were reached, with the settings of both, and how long each may take for an answer.
    pub fn new(sides: [Side; 2], settings: Settings, within: Duration) -> Pair {
        Pair { sides, settings, within, states: Vec::new(), latched: false, lines: 0, stopped: 0 }
    }

    /// How long a monitor may take for an answer.
    pub fn within(&self) -> Duration {
        self.within
    }

    /// What was answered, for people.
    pub fn summary(&self) -> String {
        let lines = counted_things(self.lines as usize, "line");
        format!("{lines}, {} without the agreement of both", self.stopped)
    }

    /// Answers a line that came at a time. Behind what monitors have said by themselves in the meantime comes
    /// the one answer.
    pub fn answer_line(&mut self, (taken, came): (TakenLine, Instant), said: &mut Vec<Vec<u8>>) {
        self.lines += 1;
        let TakenLine::Line(line) = taken else {
            self.latched = true;
            said.push(stop("unreadable", "the line is too long"));
            return;
        };
        let asked = Instant::now();
        let due = self.due(asked);
        let told = Told::read(line);
        if let Some(robot) = told.robot {
            self.came(robot, came);
        }
        let reset = told.is_reset;
        // Half of the time that is left is for reaching, and half of the rest for handing over.
        let half = |due: Instant| {
            let now = Instant::now();
            now + due.saturating_duration_since(now) / 2
        };
        if reset {
            for side in &mut self.sides {
                // One that cannot be reached does not answer below.
                let _ = side.reach(half(due), Some(&self.settings));
            }
        }
        for side in &mut self.sides {
            side.send(line, half(due));
        }
        let [one, other] = self.sides.each_mut().map(|side| side.receive([asked, due], said));
        let words = self.words(one.as_deref(), other.as_deref());
        match compare_outcomes(one, other, |one, other| same(one, other)) {
            Ok(answer) => {
                self.latched &= !reset;
                if self.latched {
                    self.stopped += 1;
                    let text = "the arms wait for a reset since an earlier stop (disagreement)";
                    said.push(stop("latched", text));
                } else {
                    said.push(answer);
                }
            }
            Err(why) => {
                self.latched = true;
                self.stopped += 1;
                let words = words.unwrap_or_else(|| "the answers differ".into());
                if self.stopped <= SHOWN {
                    say_line(&format!("line {}: {}: {words}", self.lines, why.says()));
                }
                said.push(stop("disagreement", &format!("{}: {words}", why.says())));
            }
        }
    }

    /// When a line that is asked now must be answered: within the time for an answer, and before a command
    /// that was given holds no longer. What was late before stays so: the monitors say it.
    fn due(&self, asked: Instant) -> Instant {
        let late = self.settings.late();
        let holds = self.states.iter().map(|(_, came)| *came + late).filter(|until| *until > asked);
        let Some(until) = holds.min() else { return asked + self.within };
        // Where less than twice the room is left, half of that.
        let room = self.settings.room().min((until - asked) / 2);
        (until - room).min(asked + self.within)
    }

    /// A state of a robot came. A state of all replaces that of each.
    fn came(&mut self, robot: Option<String>, came: Instant) {
        self.states.retain(|(other, _)| robot.is_some() && *other != robot);
        // More robots than a world has are not believed.
        if self.states.len() < ROBOTS {
            self.states.push((robot, came));
        }
    }

    /// What the monitors say by themselves: stops, which are handed on.
    pub fn listen(&mut self, said: &mut Vec<Vec<u8>>) {
        for side in &mut self.sides {
            side.listen(said);
        }
    }

    /// Why two answers are not the same, for people.
    fn words(&self, one: Option<&[u8]>, other: Option<&[u8]>) -> Option<String> {
        let sides = self.sides.iter().zip([one, other]);
        let missing: Vec<String> = sides
            .clone()
            .filter(|(_, answer)| answer.is_none())
            .map(|(side, _)| format!("{} {}", side.name(), side.lost().unwrap_or("is silent")))
            .collect();
        if !missing.is_empty() {
            return Some(missing.join("; "));
        }
        if one.zip(other).is_some_and(|(one, other)| same(one, other)) {
            return None;
        }
        let read = |answer: Option<&[u8]>| serde_json::from_slice::<Value>(answer.unwrap_or_default());
        let of = |key: &str| {
            [one, other].map(|answer| read(answer).ok().and_then(|v| v.get(key).cloned()).unwrap_or_default())
        };
        let [a, b] = of("fingerprint");
        if a != b {
            return Some(format!(
                "they guard other worlds, or have other settings: fingerprints {a} and {b}"
            ));
        }
        let [command_a, command_b] = of("command");
        let [speed_a, speed_b] = of("speed");
        let [name_a, name_b] = self.sides.each_ref().map(Side::name);
        let words = format!("{name_a} says {command_a} {speed_a}, {name_b} says {command_b} {speed_b}");
        Some(clean_text(&words))
    }
}

fn stop(kind: &str, text: &str) -> Vec<u8> {
    words::stop_line(Some(0), [kind, text], false).into_bytes()
}

/// What the comparator must know of a line.
struct Told {
    /// The robot of its state: `None` of all robots. `None` if the line has none.
    robot: Option<Option<String>>,
    is_reset: bool,
}

impl Told {
    /// What is no line has neither: the monitors say what is wrong with it.
    fn read(line: &[u8]) -> Told {
        #[derive(Default, Deserialize)]
        struct Keys {
            q: Option<IgnoredAny>,
            robot: Option<String>,
            reset: Option<IgnoredAny>,
        }
        // A list of the same values would be taken for a struct too.
        let keys = serde_json::from_slice(line).ok().filter(|_| line.starts_with(b"{"));
        let Keys { q, robot, reset } = keys.unwrap_or_default();
        Told { robot: q.map(|_| robot), is_reset: reset.is_some() }
    }
}

/// Whether two answers are the same, byte by byte; but for the number of the step, which counts what each
/// monitor has said by itself as well.
fn same(one: &[u8], other: &[u8]) -> bool {
    without_step(one) == without_step(other)
}

/// The parts of an answer before and behind the number of its step. In a text its quotes would be escaped.
fn without_step(line: &[u8]) -> (&[u8], &[u8]) {
    let key = b",\"step\":";
    let Some(at) = line.windows(key.len()).position(|part| part == key) else { return (line, &[]) };
    let (before, rest) = line.split_at(at);
    let digits = rest.iter().skip(key.len()).take_while(|byte| byte.is_ascii_digit()).count();
    (before, rest.get(key.len() + digits..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_step_may_differ() {
        let line = |speed: f64, step: u64, more: &str| {
            format!("{{\"speed\":{speed},\"text\":\"\\\"step\\\":7\",\"step\":{step},\"f\":\"ab\"{more}}}")
        };
        let of = |a: &str, b: &str| same(a.as_bytes(), b.as_bytes());
        let one = line(0.5, 9, "");
        assert!(of(&one, &one) && of(&one, &line(0.5, 1234, "")));
        let others =
            [line(0.6, 9, ""), line(0.5, 9, " "), one.replace("7", "8"), one.replace(",\"step\":9", "")];
        assert!(others.iter().all(|other| !of(&one, other) && !of(other, &one)));
        // Digits that belong to something else do not count as the step's.
        assert!(!of("{\"a\":1,\"step\":1}", "{\"a\":1,\"step\":1.5}"));
        assert!(of("", "") && !of("", "x"));
    }

    #[test]
    fn a_reset_is_a_key_and_not_a_word() {
        let is_reset = |line: &[u8]| Told::read(line).is_reset;
        assert!(is_reset(br#"{"t": 1, "reset": {}}"#));
        for line in
            [r#"{"intent": {"pick": "reset"}}"#, r#""reset""#, r#"{"a": {"reset": {}}}"#, "{\"reset\""]
        {
            assert!(!is_reset(line.as_bytes()), "{line}");
        }
    }
}
