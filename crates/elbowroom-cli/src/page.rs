//! The page that `check --report` writes: one file, nothing loaded from elsewhere, the same bytes for the
//! same answers.

mod allowed;
mod between;
mod changed;
pub mod csv;
mod curves;
mod events;
mod film;
mod hatches;
mod headline;
mod histogram;
pub mod html;
mod inputs;
mod marked;
mod moments;
mod names;
mod pairs;
mod picture;
mod plot;
mod rates;
mod sample_axis;
mod scope;
mod stage;
mod stretches;
pub mod ticks;
mod way_marks;

use self::csv::{Csv, number};
use crate::arguments::check::{AskChoice, CheckArguments};
use crate::changes::Changes;
use crate::interval;
use crate::lengths::length_text;
use crate::load::LoadedWorld;
use crate::motion::MotionSource;
use crate::out::seconds_text;
use crate::outcome::sides::Sides;
use crate::outcome::{Outcome, Point};
use crate::summary;
use crate::touch;
use elbowroom::PairId;
use elbowroom::world::BodyPair;
use elbowroom_files::motion::Motion;
use events::EventMark;
use html::escaped;
use marked::Marked;
use stage::Stage;
use std::fmt::Write;

pub const STYLE: &str = include_str!("page/style.css");
pub const SCRIPT: &str = include_str!("page/script.js");

/// The whole page.
pub fn page(
    arguments: &CheckArguments,
    loaded: &LoadedWorld,
    source: &MotionSource<'_>,
    motion: &Motion,
    changes: &Changes,
    outcome: &Outcome,
) -> String {
    let mut s = String::new();
    let robots: Vec<String> = loaded.world.robots().iter().map(|r| escaped(&r.name)).collect();
    let inputs = scope::inputs_in_words(arguments, source);
    let title = format!("Clearance of {}: {}", robots.join(", "), escaped(&inputs));
    let date = inputs::date();
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><main><h1>{title} <span>{date}</span></h1>"
    );
    let stretches = allowed::allowed_stretches(&loaded.world, changes, outcome.samples);
    headline::write_headline(&mut s, loaded, outcome, &stretches);
    // The picture of the worst moment comes before all that explains it.
    let mut stage = Stage::new(arguments, loaded, motion, changes);
    let least = outcome.lowest.or(outcome.first).map_or(0, |moment| moment.sample);
    let marks = events::event_marks(loaded, changes, outcome);
    let ways = way_marks::way_marks(loaded, outcome);
    let hatches = hatches::list_hatches(loaded, &stretches, outcome);
    if outcome.samples > 1 && !outcome.drawn {
        let heading = if !arguments.motion.is_empty() { "The motion" } else { "The poses" };
        let say = |i: usize| sample_words(loaded, outcome, &marks, i);
        film::film(&mut s, &mut stage, outcome, (heading, least), (&marks, &ways), say);
    } else {
        moments::moments(&mut s, &mut stage, outcome);
    }
    if let Some(note) = outcome.geometry.geometry_note() {
        let _ = write!(
            s,
            "<p class=\"note\">In this report <b>{}</b>: \
             the clearances are those of the hulls, not of the robot.</p>",
            escaped(note)
        );
    }
    if let Some(note) = touch::touch_fact(outcome.touch) {
        let _ = write!(s, "<p class=\"note\">In this report {}.</p>", escaped(&note));
    }
    for note in loaded.notes.iter().chain(&summary::remarks(loaded, outcome)) {
        let _ = write!(s, "<p class=\"note\">{}</p>", escaped(&note.plain_fact()));
    }
    // One pose has no course: its pictures and pairs say all.
    if outcome.samples > 1 {
        let changed = &changed::changed_points(&mut stage, outcome);
        let least = &way_marks::least_points(&loaded.world, outcome.edges.as_ref());
        let marked = Marked { worst: &[], events: &marks, changed, ways: &ways, least, hatches: &hatches };
        write_course(&mut s, loaded, outcome, &marked);
    }
    stretches::write_stretches(&mut s, loaded, outcome);
    between::write_between(&mut s, &mut stage, outcome);
    rates::write_rates(&mut s, outcome);
    if outcome.samples > 1 && !outcome.drawn {
        moments::moments(&mut s, &mut stage, outcome);
    }
    scope::write_proved(&mut s, arguments, loaded, changes, outcome);
    scope::write_asked(&mut s, arguments, loaded, source, outcome);
    pairs::pairs(&mut s, loaded, changes, outcome);
    inputs::inputs(&mut s, arguments, loaded);
    let _ = writeln!(s, "</main><script>{SCRIPT}</script></body></html>");
    s
}

