//! What `check` says to a person on a terminal.

use crate::arguments::DepthChoice;
use crate::arguments::check::AskChoice;
use crate::continuous::Edges;
use crate::first_way::first_way;
use crate::interval::{interval_in_words, is_narrow};
use crate::lengths::length_text;
use crate::limits::{self, TOUCH_DEPTH};
use crate::load::LoadedWorld;
use crate::note::Note;
#[cfg(not(target_family = "wasm"))]
use crate::out::has_colour;
use crate::out::{clean_text, point_text, points_text, seconds_text};
use crate::outcome::{Ends, Outcome, VERDICTS};
use crate::rates::Rates;
use crate::touch;
use crate::worst_moments::Moment;
use comfy_table::{Cell, Table, presets};
use elbowroom::fault::Numeral;
use elbowroom::{Answer, Interval, PairId, Verdict};
use elbowroom_files::fault::counted_things;
use elbowroom_files::motion::Motion;
use std::fmt::Write;

/// A verdict in a table, in its colour on a terminal.
#[cfg(not(target_family = "wasm"))]
fn verdict_cell(verdict: Verdict) -> Cell {
    use comfy_table::Color;
    let colour = match verdict {
        Verdict::Clear => Color::Green,
        Verdict::Near | Verdict::ExpectedContact => Color::Yellow,
        Verdict::Collision => Color::Red,
        Verdict::Unknown => Color::Magenta,
    };
    let cell = Cell::new(verdict);
    if has_colour() { cell.fg(colour) } else { cell }
}

/// Colours are written wherever they are wanted, to a pipe as well.
#[cfg(not(target_family = "wasm"))]
fn keep_colours(rows: &mut Table) {
    if has_colour() {
        rows.enforce_styling();
    }
}

/// A verdict in a table, where there are no terminals.
#[cfg(target_family = "wasm")]
fn verdict_cell(verdict: Verdict) -> Cell {
    Cell::new(verdict)
}

/// There are no colours to keep.
#[cfg(target_family = "wasm")]
fn keep_colours(_: &mut Table) {}

/// A table without lines inside.
pub fn plain_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(header.iter().map(Cell::new));
    table
}

