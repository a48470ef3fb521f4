//! The first lines of a page: the worst that was found, at samples or between them, and the smallest
//! clearance.

use super::allowed::{AllowedStretch, Leaves};
use super::html::escaped;
use crate::arguments::check::AskChoice;
use crate::continuous::{EdgeKind, Edges};
use crate::first_way::{FirstWay, first_way};
use crate::least_between::LeastBetween;
use crate::lengths::{LengthDigits, length_text};
use crate::load::LoadedWorld;
use crate::note::Note;
use crate::outcome::Outcome;
use crate::rates::Rates;
use crate::summary::{self, Smallest};
use elbowroom::world::BodyId;
use elbowroom::{Verdict, World};
use elbowroom_files::fault::counted_things;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The worst of all verdicts: its class in the style sheet, and a sentence.
fn verdict(loaded: &LoadedWorld, outcome: &Outcome) -> (&'static str, String) {
    let (n, count) = (outcome.samples, |v| outcome.verdict_count(v));
    let (collisions, unknown, near) =
        (count(Verdict::Collision), count(Verdict::Unknown), count(Verdict::Near));
    let pressed = count(Verdict::ExpectedContact);
    // If there is one sample, it goes without saying at which.
    let at = |bad: usize| if n == 1 { String::new() } else { format!(" at {bad} of {n} samples") };
    let edges = outcome.edges.as_ref().filter(|edges| edges.edge_count() > 0);
    let way = edges.and_then(|edges| first_way(&loaded.world, edges));
    let way_of = |kind: EdgeKind| way.as_ref().filter(|way| way.kind == kind);
    let says = |way: &FirstWay| escaped(&capitalize_first(&way.words));
    let after = outcome.after.as_ref().map(|answer| answer.verdict);
    let too_fast = outcome.rates.as_ref().map_or(0, Rates::beyond_count);
    if collisions > 0 {
        ("collision", format!("Collision{}", at(collisions)))
    } else if after == Some(Verdict::Collision) {
        ("collision", "Collision after the last sample".into())
    } else if let Some(way) = way_of(EdgeKind::Contact) {
        ("collision", says(way))
    } else if let Some(way) = way_of(EdgeKind::Unknown) {
        ("unknown", says(way))
    } else if loaded.world.pairs().is_empty() {
        ("unknown", "Nothing was checked".into())
    } else if unknown > 0 {
        ("unknown", format!("Not proved free{}", at(unknown)))
    } else if after == Some(Verdict::Unknown) {
        ("unknown", "Not proved free after the last sample".into())
    } else if too_fast > 0 {
        ("collision", format!("Too fast: {} beyond limits", counted_things(too_fast, "rate")))
    } else if pressed > 0 {
        ("expected_contact", format!("Contact on pads alone, within their depths{}", at(pressed)))
    } else if after == Some(Verdict::ExpectedContact) {
        ("expected_contact", "Contact on pads alone after the last sample".into())
    } else if let Some(way) = way_of(EdgeKind::Pressed) {
        ("expected_contact", says(way))
    } else if near > 0 {
        let unchecked = unchecked_ways_words(outcome);
        (
            "near",
            format!(
                "{}ithin the margin{}{unchecked}{}",
                near_begins(outcome),
                at(near),
                least_words(&loaded.world, edges)
            ),
        )
    } else if let Some(way) = way_of(EdgeKind::Near) {
        // The words begin with `within the margin`.
        let words = way.words.strip_prefix('w').unwrap_or(&way.words);
        let least = least_words(&loaded.world, edges);
        ("near", format!("{}{}{least}", near_begins(outcome), escaped(words)))
    } else if n == 1 {
        ("clear", "Proved clear".into())
    } else {
        let margin = loaded.world.margin();
        let between = match edges {
            None => unchecked_ways_words(outcome).into(),
            Some(_) if margin > 0.0 => {
                format!(", and farther apart than {} at every instant between them", length_text(margin))
            }
            Some(_) => ", and apart at every instant between them".into(),
        };
        ("clear", format!("Proved clear at all {n} samples{between}"))
    }
}

/// How a headline begins that goes on with `ithin the margin`: with what is known of contact.
fn near_begins(outcome: &Outcome) -> &'static str {
    let ways = outcome.edges.as_ref();
    let pressed = outcome.verdict_count(Verdict::ExpectedContact) > 0
        || ways.is_some_and(|ways| ways.kind_count(EdgeKind::Pressed) > 0);
    match (pressed, ways.is_some() || outcome.samples == 1) {
        (true, _) => "W",
        (false, true) => "No contact, but w",
        (false, false) => "No contact at the samples, but w",
    }
}

/// The least clearance on all ways that are apart, if it was found, to be put behind a headline.
fn least_words(world: &World, edges: Option<&Edges>) -> String {
    let least = edges.and_then(Edges::least_between);
    let words = |(_, least): (usize, &LeastBetween)| {
        let [low, high] = least.interval;
        let pair = least.pair.and_then(|pair| world.body_names(pair));
        let pair = pair.map_or(String::new(), |[a, b]| format!(", between {a} and {b}"));
        escaped(&format!("; least clearance {}{pair}", LengthDigits::default().span_text(low, high)))
    };
    least.map_or(String::new(), words)
}

