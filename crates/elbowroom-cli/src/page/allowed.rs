//! Pairs that a motion leaves out for a time: between events `allow` and `forbid`, and while a part is
//! carried.
//!
//! An event happens at the pose of a sample, after that sample is asked. So the way to the next sample has
//! it: a pair that is allowed after sample 20 and forbidden after sample 21 is unchecked on the way between
//! the two, and at sample 21.

use crate::changes::Changes;
use crate::changes::change::{ResolvedChange, TimedChange};
use crate::changes::words::after_sample;
use crate::held::HeldBy;
use crate::outcome::Outcome;
use elbowroom::World;
use elbowroom::world::BodyId;

/// Why a pair is not checked for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leaves {
    /// An event `allow` says so.
    Allowed,
    /// One of them carries the other, or it may touch what it is carried by.
    Carried,
    /// Both move together, so their distance stays the same.
    Together,
}

/// A time in which a pair is not checked.
pub struct AllowedStretch {
    /// The pair.
    pub pair: [BodyId; 2],
    /// The first sample at which it is not checked, and the first at which it is again.
    pub samples: [usize; 2],
    /// Why, if that is said.
    pub reason: Option<String>,
    /// Who leaves it out.
    pub leaves: Leaves,
}

impl AllowedStretch {
    /// Whether it is of these two bodies.
    pub fn is_of(&self, a: BodyId, b: BodyId) -> bool {
        self.pair == [a, b] || self.pair == [b, a]
    }

    /// The pair, whichever of the two an event names first.
    pub fn ordered_pair(&self) -> [BodyId; 2] {
        let [a, b] = self.pair;
        if a <= b { [a, b] } else { [b, a] }
    }

    /// Whether it is not checked at any of so many samples.
    pub fn is_all_along(&self, samples: usize) -> bool {
        self.samples[0] == 0 && self.samples[1] >= samples
    }

    /// From when to when, for a sentence: `from after sample 20 (t = 1 s) to sample 21 (t = 1.05 s)`.
    pub fn when_in_words(&self, outcome: &Outcome) -> String {
        let ([from, end], count) = (self.samples, outcome.samples);
        let time = |sample: usize| outcome.points.get(sample).and_then(|point| point.t);
        let last = end.saturating_sub(1);
        match (from, end >= count) {
            _ if self.is_all_along(count) => "all along".into(),
            (from, _) if from >= count => "after the last sample".into(),
            (from, true) => format!("from {} on", after_sample(from - 1, time(from - 1))),
            (from, false) => {
                let start = match from.checked_sub(1) {
                    None => "the start".into(),
                    Some(before) => after_sample(before, time(before)),
                };
                let end = after_sample(last, time(last));
                format!("from {start} to {}", end.strip_prefix("after ").unwrap_or(&end))
            }
        }
    }
}

/// The sample from which on two obstacles rest: what was let go and is not taken again is not checked
/// against what rests as well, allowed or not.
fn rests_from(world: &World, later: &[TimedChange], pair: [BodyId; 2]) -> Option<usize> {
    if pair.iter().any(|body| world.bodies()[body.index()].robot.is_some()) {
        return None;
    }
    let takes = |change: &TimedChange| match change.what {
        ResolvedChange::Attach(body, ..) => pair.contains(&body),
        _ => false,
    };
    let let_go = |change: &TimedChange| match change.what {
        ResolvedChange::Detach(body) => pair.contains(&body),
        _ => false,
    };
    let last = later.iter().rposition(takes).map_or(0, |k| k + 1);
    later[last..].iter().find(|change| let_go(change)).map(|change| change.sample)
}

/// All of them, in the order in which they begin.
pub fn allowed_stretches(world: &World, changes: &Changes, samples: usize) -> Vec<AllowedStretch> {
    let all = changes.all_changes();
    let mut found = Vec::new();
    for (i, TimedChange { what, sample }) in all.iter().enumerate() {
        let end = |is_end: &dyn Fn(&ResolvedChange) -> bool| {
            let later = all[i + 1..].iter().find(|later| is_end(&later.what));
            [*sample, later.map_or(samples.max(*sample + 1), |later| later.sample)]
        };
        let part_goes = |body: BodyId| {
            end(&|later| match later {
                ResolvedChange::Detach(other) | ResolvedChange::Place(other, _) => *other == body,
                ResolvedChange::Attach(other, ..) => *other == body,
                _ => false,
            })
        };
        match what {
            ResolvedChange::Allow(pair, reason) => {
                let is_end = |later: &ResolvedChange| match later {
                    ResolvedChange::Forbid(other) => other == pair || other == &[pair[1], pair[0]],
                    _ => false,
                };
                let [from, mut to] = end(&is_end);
                if let Some(rests) = rests_from(world, &all[i + 1..], *pair) {
                    to = to.min(rests);
                }
                let (samples, reason) = ([from, to], reason.clone());
                found.push(AllowedStretch { pair: *pair, samples, reason, leaves: Leaves::Allowed });
            }
            ResolvedChange::Attach(body, carrier, touch) => {
                let samples = part_goes(*body);
                let others = std::iter::once(carrier).chain(touch.iter().filter(|other| *other != carrier));
                found.extend(others.map(|other| {
                    let reason = if other == carrier { "carried" } else { "may touch while it is carried" };
                    let (pair, reason) = ([*body, *other], Some(reason.into()));
                    AllowedStretch { pair, samples, reason, leaves: Leaves::Carried }
                }));
                let together = changes.held_pairs(i).iter().filter(|pair| pair.by == HeldBy::Company);
                found.extend(together.map(|pair| {
                    let reason = Some("carried rigidly: both move together".into());
                    let pair = [pair.part, pair.other];
                    AllowedStretch { pair, samples, reason, leaves: Leaves::Together }
                }));
            }
            _ => {}
        }
    }
    // What is forbidden again before a sample is asked is always checked.
    found.retain(|stretch| stretch.samples[0] < stretch.samples[1]);
    found.retain(|stretch| stretch.leaves == Leaves::Allowed || stretch.samples[0] < samples);
    found
}
