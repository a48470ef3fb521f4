//! Whether the samples of a motion follow each other in time.

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
