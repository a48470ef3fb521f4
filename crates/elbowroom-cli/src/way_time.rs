//! Times between samples, for people.

/// The time at a part of a way, to the millisecond; of a short way to the microsecond.
pub fn way_time([from, to]: [f64; 2], part: f64) -> f64 {
    let digits = if to - from < 0.01 { 1e6 } else { 1e3 };
    ((from + (to - from) * part) * digits).round() / digits
}
