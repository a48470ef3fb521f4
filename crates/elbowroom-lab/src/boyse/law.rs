//! How a number changes while a solid slides or turns, and when it is near zero.

use crate::limits::BOYSE_ANGLE;
use std::f64::consts::{PI, TAU};

/// A number over the motion.
#[derive(Clone, Copy, Debug)]
pub enum Law {
    /// `c + a t`.
    Line { c: f64, a: f64 },
    /// `c + a cos t + b sin t`.
    Circle { c: f64, a: f64, b: f64 },
}

/// A time within which a number is near zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeSpan {
    pub from: f64,
    pub to: f64,
    /// It has different signs at the two ends.
    pub crosses: bool,
}

impl Law {
    /// All spans between 0 and `end` in which the number is within `slack` of zero. None if it is so all the
    /// time. A turn ends after a whole one.
    pub fn near_zero(&self, slack: f64, end: f64, mut each: impl FnMut(TimeSpan)) {
        match *self {
            Law::Line { c, a } => {
                if a.abs() * end <= slack {
                    return;
                }
                let ends = [(-c - slack) / a, (-c + slack) / a];
                let [from, to] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                let pad = 4.0 * f64::EPSILON * (c.abs() / a.abs()).max(end);
                clip_span(from - pad, to + pad, true, end, &mut each);
            }
            Law::Circle { c, a, b } => {
                let r = a.hypot(b);
                // It stays within the slack, or is never zero.
                if 2.0 * r <= slack {
                    return;
                }
                let (low, high) = ((-c - slack) / r, (-c + slack) / r);
                if low > 1.0 || high < -1.0 {
                    return;
                }
                let at = b.atan2(a);
                let mut turn = |from: f64, to: f64, crosses: bool| {
                    let from = from - BOYSE_ANGLE;
                    let to = to + BOYSE_ANGLE;
                    let shift = (from / TAU).floor() * TAU;
                    // In the first turn, and the one that began before the start.
                    clip_span(from - shift, to - shift, crosses, end, &mut each);
                    clip_span(from - shift - TAU, to - shift - TAU, crosses, end, &mut each);
                };
                match (low > -1.0, high < 1.0) {
                    (true, true) => {
                        let (near, far) = (high.acos(), low.acos());
                        turn(at + near, at + far, true);
                        turn(at - far, at - near, true);
                    }
                    // The number only grazes zero.
                    (true, false) => turn(at - low.acos(), at + low.acos(), false),
                    (false, true) => turn(at + high.acos(), at + TAU - high.acos(), false),
                    (false, false) => turn(at - PI, at + PI, false),
                }
            }
        }
    }
}

/// What of a span lies within the motion. Of a crossing that is cut off it is not known whether it happens.
fn clip_span(from: f64, to: f64, crosses: bool, end: f64, each: &mut impl FnMut(TimeSpan)) {
    if to >= 0.0 && from <= end {
        let whole = from >= 0.0 && to <= end;
        each(TimeSpan { from: from.max(0.0), to: to.min(end), crosses: crosses && whole });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::math::sin_cos;

    fn spans(law: Law, slack: f64, end: f64) -> Vec<TimeSpan> {
        let mut all = Vec::new();
        law.near_zero(slack, end, |span| all.push(span));
        all.sort_by(|a, b| a.from.total_cmp(&b.from));
        all
    }

    /// Against many samples: wherever the number is near zero there is a span, and crossings cross.
    #[test]
    fn spans_hold_all_zeros_and_little_else() {
        let mut random = elbowroom::math::Random(79);
        let mut counts = [0; 3];
        for _ in 0..2000 {
            let mut number = || random.range(-1.0, 1.0);
            let (c, a, b) = (number(), number(), number());
            let end = TAU * 0.5 * (number() + 1.0);
            let slack = 1e-3;
            for law in [Law::Circle { c, a, b }, Law::Line { c, a }] {
                let value = |t: f64| match law {
                    Law::Circle { c, a, b } => {
                        let (sine, cosine) = sin_cos(t);
                        c + a * cosine + b * sine
                    }
                    Law::Line { c, a } => c + a * t,
                };
                let all = spans(law, slack, end);
                assert!(all.len() <= 3);
                counts[all.len().min(2)] += 1;
                for i in 0..=1000 {
                    let t = end * f64::from(i) / 1000.0;
                    let inside = all.iter().any(|s| (s.from..=s.to).contains(&t));
                    assert!(inside == (value(t).abs() <= slack) || (value(t).abs() - slack).abs() < 1e-12);
                }
                for span in all.iter().filter(|s| s.crosses) {
                    assert!(value(span.from) * value(span.to) < 0.0, "{law:?} {span:?}");
                }
            }
        }
        assert!(counts.iter().all(|n| *n > 200), "{counts:?}");
    }

    #[test]
    fn what_stays_zero_has_no_span() {
        assert!(spans(Law::Circle { c: 0.0, a: 0.0, b: 0.0 }, 1e-9, 3.0).is_empty());
        assert!(spans(Law::Line { c: 0.0, a: 0.0 }, 1e-9, 3.0).is_empty());
        // A graze: it touches zero at one time.
        let graze = spans(Law::Circle { c: -1.0, a: 1.0, b: 0.0 }, 1e-12, 6.0);
        assert!(graze.iter().all(|s| !s.crosses) && !graze.is_empty());
    }
}
