//! The ways between samples that are not proved free, runs of them as one row.

use super::html::escaped;
use super::moments::{write_bodies, write_facts};
use super::names::Names;
use super::picture::picture;
use super::stage::Stage;
use crate::changes::words::state_in_words;
use crate::continuous::{self, EdgeKind, Edges, ToldEdge};
use crate::lengths::LengthDigits;
use crate::limits::PAGE_PAIRS;
use crate::out::seconds_text;
use crate::outcome::Outcome;
use crate::way_time::rounded_time_on_way;
use elbowroom::motion::Edge;
use elbowroom::world::BodyPair;
use elbowroom_files::fault::counted_things;
use std::fmt::Write;

/// Consecutive edges with the same answer for the same pair.
#[derive(Clone, Debug, PartialEq)]
struct Run<'w> {
    kind: EdgeKind,
    what: &'static str,
    pair: [&'w str; 2],
    /// The samples that the first edge and the last lead to.
    samples: [usize; 2],
    /// The part of the first edge on which it begins.
    begins: [f64; 2],
    /// Words about the pair that is open before that, if one is.
    before: String,
    /// Why the first edge is open.
    why: &'static str,
}

/// Joins edges, each with the sample that it leads to, ascending.
fn runs<'w>(edges: impl Iterator<Item = (usize, EdgeKind, ToldEdge<'w>)>) -> Vec<Run<'w>> {
    let mut runs: Vec<Run<'w>> = Vec::new();
    for (sample, kind, ToldEdge { what, part, pair, before, why }) in edges {
        match runs.last_mut() {
            // It goes on: the way begins as the one before it ended.
            Some(run)
                if (run.kind, run.pair, run.why, run.samples[1] + 1) == (kind, pair, why, sample)
                    && part[0] == 0.0 =>
            {
                run.samples[1] = sample;
            }
            _ => runs.push(Run { kind, what, pair, samples: [sample; 2], begins: part, before, why }),
        }
    }
    runs
}

/// Adds the ways that are not free, and the moments between samples that matter most.
pub fn write_between(s: &mut String, stage: &mut Stage<'_>, outcome: &Outcome) {
    let Some(edges) = outcome.edges.as_ref() else { return };
    write_runs(s, stage, outcome, edges);
    draw_first_contact(s, stage, outcome, edges);
    draw_least(s, stage, outcome, edges);
}

/// The table of the ways that are not free.
fn write_runs(s: &mut String, stage: &Stage<'_>, outcome: &Outcome, edges: &Edges) {
    let loaded = stage.loaded;
    if edges.listed.is_empty() {
        return;
    }
    let told = |(sample, answer): &(usize, continuous::EdgeAnswer)| {
        (*sample, answer.edge_kind(), continuous::edge_in_words(&loaded.world, answer))
    };
    let runs = runs(edges.listed.iter().map(told));
    let names = Names::from_world(&loaded.world);
    let reasons = runs.iter().any(|run| !run.why.is_empty());
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<h2>Between samples</h2><div class=\"card scroll\"><p>The ways from each sample to the next: {}. A \
         row is one way, or several on which the same answer about the same pair goes on. It says on which \
         part of its first way the answer begins; how long it holds is not searched.</p>{}\
         <table class=\"edges\"><tr><th>from sample<th>to<th>ways<th>answer<th>begins at\
         <th>first body<th>second body{}</tr>",
        escaped(&edges.counts_by_margin(loaded.world.margin())),
        names.words(),
        if reasons { "<th>why not proved" } else { "" }
    );
    for run in runs.iter().take(PAGE_PAIRS) {
        let [first, last] = run.samples;
        let class = match run.kind {
            EdgeKind::Free => "clear",
            EdgeKind::Near => "near",
            EdgeKind::Pressed => "expected_contact",
            EdgeKind::Contact => "collision",
            EdgeKind::Unknown => "unknown",
        };
        let [a, b] = run.pair.map(|name| names.cell(name));
        let _ = write!(
            s,
            "<tr><td class=\"n\">{}<td class=\"n\">{last}<td class=\"n\">{}<td class=\"n v {class}\">{}<td \
                class=\"n\">{}\
             <td>{a}<td>{b}{}",
            first.saturating_sub(1),
            last + 1 - first,
            run.what,
            begins(outcome, first, run.begins),
            escaped(&run.before)
        );
        if reasons {
            let _ = write!(s, "<td>{}", run.why);
        }
        s.push_str("</tr>");
    }
    s.push_str("</table>");
    left_out(s, edges, &runs);
    s.push_str("</div>");
}

/// The way with the first contact, on which part of it, and the pair.
pub fn first_contact(edges: &Edges) -> Option<(usize, [f64; 2], BodyPair)> {
    edges.listed.iter().find_map(|(sample, answer)| match answer.told_edge() {
        Edge::Contact { first, pair, .. } if answer.edge_kind() == EdgeKind::Contact => {
            Some((*sample, first, pair))
        }
        _ => None,
    })
}

