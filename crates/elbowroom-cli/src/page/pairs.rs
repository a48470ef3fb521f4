//! The pairs of bodies: those that were checked, the closest first, and those that were not, with the
//! reasons.

use super::allowed::{AllowedStretch, allowed_stretches};
use super::csv::{Csv, number};
use super::html::escaped;
use super::names::Names;
use crate::arguments::check::AskChoice;
use crate::changes::Changes;
use crate::continuous::EdgeKind;
use crate::interval;
use crate::least::Least;
use crate::limits::PAGE_PAIRS;
use crate::load::LoadedWorld;
use crate::outcome::Outcome;
use crate::worst_moments;
use elbowroom::world::{BodyId, BodyPair, PairStatus};
use elbowroom::{PairId, Verdict, World};
use elbowroom_files::fault::counted_things;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The checked pairs in the order in which they are listed: the worst first, as moments are. A test measures
/// nothing that they could be ranked by.
fn ranked<'o>(outcome: &'o Outcome, margin: f64, ways: &WorstWays) -> Vec<&'o Least> {
    let mut pairs: Vec<&Least> = outcome.pairs.iter().collect();
    if outcome.ask != AskChoice::Test {
        let of = |p: &Least| (p.interval_verdict(margin, outcome.touch), p.interval);
        let by_way = |p: &Least| std::cmp::Reverse(ways.get(&p.pair).map(|kind| way_rank(*kind)));
        pairs.sort_by(|a, b| {
            by_way(a).cmp(&by_way(b)).then(worst_moments::worse(of(a), of(b))).then(a.pair.cmp(&b.pair))
        });
    }
    pairs.truncate(PAGE_PAIRS);
    pairs
}

/// The worst that is known of pairs between samples.
type WorstWays = BTreeMap<PairId, EdgeKind>;

/// The pairs that are near, open or in contact on a way. Each way names the pair that is the first.
fn worst_ways(world: &World, outcome: &Outcome) -> WorstWays {
    let mut worst = WorstWays::new();
    let listed = outcome.edges.as_ref().map_or(&[][..], |edges| &edges.listed);
    let numbers: BTreeMap<BodyPair, PairId> =
        outcome.pairs.iter().filter_map(|p| Some((world.pairs().get(p.pair)?, p.pair))).collect();
    for (_, answer) in listed {
        let kind = answer.edge_kind();
        // The least clearance of a way within the margin may be that of another pair.
        let least = answer.least.filter(|_| kind == EdgeKind::Near).and_then(|least| least.pair);
        for pair in answer.told_pair().into_iter().chain(least).filter_map(|pair| numbers.get(&pair)) {
            let found = worst.entry(*pair).or_insert(kind);
            if way_rank(kind) > way_rank(*found) {
                *found = kind;
            }
        }
    }
    worst
}

/// How bad an answer is; contact is the worst.
fn way_rank(kind: EdgeKind) -> u8 {
    match kind {
        EdgeKind::Free => 0,
        EdgeKind::Pressed => 1,
        EdgeKind::Near => 2,
        EdgeKind::Unknown => 3,
        EdgeKind::Contact => 4,
    }
}

/// A class of the style sheet and words for what is known of a pair between samples.
fn way_words(kind: EdgeKind) -> [&'static str; 2] {
    match kind {
        EdgeKind::Free => ["clear", ""],
        EdgeKind::Pressed => ["expected_contact", "on pads between samples"],
        EdgeKind::Near => ["near", "near between samples"],
        EdgeKind::Unknown => ["unknown", "not proved between samples"],
        EdgeKind::Contact => ["collision", "contact between samples"],
    }
}

/// The samples that an interval is of: where it is as narrow as a number, the one at which the pair is surely
/// so near.
fn samples(p: &Least) -> String {
    if p.lower_at == p.upper_at || interval::is_narrow(&p.interval, p.interval.upper) {
        p.upper_at.to_string()
    } else if p.interval.upper.is_finite() {
        format!("{} (lower end)<br>{} (upper end)", p.lower_at, p.upper_at)
    } else {
        p.lower_at.to_string()
    }
}

