//! What a progress bar says of a way between samples that takes long.

use crate::limits::{LONG_WAY, WAY_LOOK};
use elbowroom::motion::EdgeSoFar;
use indicatif::ProgressBar;
use std::time::Instant;

/// Looks at the searches of one way after the other, and tells a bar of a way that takes long.
pub struct WayWatch {
    bar: ProgressBar,
    /// Whether anybody sees the bar.
    is_seen: bool,
    /// The sample that the way leads to.
    sample: usize,
    begun: Instant,
    /// The work of the search when the clock was looked at last.
    work: u64,
    /// Whether the bar tells of this way.
    is_told: bool,
}

impl WayWatch {
    /// One that tells a bar.
    pub fn new(bar: ProgressBar) -> WayWatch {
        let is_seen = !bar.is_hidden();
        WayWatch { bar, is_seen, sample: 0, begun: Instant::now(), work: 0, is_told: false }
    }

    /// One that tells nobody.
    pub fn new_hidden() -> WayWatch {
        WayWatch::new(ProgressBar::hidden())
    }

    /// Begins with the way that leads to a sample.
    pub fn begin_way(&mut self, sample: usize) {
        if self.is_seen {
            (self.sample, self.begun, self.work) = (sample, Instant::now(), 0);
        }
    }

    /// Tells the bar how far a search of the way has come, if the way takes long.
    pub fn look_at_search(&mut self, so_far: &EdgeSoFar) {
        // Each search of a way counts its own work.
        let work = so_far.counts.work;
        if !self.is_seen || work.abs_diff(self.work) < WAY_LOOK {
            return;
        }
        self.work = work;
        if self.begun.elapsed() >= LONG_WAY {
            let (sample, percent) = (self.sample, 100.0 * so_far.done);
            self.bar.set_message(format!("; way to sample {sample}: {percent:.0} %"));
            self.is_told = true;
        }
    }

    /// Takes back what the bar tells of the way.
    pub fn end_way(&mut self) {
        if std::mem::take(&mut self.is_told) {
            self.bar.set_message("");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::motion::EdgeCounts;

    #[test]
    fn a_bar_tells_of_a_way_that_takes_long_and_of_no_other() {
        let Some(long_ago) = Instant::now().checked_sub(2 * LONG_WAY) else { return };
        let mut watch = WayWatch { is_seen: true, ..WayWatch::new_hidden() };
        let so_far = |work| EdgeSoFar { done: 0.4, counts: EdgeCounts { work, ..EdgeCounts::default() } };
        watch.begin_way(7);
        watch.begun = long_ago;
        watch.look_at_search(&so_far(WAY_LOOK - 1));
        assert_eq!(watch.bar.message(), "", "the clock is not looked at for so little");
        watch.look_at_search(&so_far(WAY_LOOK));
        assert_eq!(watch.bar.message(), "; way to sample 7: 40 %");
        watch.end_way();
        assert_eq!(watch.bar.message(), "");
        let mut hidden = WayWatch { begun: long_ago, ..WayWatch::new_hidden() };
        hidden.look_at_search(&so_far(WAY_LOOK));
        assert_eq!(hidden.bar.message(), "");
    }
}
