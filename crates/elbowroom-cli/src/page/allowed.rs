//! When a motion lets pairs touch: between events `allow` and `forbid`, and while a body is carried.

use crate::changes::Changes;
use crate::changes::change::{ResolvedChange, TimedChange};
use crate::out::seconds_text;
use crate::outcome::Outcome;
use elbowroom::world::BodyId;

/// A run of samples at which a pair is not checked.
pub struct AllowedStretch {
    /// The pair.
    pub pair: [BodyId; 2],
    /// The first sample, and the one behind the last.
    samples: [usize; 2],
    /// Why, if that is said.
    pub reason: Option<String>,
    /// Whether an event `allow` does it; else one body carries the other, or both touch while it is carried.
    pub by_event: bool,
}

impl AllowedStretch {
    /// Whether it is of these two bodies.
    pub fn is_of(&self, a: BodyId, b: BodyId) -> bool {
        self.pair == [a, b] || self.pair == [b, a]
    }

    /// When, for a sentence: `at samples 3 to 7`.
    pub fn samples_in_words(&self) -> String {
        let [from, end] = self.samples;
        match end.saturating_sub(from) {
            0 => format!("on the way to sample {end}"),
            1 => format!("at sample {from}"),
            _ => format!("at samples {from} to {}", end - 1),
        }
    }

    /// The same with times, where the motion has them.
    pub fn when_in_words(&self, outcome: &Outcome) -> String {
        let [from, end] = self.samples;
        let time = |sample: usize| outcome.points.get(sample).and_then(|point| point.t).map(seconds_text);
        let last = end.saturating_sub(1).max(from);
        let times = match (time(from), time(last)) {
            (Some(from), Some(to)) if from != to => format!(" (t = {from} to {to} s)"),
            (Some(from), Some(_)) => format!(" (t = {from} s)"),
            _ => String::new(),
        };
        format!("{}{times}", self.samples_in_words())
    }
}

/// All of them, in the order in which they begin.
pub fn allowed_stretches(changes: &Changes, samples: usize) -> Vec<AllowedStretch> {
    let all = changes.all_changes();
    let mut found = Vec::new();
    for (i, TimedChange { what, sample }) in all.iter().enumerate() {
        let end = |is_end: &dyn Fn(&ResolvedChange) -> bool| {
            let later = all[i + 1..].iter().find(|later| is_end(&later.what));
            [*sample, later.map_or(samples, |later| later.sample)]
        };
        match what {
            ResolvedChange::Allow(pair, reason) => {
                let is_end = |later: &ResolvedChange| match later {
                    ResolvedChange::Forbid(other) => other == pair || other == &[pair[1], pair[0]],
                    _ => false,
                };
                let (samples, reason) = (end(&is_end), reason.clone());
                found.push(AllowedStretch { pair: *pair, samples, reason, by_event: true });
            }
            ResolvedChange::Attach(body, carrier, touch) => {
                let samples = end(&|later| matches!(later, ResolvedChange::Detach(other) if other == body));
                let others = std::iter::once(carrier).chain(touch.iter().filter(|other| *other != carrier));
                found.extend(others.map(|other| {
                    let reason = if other == carrier { "carried" } else { "may touch while it is carried" };
                    let (pair, reason) = ([*body, *other], Some(reason.into()));
                    AllowedStretch { pair, samples, reason, by_event: false }
                }));
            }
            _ => {}
        }
    }
    found.retain(|stretch| stretch.by_event || stretch.samples[0] < samples);
    found
}
