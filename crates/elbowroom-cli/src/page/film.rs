//! The motion as stills, one a sample where there are few enough, with a slider. They are drawn from one
//! place that all of them fit into.

use super::between::{first_contact, least_beside_samples};
use super::events::EventMark;
use super::headline::capitalize_first;
use super::html::escaped;
use super::moments::LEGEND;
use super::picture::Film;
use super::sample_axis;
use super::stage::{Posed, Stage};
use super::way_marks::WayMark;
use crate::continuous::EdgeKind;
use crate::limits::{FILM_BYTES, FILM_TRIANGLES, STILL_BYTES, STILLS};
use crate::outcome::Outcome;
use elbowroom::world::BodyPair;
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

/// What a still shows.
#[derive(Clone, Copy)]
enum Shot {
    Sample(usize),
    /// A moment between samples: the sample that its way leads to, which part of the way, and the pair.
    Between(Between, usize, f64, BodyPair),
}

/// Which moment between samples a still shows.
#[derive(Clone, Copy, PartialEq)]
enum Between {
    /// The first contact.
    Contact,
    /// The least clearance, where it is less than at all samples.
    Least,
}

impl Shot {
    /// Where it is among the samples.
    fn place(self) -> f64 {
        match self {
            Shot::Sample(sample) => sample as f64,
            Shot::Between(_, sample, part, _) => sample as f64 - 1.0 + part.clamp(0.0, 1.0),
        }
    }
}