/// That events let pairs touch all along or for a time, if they do.
fn allowed_words(outcome: &Outcome, stretches: &[AllowedStretch]) -> String {
    let allowed = || stretches.iter().filter(|stretch| stretch.leaves == Leaves::Allowed);
    let pairs = |all: bool| -> BTreeSet<[BodyId; 2]> {
        let of = allowed().filter(|stretch| stretch.is_all_along(outcome.samples) == all);
        of.map(AllowedStretch::ordered_pair).collect()
    };
    let (always, for_a_time) = (pairs(true), pairs(false));
    let for_a_time = for_a_time.difference(&always).count();
    let words = [
        (always.len(), "that events let touch all along"),
        (for_a_time, "that events let touch for a time, hatched in the plot"),
    ];
    let words = words.iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> =
        words.map(|(count, what)| format!("{} {what}", counted_things(*count, "pair"))).collect();
    if words.is_empty() || outcome.drawn {
        return String::new();
    }
    format!(" <b>Not checked: {}.</b>", words.join(", and "))
}

/// That the ways of a motion were not checked, if they were not.
fn unchecked_ways_words(outcome: &Outcome) -> &'static str {
    match outcome.is_motion && outcome.samples > 1 && outcome.edges.is_none() {
        true => "; the ways between them were not checked",
        false => "",
    }
}

/// The text with a capital at its beginning.
pub fn capitalize_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Adds them.
pub fn write_headline(s: &mut String, loaded: &LoadedWorld, outcome: &Outcome, stretches: &[AllowedStretch]) {
    let (mut class, mut words) = verdict(loaded, outcome);
    let warnings: Vec<String> =
        loaded.notes.iter().filter(|note| note.is_grave()).map(Note::plain_fact).collect();
    if !warnings.is_empty() {
        // What is not checked may be worse than what is.
        words += "; see the warning";
        class = if class == "clear" { "near" } else { class };
    }
    // Writing to a string cannot fail, here and below.
    let _ = write!(s, "<p class=\"headline {class}\">{words}</p><p class=\"lead\">");
    for warning in &warnings {
        let _ = write!(s, "<b>Warning: {}</b> ", escaped(warning));
    }
    let one = outcome.samples == 1;
    if let Some(edges) = outcome.edges.as_ref().filter(|_| !one) {
        write_ways(s, loaded, edges, &words);
    } else if !unchecked_ways_words(outcome).is_empty() && !words.contains(unchecked_ways_words(outcome)) {
        s.push_str("<b>The ways between the samples were not checked.</b> ");
    }
    if outcome.ask == AskChoice::Test {
        if let Some(words) = summary::first_bad(loaded, outcome) {
            let _ = write!(s, "First failing sample: <b>{}</b>. ", escaped(&words));
        }
    } else if let Some(smallest) = summary::smallest(loaded, outcome) {
        let Smallest { what, size, moment, pair: [a, b], other } = smallest;
        let what = match (what, one) {
            ("smallest clearance", true) => "Clearance",
            ("smallest clearance", false) => "Smallest clearance",
            ("deepest press of a pad", true) => "Press of a pad",
            ("deepest press of a pad", false) => "Deepest press of a pad",
            (_, true) => "Overlap",
            (_, false) => "Deepest overlap",
        };
        // The ways between the samples may be worse, so it is said where this was measured.
        let ways = outcome.edges.as_ref().filter(|edges| !one && !edges.all_free());
        let what = match !one && (outcome.is_motion || ways.is_some()) {
            true => format!("At the samples: {}", lower_first(what)),
            false => what.into(),
        };
        let is_less = ways.is_some() && outcome.verdict_count(Verdict::Collision) == 0;
        let bold = if is_less { ["", ""] } else { ["<b>", "</b>"] };
        let when = if one { String::new() } else { format!(", sample {}", summary::when(&moment)) };
        let _ = write!(
            s,
            "{what} {}{}{}{}: <b>{}</b> and <b>{}</b>{}. ",
            bold[0],
            escaped(&size),
            bold[1],
            escaped(&when),
            escaped(&a),
            escaped(&b),
            escaped(&other)
        );
    }
    if !one {
        let _ = write!(s, "Verdicts: {}.", escaped(&summary::verdicts(outcome)));
    }
    if let Some(after) = summary::after(loaded, outcome) {
        let _ = write!(s, " After the last sample something changes; {}.", escaped(&after));
    }
    if let Some(rates) = outcome.rates.as_ref().filter(|rates| rates.beyond_count() > 0) {
        let _ = write!(s, " <b>{}</b>.", escaped(&capitalize_first(&rates.rates_in_words())));
    }
    s.push_str(&allowed_words(outcome, stretches));
    s.push_str("</p>");
}

/// The ways between samples, counted; and the worst of them, where the samples are worse still.
fn write_ways(s: &mut String, loaded: &LoadedWorld, edges: &Edges, headline: &str) {
    if edges.edge_count() == 0 {
        return;
    }
    // Writing to a string cannot fail, here and below.
    let _ = write!(s, "Ways between samples: {}.", escaped(&edges.counts_by_margin(loaded.world.margin())));
    if let Some(way) = first_way(&loaded.world, edges) {
        let words = escaped(&way.words);
        if !headline.to_lowercase().contains(&words.to_lowercase()) {
            let _ = write!(s, " <b>{}</b>.", capitalize_first(&words));
        }
    }
    if let Some(least) = edges.least_in_words(&loaded.world) {
        let _ = write!(s, " <b>{}</b>.", escaped(&capitalize_first(&least)));
    }
    s.push(' ');
}

/// The text with a small letter at its beginning.
fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}
