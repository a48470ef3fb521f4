//! How many samples have which clearance: of random samples, which have no order.

use super::ticks::{LENGTHS, NUMBERS, Ticks};
use crate::outcome::Point;
use std::fmt::Write;

/// Size of the drawing in its own units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 200.0;

/// Most bars.
const BARS: usize = 41;

/// Bars of round width over all finite lower ends; empty where these are all the same.
fn bars(points: &[Point]) -> (Vec<(f64, f64, usize)>, [f64; 2]) {
    let ends = || points.iter().map(|p| p.interval.lower).filter(|x| x.is_finite());
    let low = ends().fold(0.0, f64::min);
    let high = ends().fold(0.0, f64::max);
    let edges = Ticks::new(low, high, BARS, &LENGTHS, false).at;
    let [Some((first, _)), Some((second, _))] = [edges.first(), edges.get(1)] else {
        return (Vec::new(), [low, high]);
    };
    let step = second - first;
    let from = (low / step).floor();
    let count = ((high / step).floor() - from) as usize + 1;
    let mut counts = vec![0usize; count];
    for end in ends() {
        let bar = ((end / step).floor() - from).max(0.0) as usize;
        counts[bar.min(count - 1)] += 1;
    }
    let edge = |k: usize| (from + k as f64) * step;
    let bars = counts.into_iter().enumerate().map(|(k, n)| (edge(k), edge(k + 1), n)).collect();
    (bars, [edge(0), edge(count)])
}

/// The histogram as HTML; nothing where all samples are alike.
pub fn histogram(points: &[Point], margin: f64) -> String {
    let (bars, [low, high]) = bars(points);
    let most = bars.iter().map(|(_, _, n)| *n).max().unwrap_or(0);
    if bars.len() < 2 || most == 0 {
        return String::new();
    }
    let x = |d: f64| WIDTH * (d - low) / (high - low);
    let y = |n: f64| HEIGHT * (1.0 - n / (1.06 * most as f64));
    let across = Ticks::new(low, high, 9, &LENGTHS, false);
    let upward = Ticks::new(0.0, most as f64, 5, &NUMBERS, true);
    let mut s = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<figure class=\"plot low\"><div class=\"yname\">samples</div><div class=\"area\">\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"how many samples have which clearance\">"
    );
    for (value, _) in &upward.at {
        let y = y(*value);
        let _ = write!(s, "<line class=\"grid\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
    }
    for (from, to, n) in bars.iter().filter(|(_, _, n)| *n > 0) {
        let class = match (*to <= 0.0, *from < margin) {
            (true, _) => "collision",
            (false, true) => "near",
            (false, false) => "clear",
        };
        let (left, top) = (x(*from), y(*n as f64).min(HEIGHT - 1.0));
        let _ = write!(
            s,
            "<rect class=\"bar {class}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            left + 1.0,
            (x(*to) - left - 2.0).max(1.0),
            HEIGHT - top
        );
    }
    s.push_str("</svg>");
    for (value, label) in &upward.at {
        let top = 100.0 * y(*value) / HEIGHT;
        let _ = write!(s, "<span class=\"y\" style=\"top:{top:.2}%\">{label}</span>");
    }
    for (i, (value, label)) in across.at.iter().enumerate() {
        let class = if i % 2 == 0 { "x" } else { "x odd" };
        let left = 100.0 * x(*value) / WIDTH;
        let _ = write!(s, "<span class=\"{class}\" style=\"left:{left:.2}%\">{label}</span>");
    }
    let _ = write!(s, "</div><div class=\"xname\">clearance ({})</div></figure>", across.unit);
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Ends;
    use crate::outcome::sides::Sides;
    use elbowroom::{Geometry, Interval, Verdict};

    fn points(ends: impl Iterator<Item = f64>) -> Vec<Point> {
        let none = Ends { named: None, lower: None, upper: None };
        let point = |lower: f64| Point {
            t: None,
            interval: Interval::new(lower, lower, Geometry::Mesh),
            verdict: Verdict::Clear,
            ends: none,
            sides: Sides::default(),
        };
        ends.map(point).collect()
    }

    #[test]
    fn every_sample_is_in_one_bar_and_none_crosses_contact() {
        for scale in [1.0, 1e-3, 0.37] {
            let some = points((0..1000).map(|i| scale * (f64::from(i * 7919 % 1000) / 1000.0 - 0.213)));
            let (bars, _) = bars(&some);
            assert_eq!(bars.iter().map(|(_, _, n)| n).sum::<usize>(), 1000);
            assert!(bars.len() > 10 && bars.len() <= BARS + 2, "{}", bars.len());
            assert!(bars.iter().all(|(from, to, _)| !(*from < 0.0 && *to > 1e-12 * scale)), "{bars:?}");
        }
        assert!(histogram(&points([0.1; 3].into_iter()), 0.0).contains("bar clear"));
        assert_eq!(histogram(&points([f64::NEG_INFINITY; 3].into_iter()), 0.0), "");
    }
}
