//! The motion as stills, one a sample where there are few enough, with a slider. They are drawn from one
//! place that all of them fit into.

use super::moments::LEGEND;
use super::picture::Film;
use super::plot;
use super::stage::{Posed, Stage};
use crate::check::outcome::Outcome;
use crate::limits::{FILM_BYTES, FILM_TRIANGLES, STILL_BYTES, STILLS};
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

/// Adds the film under a heading. `first` is the sample that it begins with, `say` gives the words of a
/// sample, escaped. Random samples are no motion, and have none.
pub fn film(
    s: &mut String,
    stage: &mut Stage<'_>,
    outcome: &Outcome,
    (heading, first): (&str, usize),
    say: impl Fn(usize) -> String,
) {
    let shown = shown(outcome);
    let Some(mut film) = stage.with(first, |subject| Film::of(&subject)).flatten() else { return };
    let moments: Vec<Posed<'_>> = shown.iter().filter_map(|sample| stage.posed(*sample)).collect();
    moments.iter().for_each(|posed| film.extend(&stage.subject_of(posed)));
    let (bytes, triangles) = ((FILM_BYTES / shown.len()).min(STILL_BYTES), FILM_TRIANGLES / shown.len());
    let at = shown.iter().position(|sample| *sample >= first).unwrap_or(0);
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
        let class = if k == at { "still on" } else { "still" };
        let x = plot::place(&outcome.points, *sample);
        let _ = write!(s, "<g class=\"{class}\" data-x=\"{x:.1}\" data-say=\"{}\">{still}</g>", say(*sample));
    }
    let which = if shown.len() == outcome.samples {
        String::new()
    } else {
        format!(" {} of {} are shown.", counted_things(shown.len(), "sample"), outcome.samples)
    };
    let _ = write!(
        s,
        "</svg></div><div class=\"seek\"><button id=\"play\" type=\"button\" hidden>Play</button>\
         <input id=\"seek\" type=\"range\" min=\"0\" max=\"{}\" value=\"{at}\" hidden \
         aria-label=\"sample\"></div><p id=\"said\">{}</p><p class=\"soft\">All are seen from one place, and \
         begin with the least clear.{which}</p></div>",
        shown.len().saturating_sub(1),
        say(shown.get(at).copied().unwrap_or(0)),
    );
    s.push_str(LEGEND);
}
