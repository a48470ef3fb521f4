//! The events of a motion in words, for marks on its plot and beside its slider.

use super::html::escaped;
use crate::changes::Changes;
use crate::changes::change::ResolvedChange;
use crate::changes::words::{change_in_words, when_changed};
use crate::limits::CHANGES_NAMED;
use crate::load::LoadedWorld;
use crate::outcome::Outcome;
use std::fmt::Write;

/// What happens between two samples.
pub struct EventMark {
    /// The first sample that is asked with it; the number of samples where it happens after the last.
    pub sample: usize,
    /// What happens, as HTML.
    pub words: String,
}

/// The events that people make, in their order; what sensors saw is none. Random samples have no order.
pub fn event_marks(loaded: &LoadedWorld, changes: &Changes, outcome: &Outcome) -> Vec<EventMark> {
    let mut marks: Vec<EventMark> = Vec::new();
    let all = changes.all_changes().iter().filter(|change| !matches!(change.what, ResolvedChange::See(..)));
    for change in all.filter(|_| !outcome.drawn) {
        let words = escaped(&change_in_words(&loaded.world, &change.what));
        match marks.last_mut() {
            Some(mark) if mark.sample == change.sample => {
                mark.words.push_str(", ");
                mark.words.push_str(&words);
            }
            _ => marks.push(EventMark { sample: change.sample, words }),
        }
    }
    marks
}

/// What happens right after a sample, and before the first, to be put behind its words.
pub fn words_at(marks: &[EventMark], sample: usize) -> String {
    let at = |sample: usize| {
        marks.binary_search_by_key(&sample, |mark| mark.sample).ok().and_then(|at| marks.get(at))
    };
    let start = at(0).filter(|_| sample == 0).map(|mark| format!(". At the start: {}", mark.words));
    let after = at(sample + 1).map(|mark| format!(". After it: {}", mark.words));
    start.into_iter().chain(after).collect()
}

/// The events as a list that has the numbers of the marks.
pub fn event_list(marks: &[EventMark], outcome: &Outcome) -> String {
    if marks.is_empty() {
        return String::new();
    }
    let mut s =
        String::from("<p class=\"soft\">Events, by the numbers of their marks:</p><ol class=\"events\">");
    for mark in marks.iter().take(CHANGES_NAMED) {
        let time = |sample: usize| outcome.points.get(sample).and_then(|point| point.t);
        // Writing to a string cannot fail.
        let _ = write!(s, "<li>{}: {}", when_changed(mark.sample, outcome.samples, time), mark.words);
    }
    s.push_str("</ol>");
    if marks.len() > CHANGES_NAMED {
        let _ = write!(s, "<p class=\"soft\">And {} more.</p>", marks.len() - CHANGES_NAMED);
    }
    s
}