/// Pairs that are shown at once, where no more are within the margin.
const NEAREST: usize = 5;

/// Adds both tables.
pub fn pairs(s: &mut String, loaded: &LoadedWorld, changes: &Changes, outcome: &Outcome) {
    let world = &loaded.world;
    let test = outcome.ask == AskChoice::Test;
    let one = outcome.samples == 1;
    let short = Names::from_world(world);
    let (order, column) = match (test, one) {
        (true, _) => ("", "proved"),
        (false, true) => (", worst first: by verdict, then by proved clearance", "clearance"),
        (false, false) => {
            (", worst first: by verdict, then by proved clearance", "least clearance of all samples")
        }
    };
    let stretches = allowed_stretches(world, changes, outcome.samples);
    let sample = if one { "" } else { "<th>at sample" };
    let touch = if stretches.is_empty() { "" } else { "<th class=\"wide\">not checked for a time" };
    let head = format!("<tr><th>first body<th>second body<th>{column}<th>verdict{sample}{touch}</tr>");
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<h2>{}</h2><details open class=\"card scroll\"><summary>{} checked{order}</summary>{}\
         <table class=\"stack pairs\">{head}",
        if one && !test { "Closest pairs" } else { "All pairs" },
        counted_things(outcome.pairs.len(), "pair"),
        short.words()
    );
    let mut csv = Csv::new(&[
        "first",
        "second",
        "verdict",
        "lower",
        "upper",
        "distance",
        "lower_sample",
        "upper_sample",
        "between_samples",
    ]);
    let ways = worst_ways(world, outcome);
    let edges = outcome.edges.as_ref();
    let touches = edges.is_some_and(|edges| !edges.all_apart());
    let near = edges.is_some_and(|edges| edges.kind_count(EdgeKind::Near) > 0);
    let open_ways = touches || near;
    let caption = match (touches, near) {
        (true, _) => {
            "On a way with contact, or that is not proved, the pair of that is named. Of the others nothing \
             is known from there on to the end of the way: they may touch as well."
        }
        (false, true) => {
            "On a way within the margin two pairs are named: the first, and that with the least clearance. \
             The others are apart there, but may be within the margin as well."
        }
        (false, false) => "",
    };
    if !caption.is_empty() {
        let _ = write!(s, "<caption>{caption}</caption>");
    }
    let ranked = ranked(outcome, world.margin(), &ways);
    let bad = |p: &&&Least| {
        p.interval_verdict(world.margin(), outcome.touch) != Verdict::Clear || ways.contains_key(&p.pair)
    };
    let first = ranked.iter().filter(bad).count().max(NEAREST);
    for (row, p) in ranked.into_iter().enumerate() {
        if row == first {
            s.push_str(
                "</table></details><details class=\"card scroll\"><summary>The others</summary>\
                 <table class=\"stack pairs\">",
            );
            s.push_str(&head);
        }
        let (verdict, between) =
            (p.interval_verdict(world.margin(), outcome.touch).word(), p.interval.estimate());
        let names = world.pair_names(p.pair).unwrap_or(["-", "-"]);
        let [a, b] = names.map(|name| short.cell(name));
        let _ = write!(
            s,
            "<tr><td>{a}<td>{b}<td class=\"n\">{}<td class=\"n v {verdict}\">{verdict}{}",
            escaped(&interval::interval_in_words(outcome.ask, outcome.touch, &p.interval, between)),
            if open_ways && !ways.contains_key(&p.pair) { " at samples" } else { "" }
        );
        let [class, way] = ways.get(&p.pair).map_or(["", ""], |kind| way_words(*kind));
        // Of a way with contact, or within the margin, not all pairs are known.
        let for_table = if way.is_empty() && open_ways { "not known on all ways" } else { way };
        if !way.is_empty() {
            let _ = write!(s, "<br><span class=\"{class}\">{way}</span>");
        }
        if !one {
            let _ = write!(s, "<td class=\"n\">{}", samples(p));
        }
        if let (false, Some(pair)) = (stretches.is_empty(), world.pairs().get(p.pair)) {
            let of_pair = stretches.iter().filter(|stretch| stretch.is_of(pair.a, pair.b));
            let mut words: Vec<String> = of_pair.map(|stretch| stretch_words(stretch, outcome)).collect();
            if [pair.a, pair.b].iter().all(|body| world.bodies()[body.index()].robot.is_none()) {
                words.push("while both rest".into());
            }
            let _ = write!(s, "<td class=\"wide\">{}", words.join("<br>"));
        }
        s.push_str("</tr>");
        // As in the answers for samples.
        let distance = match outcome.ask {
            AskChoice::Test => String::new(),
            AskChoice::LowerBound if p.interval.lower.is_finite() => number(p.interval.lower),
            AskChoice::LowerBound | AskChoice::Distance => number(between),
        };
        let [a, b] = names.map(String::from);
        let [at_lower, at_upper] = [p.lower_at, p.upper_at].map(|place| place.sample.to_string());
        csv.row([
            a,
            b,
            verdict.into(),
            number(p.interval.lower),
            number(p.interval.upper),
            distance,
            at_lower,
            at_upper,
            for_table.into(),
        ]);
    }
    s.push_str("</table>");
    more(s, outcome.pairs.len());
    if !outcome.pairs.is_empty() {
        let _ = write!(s, "<p>{}</p>", csv.link("pairs.csv", "Save this table as CSV (metres)"));
    }
    s.push_str("</details>");
    let name = |id: BodyId| short.cell(&world.bodies()[id.index()].name);
    if !stretches.is_empty() {
        let left_out: BTreeSet<[BodyId; 2]> = stretches.iter().map(AllowedStretch::ordered_pair).collect();
        let _ = write!(
            s,
            "<details open class=\"card scroll\"><summary>{} that the motion leaves out, when and why\
             </summary><table class=\"stack\"><tr><th>first body<th>second body\
             <th class=\"wide\">not checked</tr>",
            counted_things(left_out.len(), "pair"),
        );
        for stretch in stretches.iter().take(PAGE_PAIRS) {
            let [a, b] = stretch.pair.map(name);
            let words = stretch_words(stretch, outcome);
            let _ = write!(s, "<tr><td>{a}<td>{b}<td class=\"wide\">{words}</tr>");
        }
        s.push_str("</table>");
        more(s, stretches.len());
        s.push_str("</details>");
    }
    let _ = write!(
        s,
        "<details class=\"card scroll\"><summary>{} never checked, and why</summary><table class=\"stack\">\
         <tr><th>first body<th>second body<th class=\"wide\">reason</tr>",
        counted_things(world.allowed_count(), "pair"),
    );
    let allowed = world.all_pairs().filter_map(|(a, b, status)| match status {
        PairStatus::Allowed(reason) => Some((a, b, reason)),
        PairStatus::Checked(_) => None,
    });
    for (a, b, reason) in allowed.take(PAGE_PAIRS) {
        let _ = write!(
            s,
            "<tr><td>{}<td>{}<td class=\"wide\">{}</tr>",
            name(a),
            name(b),
            escaped(&reason.to_string())
        );
    }
    s.push_str("</table>");
    more(s, world.allowed_count());
    s.push_str("</details>");
}

/// When and why a pair may touch, as HTML.
fn stretch_words(stretch: &AllowedStretch, outcome: &Outcome) -> String {
    let because = stretch.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
    escaped(&format!("{}{because}", stretch.when_in_words(outcome)))
}

fn more(s: &mut String, count: usize) {
    if count > PAGE_PAIRS {
        let _ = write!(s, "<p>{} more are not listed.</p>", count - PAGE_PAIRS);
    }
}
