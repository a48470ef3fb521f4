//! What `check` says to a person on a terminal.

use crate::check::{AskChoice, Outcome, VERDICTS};
use crate::dips::Moment;
use crate::load::LoadedWorld;
use crate::out::{clean, colour, length, point};
use comfy_table::{Cell, Color, Table, presets};
use elbowroom::fault::Numeral;
use elbowroom::id::PairId;
use elbowroom::report::Report;
use elbowroom::verdict::Verdict;
use elbowroom_files::fault::counted;
use std::fmt::Write;

/// The colour of a verdict on a terminal.
fn shade(verdict: Verdict) -> Color {
    match verdict {
        Verdict::Clear => Color::Green,
        Verdict::Near | Verdict::ExpectedContact => Color::Yellow,
        Verdict::Collision => Color::Red,
        Verdict::Unknown => Color::Magenta,
    }
}

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
pub fn clearance(outcome: &Outcome, report: &Report) -> String {
    told(outcome.ask, report.lower, report.upper, report.distance)
}

/// An interval in words; after a test, which measures nothing, only what it proves.
pub fn told(ask: AskChoice, lower: f64, upper: f64, distance: f64) -> String {
    match ask {
        AskChoice::Test if lower > 0.0 => "apart".into(),
        AskChoice::Test if upper < 0.0 => "overlapping".into(),
        AskChoice::Test => "not proved".into(),
        AskChoice::LowerBound | AskChoice::Distance => interval(lower, upper, distance),
    }
}

/// The smallest clearance of all samples, and whose it is; nothing where nothing is checked.
fn smallest(loaded: &LoadedWorld, outcome: &Outcome) -> Option<String> {
    let smallest = outcome.smallest.filter(|s| s.report.pair.is_some())?;
    let report = &smallest.report;
    let [a, b] = pair(loaded, report);
    let what = if outcome.ask == AskChoice::Test { "worst: " } else { "smallest clearance " };
    let mut words =
        format!("{what}{} at sample {} between {a} and {b}", clearance(outcome, report), when(&smallest));
    // Where the ends of the interval are of different pairs, the number is of neither alone.
    let named = |id: PairId| loaded.world.pair_names(id).map(|names| names.map(clean));
    if outcome.ask != AskChoice::Test
        && let Some([a, b]) = report.lower_pair.filter(|p| report.pair != Some(*p)).and_then(named)
    {
        let _ = write!(words, " (its lower end between {a} and {b})");
    }
    Some(words)
}

/// An interval in words: its number if it is narrow, and what is known of it if not.
pub fn interval(lower: f64, upper: f64, distance: f64) -> String {
    let narrow = upper - lower <= 1e-6 * (1.0 + distance.abs());
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) if narrow => length(distance),
        (true, true) => format!("{} to {}", length(lower), length(upper)),
        (true, false) => format!("at least {}", length(lower)),
        (false, true) => format!("at most {}", length(upper)),
        (false, false) if lower > 0.0 => "nothing is checked".into(),
        (false, false) => "nothing is known".into(),
    }
}

/// The names of a report's pair.
pub fn pair(loaded: &LoadedWorld, report: &Report) -> [String; 2] {
    match report.pair.and_then(|p| loaded.world.pair_names(p)) {
        Some(names) => names.map(clean),
        None => ["-".into(), "-".into()],
    }
}

/// Sample and time of a moment.
pub fn when(moment: &Moment) -> String {
    match moment.t {
        Some(t) => format!("{} (t = {} s)", moment.sample, Numeral(t)),
        None => moment.sample.to_string(),
    }
}

/// So many samples.
pub fn samples(count: usize) -> String {
    counted(count, "sample")
}

/// So many bodies.
pub fn bodies(count: usize) -> String {
    format!("{count} bod{}", if count == 1 { "y" } else { "ies" })
}

/// The counts of verdicts that occur, worst first.
pub fn verdicts(outcome: &Outcome) -> String {
    let counts = VERDICTS.iter().zip(outcome.verdicts).rev().filter(|(_, n)| *n > 0);
    counts.map(|(v, n)| format!("{n} {v}")).collect::<Vec<_>>().join(", ")
}

/// The answer on standard output.
pub fn table(loaded: &LoadedWorld, outcome: &Outcome) -> String {
    let world = &loaded.world;
    let mut text_out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text_out, "{}: {}", samples(outcome.samples), verdicts(outcome));
    let _ = writeln!(
        text_out,
        "{} checked, {} allowed (elbowroom pairs says why); margin {}",
        counted(world.pairs().len(), "pair"),
        world.allowed_count(),
        length(world.margin())
    );
    if let Some(words) = smallest(loaded, outcome) {
        text_out.push_str(&words);
        if let Some(w) =
            outcome.smallest.and_then(|s| s.report.witness).filter(|_| outcome.ask != AskChoice::Test)
        {
            let _ =
                write!(text_out, "\n  from {} to {}, vector {}", point(w.b), point(w.a), point(w.vector()));
        }
        text_out.push('\n');
    }
    if outcome.samples > 1 && !world.pairs().is_empty() {
        text_out.push_str("\nworst moments\n");
        let mut rows = plain_table(&["sample", "verdict", "clearance", "first", "second", "at", "vector"]);
        for moment in &outcome.moments {
            let report = &moment.report;
            let [a, b] = pair(loaded, report);
            let mut verdict = Cell::new(report.verdict);
            if colour() {
                verdict = verdict.fg(shade(report.verdict));
            }
            let witness = report.witness.filter(|_| outcome.ask != AskChoice::Test);
            let at = witness.map_or("-".into(), |w| point(w.a));
            let vector = witness.map_or("-".into(), |w| point(w.vector()));
            rows.add_row(vec![
                Cell::new(when(moment)),
                verdict,
                Cell::new(clearance(outcome, report)),
                Cell::new(a),
                Cell::new(b),
                Cell::new(at),
                Cell::new(vector),
            ]);
        }
        if colour() {
            rows.enforce_styling();
        }
        text_out.push_str(&text(&rows));
    }
    text_out
}

/// The last line on standard error.
pub fn line(loaded: &LoadedWorld, outcome: &Outcome) -> String {
    let mut line = format!("summary: {}: {}", samples(outcome.samples), verdicts(outcome));
    if let Some(words) = smallest(loaded, outcome) {
        let _ = write!(line, "; {words}");
    }
    let each = outcome.elapsed.as_secs_f64() / outcome.samples.max(1) as f64;
    let threads = outcome.threads;
    let _ = write!(line, "; {:.1} us a sample on {}", each * 1e6, counted(threads, "thread"));
    line
}
