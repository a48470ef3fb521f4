//! Where samples are along a plot, and events between them.

use super::events::EventMark;
use super::ticks::{NUMBERS, TIMES, Ticks};
use crate::out::seconds_text;
use crate::outcome::Point;

/// How long a plot is in its own units.
pub const WIDTH: f64 = 1000.0;

/// Most ticks.
const TICKS: usize = 11;

/// Where samples are along the plot: at their times if those rise, else evenly.
pub struct SampleAxis {
    low: f64,
    high: f64,
    times: bool,
    /// Taken off the labels: a clock's time of day would hide the motion's own.
    from: f64,
}

impl SampleAxis {
    /// That of samples.
    pub fn from_points(points: &[Point]) -> SampleAxis {
        let times = points.len() > 1
            && points.windows(2).all(|w| matches!([w[0].t, w[1].t], [Some(a), Some(b)] if a < b));
        let end = |point: Option<&Point>| point.and_then(|p| p.t).unwrap_or(0.0);
        if !times {
            return SampleAxis {
                low: 0.0,
                high: points.len().saturating_sub(1).max(1) as f64,
                times,
                from: 0.0,
            };
        }
        let (low, high) = (end(points.first()), end(points.last()));
        let from = if low.abs() > 1e3 * (high - low) { low } else { 0.0 };
        SampleAxis { low: low - from, high: high - from, times, from }
    }

    /// Where a sample is, in seconds or as its number.
    pub fn sample_value(&self, points: &[Point], sample: usize) -> f64 {
        match points.get(sample).and_then(|p| p.t) {
            Some(t) if self.times => t - self.from,
            _ => sample as f64,
        }
    }

    /// Where that is in the drawing.
    pub fn place_of_value(&self, value: f64) -> f64 {
        WIDTH * ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The marks along it.
    pub fn axis_ticks(&self) -> Ticks {
        let units = if self.times { &TIMES[..] } else { &NUMBERS };
        Ticks::new(self.low, self.high, TICKS, units, !self.times)
    }

    /// What it is called.
    pub fn axis_name(&self, unit: &str) -> String {
        match (self.times, self.from) {
            (false, _) => "sample".into(),
            (true, 0.0) => format!("time ({unit})"),
            (true, from) => format!("time ({unit}) since {} s", seconds_text(from)),
        }
    }
}

/// Where samples are in the plot, from 0 to 1000.
pub fn sample_place(points: &[Point], sample: usize) -> f64 {
    let along = SampleAxis::from_points(points);
    along.place_of_value(along.sample_value(points, sample))
}

/// Where an event is in the plot: at the sample after which it happens.
pub fn event_place(points: &[Point], event: &EventMark) -> f64 {
    sample_place(points, event.sample.saturating_sub(1))
}

/// Where a part of the way to a sample is in the plot.
pub fn way_place(points: &[Point], sample: usize, part: f64) -> f64 {
    let [from, to] = [sample.saturating_sub(1), sample].map(|i| sample_place(points, i));
    from + (to - from) * part
}
