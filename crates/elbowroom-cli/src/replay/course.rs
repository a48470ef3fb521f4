//! The course of a record in bounded memory: how fast the arms might go, how near they came, and why.
//!
//! Neighbouring answers share a column. When there are too many columns, each two become one.

use crate::limits::{PAGE_PAIRS, PLOT_COLUMNS};
use serde_json::Value;

/// Neighbouring answers, as one.
#[derive(Clone, Copy, Debug)]
pub struct CourseColumn {
    /// The time of the first (s).
    pub t: f64,
    /// The least speed factor.
    pub speed: f64,
    /// The smallest proved distance (m); infinite where none was measured.
    pub lower: f64,
    /// The kinds of reasons, as bits.
    pub kinds: u64,
}

/// Answers that follow each other with the same command and the same first reason.
#[derive(Clone, Debug)]
pub struct Episode {
    /// From when to when (s).
    pub t: [f64; 2],
    /// The command.
    pub command: String,
    /// The kind and the words of its first reason, as they were first.
    pub reason: [String; 2],
    /// How many answers.
    pub answers: u64,
}

/// What happened.
#[derive(Debug, Default)]
pub struct ReplayCourse {
    /// In order.
    pub columns: Vec<CourseColumn>,
    /// What the bits of columns stand for.
    pub kinds: Vec<String>,
    /// What was not permitted, in order; those beyond a page's room are counted.
    pub episodes: Vec<Episode>,
    /// How many are not listed.
    pub more: usize,
    /// Answers by command: permit, slow, stop.
    pub counts: [u64; 3],
    /// How many answers a column has, and the last one has so far.
    size: usize,
    filled: usize,
    open: bool,
}

/// Kinds that have a bit.
const KINDS: usize = 64;

impl ReplayCourse {
    /// Takes an answer.
    pub fn take(&mut self, answer: &Value) {
        let number = |key: &str| answer.get(key).and_then(Value::as_f64);
        let word =
            |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or("").to_string();
        let command = word(answer, "command");
        let count = match &*command {
            "permit" => 0,
            "slow" => 1,
            _ => 2,
        };
        self.counts.iter_mut().skip(count).take(1).for_each(|count| *count += 1);
        let reasons = answer.get("reasons").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut bits = 0;
        for reason in reasons {
            let kind = word(reason, "kind");
            let known = self.kinds.iter().position(|other| *other == kind);
            let bit = known.unwrap_or(self.kinds.len());
            if known.is_none() && bit < KINDS {
                self.kinds.push(kind);
            }
            bits |= if bit < KINDS { 1 << bit } else { 0 };
        }
        let last = self.columns.last().map_or(0.0, |column| column.t);
        let t = number("t").unwrap_or(last);
        let speed = number("speed").unwrap_or(0.0);
        let lower = number("lower").unwrap_or(f64::INFINITY);
        self.column(CourseColumn { t, speed, lower, kinds: bits });
        let Some(first) = reasons.first().filter(|_| command != "permit") else {
            self.open = false;
            return;
        };
        let reason = [word(first, "kind"), word(first, "text")];
        let same = |episode: &&mut Episode| episode.command == command && episode.reason[0] == reason[0];
        if let (true, Some(episode)) = (self.open, self.episodes.last_mut().filter(same)) {
            episode.t[1] = t;
            episode.answers += 1;
        } else if self.episodes.len() < PAGE_PAIRS {
            self.episodes.push(Episode { t: [t; 2], command, reason, answers: 1 });
            self.open = true;
        } else {
            self.more += 1;
            self.open = false;
        }
    }

    fn column(&mut self, new: CourseColumn) {
        if self.filled > 0 && self.filled < self.size {
            if let Some(column) = self.columns.last_mut() {
                *column = joined(column, &new);
            }
            self.filled += 1;
            return;
        }
        if self.columns.len() >= 2 * PLOT_COLUMNS {
            let pairs = self.columns.chunks(2);
            self.columns = pairs.filter_map(|pair| Some(joined(pair.first()?, pair.last()?))).collect();
            self.size *= 2;
        }
        self.size = self.size.max(1);
        self.columns.push(new);
        self.filled = 1;
    }
}

fn joined(a: &CourseColumn, b: &CourseColumn) -> CourseColumn {
    CourseColumn {
        t: a.t,
        speed: a.speed.min(b.speed),
        lower: a.lower.min(b.lower),
        kinds: a.kinds | b.kinds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_records_keep_what_was_least_and_every_kind() {
        let mut course = ReplayCourse::default();
        for i in 0..100_000 {
            let odd = i == 54_321;
            let reasons = if odd { json!([{"kind": "late", "text": "it was late"}]) } else { json!([]) };
            let command = if odd { "stop" } else { "permit" };
            let speed = if odd { 0.0 } else { 1.0 };
            let lower = if i == 77_777 { 0.25 } else { 1.0 };
            course.take(
                &json!({"t": i, "command": command, "speed": speed, "lower": lower, "reasons": reasons}),
            );
        }
        assert!(course.columns.len() <= 2 * PLOT_COLUMNS && course.columns.len() >= PLOT_COLUMNS);
        assert!(course.columns.windows(2).all(|pair| pair[0].t < pair[1].t));
        let least =
            |of: fn(&CourseColumn) -> f64| course.columns.iter().map(of).fold(f64::INFINITY, f64::min);
        assert_eq!((least(|c| c.speed), least(|c| c.lower)), (0.0, 0.25));
        let stopped: Vec<&CourseColumn> = course.columns.iter().filter(|c| c.kinds != 0).collect();
        assert!(stopped.len() == 1 && stopped[0].t <= 54_321.0 && stopped[0].speed == 0.0);
        assert_eq!((course.counts, course.episodes.len()), ([99_999, 0, 1], 1));
        assert_eq!(course.episodes[0].reason, ["late", "it was late"]);
    }
}
