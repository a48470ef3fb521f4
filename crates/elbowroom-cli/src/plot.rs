//! Clearance over a motion as SVG: the proved interval as a band, collisions and unknown samples shaded, the margin as a line.

use crate::check::Point;
use crate::limits::PLOT_COLUMNS;
use elbowroom::verdict::Verdict;
use std::fmt::Write;

/// Size of the drawing and of the room for its labels (SVG units).
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 44.0;

/// Neighbouring samples drawn as one.
#[derive(Clone, Copy)]
struct Column {
    first: usize,
    /// The sample with the smallest lower bound.
    worst: usize,
    lower: f64,
    upper: f64,
    largest: f64,
    verdict: Verdict,
}

fn columns(points: &[Point]) -> Vec<Column> {
    let size = points.len().div_ceil(PLOT_COLUMNS).max(1);
    let column = |(k, group): (usize, &[Point])| {
        let first = k * size;
        let mut c = Column {
            first,
            worst: first,
            lower: f64::INFINITY,
            upper: f64::INFINITY,
            largest: f64::NEG_INFINITY,
            verdict: Verdict::Clear,
        };
        for (i, p) in group.iter().enumerate() {
            if i == 0 || p.lower < c.lower {
                (c.lower, c.worst) = (p.lower, first + i);
            }
            c.upper = c.upper.min(p.upper);
            c.largest = c.largest.max(p.lower);
            c.verdict = c.verdict.max(p.verdict);
        }
        c
    };
    points.chunks(size).enumerate().map(column).collect()
}

/// A step of 1, 2 or 5 times a power of ten that divides a range into about five.
fn step(range: f64) -> f64 {
    let rough = range / 5.0;
    let power = 10.0_f64.powi(rough.log10().floor() as i32);
    [1.0, 2.0, 5.0, 10.0].map(|f| f * power).into_iter().find(|s| *s >= rough).unwrap_or(power)
}

/// The drawing. `say` gives the words of a sample, escaped, for the pointer.
pub fn svg(points: &[Point], margin: f64, say: impl Fn(usize) -> String) -> String {
    let columns = columns(points);
    let finite = |x: f64| x.is_finite().then_some(x);
    let ends = columns.iter().flat_map(|c| [finite(c.lower), finite(c.upper), finite(c.largest)]).flatten();
    let mut low = ends.clone().fold(0.0, f64::min);
    let mut high = ends.fold(0.0, f64::max).max(if margin.is_finite() { margin } else { 0.0 });
    if high - low < 1e-9 {
        (low, high) = (low - 0.5e-3, high + 0.5e-3);
    }
    let room = 0.06 * (high - low);
    (low, high) = (if low < 0.0 { low - room } else { low }, high + room);
    let (inner_width, inner_height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let last = points.len().saturating_sub(1).max(1) as f64;
    let x = |sample: f64| LEFT + inner_width * (sample / last);
    let y = |d: f64| TOP + inner_height * (1.0 - (d.clamp(low, high) - low) / (high - low));

    let mut s = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<svg id=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"clearance at each sample\">"
    );
    // What is bad is shaded over the full height, before anything is drawn on it; a run of one verdict is one piece.
    let half = 0.5 * inner_width / last.max(1.0);
    let mut from = LEFT;
    let mut left = columns.as_slice();
    while let Some(first) = left.first() {
        let same = left.iter().take_while(|c| c.verdict == first.verdict).count();
        left = left.get(same..).unwrap_or(&[]);
        let to = left.first().map_or(WIDTH - RIGHT, |next| x(next.first as f64) - half);
        let class = match first.verdict {
            Verdict::Collision => Some("collision"),
            Verdict::Unknown => Some("unknown"),
            Verdict::Near => Some("near"),
            Verdict::Clear | Verdict::ExpectedContact => None,
        };
        if let Some(class) = class {
            // One bad sample of very many is seen all the same.
            let width = (to - from).max(1.0);
            let _ = write!(
                s,
                "<rect class=\"shade {class}\" x=\"{from:.1}\" y=\"{TOP}\" width=\"{width:.1}\" height=\"{inner_height}\"/>"
            );
        }
        from = to;
    }
    // Lines of equal clearance, in a unit that suits the range.
    let (unit, factor) = if high - low < 0.5 { ("mm", 1e3) } else { ("m", 1.0) };
    let step = step(high - low);
    let mut k = (low / step).ceil();
    while k * step <= high {
        let at = y(k * step);
        let class = if k == 0.0 { "zero" } else { "grid" };
        let label = (k * step * factor * 1e6).round() / 1e6 + 0.0;
        let _ = write!(
            s,
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
        k += 1.0;
    }
    let _ = write!(
        s,
        "<text class=\"tick\" transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">clearance ({unit})</text>",
        TOP + 0.5 * inner_height
    );
    if margin > 0.0 {
        let at = y(margin);
        // Its name stands on the side on which the clearance does not end.
        let above = columns.last().is_none_or(|c| c.lower <= margin);
        let name = if above { at - 4.0 } else { at + 14.0 };
        let _ = write!(
            s,
            "<line class=\"margin\" x1=\"{LEFT}\" x2=\"{0:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"tick\" x=\"{0:.1}\" y=\"{name:.1}\" text-anchor=\"end\">margin</text>",
            WIDTH - RIGHT
        );
    }
    // Samples, or times where the motion has them.
    let ticks = points.len().clamp(1, 6);
    for k in 0..ticks {
        let sample = if ticks < 2 { 0 } else { k * (points.len() - 1) / (ticks - 1) };
        let label = match points[sample].t {
            Some(t) => format!("{t:.3} s"),
            None => sample.to_string(),
        };
        let anchor = if ticks > 1 && k + 1 == ticks { "end" } else { "middle" };
        let _ = write!(
            s,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{label}</text>",
            x(sample as f64),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let axis = if points.first().is_some_and(|p| p.t.is_some()) { "time" } else { "sample" };
    let _ = write!(
        s,
        "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{axis}</text>",
        LEFT + 0.5 * inner_width,
        HEIGHT - 6.0
    );
    // The proved interval as a band, its lower end as the line: the lower end is what one may rely on.
    let mut line = String::new();
    for (i, c) in columns.iter().enumerate() {
        let command = if i == 0 { "M" } else { "L" };
        let _ = write!(line, "{command}{:.1} {:.1}", x(c.worst as f64), y(c.lower));
    }
    let mut band = line.clone();
    for c in columns.iter().rev() {
        let _ = write!(band, "L{:.1} {:.1}", x(c.worst as f64), y(c.upper));
    }
    let _ = write!(s, "<path class=\"band\" d=\"{band}Z\"/><path class=\"line\" d=\"{line}\"/>");
    if points.len() <= 60 {
        for (i, p) in points.iter().enumerate() {
            let _ = write!(
                s,
                "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>",
                x(i as f64),
                y(p.lower)
            );
        }
    }
    let _ = write!(
        s,
        "<line id=\"cursor\" x1=\"0\" x2=\"0\" y1=\"{TOP}\" y2=\"{}\" visibility=\"hidden\"/></svg>",
        HEIGHT - BOTTOM
    );
    // What the pointer reads: positions and words, a column each.
    s.push_str("<ol id=\"words\" hidden>");
    for c in &columns {
        let _ = write!(s, "<li data-x=\"{:.1}\">{}</li>", x(c.worst as f64), say(c.worst));
    }
    s.push_str("</ol>");
    s
}
