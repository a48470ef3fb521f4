//! Times between samples.

/// The time at a part of the way between two samples, from their times.
pub fn time_on_way([from, to]: [f64; 2], part: f64) -> f64 {
    if part >= 1.0 { to } else { from + (to - from) * part }
}

/// The time at a part of the way between two samples, for people: to the millisecond; on a short way to the
/// microsecond.
pub fn rounded_time_on_way(times: [f64; 2], part: f64) -> f64 {
    let digits = if times[1] - times[0] < 0.01 { 1e6 } else { 1e3 };
    (time_on_way(times, part) * digits).round() / digits
}
