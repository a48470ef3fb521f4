//! The motion as stills, one a sample where there are few enough, with a slider. They are drawn from one
//! place that all of them fit into.

use super::events::EventMark;
use super::moments::LEGEND;
use super::picture::Film;
use super::sample_axis;
use super::stage::{Posed, Stage};
use crate::limits::{FILM_BYTES, FILM_TRIANGLES, STILL_BYTES, STILLS};
use crate::outcome::Outcome;
use elbowroom_files::fault::counted_things;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The samples that have a still: each, or every second, third and so on, and the worst moments.
fn shown(outcome: &Outcome) -> Vec<usize> {
    let step = outcome.samples.div_ceil(STILLS).max(1);
    let mut shown: BTreeSet<usize> = (0..outcome.samples).step_by(step).collect();
    shown.extend(outcome.moments.iter().map(|moment| moment.sample));
    shown.extend(outcome.samples.checked_sub(1));
    shown.into_iter().collect()
}

/// Adds the film under a heading. It begins with the first sample; all are seen from where `least` is seen
/// best, the least clear one. `say` gives the words of a sample, escaped. Random samples are no motion, and
/// have none.
pub fn film(
    s: &mut String,
    stage: &mut Stage<'_>,
    outcome: &Outcome,
    (heading, least): (&str, usize),
    marks: &[EventMark],
    say: impl Fn(usize) -> String,
) {
    let shown = shown(outcome);
    let Some(mut film) = stage.with(least, |subject| Film::of(&subject)).flatten() else { return };
    let moments: Vec<Posed<'_>> = shown.iter().filter_map(|sample| stage.posed(*sample)).collect();
    moments.iter().for_each(|posed| film.extend(&stage.subject_of(posed)));
    let (bytes, triangles) = ((FILM_BYTES / shown.len()).min(STILL_BYTES), FILM_TRIANGLES / shown.len());
    let last = shown.len().saturating_sub(1);
    let place_of = |sample: usize| shown.iter().position(|s| *s >= sample).unwrap_or(last);
    let start = |k: usize| if k == 0 { "The start. " } else { "" };
    let still = |posed: Posed<'_>| film.still(&stage.subject_of(&posed), bytes, triangles);
    let stills: Vec<String> = moments.into_par_iter().map(still).collect();
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<h2>{heading}</h2><div class=\"card\"><div class=\"views film\"><svg viewBox=\"{}\" role=\"img\" \
         aria-label=\"the robot at the sample of the slider\">",
        Film::view_box()
    );
    for (k, (sample, still)) in shown.iter().zip(stills).enumerate() {
        let class = if k == 0 { "still on" } else { "still" };
        let x = sample_axis::sample_place(&outcome.points, *sample);
        let _ = write!(
            s,
            "<g class=\"{class}\" data-x=\"{x:.1}\" data-say=\"{}{}\">{still}</g>",
            start(k),
            say(*sample)
        );
    }
    let ticks: String = marks
        .iter()
        .map(|mark| {
            let part = place_of(mark.sample) as f64 / last.max(1) as f64;
            format!("<i style=\"--at:{part:.4}\" title=\"{}\"></i>", mark.words)
        })
        .collect();
    let marked = if marks.is_empty() { "" } else { " The marks below the slider are the events." };
    let which = if shown.len() == outcome.samples {
        String::new()
    } else {
        format!(" {} of {} are shown.", counted_things(shown.len(), "sample"), outcome.samples)
    };
    let _ = write!(
        s,
        "</svg></div><div class=\"seek\"><button id=\"play\" type=\"button\" hidden>Play</button>\
         <span class=\"track\" hidden><input id=\"seek\" type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" \
         aria-label=\"sample\">{ticks}</span>\
         <button id=\"least\" type=\"button\" data-k=\"{}\" hidden>Least clear</button></div>\
         <p id=\"said\">{}{}</p><p class=\"soft\">All pictures are seen from the same side. \
         The slider begins at the start.{marked}{which}</p></div>",
        place_of(least),
        start(0),
        say(shown.first().copied().unwrap_or(0)),
    );
    s.push_str(LEGEND);
}