/// Adds the pose at which overlap is first proved between samples.
fn draw_first_contact(s: &mut String, stage: &mut Stage<'_>, outcome: &Outcome, edges: &Edges) {
    let Some((sample, first, pair)) = first_contact(edges) else { return };
    let words = format!(
        "First contact between samples, on the way from sample {} to {sample}: <span class=\"collision\">\
         contact</span>, {}",
        sample.saturating_sub(1),
        begins(outcome, sample, first).replace("<br>", ", "),
    );
    draw_moment(s, stage, &words, (sample, first[1]), pair);
}

/// The place of the least clearance between samples and its pair, where it is less than at all samples: the
/// sample that the way leads to, and on which part of it.
pub fn least_beside_samples(outcome: &Outcome, edges: &Edges) -> Option<(usize, f64, BodyPair)> {
    let (sample, least) = edges.least_between()?;
    let at_samples = outcome.smallest.map_or(f64::INFINITY, |smallest| smallest.answer.interval.lower);
    Some((sample, least.part, least.pair?)).filter(|_| least.interval[1] < at_samples && edges.all_apart())
}

/// Adds the pose with the least clearance between samples, where it is less than at all samples.
fn draw_least(s: &mut String, stage: &mut Stage<'_>, outcome: &Outcome, edges: &Edges) {
    let Some((sample, least)) = edges.least_between() else { return };
    let Some((_, _, pair)) = least_beside_samples(outcome, edges) else { return };
    let verdict = if least.interval[0] > stage.loaded.world.margin() { "clear" } else { "near" };
    let words = format!(
        "Least clearance between samples, on the way from sample {} to {sample}: <span class=\"{verdict}\">\
         {verdict}</span>, {}, {}",
        sample.saturating_sub(1),
        LengthDigits::default().span_text(least.interval[0], least.interval[1]),
        begins(outcome, sample, [least.part; 2]).replace("<br>", ", "),
    );
    draw_moment(s, stage, &words, (sample, least.part), pair);
}

/// Adds a pose on the way to a sample with a heading, and all that moments have.
fn draw_moment(
    s: &mut String,
    stage: &mut Stage<'_>,
    heading: &str,
    (sample, part): (usize, f64),
    pair: BodyPair,
) {
    let world = &stage.loaded.world;
    let Some(posed) = stage.posed_on_way(sample, part, pair) else { return };
    let state = state_in_words(&posed.checker, &stage.course.opened_doors(), &posed.hidden);
    let Some(drawn) = picture(stage.subject_of(&posed)) else { return };
    // Writing to a string cannot fail.
    let _ = write!(s, "<article class=\"card moment\"><h3>{heading}</h3>");
    write_bodies(s, world.body_names(pair).unwrap_or_default().map(String::from), "");
    let _ = write!(s, "<div class=\"views\">{}</div>", drawn.html);
    write_facts(s, world, &state, posed.witness.as_ref(), stage.values_on_way(sample, part).as_deref());
    s.push_str("</article>");
}

/// Where on the edge to a sample something begins: an interval, and its time where the motion has it.
fn begins(outcome: &Outcome, sample: usize, [low, high]: [f64; 2]) -> String {
    let time = |i: usize| outcome.points.get(i).and_then(|p| p.t);
    let times = sample.checked_sub(1).and_then(time).zip(time(sample));
    let t = times.map_or(String::new(), |(a, b)| {
        format!("<br>t = {} s", seconds_text(rounded_time_on_way([a, b], low)))
    });
    format!("{}{t}", continuous::percents_of_way([low, high]))
}

fn left_out(s: &mut String, edges: &Edges, runs: &[Run<'_>]) {
    let shown: usize = runs.iter().take(PAGE_PAIRS).map(|r| r.samples[1] + 1 - r.samples[0]).sum();
    let left = edges.unlisted_count() + edges.listed.len() - shown;
    if left > 0 {
        let verb = if left == 1 { "is" } else { "are" };
        let _ = write!(s, "<p>{} more {verb} not listed.</p>", counted_things(left, "way"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_where_sample_answer_or_pair_change() {
        let (ab, ac) = (["a", "b"], ["a", "c"]);
        let edges = [
            (3, EdgeKind::Contact, [0.5, 0.6], ab),
            (4, EdgeKind::Contact, [0.0, 0.0], ab),
            (5, EdgeKind::Contact, [0.0, 0.0], ab),
            (7, EdgeKind::Contact, [0.1, 0.2], ab),
            (8, EdgeKind::Unknown, [0.0, 0.1], ab),
            (9, EdgeKind::Unknown, [0.3, 0.4], ac),
        ];
        let told = |(sample, kind, part, pair)| {
            (sample, kind, ToldEdge { what: "", part, pair, before: String::new(), why: "" })
        };
        let runs = runs(edges.into_iter().map(told));
        let spans: Vec<_> = runs.iter().map(|r| (r.samples, r.begins[0])).collect();
        assert_eq!(spans, [([3, 5], 0.5), ([7, 7], 0.1), ([8, 8], 0.0), ([9, 9], 0.3)]);
    }
}
