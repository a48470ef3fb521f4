//! The page that `check --report` writes: one file, nothing loaded from elsewhere, the same bytes for the
//! same answers.

mod between;
mod csv;
mod headline;
mod html;
mod moments;
mod names;
mod pairs;
mod picture;
mod plot;
mod scope;
mod ticks;
pub mod watched;

use self::csv::{Csv, number};
use crate::changes::Changes;
use crate::check::arguments::{Arguments, AskChoice};
use crate::check::interval;
use crate::check::outcome::Outcome;
use crate::check::touch;
use crate::load::LoadedWorld;
use crate::motion::Source;
use crate::out::seconds;
use crate::summary;
use elbowroom_files::motion::Motion;
use html::escaped;
use std::fmt::Write;

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// The whole page.
pub fn page(
    arguments: &Arguments,
    loaded: &LoadedWorld,
    source: &Source<'_>,
    motion: &Motion,
    changes: &Changes,
    outcome: &Outcome,
) -> String {
    let mut s = String::new();
    let robots: Vec<String> = loaded.world.robots().iter().map(|r| escaped(&r.name)).collect();
    let title = format!("Clearance of {}", robots.join(", "));
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><main><h1>{title}</h1>"
    );
    headline::headline(&mut s, loaded, outcome);
    if let Some(note) = outcome.geometry.note() {
        let _ = write!(
            s,
            "<p class=\"note\">In this report <b>{}</b>: \
             the clearances are those of the hulls, not of the robot.</p>",
            escaped(note)
        );
    }
    if let Some(note) = touch::note(outcome.touch) {
        let _ = write!(s, "<p class=\"note\">In this report {}.</p>", escaped(&note));
    }
    for note in loaded.notes.iter().chain(&summary::remarks(loaded, outcome)) {
        let _ = write!(s, "<p class=\"note\">{}</p>", escaped(note));
    }
    // One pose has no course: its pictures and pairs say all.
    if outcome.samples > 1 {
        course(&mut s, loaded, outcome);
    }
    between::between(&mut s, loaded, outcome);
    moments::moments(&mut s, arguments, loaded, motion, changes, outcome);
    scope::proved(&mut s, arguments, loaded, outcome);
    scope::asked(&mut s, arguments, loaded, source, outcome);
    pairs::pairs(&mut s, loaded, outcome);
    let _ = writeln!(s, "</main><script>{SCRIPT}</script></body></html>");
    s
}

/// The plot and its numbers.
fn course(s: &mut String, loaded: &LoadedWorld, outcome: &Outcome) {
    let (over, worst) = if outcome.drawn {
        ("of random samples, which have no order", "samples")
    } else {
        ("over the motion", "moments")
    };
    let (what, tip) = match outcome.ask {
        AskChoice::Test => (
            "What the test proved",
            "the verdicts. Nothing was measured: the lines are bounds that were tight enough to decide."
                .into(),
        ),
        AskChoice::LowerBound | AskChoice::Distance => (
            "Smallest clearance",
            format!(
                "the numbers. The line is the proved lower bound; the band reaches up to the proved upper \
                 bound. Large dots are the worst {worst} below."
            ),
        ),
    };
    let (heading, tip) = (format!("{what} {over}"), format!("Point at the plot for {tip}"));
    let worst: Vec<usize> = match outcome.ask {
        AskChoice::Test => Vec::new(),
        AskChoice::LowerBound | AskChoice::Distance => outcome.moments.iter().map(|m| m.sample).collect(),
    };
    let plot =
        plot::plot(&outcome.points, loaded.world.margin(), &worst, |i| sample_words(loaded, outcome, i));
    let shown = plot::shown(&outcome.points);
    let mut csv = Csv::new(&["sample", "t", "verdict", "lower", "upper", "first", "second"]);
    for sample in &shown {
        let p = &outcome.points[*sample];
        let [a, b] = names(loaded, outcome, *sample).map(String::from);
        let (t, lower, upper) =
            (p.t.map_or(String::new(), number), number(p.interval.lower), number(p.interval.upper));
        csv.row([sample.to_string(), t, p.verdict.word().into(), lower, upper, a, b]);
    }
    let all = outcome.points.len();
    let words = if shown.len() == all {
        "Save the plotted numbers as CSV (metres, seconds)".into()
    } else {
        format!(
            "Save the plotted numbers as CSV (metres, seconds; the worst of every {} samples)",
            all.div_ceil(shown.len())
        )
    };
    let _ = write!(
        s,
        "<h2>{heading}</h2><div class=\"card\">{plot}<p id=\"tip\">{tip}</p><p>{}</p></div>",
        csv.link("clearance.csv", &words)
    );
}

/// The bodies of the pair that is named at a sample.
fn names<'w>(loaded: &'w LoadedWorld, outcome: &Outcome, sample: usize) -> [&'w str; 2] {
    let named = outcome.points.get(sample).and_then(|p| p.ends.named);
    named.and_then(|id| loaded.world.pair_names(id)).unwrap_or(["-", "-"])
}

fn sample_words(loaded: &LoadedWorld, outcome: &Outcome, sample: usize) -> String {
    let Some(p) = outcome.points.get(sample) else { return String::new() };
    let [a, b] = names(loaded, outcome, sample);
    let other = summary::other_end(loaded, outcome, p.ends).map_or(String::new(), |end| end.words());
    let time = p.t.map_or(String::new(), |t| format!(" (t = {} s)", seconds(t)));
    let clearance = interval::told(outcome.ask, &p.interval, p.interval.estimate());
    escaped(&format!("Sample {sample}{time}: {}, {clearance} between {a} and {b}{other}", p.verdict))
}