/// The text of a table without the blanks at the ends of its lines.
pub fn text(table: &Table) -> String {
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A clearance in words.
pub fn clearance(outcome: &Outcome, answer: &Answer) -> String {
    interval_in_words(outcome.ask, outcome.touch, &answer.interval, answer.distance)
}

/// The depth of an overlap in words: the clearance without its sign.
fn depth_in_words(outcome: &Outcome, answer: &Answer) -> String {
    let Interval { lower, upper, geometry, .. } = answer.interval;
    let depth = Interval::new(-upper, -lower, geometry);
    interval_in_words(outcome.ask, outcome.touch, &depth, -answer.distance)
}

/// The first sample that collides or could not be proved, and the pair that decided.
pub fn first_bad(loaded: &LoadedWorld, outcome: &Outcome) -> Option<String> {
    let bad = outcome.first_bad?;
    let between = match bad.answer.pair {
        Some(_) => {
            let [a, b] = pair(loaded, &bad.answer);
            format!(", between {a} and {b}")
        }
        None => String::new(),
    };
    Some(format!("{}, {}{between}", when(&bad), bad.answer.verdict))
}

/// The answer for the last pose after the changes that no sample follows.
pub fn after(loaded: &LoadedWorld, outcome: &Outcome) -> Option<String> {
    let answer = outcome.after.as_ref()?;
    let [a, b] = pair(loaded, answer);
    let between = if answer.pair.is_some() { format!(" between {a} and {b}") } else { String::new() };
    let verdict = answer.verdict;
    Some(format!(
        "at the last pose after the last change: {verdict}, {}{between}",
        clearance(outcome, answer)
    ))
}

/// The smallest clearance of all samples, in parts: all of them of one sample, the first of the table.
pub struct Smallest {
    /// `smallest clearance`, `deepest press of a pad`, or `deepest overlap`.
    pub what: &'static str,
    /// The clearance there, or the depth: how far the two overlap, a number above zero.
    pub size: String,
    /// Its sample; where depths are only bracketed, that with the deepest overlap that is proved.
    pub moment: Moment,
    /// The names of its pair, and behind them the pair of another end.
    pub pair: [String; 2],
    /// See [`OtherEnd::words`].
    pub other: String,
}

/// The smallest clearance of all samples, and whose it is; nothing where nothing is checked, and of a test,
/// which measures nothing.
pub fn smallest(loaded: &LoadedWorld, outcome: &Outcome) -> Option<Smallest> {
    let moment = outcome.smallest.filter(|s| s.answer.pair.is_some())?;
    if outcome.ask == AskChoice::Test {
        return None;
    }
    let (what, size) = match moment.answer.verdict {
        Verdict::Collision => ("deepest overlap", depth_in_words(outcome, &moment.answer)),
        Verdict::ExpectedContact => ("deepest press of a pad", depth_in_words(outcome, &moment.answer)),
        _ => ("smallest clearance", clearance(outcome, &moment.answer)),
    };
    let other = other_end(loaded, outcome, Ends::from_answer(&moment.answer))
        .map_or(String::new(), |end| end.words());
    Some(Smallest { what, size, moment, pair: pair(loaded, &moment.answer), other })
}

/// The sample that may overlap deeper than the deepest that is proved, in words.
fn maybe_deeper(loaded: &LoadedWorld, outcome: &Outcome) -> Option<String> {
    let (surest, lowest) = (outcome.smallest?, outcome.lowest?);
    let [a, b] = pair(loaded, &lowest.answer);
    let is_deeper = surest.answer.verdict == Verdict::Collision
        && lowest.answer.pair.is_some()
        && !is_narrow(&lowest.answer.interval, lowest.answer.distance)
        && lowest.answer.interval.lower < surest.answer.interval.lower;
    is_deeper.then(|| {
        let size = depth_in_words(outcome, &lowest.answer);
        format!(
            "sample {} may overlap deeper than the deepest that is proved: {size}, {a} and {b}",
            when(&lowest)
        )
    })
}

/// The smallest clearance of all samples in words; of a test the first sample that fails.
fn smallest_words(loaded: &LoadedWorld, outcome: &Outcome) -> Option<String> {
    if outcome.ask == AskChoice::Test {
        return first_bad(loaded, outcome).map(|words| format!("first failing sample: {words}"));
    }
    let Smallest { what, size, moment, pair: [a, b], other } = smallest(loaded, outcome)?;
    // Where the ways are worse, the samples are not all.
    let at = if outcome.edges.as_ref().is_none_or(Edges::all_free) { "" } else { "at the samples: " };
    Some(format!("{at}{what} {size}, sample {}: {a} and {b}{other}", when(&moment)))
}

/// An end of an interval that is of another pair than the named one.
pub struct OtherEnd {
    /// `lower` or `upper`.
    pub which: &'static str,
    /// The names of its pair.
    pub pair: [String; 2],
}

impl OtherEnd {
    /// To be put behind the names of the pair.
    pub fn words(&self) -> String {
        let OtherEnd { which, pair: [a, b] } = self;
        format!(" ({which} bound from {a} and {b})")
    }
}

/// The end of an interval that is not of the named pair. If the ends are of different pairs, the number
/// belongs to neither alone. The named pair has one of the ends, except after a test, which tells no
/// interval.
pub fn other_end(loaded: &LoadedWorld, outcome: &Outcome, ends: Ends) -> Option<OtherEnd> {
    if outcome.ask == AskChoice::Test {
        return None;
    }
    let other = |end: Option<PairId>| end.filter(|p| ends.named != Some(*p));
    let (which, id) = match (other(ends.lower), other(ends.upper)) {
        (Some(id), _) => ("lower", id),
        (None, Some(id)) => ("upper", id),
        (None, None) => return None,
    };
    Some(OtherEnd { which, pair: loaded.world.pair_names(id)?.map(clean_text) })
}

/// What a person must know about the answers of some samples, and what can be done about it.
pub fn remarks(loaded: &LoadedWorld, outcome: &Outcome) -> Vec<Note> {
    let mut remarks = Vec::new();
    if let Some((count, first)) = &outcome.shut_in {
        let [a, b] = pair(loaded, &first.answer);
        let fact = format!(
            "{} unknown because an open mesh encloses a body: clear of its triangles, but inside if the mesh \
             was meant to be solid; the first is sample {}, between {a} and {b}",
            if *count == 1 { "1 sample is".into() } else { format!("{count} samples are") },
            when(first)
        );
        remarks.push(Note::new_asked(fact, "Close the mesh, use --geometry hull, or allow the pair"));
    }
    if let Some((count, first)) = &outcome.touching {
        let [a, b] = pair(loaded, &first.answer);
        let fact = format!(
            "{} unknown because bodies touch: it cannot be told whether they overlap by less than rounding; \
             the first is sample {}, between {a} and {b}",
            if *count == 1 { "1 sample is".into() } else { format!("{count} samples are") },
            when(first)
        );
        remarks.push(Note::new_asked(fact, "--touch 1e-6 counts contact within a micrometre as near"));
    }
    remarks.extend(touch_remark(loaded, outcome));
    let pressed = outcome.verdict_count(Verdict::ExpectedContact);
    if pressed > 0 {
        let fact = format!(
            "at {} bodies touch on pads alone, and are proved apart with these drawn back by their depths",
            samples(pressed)
        );
        remarks.push(Note::new_asked(fact, "--json - names the pads, and what is left of them"));
    }
    if outcome.bracketed > 0 {
        let at = samples(outcome.bracketed);
        let deeper = maybe_deeper(loaded, outcome).map_or(String::new(), |words| format!("; {words}"));
        let fact = format!("at {at} the depth of colliding meshes is only bracketed{deeper}");
        remarks.push(match outcome.depth {
            DepthChoice::Ordinary => {
                Note::new_asked(fact, "--depth tight brackets it to within a hundredth, usually")
            }
            DepthChoice::Tight => Note::new_asked(fact + ", as narrowly as can be", ""),
        });
    }
    remarks
}

/// What to do where bodies only touch: no overlap at a sample is deeper than a micrometre, or between samples
/// nothing worse than that is known.
fn touch_remark(loaded: &LoadedWorld, outcome: &Outcome) -> Option<Note> {
    let least = outcome.lowest.filter(|lowest| lowest.answer.interval.lower >= -TOUCH_DEPTH)?;
    let collides = outcome.verdict_count(Verdict::Collision) > 0;
    let open = outcome.edges.as_ref().map_or(0, Edges::touching_count);
    let fact = if collides && outcome.ask != AskChoice::Test {
        let [a, b] = pair(loaded, &least.answer);
        format!(
            "no overlap at a sample is deeper than a micrometre (sample {}: {a} and {b}, {}): bodies that \
             touch, as a part and what it lies on",
            when(&least),
            clearance(outcome, &least.answer)
        )
    } else if open > 0 {
        let ways = if open == 1 { "1 way is".into() } else { format!("{open} ways are") };
        format!("{ways} not proved because bodies touch, as a part and what it lies on")
    } else {
        return None;
    };
    let fact = format!(
        "{fact}. A motion may allow such a pair where the part is taken or put down, and forbid it after the \
         next pose"
    );
    let advice = "Write events `allow` and `forbid` for it (docs/motions.md); at samples alone, --touch 1e-6 \
                  counts such contact as near";
    Some(Note::new_asked(fact, advice))
}

/// What the worst moments are.
pub fn moments_are(outcome: &Outcome) -> String {
    let what = match outcome.drawn {
        true => "The worst samples, worst first (random samples have no order)",
        false => "Local minima of clearance at the samples, worst first",
    };
    let bracketed = match (outcome.bracketed > 0, outcome.drawn) {
        (true, true) => {
            "; depths that are only bracketed are ranked by the overlap that is proved, so one left out may \
             be deeper"
        }
        (true, false) => "; where a depth is only bracketed, of what is proved of it",
        (false, _) => "",
    };
    format!("{what}{bracketed}")
}

/// The SRDFs that were used.
pub fn srdf(loaded: &LoadedWorld, refused: bool) -> String {
    let paths: Vec<String> = loaded.srdfs.iter().map(|path| path.display().to_string()).collect();
    match (paths.is_empty(), refused) {
        (false, _) => paths.join(", "),
        (true, true) => "none (--no-srdf)".into(),
        (true, false) => "none used (none beside the URDF)".into(),
    }
}

/// The names of an answer's pair.
pub fn pair(loaded: &LoadedWorld, answer: &Answer) -> [String; 2] {
    match answer.pair.and_then(|p| loaded.world.pair_names(p)) {
        Some(names) => names.map(clean_text),
        None => ["-".into(), "-".into()],
    }
}

/// Sample and time of a moment.
pub fn when(moment: &Moment) -> String {
    let time = moment.t.map_or(String::new(), |t| format!(" (t = {} s)", seconds_text(t)));
    let after = if moment.after_changes { " after its events" } else { "" };
    format!("{}{time}{after}", moment.sample)
}

/// So many samples.
pub fn samples(count: usize) -> String {
    counted_things(count, "sample")
}

/// So many bodies.
pub fn bodies(count: usize) -> String {
    format!("{count} bod{}", if count == 1 { "y" } else { "ies" })
}

/// The counts of verdicts that occur, worst first; of poses after events those that are not clear.
pub fn verdicts(outcome: &Outcome) -> String {
    let words = |counts: [usize; VERDICTS.len()], is_told: fn(Verdict) -> bool| {
        let counts = VERDICTS.iter().zip(counts).rev().filter(|(v, n)| *n > 0 && is_told(**v));
        counts.map(|(v, n)| format!("{n} {v}")).collect::<Vec<_>>().join(", ")
    };
    let after = words(outcome.after_verdicts, |verdict| verdict != Verdict::Clear);
    let after = if after.is_empty() { after } else { format!(" (and after events {after})") };
    words(outcome.verdicts, |_| true) + &after
}

/// The answer on standard output. `drawn` are the poses if they were drawn, and are in no file.
pub fn table(loaded: &LoadedWorld, outcome: &Outcome, drawn: Option<&Motion>, no_srdf: bool) -> String {
    let world = &loaded.world;
    let mut text_out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text_out, "{}: {}", samples(outcome.samples), verdicts(outcome));
    let movable = if loaded.movable.is_empty() { "" } else { ", those of movable obstacles while they meet" };
    let _ = writeln!(
        text_out,
        "{} checked{movable}, {} allowed (elbowroom pairs says why); margin {}",
        counted_things(world.pairs().len(), "pair"),
        world.allowed_count(),
        length_text(world.margin())
    );
    let _ = writeln!(text_out, "SRDF: {}", clean_text(&srdf(loaded, no_srdf)));
    if let Some(note) = outcome.geometry.geometry_note() {
        let _ = writeln!(text_out, "{note}");
    }
    if let Some(note) = touch::touch_note(outcome.touch) {
        let _ = writeln!(text_out, "{note}");
    }
    if let Some(allowed) = &loaded.zero_overlaps {
        let allowed = counted_things(allowed.len(), "pair");
        let _ =
            writeln!(text_out, "--allow-zero-overlaps: {allowed} not checked that overlap at the zero pose");
    }
    if let Some(changes) = &outcome.changes {
        let _ = writeln!(text_out, "{changes}");
    }
    if let Some(after) = after(loaded, outcome) {
        let _ = writeln!(text_out, "{after}");
    }
    if let Some(first) = outcome.edges.as_ref().and_then(|edges| first_way(world, edges)) {
        let _ = writeln!(text_out, "{}", first.words);
    }
    if let Some(words) = smallest_words(loaded, outcome) {
        text_out.push_str(&words);
        let told = smallest(loaded, outcome).map(|smallest| smallest.moment);
        if let Some(w) = told.and_then(|told| told.answer.witness) {
            let [a, b] = points_text([w.a, w.b]);
            let _ = write!(text_out, "\n  point of the first {a}, of the second {b}");
            let _ = write!(text_out, "\n  vector from second to first {}", point_text(w.vector()));
        }
        text_out.push('\n');
        let told = if outcome.ask == AskChoice::Test { outcome.first_bad } else { told };
        if let Some(row) = told.and_then(|moment| drawn?.rows.get(moment.sample)) {
            let values: Vec<String> = row.iter().map(|v| Numeral(*v).to_string()).collect();
            let _ = writeln!(text_out, "  that pose: --at {}", values.join(","));
        }
    }
    if let Some(edges) = &outcome.edges {
        let _ = writeln!(text_out, "{}", edges.edges_in_words(world));
    }
    for line in outcome.rates.iter().flat_map(Rates::rate_lines) {
        let _ = writeln!(text_out, "{line}");
    }
    for note in remarks(loaded, outcome) {
        let _ = writeln!(text_out, "{note}");
    }
    if outcome.samples > 1 && !world.pairs().is_empty() && outcome.ask != AskChoice::Test {
        let _ = writeln!(text_out, "\n{}", moments_are(outcome));
        let mut rows =
            plain_table(&["sample", "verdict", "clearance", "first", "second", "point of first", "vector"]);
        for moment in &outcome.moments {
            let answer = &moment.answer;
            let mut names = pair(loaded, answer);
            if let Some(end) = other_end(loaded, outcome, Ends::from_answer(answer)) {
                for (name, other) in names.iter_mut().zip(&end.pair) {
                    let _ = write!(name, "\n({} bound: {other})", end.which);
                }
            }
            let [a, b] = names;
            let verdict = verdict_cell(answer.verdict);
            let witness = answer.witness;
            let at = witness.map_or("-".into(), |w| point_text(w.a));
            let vector = witness.map_or("-".into(), |w| point_text(w.vector()));
            rows.add_row(vec![
                Cell::new(when(moment)),
                verdict,
                Cell::new(clearance(outcome, answer)),
                Cell::new(a),
                Cell::new(b),
                Cell::new(at),
                Cell::new(vector),
            ]);
        }
        keep_colours(&mut rows);
        text_out.push_str(&text(&rows));
    }
    text_out
}