/// The plot and its numbers. Random samples have no order: they come from the worst on, and counted.
fn write_course(s: &mut String, loaded: &LoadedWorld, outcome: &Outcome, marked: &Marked<'_>) {
    let margin = loaded.world.margin();
    let mut order: Vec<usize> = (0..outcome.points.len()).collect();
    let (over, name) = match outcome.drawn {
        true => (", random samples sorted by it", Some("samples, from the least clear on")),
        false => (" over the motion", None),
    };
    let mut points = outcome.points.clone();
    if outcome.drawn {
        let lower = |i: &usize| outcome.points[*i].interval.lower;
        order.sort_by(|a, b| lower(a).total_cmp(&lower(b)).then(a.cmp(b)));
        points =
            order.iter().map(|i| Point { t: None, sides: Sides::default(), ..outcome.points[*i] }).collect();
    }
    let what = if outcome.ask == AskChoice::Test { "What the test proved" } else { "Smallest clearance" };
    let line = match outcome.ask {
        AskChoice::Test => "Nothing was measured: the lines are bounds that were tight enough to decide.",
        AskChoice::LowerBound | AskChoice::Distance => {
            "At each sample a line is the proved lower bound, and the band reaches up to the proved upper \
             bound; between samples they are only drawn, but for the least clearance of a way within the \
             margin, which is proved. Large dots are the worst samples. Shaded samples are not clear: amber \
             within the margin, red in collision, violet not proved. Bars show where such begins between \
             samples."
        }
    };
    let worst: Vec<usize> = match outcome.ask {
        AskChoice::Test => Vec::new(),
        AskChoice::LowerBound | AskChoice::Distance => {
            let moments = outcome.moments.iter();
            let shown = moments.filter(|m| !m.after_changes);
            shown.filter_map(|m| order.iter().position(|i| *i == m.sample)).collect()
        }
    };
    let say =
        |i: usize| order.get(i).map_or(String::new(), |i| sample_words(loaded, outcome, marked.events, *i));
    let again = match marked.changed.is_empty() {
        true => "",
        false => " Rings: the pose of a sample once more, after the events there.",
    };
    let plot = plot::plot(&points, margin, name, &Marked { worst: &worst, ..*marked }, say);
    let legend = if curves::has_sides(&points) {
        curves::curves_legend(&still_words(loaded, outcome))
    } else {
        String::new()
    };
    let list = hatches::hatch_words(marked.hatches) + &events::event_list(marked.events, outcome);
    let shown = curves::shown(&points);
    let sides = curves::has_sides(&points);
    let mut header = vec!["sample", "t", "verdict", "lower", "upper", "first", "second"];
    if sides {
        header.extend(["itself_lower", "itself_upper", "cell_lower", "cell_upper"]);
    }
    // Where there is more than the samples, it is said what a row is of.
    let more = !marked.changed.is_empty() || !marked.least.is_empty() || !marked.ways.is_empty();
    if more {
        header.push("at");
    }
    let mut csv = Csv::new(&header);
    for (place, curves) in &shown {
        let Some(sample) = order.get(*place) else { continue };
        let row = |p: &Point| {
            let [a, b] = names(loaded, p).map(String::from);
            let (t, lower, upper) =
                (p.t.map_or(String::new(), number), number(p.interval.lower), number(p.interval.upper));
            [sample.to_string(), t, p.verdict.word().into(), lower, upper, a, b]
        };
        let ends = curves.iter().filter(|_| sides).flat_map(|ends| {
            let [lower, upper] = ends.map_or([f64::INFINITY; 2], |ends| ends);
            [number(lower), number(upper)]
        });
        let at = |word: &str| more.then(|| word.to_string());
        csv.row(row(&outcome.points[*sample]).into_iter().chain(ends).chain(at("sample")));
        if let Some(changed) = outcome.changed_at(*sample) {
            let blank = curves.iter().filter(|_| sides).flat_map(|_| [String::new(), String::new()]);
            let row = row(&Point::from_moment(changed));
            csv.row(row.into_iter().chain(blank).chain(at("after its events")));
        }
    }
    for between in between_rows(loaded, outcome, marked) {
        let blank = if sides { vec![String::new(); 4] } else { Vec::new() };
        csv.row(between.into_iter().chain(blank).chain([String::from("between samples")]));
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
    let counted = if outcome.drawn && outcome.ask != AskChoice::Test {
        histogram::histogram(&outcome.points, margin)
    } else {
        String::new()
    };
    let _ = write!(
        s,
        "<h2>{what}{over}</h2><div class=\"card\">{plot}{legend}{list}<p id=\"tip\">\
         Point at the plot for the numbers. {line}{again}</p>{counted}<p>{}</p></div>",
        csv.link("clearance.csv", &words)
    );
}

/// What the curve to the cell leaves out, as HTML; empty if it is nothing.
fn still_words(loaded: &LoadedWorld, outcome: &Outcome) -> String {
    let still: Vec<(PairId, f64)> = outcome.cell_pairs.still_pairs().collect();
    let Some((pair, lower)) = still.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return String::new();
    };
    let [a, b] = loaded.world.pair_names(pair).unwrap_or(["-", "-"]);
    let (many, nearest) = match still.len() {
        1 => ("1 pair that never changes".into(), ""),
        count => (format!("{count} pairs that never change"), "the nearest "),
    };
    let at = if lower.is_finite() { format!(", {}", length_text(lower)) } else { String::new() };
    escaped(&format!("without {many} over the motion ({nearest}{a} and {b}{at})"))
}

