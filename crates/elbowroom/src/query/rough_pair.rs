//! An overlapping pair whose depth is known roughly, and how to ask it again.

use crate::model::id::PairId;
use crate::query::bodies::Measured;
use crate::query::warm_starts::WarmStartSlots;
use core::ops::Range;

/// A pair that waits in a search.
#[derive(Clone, Debug)]
pub(crate) struct RoughPair {
    pub pair: PairId,
    pub measured: Measured,
    pub shapes: [Range<u32>; 2],
    pub start: WarmStartSlots,
}

impl RoughPair {
    /// At least this far apart (metres).
    pub fn lower_bound(&self) -> f64 {
        self.measured.interval.lower
    }
}
