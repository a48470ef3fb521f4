//! The pairs of bodies: those that were checked, the closest first, and those that were not, with the
//! reasons.

use super::csv::{Csv, number};
use super::html::escaped;
use crate::check::{AskChoice, Outcome, PairSmallest};
use crate::dips;
use crate::limits::PAGE_PAIRS;
use crate::load::LoadedWorld;
use crate::summary;
use elbowroom::id::BodyId;
use elbowroom::pairs::PairStatus;
use elbowroom_files::fault::counted;
use std::fmt::Write;

/// The checked pairs in the order in which they are listed: by what is proved of their clearance. A test
/// measures nothing that they could be ranked by.
fn ranked(outcome: &Outcome) -> Vec<&PairSmallest> {
    let mut pairs: Vec<&PairSmallest> = outcome.pairs.iter().collect();
    if outcome.ask != AskChoice::Test {
        let worst = |p: &PairSmallest| dips::proved(p.report.verdict, p.report.lower, p.report.upper);
        pairs.sort_by(|a, b| worst(a).total_cmp(&worst(b)).then(a.report.pair.cmp(&b.report.pair)));
    }
    pairs.truncate(PAGE_PAIRS);
    pairs
}

/// Adds both tables.
pub fn pairs(s: &mut String, loaded: &LoadedWorld, outcome: &Outcome) {
    let world = &loaded.world;
    let test = outcome.ask == AskChoice::Test;
    let one = outcome.samples == 1;
    let (order, column) = match (test, one) {
        (true, _) => ("", "proved"),
        (false, true) => (", closest first", "clearance"),
        (false, false) => (", smallest proved clearance first", "smallest clearance"),
    };
    let sample = if one { "" } else { "<th>at sample" };
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<h2>{}</h2><details open class=\"card scroll\"><summary>{} checked{order}</summary>\
         <table><tr><th>first body<th>second body<th>{column}<th>verdict{sample}</tr>",
        if one && !test { "Closest pairs" } else { "All pairs" },
        counted(outcome.pairs.len(), "pair")
    );
    let mut csv = Csv::new(&["first", "second", "verdict", "lower", "upper", "distance", "sample"]);
    for p in ranked(outcome) {
        let r = &p.report;
        let names = world.pair_names(r.pair).unwrap_or(["-", "-"]);
        let [a, b] = names.map(escaped);
        let _ = write!(
            s,
            "<tr><td>{a}<td>{b}<td class=\"n\">{}<td class=\"n v {verdict}\">{verdict}",
            escaped(&summary::told(outcome.ask, r.lower, r.upper, r.distance)),
            verdict = r.verdict.word(),
        );
        if !one {
            let _ = write!(s, "<td>{}", p.sample);
        }
        s.push_str("</tr>");
        let distance = if test { String::new() } else { number(r.distance) };
        let [a, b] = names.map(String::from);
        let (lower, upper) = (number(r.lower), number(r.upper));
        csv.row([a, b, r.verdict.word().into(), lower, upper, distance, p.sample.to_string()]);
    }
    s.push_str("</table>");
    more(s, outcome.pairs.len());
    if !outcome.pairs.is_empty() {
        let _ = write!(s, "<p>{}</p>", csv.link("pairs.csv", "Save this table as CSV (metres)"));
    }
    let _ = write!(
        s,
        "</details><details class=\"card scroll\"><summary>{} not checked, and \
            why</summary><table><tr><th>first body\
         <th>second body<th>reason</tr>",
        counted(world.allowed_count(), "pair")
    );
    let allowed = world.all_pairs().filter_map(|(a, b, status)| match status {
        PairStatus::Allowed(reason) => Some((a, b, reason)),
        PairStatus::Checked(_) => None,
    });
    let name = |id: BodyId| escaped(&world.bodies()[id.index()].name);
    for (a, b, reason) in allowed.take(PAGE_PAIRS) {
        let _ = write!(s, "<tr><td>{}<td>{}<td>{}</tr>", name(a), name(b), escaped(&reason.to_string()));
    }
    s.push_str("</table>");
    more(s, world.allowed_count());
    s.push_str("</details>");
}

fn more(s: &mut String, count: usize) {
    if count > PAGE_PAIRS {
        let _ = write!(s, "<p>{} more are listed by <code>elbowroom pairs</code>.</p>", count - PAGE_PAIRS);
    }
}
