//! Where a motion lets a pair touch, on the plot: hatched, because the curve there is that of the other
//! pairs.

use super::allowed::{AllowedStretch, Leaves};
use super::html::escaped;
use super::sample_axis::{WIDTH, sample_place};
use crate::changes::Changes;
use crate::changes::change::ResolvedChange;
use crate::limits::HATCHES;
use crate::load::LoadedWorld;
use crate::outcome::{Outcome, Point};
use elbowroom::world::BodyId;

/// A time in which an event `allow` leaves a pair out.
pub struct Hatch {
    /// The first sample at which it is not checked, and the first at which it is again.
    pub samples: [usize; 2],
    /// Which pair, when and why, as HTML.
    pub words: String,
}

impl Hatch {
    /// Whether a sample is in it.
    pub fn contains_sample(&self, sample: usize) -> bool {
        (self.samples[0]..self.samples[1]).contains(&sample)
    }

    /// Where it is in the plot: with the way that leads to its first sample.
    pub fn plot_span(&self, points: &[Point]) -> [f64; 2] {
        let [from, end] = self.samples;
        let to = if end < points.len() { sample_place(points, end.saturating_sub(1)) } else { WIDTH };
        [sample_place(points, from.saturating_sub(1)), to]
    }
}

/// Those of a motion; random samples have none.
pub fn list_hatches(
    loaded: &LoadedWorld,
    changes: &Changes,
    stretches: &[AllowedStretch],
    outcome: &Outcome,
) -> Vec<Hatch> {
    let allowed = |s: &&AllowedStretch| s.leaves == Leaves::Allowed && s.samples[0] < outcome.samples;
    let hatch = |stretch: &AllowedStretch| {
        let [a, b] = stretch.pair.map(|body| &*loaded.world.bodies()[body.index()].name);
        let because = stretch.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        let samples = [stretch.samples[0], end_of(loaded, changes, stretch)];
        let hatched = AllowedStretch { samples, reason: None, ..*stretch };
        let words = escaped(&format!("{a} and {b}, {}{because}", hatched.when_in_words(outcome)));
        Hatch { samples, words }
    };
    let some = stretches.iter().filter(allowed).take(HATCHES);
    if outcome.drawn { Vec::new() } else { some.map(hatch).collect() }
}

/// The sample from which the pair is checked again, or rests: what was put down and let go is not checked
/// against what rests as well, allowed or not.
fn end_of(loaded: &LoadedWorld, changes: &Changes, stretch: &AllowedStretch) -> usize {
    let [from, end] = stretch.samples;
    let rests = |body: BodyId| loaded.world.bodies()[body.index()].robot.is_none();
    let let_go = |what: &ResolvedChange| match what {
        ResolvedChange::Detach(body) => stretch.pair.contains(body) && stretch.pair.into_iter().all(rests),
        _ => false,
    };
    let all = changes.all_changes().iter();
    let later = all.filter(|change| change.sample > from && let_go(&change.what)).map(|c| c.sample);
    later.min().map_or(end, |sample| sample.min(end))
}

/// What is hatched, for below the plot; empty if nothing is.
pub fn hatch_words(hatches: &[Hatch]) -> String {
    if hatches.is_empty() {
        return String::new();
    }
    let words: Vec<&str> = hatches.iter().map(|hatch| &*hatch.words).collect();
    format!(
        "<p class=\"soft\"><i class=\"hatched\"></i>Hatched: a pair is not checked; lines and dots there are \
         those of the other pairs: {}.</p>",
        words.join("; ")
    )
}