/// The last line on standard error. On a terminal that has just shown the table (`short`) it has only what
/// the table does not say; that may be nothing.
pub fn line(loaded: &LoadedWorld, outcome: &Outcome, short: bool) -> Option<String> {
    // If there are few samples, the first ones and starting the threads take most of the time.
    let time = (outcome.samples >= limits::TIMED_SAMPLES).then(|| {
        let each = outcome.elapsed.as_secs_f64() / outcome.samples as f64;
        format!("{:.1} us a sample on {}", each * 1e6, counted_things(outcome.threads, "thread"))
    });
    if short {
        return time.map(|time| format!("summary: {time}"));
    }
    let mut line = format!("summary: {}: {}", samples(outcome.samples), verdicts(outcome));
    details(&mut line, loaded, outcome);
    time.iter().for_each(|time| line.extend(["; ", time]));
    Some(line)
}

/// Adds what the table says too.
fn details(line: &mut String, loaded: &LoadedWorld, outcome: &Outcome) {
    if let Some(first) = outcome.edges.as_ref().and_then(|edges| first_way(&loaded.world, edges)) {
        let _ = write!(line, "; {}", first.words);
    }
    if let Some(note) = outcome.geometry.geometry_note() {
        let _ = write!(line, "; {note}");
    }
    if let Some(note) = touch::touch_note(outcome.touch) {
        let _ = write!(line, "; {note}");
    }
    if let Some(allowed) = &loaded.zero_overlaps {
        let _ =
            write!(line, "; {} not checked (--allow-zero-overlaps)", counted_things(allowed.len(), "pair"));
    }
    if let Some(changes) = &outcome.changes {
        let _ = write!(line, "; {changes}");
    }
    if let Some(after) = after(loaded, outcome) {
        let _ = write!(line, "; {after}");
    }
    if let Some(words) = smallest_words(loaded, outcome) {
        let _ = write!(line, "; {words}");
    }
    if let Some(edges) = &outcome.edges {
        let _ = write!(line, "; {}", edges.edges_in_words(&loaded.world));
    }
    if let Some(rates) = &outcome.rates {
        let _ = write!(line, "; {}", rates.rates_in_words());
    }
}
