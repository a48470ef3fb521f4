//! Whether the samples of a motion all have times, and follow each other in time.

use crate::fault::{Log, counted_things};
use elbowroom::fault::Numeral;
use std::path::Path;

/// Warns of samples that are earlier than the one before.
pub(super) fn warn_backward_time(path: &Path, t: &[f64], lines: &[u64], log: &mut Log) {
    let earlier = || (1..t.len()).filter(|k| t[*k] < t[*k - 1]);
    if let Some(k) = earlier().next() {
        let what = format!(
            "time runs backwards at {}: here from {} to {} s",
            counted_things(earlier().count(), "sample"),
            Numeral(t[k - 1]),
            Numeral(t[k])
        );
        let place = format!("line {}, sample {k}", lines.get(k).copied().unwrap_or(0));
        log.add_warning(path, place, what, "samples are taken in the order of the file");
    }
}

/// Refuses samples that do not come later than the one before: a spline between them has no length.
pub(super) fn refuse_still_time(path: &Path, t: &[f64], lines: &[u64], log: &mut Log) {
    let still = || (1..t.len()).filter(|k| t[*k] <= t[*k - 1]);
    if let Some(k) = still().next() {
        let what = format!(
            "time does not grow at {}: here from {} to {} s",
            counted_things(still().count(), "sample"),
            Numeral(t[k - 1]),
            Numeral(t[k])
        );
        let place = format!("line {}, sample {k}", lines.get(k).copied().unwrap_or(0));
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
