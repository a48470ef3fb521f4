//! Whether the samples of a motion all have times, and follow each other in time.

use crate::fault::{Log, counted_things};
use elbowroom::fault::Numeral;
use std::path::Path;

/// Warns of samples that are earlier than the one before.
pub(super) fn warn_backward_time(path: &Path, t: &[f64], lines: &[u64], log: &mut Log) {
    if let Some((place, what)) = find_bad_step("time runs backwards", t, lines, |from, to| to < from) {
        log.add_warning(path, place, what, "samples are taken in the order of the file");
    }
}

/// The place of the first step in time that is bad, and words about all of them.
fn find_bad_step(
    words: &str,
    t: &[f64],
    lines: &[u64],
    is_bad: impl Fn(f64, f64) -> bool,
) -> Option<(String, String)> {
    let bad = || (1..t.len()).filter(|k| is_bad(t[*k - 1], t[*k]));
    let k = bad().next()?;
    let count = counted_things(bad().count(), "sample");
    let [from, to] = Numeral::computed_apart([t[k - 1], t[k]]);
    let what = format!("{words} at {count}: here from {from} to {to} s");
    Some((format!("line {}, sample {k}", lines.get(k).copied().unwrap_or(0)), what))
}

/// Refuses samples that are not later than the one before: a spline needs a time of its own.
pub(super) fn refuse_still_time(path: &Path, t: &[f64], lines: &[u64], log: &mut Log) {
    if let Some((place, what)) = find_bad_step("time does not grow", t, lines, |from, to| to <= from) {
        log.add_fault(path, place, what, "a motion with velocities needs times that grow: correct t");
    }
}

/// The times of all samples; `None` if no sample has one. If only some have one it is a fault; `word` says
/// what the file calls a time.
pub(super) fn complete_times(
    path: &Path,
    word: &str,
    times: Vec<Option<f64>>,
    lines: &[u64],
    log: &mut Log,
) -> Option<Vec<f64>> {
    let bare = times.iter().position(Option::is_none);
    if let Some(bare) = bare.filter(|_| times.iter().any(Option::is_some)) {
        let place = format!("line {}, sample {bare}", lines.get(bare).copied().unwrap_or(0));
        let help = format!("give {word} to all samples, or to none");
        log.add_fault(path, place, format!("has no {word}, but others have"), help);
    }
    times.into_iter().collect::<Option<Vec<f64>>>().filter(|times| !times.is_empty())
}
