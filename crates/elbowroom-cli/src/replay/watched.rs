//! The page of `replay --report`: speed factor, distance and reasons over the time of a record.

use super::course::{CourseColumn, ReplayCourse};
use crate::out::seconds_text;
use crate::page::csv::{Csv, number};
use crate::page::html::escaped;
use crate::page::ticks::{LENGTHS, NUMBERS, TIMES, Ticks, Unit};
use crate::page::{SCRIPT, STYLE};
use std::fmt::Write;

/// Size of a drawing in its own units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 300.0;

/// Height of a kind's row (pixels).
const ROW: usize = 22;

/// The whole page. `told` says what was repeated.
pub fn page(name: &str, told: &str, course: &ReplayCourse) -> String {
    let mut s = String::new();
    let title = format!("Guard's record {}", escaped(name));
    let [permit, slow, stop] = course.counts;
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><main><h1>{title}</h1><p class=\"headline {}\">{permit} permit, {slow} slow, {stop} stop</p>\
         <p class=\"lead\">{}</p>",
        if stop > 0 { "collision" } else { "clear" },
        escaped(told)
    );
    let along = TimeAxis::from_columns(&course.columns);
    if course.columns.len() > 1 {
        let _ = write!(s, "<h2>Speed that the guard allowed</h2><div class=\"card\">");
        let speeds = Graph { name: "speed factor", low: 0.0, high: 1.05, units: &NUMBERS, id: "" };
        speeds.draw(&mut s, &along, &course.columns, |column| column.speed);
        let high = course.columns.iter().map(|c| c.lower).filter(|d| d.is_finite()).fold(1e-3, f64::max);
        let low = course.columns.iter().map(|c| c.lower).filter(|d| d.is_finite()).fold(0.0, f64::min);
        let _ = write!(s, "</div><h2>Smallest distance, proved</h2><div class=\"card\">");
        let graph = Graph { name: "distance", low, high: 1.05 * high, units: &LENGTHS, id: "plot" };
        graph.draw(&mut s, &along, &course.columns, |column| column.lower);
        s.push_str("<ol id=\"words\" hidden>");
        for column in &course.columns {
            let x = along.x(column.t);
            let _ = write!(s, "<li data-x=\"{x:.1}\">{}</li>", words(course, column));
        }
        s.push_str("</ol><p id=\"tip\">Point at the plot for the numbers.</p></div>");
        kinds(&mut s, &along, course);
    }
    episodes(&mut s, course);
    let mut csv = Csv::new(&["t", "speed", "distance", "reasons"]);
    for column in &course.columns {
        let kinds = names(course, column).join(" ");
        csv.row([number(column.t), number(column.speed), number(column.lower), kinds]);
    }
    let link = csv.link("record.csv", "Save the plotted numbers as CSV (seconds, metres)");
    let _ = writeln!(s, "<p>{link}</p></main><script>{SCRIPT}</script></body></html>");
    s
}

/// Where times are along the drawings.
struct TimeAxis {
    low: f64,
    high: f64,
}

impl TimeAxis {
    fn from_columns(columns: &[CourseColumn]) -> TimeAxis {
        let low = columns.iter().map(|c| c.t).fold(f64::INFINITY, f64::min);
        let high = columns.iter().map(|c| c.t).fold(f64::NEG_INFINITY, f64::max);
        if low < high { TimeAxis { low, high } } else { TimeAxis { low: 0.0, high: 1.0 } }
    }

