//! Clearance over a motion: its curves, collisions and unknown samples shaded, the margin as a line, events
//! and what happens between samples.
//!
//! The curve is stretched to whatever room there is, the words around it are not: they are text of the page.

use super::changed::ChangedPoint;
use super::curves::{Column, Curves, has_sides, plot_columns};
use super::marked::Marked;
use super::sample_axis::{SampleAxis, WIDTH, event_place};
use super::ticks::{LENGTHS, Ticks};
use super::way_marks::LeastPoint;
use crate::outcome::Point;
use elbowroom::Verdict;
use std::fmt::Write;

/// Height of the drawing in its own units.
const HEIGHT: f64 = 300.0;

/// Most samples that are marked with a dot each.
const DOTTED: usize = 60;

/// The room that the number of an event takes, in the units of the drawing.
const EVENT_ROOM: f64 = 25.0;

/// Most ticks up.
const TICKS: usize = 9;

/// The heights at which lengths are.
struct Up {
    low: f64,
    high: f64,
}

impl Up {
    fn from_columns(columns: &[Column], marked: &Marked<'_>, margin: f64) -> Up {
        let of_columns =
            columns.iter().flat_map(|c| [c.lower, c.upper, c.largest].into_iter().chain(c.side_ends()));
        let of_ways = marked.least.iter().flat_map(|least| least.interval);
        let of_changed = marked.changed.iter().flat_map(|c| {
            let sides = [c.point.sides.own, c.point.sides.cell].into_iter().flatten().flatten();
            [c.point.interval.lower, c.point.interval.upper].into_iter().chain(sides)
        });
        let (mut low, mut high) = (0.0, if margin.is_finite() { f64::max(margin, 0.0) } else { 0.0 });
        for end in of_columns.chain(of_changed).chain(of_ways).filter(|x| x.is_finite()) {
            (low, high) = (end.min(low), end.max(high));
        }
        if high - low < 1e-9 {
            return Up { low: low - 0.5e-3, high: high + 0.5e-3 };
        }
        let room = 0.06 * (high - low);
        Up { low: if low < 0.0 { low - room } else { low }, high: high + room }
    }
    fn y(&self, d: f64) -> f64 {
        HEIGHT * (1.0 - (d.clamp(self.low, self.high) - self.low) / (self.high - self.low))
    }
}

