//! The stretches of a motion on which a pair is within the margin, in the order in which they begin.

use super::html::escaped;
use super::names::Names;
use crate::arguments::check::AskChoice;
use crate::interval;
use crate::lengths::length_text;
use crate::limits::PAGE_PAIRS;
use crate::load::LoadedWorld;
use crate::out::seconds_text;
use crate::outcome::Outcome;
use elbowroom_files::fault::counted_things;
use std::fmt::Write;

/// Adds the table, if there is a stretch for it. Random samples have no order, and a test measures nothing.
pub fn write_stretches(s: &mut String, loaded: &LoadedWorld, outcome: &Outcome) {
    let (all, left_out) = outcome.stretches.in_order();
    if all.is_empty() || outcome.drawn || outcome.samples < 2 || outcome.ask == AskChoice::Test {
        return;
    }
    let names = Names::from_world(&loaded.world);
    let time = |sample: usize| outcome.points.get(sample).and_then(|p| p.t);
    let timed = all.iter().all(|stretch| time(stretch.samples[1]).is_some());
    let margin = loaded.world.margin();
    let heading = if margin > 0.0 { "Within the margin" } else { "Not clear" };
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<h2>{heading}</h2><div class=\"card scroll\"><p>{}: runs of samples at which a pair is not proved \
         farther apart than {}.</p>{}<table class=\"stack stretches{}\">\
         <tr><th>samples{}<th>worst verdict<th>least clearance, and where\
         <th>first body<th>second body</tr>",
        counted_things(all.len() + left_out, "stretch").replace("stretchs", "stretches"),
        length_text(margin),
        names.words(),
        if timed { " timed" } else { "" },
        if timed { "<th>time" } else { "" }
    );
    for stretch in all.iter().take(PAGE_PAIRS) {
        let [from, to] = stretch.samples;
        let run = |from: String, to: String| if from == to { from } else { format!("{from} to {to}") };
        let [a, b] = loaded.world.pair_names(stretch.pair).unwrap_or(["-", "-"]).map(|name| names.cell(name));
        let verdict = stretch.verdict.word();
        let _ = write!(s, "<tr><td class=\"n\">{}", run(from.to_string(), to.to_string()));
        if let (true, Some([from, to])) = (timed, time(from).zip(time(to)).map(|(a, b)| [a, b])) {
            let _ = write!(s, "<td class=\"n\">{} s", run(seconds_text(from), seconds_text(to)));
        }
        let clearance = interval::interval_in_words(
            outcome.ask,
            outcome.touch,
            &stretch.interval,
            stretch.interval.estimate(),
        );
        let _ = write!(
            s,
            "<td class=\"n v {verdict}\">{verdict}<td class=\"n\">{}<br>sample {}<td>{a}<td>{b}</tr>",
            escaped(&clearance),
            stretch.at
        );
    }
    s.push_str("</table>");
    let more = left_out + all.len().saturating_sub(PAGE_PAIRS);
    if more > 0 {
        let _ = write!(s, "<p>And {more} more.</p>");
    }
    s.push_str("</div>");
}