/// Adds the film under a heading. It begins with the first sample; all are seen from where `least` is seen
/// best, the least clear one. `say` gives the words of a sample, escaped. Random samples are no motion, and
/// have none.
pub fn film(
    s: &mut String,
    stage: &mut Stage<'_>,
    outcome: &Outcome,
    (heading, least): (&str, usize),
    (marks, ways): (&[EventMark], &[WayMark]),
    say: impl Fn(usize) -> String,
) {
    let mut shots: Vec<Shot> = shown(outcome).into_iter().map(Shot::Sample).collect();
    let of_samples = shots.len();
    let edges = outcome.edges.as_ref();
    let contact = edges.and_then(first_contact);
    let contact = contact.map(|(sample, part, pair)| Shot::Between(Between::Contact, sample, part[1], pair));
    let low = edges.and_then(|edges| least_beside_samples(outcome, edges));
    let low = low.map(|(sample, part, pair)| Shot::Between(Between::Least, sample, part, pair));
    // What is there at a sample already is seen there.
    for shot in contact.into_iter().chain(low) {
        shots.insert(shots.partition_point(|other| other.place() < shot.place()), shot);
    }
    let Some(mut film) = stage.show_sample(least, |subject| Film::from_subject(&subject)).flatten() else {
        return;
    };
    let posed: Vec<(Shot, Posed<'_>)> = shots
        .iter()
        .filter_map(|shot| {
            let posed = match *shot {
                Shot::Sample(sample) => stage.posed(sample),
                Shot::Between(_, sample, part, pair) => stage.posed_on_way(sample, part, pair),
            };
            Some((*shot, posed?))
        })
        .collect();
    posed.iter().for_each(|(_, posed)| film.extend(&stage.subject_of(posed)));
    let count = posed.len().max(1);
    let (bytes, triangles) = ((FILM_BYTES / count).min(STILL_BYTES), FILM_TRIANGLES / count);
    let last = count - 1;
    let places: Vec<f64> = posed.iter().map(|(shot, _)| shot.place()).collect();
    let place_of = |sample: usize| places.iter().position(|at| *at >= sample as f64).unwrap_or(last);
    // Where a moment between samples is along the slider, whose steps are the stills.
    let slides_to = |at: f64| {
        let next = places.partition_point(|other| *other < at).min(last);
        let before = next.saturating_sub(1);
        let span = places[next] - places[before];
        let part = if span > 0.0 { (at - places[before]) / span } else { 1.0 };
        (before as f64 + part * (next - before) as f64) / last.max(1) as f64
    };
    let start = |k: usize| if k == 0 { "The start. " } else { "" };
    let place_between = |kind: Between| {
        posed.iter().position(|(shot, _)| matches!(shot, Shot::Between(own, ..) if *own == kind))
    };
    let (hit, low) = (place_between(Between::Contact), place_between(Between::Least));
    let shots: Vec<Shot> = posed.iter().map(|(shot, _)| *shot).collect();
    let still = |(_, posed): (Shot, Posed<'_>)| film.still(&stage.subject_of(&posed), bytes, triangles);
    let stills: Vec<String> = posed.into_par_iter().map(still).collect();
    let say_shot = |shot: Shot| match shot {
        Shot::Sample(sample) => say(sample),
        Shot::Between(Between::Contact, sample, ..) => {
            let mark = ways.iter().find(|w| w.kind == EdgeKind::Contact && w.sample == sample);
            mark.map_or("First contact".into(), |mark| format!("First contact. {}", mark.words))
        }
        Shot::Between(Between::Least, ..) => {
            let words = edges.and_then(|edges| edges.least_in_words(&stage.loaded.world));
            words.map_or(String::new(), |words| escaped(&capitalize_first(&words)))
        }
    };
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<h2>{heading}</h2><div class=\"card\"><div class=\"views film\"><svg viewBox=\"{}\" role=\"img\" \
         aria-label=\"the robot at the sample of the slider\">",
        Film::view_box()
    );
    for (k, (shot, still)) in shots.iter().zip(stills).enumerate() {
        let class = if k == 0 { "still on" } else { "still" };
        let x = match *shot {
            Shot::Sample(sample) => sample_axis::sample_place(&outcome.points, sample),
            Shot::Between(_, sample, part, _) => sample_axis::way_place(&outcome.points, sample, part),
        };
        let _ = write!(
            s,
            "<g class=\"{class}\" data-x=\"{x:.1}\" data-say=\"{}{}\">{still}</g>",
            start(k),
            say_shot(*shot)
        );
    }
    let ticks = marks.iter().map(|mark| {
        let part = slides_to(mark.sample.saturating_sub(1) as f64);
        format!("<i style=\"--at:{part:.4}\" title=\"{}\"></i>", mark.words)
    });
    let hits = ways.iter().map(|way| {
        let part = slides_to(way.sample as f64 - 1.0 + way.part);
        format!("<i class=\"{}\" style=\"--at:{part:.4}\" title=\"{}\"></i>", way.css_class(), way.words)
    });
    let ticks: String = ticks.chain(hits).collect();
    let marked = match (marks.is_empty(), ways.is_empty()) {
        (true, true) => "",
        (false, true) => " The marks below the slider are the events.",
        (true, false) => " The marks above the slider are what happens between samples.",
        (false, false) => {
            " The marks at the slider are the events (below, green) and what happens between samples (above)."
        }
    };
    let which = if of_samples == outcome.samples {
        String::new()
    } else {
        format!(" {} of {} are shown.", counted_things(of_samples, "sample"), outcome.samples)
    };
    let hit = hit.map_or(String::new(), |k| {
        format!("<button class=\"to\" type=\"button\" data-k=\"{k}\" hidden>First contact</button>")
    });
    let _ = write!(
        s,
        "</svg></div><div class=\"seek\"><button id=\"play\" type=\"button\" hidden>Play</button>\
         <span class=\"track\" hidden><input id=\"seek\" type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" \
         aria-label=\"sample\">{ticks}</span>\
         {hit}<button class=\"to\" id=\"least\" type=\"button\" data-k=\"{}\" hidden>{}</button>\
         </div>\
         <p id=\"said\">{}{}</p><p class=\"soft\">All pictures are seen from the same side. \
         The slider begins at the start.{marked}{which}</p></div>",
        low.unwrap_or_else(|| place_of(least)),
        if low.is_some() { "Least clear" } else { "Least clear sample" },
        start(0),
        shots.first().map_or(String::new(), |shot| say_shot(*shot)),
    );
    s.push_str(LEGEND);
}
