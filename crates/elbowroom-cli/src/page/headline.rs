//! The first lines of a page: the worst that was found, and the smallest clearance.

use super::html::escaped;
use crate::arguments::check::AskChoice;
use crate::continuous::{EdgeKind, Edges};
use crate::load::LoadedWorld;
use crate::outcome::Outcome;
use crate::summary::{self, Smallest};
use elbowroom::Verdict;
use std::fmt::Write;

/// The worst of all verdicts: its class in the style sheet, and a sentence.
fn verdict(loaded: &LoadedWorld, outcome: &Outcome) -> (&'static str, String) {
    let (n, count) = (outcome.samples, |v| outcome.verdict_count(v));
    let (collisions, unknown, near) =
        (count(Verdict::Collision), count(Verdict::Unknown), count(Verdict::Near));
    let pressed = count(Verdict::ExpectedContact);
    // If there is one sample, it goes without saying at which.
    let at = |bad: usize| if n == 1 { String::new() } else { format!(" at {bad} of {n} samples") };
    let of = |kind| outcome.edges.as_ref().map_or(0, |e| e.kind_count(kind));
    let [near_edges, pressing, contact, open] =
        [EdgeKind::Near, EdgeKind::Pressed, EdgeKind::Contact, EdgeKind::Unknown].map(of);
    let edges = outcome.edges.as_ref().map_or(0, Edges::edge_count);
    let after = outcome.after.as_ref().map(|answer| answer.verdict);
    if collisions > 0 {
        ("collision", format!("Collision{}", at(collisions)))
    } else if after == Some(Verdict::Collision) {
        ("collision", "Collision after the last sample".into())
    } else if contact > 0 {
        ("collision", format!("Contact between samples, on {contact} of {edges} edges"))
    } else if open > 0 {
        ("unknown", format!("Not proved free between samples, on {open} of {edges} edges"))
    } else if loaded.world.pairs().is_empty() {
        ("unknown", "Nothing was checked".into())
    } else if unknown > 0 {
        ("unknown", format!("Not proved free{}", at(unknown)))
    } else if after == Some(Verdict::Unknown) {
        ("unknown", "Not proved free after the last sample".into())
    } else if pressed > 0 {
        ("expected_contact", format!("Contact on pads alone, within their depths{}", at(pressed)))
    } else if after == Some(Verdict::ExpectedContact) {
        ("expected_contact", "Contact on pads alone after the last sample".into())
    } else if pressing > 0 {
        let words = format!("Contact on pads alone between samples, on {pressing} of {edges} edges");
        ("expected_contact", words)
    } else if near > 0 {
        ("near", format!("Free, but within the margin{}", at(near)))
    } else if near_edges > 0 {
        ("near", format!("Free, but within the margin between samples, on {near_edges} of {edges} edges"))
    } else if n == 1 {
        ("clear", "Proved clear".into())
    } else {
        let between = if edges > 0 { ", and free between them" } else { "" };
        ("clear", format!("Proved clear at all {n} samples{between}"))
    }
}

/// Adds them.
pub fn headline(s: &mut String, loaded: &LoadedWorld, outcome: &Outcome) {
    let (class, words) = verdict(loaded, outcome);
    // Writing to a string cannot fail, here and below.
    let _ = write!(s, "<p class=\"headline {class}\">{words}</p><p class=\"lead\">");
    let one = outcome.samples == 1;
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
        let when = if one { String::new() } else { format!(", sample {}", summary::when(&moment)) };
        let _ = write!(
            s,
            "{what} <b>{}</b>{}: <b>{}</b> and <b>{}</b>{}. ",
            escaped(&size),
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
        let _ = write!(s, " Behind the last sample something changes; {}.", escaped(&after));
    }
    if let Some(edges) = outcome.edges.as_ref().filter(|_| !one) {
        let words = edges.edges_in_words(&loaded.world);
        let _ = write!(s, " Between samples: {}.", escaped(words.strip_prefix("edges: ").unwrap_or(&words)));
    }
    s.push_str("</p>");
}