/// The bodies of the pair that a point names.
fn names<'w>(loaded: &'w LoadedWorld, point: &Point) -> [&'w str; 2] {
    point.ends.named.and_then(|id| loaded.world.pair_names(id)).unwrap_or(["-", "-"])
}

/// Rows of the saved numbers for what the plot shows between samples: where something begins on a way, and
/// the least clearance of ways. Their sample is that before the way, with the part of the way.
fn between_rows(loaded: &LoadedWorld, outcome: &Outcome, marked: &Marked<'_>) -> Vec<[String; 7]> {
    let time = |sample: usize| outcome.points.get(sample).and_then(|point| point.t);
    let place = |sample: usize, part: f64| {
        let t = sample.checked_sub(1).and_then(time).zip(time(sample));
        let t = t.map_or(String::new(), |(from, to)| number(from + (to - from) * part));
        [number(sample as f64 - 1.0 + part), t]
    };
    let names = |pair: Option<BodyPair>| {
        pair.and_then(|pair| loaded.world.body_names(pair)).unwrap_or(["-", "-"]).map(String::from)
    };
    let begins = marked.ways.iter().map(|way| {
        let ([sample, t], [a, b]) = (place(way.sample, way.part), names(way.pair));
        [sample, t, format!("{} begins", way.label_word()), String::new(), String::new(), a, b]
    });
    let least = marked.least.iter().map(|least| {
        let ([sample, t], [a, b]) = (place(least.sample, least.part), names(least.pair));
        let [lower, upper] = least.interval.map(number);
        [sample, t, "least of the way".into(), lower, upper, a, b]
    });
    begins.chain(least).collect()
}

/// A sample in words, with the events behind it and the answer after these, if it was asked.
fn sample_words(loaded: &LoadedWorld, outcome: &Outcome, marks: &[EventMark], sample: usize) -> String {
    let Some(p) = outcome.points.get(sample) else { return String::new() };
    let time = p.t.map_or(String::new(), |t| format!(" (t = {} s)", seconds_text(t)));
    let words = escaped(&format!("Sample {sample}{time}: {}", point_words(loaded, outcome, p)));
    let again = outcome.changed_at(sample).map_or(String::new(), |changed| {
        let point = Point::from_moment(changed);
        escaped(&format!(", then {}", point_words(loaded, outcome, &point)))
    });
    words + &events::words_at(marks, sample) + &again
}

/// Verdict, clearance and pair of a point.
fn point_words(loaded: &LoadedWorld, outcome: &Outcome, point: &Point) -> String {
    let other = summary::other_end(loaded, outcome, point.ends).map_or(String::new(), |end| end.words());
    let clearance =
        interval::interval_in_words(outcome.ask, outcome.touch, &point.interval, point.interval.estimate());
    let [a, b] = names(loaded, point);
    format!("{}, {clearance} between {a} and {b}{other}", point.verdict)
}