/// The plot as HTML. `name` says what is along it, if it is neither time nor the number of the sample;
/// `say` gives the words of a sample, escaped, for the pointer.
pub fn plot(
    points: &[Point],
    margin: f64,
    name: Option<&str>,
    marked: &Marked<'_>,
    say: impl Fn(usize) -> String,
) -> String {
    let columns = plot_columns(points);
    let (along, up) = (SampleAxis::from_points(points), Up::from_columns(&columns, marked, margin));
    let at = |sample: usize| along.place_of_value(along.sample_value(points, sample));
    let mut s = String::new();
    let (across, upward) = (along.axis_ticks(), Ticks::new(up.low, up.high, TICKS, &LENGTHS, false));
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<figure class=\"plot\"><div class=\"yname\">clearance ({})</div><div class=\"area\" id=\"plot\">\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"clearance at each sample\">",
        upward.unit
    );
    shades(&mut s, &columns, at, points.len());
    for (value, _) in &upward.at {
        let class = if *value == 0.0 { "zero" } else { "grid" };
        let y = up.y(*value);
        let _ = write!(s, "<line class=\"{class}\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
    }
    for (value, _) in &across.at {
        let x = along.place_of_value(*value);
        let _ = write!(
            s,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{HEIGHT}\" y2=\"{}\"/>",
            HEIGHT - 6.0
        );
    }
    if margin > 0.0 {
        let y = up.y(margin);
        let _ = write!(s, "<line class=\"margin\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
    }
    Curves { points, columns: &columns, marked }.write_curves(&mut s, &at, &|d| up.y(d));
    let dot = |i: usize, height: f64| format!("M{:.1} {:.1}h0", at(i), up.y(height));
    if points.len() <= DOTTED {
        // On the curves, of which the nearer one is meant.
        let height = |p: &Point| {
            let sides = [p.sides.own, p.sides.cell].into_iter().flatten().map(|[lower, _]| lower);
            if has_sides(points) { sides.reduce(f64::min) } else { Some(p.interval.lower) }
        };
        let dots = points.iter().enumerate().filter_map(|(i, p)| Some(dot(i, height(p)?)));
        let _ = write!(s, "<path class=\"dots\" d=\"{}\"/>", dots.collect::<String>());
    }
    if (1..=DOTTED).contains(&marked.changed.len()) {
        let again = |c: &ChangedPoint| {
            let lower = c.point.interval.lower;
            lower.is_finite().then(|| dot(c.sample, lower))
        };
        let rings: String = marked.changed.iter().filter_map(again).collect();
        let _ = write!(s, "<path class=\"rings\" d=\"{rings}\"/><path class=\"holes\" d=\"{rings}\"/>");
    }
    let between = |least: &LeastPoint| {
        let [from, to] = [least.sample.saturating_sub(1), least.sample].map(at);
        format!("M{:.1} {:.1}h0", from + (to - from) * least.part, up.y(least.interval[0]))
    };
    if (1..=DOTTED).contains(&marked.least.len()) {
        let dots: String = marked.least.iter().map(between).collect();
        let _ = write!(s, "<path class=\"dots\" d=\"{dots}\"/>");
    }
    let worst = marked.worst.iter().filter_map(|i| Some(dot(*i, points.get(*i)?.interval.lower)));
    let worst: String = worst.collect();
    let event_places: Vec<f64> = marked.events.iter().map(|event| event_place(points, event)).collect();
    for x in &event_places {
        let _ = write!(s, "<line class=\"event\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{HEIGHT}\"/>");
    }
    for way in marked.ways {
        let [from, to] = way.plot_span(points);
        let (class, width) = (way.css_class(), (to - from).max(3.0));
        let _ = write!(
            s,
            "<rect class=\"hit {class}\" x=\"{from:.1}\" y=\"0\" width=\"{width:.1}\" height=\"{HEIGHT}\"/>"
        );
    }
    let _ = write!(
        s,
        "<path class=\"marked\" d=\"{worst}\"/>\
         <line id=\"cursor\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"{HEIGHT}\" visibility=\"hidden\"/></svg>"
    );
    for hatch in marked.hatches {
        let [from, to] = hatch.plot_span(points).map(|x| 100.0 * x / WIDTH);
        let _ = write!(
            s,
            "<div class=\"hatch\" style=\"left:{from:.2}%;width:max({:.2}%, 5px)\" title=\"{}: not checked\">\
             </div>",
            to - from,
            hatch.words
        );
    }
    // Of each kind the first has its word.
    for (k, way) in marked.ways.iter().enumerate() {
        if marked.ways[..k].iter().all(|other| other.kind != way.kind) {
            let [x, _] = way.plot_span(points).map(|x| 100.0 * x / WIDTH);
            let (class, side) = (way.css_class(), if x > 75.0 { " left" } else { "" });
            let _ = write!(
                s,
                "<span class=\"hit {class}{side}\" style=\"left:{x:.2}%\" title=\"{}\">{}</span>",
                way.words,
                way.label_word()
            );
        }
    }
    for (value, label) in &upward.at {
        let _ =
            write!(s, "<span class=\"y\" style=\"top:{:.2}%\">{label}</span>", 100.0 * up.y(*value) / HEIGHT);
    }
    for (i, (value, label)) in across.at.iter().enumerate() {
        let class = if i % 2 == 0 { "x" } else { "x odd" };
        let _ = write!(
            s,
            "<span class=\"{class}\" style=\"left:{:.2}%\">{label}</span>",
            100.0 * along.place_of_value(*value) / WIDTH
        );
    }
    if margin > 0.0 {
        // Its name stands on the side on which the clearance does not end.
        let above = columns.last().is_none_or(|c| c.lower <= margin);
        let shift = if above { -15 } else { 4 };
        let _ = write!(
            s,
            "<span class=\"name\" style=\"top:calc({:.2}% + {shift}px)\">margin</span>",
            100.0 * up.y(margin) / HEIGHT
        );
    }
    // Where events crowd, the first of them has the number.
    let mut last = f64::NEG_INFINITY;
    for (k, (event, x)) in marked.events.iter().zip(event_places).enumerate() {
        if x - last >= EVENT_ROOM {
            let _ = write!(
                s,
                "<span class=\"event\" style=\"left:{:.2}%\" title=\"{}\">{}</span>",
                100.0 * x / WIDTH,
                event.words,
                k + 1
            );
            last = x;
        }
    }
    let _ = write!(
        s,
        "</div><div class=\"xname\">{}</div></figure>",
        name.map_or(along.axis_name(across.unit), String::from)
    );
    // The script reads these when the pointer moves: positions and words, a column each.
    s.push_str("<ol id=\"words\" hidden>");
    for c in &columns {
        let _ = write!(s, "<li data-x=\"{:.1}\">{}</li>", at(c.worst), say(c.worst));
    }
    s.push_str("</ol>");
    s
}

/// Shades the runs of bad verdicts over the full height, before anything is drawn on it. A run of one verdict
/// is one piece, from half way after the sample before it to half way before the sample behind it.
fn shades(s: &mut String, columns: &[Column], at: impl Fn(usize) -> f64, samples: usize) {
    let mut from = 0.0;
    let mut left = columns;
    while let Some(first) = left.first() {
        let same = left.iter().take_while(|c| c.verdict == first.verdict).count();
        left = left.get(same..).unwrap_or(&[]);
        let next = left.first().map_or(samples, |next| next.first);
        let to = if next < samples { 0.5 * (at(next.saturating_sub(1)) + at(next)) } else { WIDTH };
        let class = match first.verdict {
            Verdict::Collision => Some("collision"),
            Verdict::Unknown => Some("unknown"),
            Verdict::Near => Some("near"),
            Verdict::ExpectedContact => Some("expected_contact"),
            Verdict::Clear => None,
        };
        if let Some(class) = class {
            // One bad sample of very many is seen all the same.
            let width = (to - from).max(1.5);
            let _ = write!(
                s,
                "<rect class=\"shade {class}\" x=\"{from:.1}\" y=\"0\" width=\"{width:.1}\" \
                    height=\"{HEIGHT}\"/>"
            );
        }
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::continuous::EdgeKind;
    use crate::limits::PLOT_COLUMNS;
    use crate::page::curves::{curves_legend, shown};
    use crate::page::events::EventMark;
    use crate::page::way_marks::WayMark;

    const NONE: Marked<'_> =
        Marked { worst: &[], events: &[], changed: &[], ways: &[], least: &[], hatches: &[] };
    use crate::outcome::Ends;
    use crate::outcome::sides::Sides;
    use elbowroom::{Geometry, Interval};

    fn points(times: impl Iterator<Item = Option<f64>>) -> Vec<Point> {
        let ends = Ends { named: None, lower: None, upper: None };
        let point = |(i, t): (usize, Option<f64>)| {
            let lower = 0.02 * (i % 7) as f64 - 0.01;
            let verdict = if lower < 0.0 { Verdict::Collision } else { Verdict::Clear };
            Point {
                t,
                interval: Interval::new(lower, lower + 1e-3, Geometry::Mesh),
                verdict,
                ends,
                sides: Sides::default(),
            }
        };
        times.enumerate().map(point).collect()
    }

    #[test]
    fn itself_and_the_cell_are_two_curves_where_there_are_both() {
        let mut both = points((0..20).map(|_| None));
        for (i, point) in both.iter_mut().enumerate() {
            point.sides.own = Some([0.014, 0.0141]);
            // The cell is there from the tenth sample on.
            point.sides.cell = (i >= 10).then_some([0.5 - 0.02 * i as f64, 0.5]);
        }
        let html = plot(&both, 0.0, None, &NONE, |_| String::new());
        let corners = |class: &str| {
            let line = html.split(&format!("<path class=\"line {class}\" d=\"")).nth(1).unwrap();
            line.split('"').next().unwrap().matches(['M', 'L']).count()
        };
        assert_eq!((corners("own"), corners("cell")), (20, 10));
        assert!(has_sides(&both) && curves_legend("").contains("to itself"));
        for point in &mut both {
            point.sides.cell = None;
        }
        assert!(!has_sides(&both));
    }

    #[test]
    fn a_curve_ends_before_contact_and_begins_anew_after_events() {
        let twenty = points((0..20).map(|_| None));
        let way = |kind, sample| WayMark {
            kind,
            sample,
            part: 0.5,
            pair: None,
            to: (sample, 0.6),
            words: String::new(),
        };
        let ways = [way(EdgeKind::Near, 3), way(EdgeKind::Contact, 6), way(EdgeKind::Unknown, 19)];
        // The pose of sample 10 is 0.3 m away after its events; that of sample 18 goes into a way that is not
        // proved.
        let far = |sample| {
            let interval = Interval::new(0.3, 0.31, Geometry::Mesh);
            ChangedPoint { sample, point: Point { interval, ..twenty[sample] } }
        };
        let changed = [far(10), far(18)];
        let html =
            plot(&twenty, 0.0, None, &Marked { changed: &changed, ways: &ways, ..NONE }, |_| String::new());
        let lines: Vec<&str> = html.split("<path class=\"line \" d=\"").skip(1).collect();
        let corners: Vec<usize> =
            lines.iter().map(|line| line.split('"').next().unwrap().matches(['M', 'L']).count()).collect();
        assert_eq!(corners, [6, 5, 9, 1], "{html}");
        // The piece behind the events begins at the place of sample 10, at the height of the answer there.
        let begin = lines[2].split('L').next().unwrap();
        let ring = html.split("<path class=\"rings\" d=\"").nth(1).unwrap().split("h0").next().unwrap();
        assert!(
            begin.starts_with(&format!("M{:.1} ", 1000.0 * 10.0 / 19.0)) && begin == ring,
            "{begin} {ring}"
        );
    }

    #[test]
    fn events_are_marked_and_those_that_crowd_have_one_number() {
        let twenty = points((0..20).map(|_| None));
        let event = |sample| EventMark { sample, words: format!("words {sample}") };
        let events: Vec<EventMark> = [0, 10, 10, 19, 20].map(event).into();
        let html = plot(&twenty, 0.0, None, &Marked { events: &events, ..NONE }, |_| String::new());
        assert_eq!(html.matches("<line class=\"event\"").count(), 5);
        assert_eq!(labels(&html, "event"), ["1", "2", "4", "5"], "{html}");
        assert!(html.contains("title=\"words 10\""), "{html}");
    }

    fn labels(html: &str, class: &str) -> Vec<String> {
        let mark = format!("<span class=\"{class}");
        let marks = html.split(&mark).skip(1);
        marks.filter_map(|m| Some(m.split_once('>')?.1.split_once('<')?.0.to_string())).collect()
    }

    #[test]
    fn ticks_follow_time_where_there_is_time() {
        // Uneven times: sample 10 of 20 is at a tenth of the time.
        let uneven =
            points((0..20).map(|i| Some(if i < 10 { 0.01 * f64::from(i) } else { 0.1 * f64::from(i - 9) })));
        let html = plot(&uneven, 0.05, None, &Marked { worst: &[7], ..NONE }, |i| format!("words {i}"));
        assert_eq!(
            labels(&html, "x"),
            ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]
        );
        assert_eq!(labels(&html, "y"), ["0", "20", "40", "60", "80", "100"]);
        assert!(html.contains("time (s)<") && html.contains("clearance (mm)"), "{html}");
        assert!(html.contains("<li data-x=\"100.0\">words 10<"), "{html}");
        // A clock's time is told from the first sample on.
        let clock = points((0..20).map(|i| Some(1.7e9 + 0.05 * f64::from(i))));
        let html = plot(&clock, 0.0, None, &NONE, |_| String::new());
        assert!(
            html.contains("time (s) since 1700000000 s<") && labels(&html, "x").contains(&"0.5".into()),
            "{html}"
        );
        for without in [points((0..20).map(|_| None)), points((0..20).map(|_| Some(1.0)))] {
            let html = plot(&without, 0.0, None, &NONE, |_| String::new());
            assert!(html.contains("\">sample<") && labels(&html, "x").contains(&"10".into()), "{html}");
        }
    }

    #[test]
    fn many_samples_are_few_columns_with_the_worst_of_each() {
        let mut many = points((0..100_000).map(|_| None));
        many[77_777].interval.lower = -0.5;
        let shown = shown(&many);
        assert!(shown.len() <= PLOT_COLUMNS && shown.iter().any(|(sample, _)| *sample == 77_777));
        let html = plot(&many, 0.0, None, &Marked { worst: &[77_777], ..NONE }, |_| "words".into());
        assert!(html.len() < 100_000, "{}", html.len());
        // Samples without any bound have a place too.
        let open = Point { interval: Interval::nothing(Geometry::Mesh), ..many[0] };
        assert!(!plot(&[open; 3], 0.05, None, &NONE, |_| String::new()).contains("inf"));
    }
}