    fn x(&self, t: f64) -> f64 {
        WIDTH * ((t - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

/// A drawing of one number over time.
struct Graph<'a> {
    name: &'a str,
    low: f64,
    high: f64,
    units: &'a [Unit],
    id: &'a str,
}

impl Graph<'_> {
    fn draw(
        &self,
        s: &mut String,
        along: &TimeAxis,
        columns: &[CourseColumn],
        value: impl Fn(&CourseColumn) -> f64,
    ) {
        let y = |v: f64| HEIGHT * (1.0 - (v.clamp(self.low, self.high) - self.low) / (self.high - self.low));
        let upward = Ticks::new(self.low, self.high, 7, self.units, false);
        let unit = if upward.unit.is_empty() { String::new() } else { format!(" ({})", upward.unit) };
        let id = if self.id.is_empty() { String::new() } else { format!(" id=\"{}\"", self.id) };
        let _ = write!(
            s,
            "<figure class=\"plot\"><div class=\"yname\">{0}{unit}</div><div class=\"area\"{id}>\
             <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"{0} over time\">",
            self.name
        );
        for (value, _) in &upward.at {
            let y = y(*value);
            let _ = write!(s, "<line class=\"grid\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
        }
        let (mut path, mut pen) = (String::new(), 'M');
        for column in columns {
            let v = value(column);
            if !v.is_finite() {
                pen = 'M';
                continue;
            }
            let _ = write!(path, "{pen}{:.1} {:.1}", along.x(column.t), y(v));
            pen = 'L';
        }
        let _ = write!(s, "<path class=\"line\" d=\"{path}\"/>");
        if !self.id.is_empty() {
            let _ = write!(
                s,
                "<line id=\"cursor\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"{HEIGHT}\" visibility=\"hidden\"/>"
            );
        }
        s.push_str("</svg>");
        for (value, label) in &upward.at {
            let top = 100.0 * y(*value) / HEIGHT;
            let _ = write!(s, "<span class=\"y\" style=\"top:{top:.2}%\">{label}</span>");
        }
        let across = Ticks::new(along.low, along.high, 11, &TIMES, false);
        for (value, label) in &across.at {
            let left = 100.0 * along.x(*value) / WIDTH;
            let _ = write!(s, "<span class=\"x\" style=\"left:{left:.2}%\">{label}</span>");
        }
        let _ = write!(s, "</div><div class=\"xname\">time ({})</div></figure>", across.unit);
    }
}

fn names<'c>(course: &'c ReplayCourse, column: &CourseColumn) -> Vec<&'c str> {
    let has = |(bit, _): &(usize, &String)| column.kinds >> bit & 1 == 1;
    course.kinds.iter().enumerate().filter(has).map(|(_, kind)| kind.as_str()).collect()
}

fn words(course: &ReplayCourse, column: &CourseColumn) -> String {
    let kinds = names(course, column);
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    let distance = if column.lower.is_finite() {
        crate::lengths::length_text(column.lower)
    } else {
        "not measured".into()
    };
    escaped(&format!("{} s: speed {:.2}, distance {distance}{kinds}", seconds_text(column.t), column.speed))
}

/// A row for each kind of reason: when it was given.
fn kinds(s: &mut String, along: &TimeAxis, course: &ReplayCourse) {
    if course.kinds.is_empty() {
        return;
    }
    s.push_str("<h2>Reasons</h2><div class=\"card\"><dl>");
    for (bit, kind) in course.kinds.iter().enumerate() {
        let _ = write!(
            s,
            "<dt>{}</dt><dd><svg viewBox=\"0 0 {WIDTH} {ROW}\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"when\" style=\"height:{ROW}px\">",
            escaped(kind)
        );
        let mut left = &course.columns[..];
        while let Some(first) = left.first() {
            let given = |column: &CourseColumn| column.kinds >> bit & 1 == 1;
            let run = left.iter().take_while(|column| given(column) == given(first)).count();
            let (same, rest) = left.split_at(run);
            let to = rest.first().or(same.last()).map_or(WIDTH, |column| along.x(column.t));
            if given(first) {
                let from = along.x(first.t);
                let _ = write!(
                    s,
                    "<rect class=\"shade collision\" x=\"{from:.1}\" y=\"2\" width=\"{:.1}\" height=\"{}\"/>",
                    (to - from).max(1.5),
                    ROW - 4
                );
            }
            left = rest;
        }
        s.push_str("</svg></dd>");
    }
    s.push_str("</dl></div>");
}

/// What was not permitted, in order.
fn episodes(s: &mut String, course: &ReplayCourse) {
    if course.episodes.is_empty() {
        return;
    }
    s.push_str(
        "<h2>Slow and stop, in order</h2><div class=\"card\"><div class=\"scroll\"><table><tr>\
         <th>from (s)</th><th>to (s)</th><th>command</th><th>reason</th><th>answers</th></tr>",
    );
    for episode in &course.episodes {
        let [from, to] = episode.t.map(seconds_text);
        let class = if episode.command == "stop" { "collision" } else { "near" };
        let _ = write!(
            s,
            "<tr><td class=\"n\">{from}</td><td class=\"n\">{to}</td><td class=\"v {class}\">{}</td>\
             <td>{}</td><td class=\"n\">{}</td></tr>",
            escaped(&episode.command),
            escaped(&episode.reason[1]),
            episode.answers
        );
    }
    s.push_str("</table></div>");
    if course.more > 0 {
        let _ = write!(s, "<p class=\"soft\">{} more are not listed.</p>", course.more);
    }
    s.push_str("</div>");
}
