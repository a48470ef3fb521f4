//! Where a motion lets a pair touch, on the plot: hatched, because the curve there is that of the other
//! pairs.

use super::allowed::{AllowedStretch, Leaves};
use super::html::escaped;
use super::sample_axis::{WIDTH, sample_place};
use crate::limits::HATCHES;
use crate::load::LoadedWorld;
use crate::outcome::{Outcome, Point};

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
pub fn list_hatches(loaded: &LoadedWorld, stretches: &[AllowedStretch], outcome: &Outcome) -> Vec<Hatch> {
    let allowed = |s: &&AllowedStretch| {
        let for_a_time = s.samples[0] < outcome.samples && !s.is_all_along(outcome.samples);
        s.leaves == Leaves::Allowed && for_a_time
    };
    let hatch = |stretch: &AllowedStretch| {
        let [a, b] = stretch.pair.map(|body| &*loaded.world.bodies()[body.index()].name);
        let because = stretch.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        let words = escaped(&format!("{a} and {b}, {}{because}", stretch.when_in_words(outcome)));
        Hatch { samples: stretch.samples, words }
    };
    let some = stretches.iter().filter(allowed).take(HATCHES);
    if outcome.drawn { Vec::new() } else { some.map(hatch).collect() }
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
