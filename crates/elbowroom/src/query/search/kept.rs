//! The nearest pairs of a search that keeps several.
//!
//! The search is the same: only a pair that is farther than all that are kept cannot change them. So once
//! there are as many as are asked for, the one with the largest upper end is what prunes.

use super::best::PairMeasured;
use super::state::PairSearch;
use crate::model::id::PairId;
use crate::query::answer::PairAnswer;
use crate::query::bodies::Measured;
use core::cmp::Ordering;

/// The pair with the smaller upper end comes first; of equals, the smaller number.
pub(super) fn compare_answers(a: &PairAnswer, b: &PairAnswer) -> Ordering {
    a.interval.upper.total_cmp(&b.interval.upper).then(a.pair.cmp(&b.pair))
}

impl PairSearch<'_, '_> {
    /// Keeps a pair that was measured, if it is among the nearest and not proved to be beyond the cutoff.
    pub(super) fn keep_pair(&mut self, pair: PairId, measured: Measured) {
        let PairSearch { space, best, .. } = self;
        best.add_measured(pair, measured);
        let answer = PairMeasured { pair, measured }.pair_answer(&best.asked);
        if answer.interval.lower > best.asked.cutoff {
            return;
        }
        let kept = &mut space.kept;
        // Sorted once there are as many as are kept.
        if kept.len() < best.keep {
            kept.push(answer);
            if kept.len() < best.keep {
                return;
            }
            kept.sort_unstable_by(compare_answers);
        } else {
            let at = kept.partition_point(|other| compare_answers(other, &answer) == Ordering::Less);
            if at == kept.len() {
                return;
            }
            kept.pop();
            kept.insert(at, answer);
        }
        if let Some(last) = kept.last() {
            best.cap_upper_bound(last.interval.upper);
        }
    }
}
