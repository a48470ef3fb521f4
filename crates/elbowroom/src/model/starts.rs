//! Where each listed pair keeps its warm starts.

use crate::model::checked_pairs::CheckedPairs;
use crate::model::solids::Solids;
use crate::model::tolerance::MAX_WARM_STARTS;
use alloc::vec::Vec;

/// Slots for warm starts, one for each pair of shapes.
#[derive(Clone, Debug)]
pub(crate) struct Starts {
    /// By listed pair, its first slot; `None` if every query of it starts cold.
    pub first: Vec<Option<u32>>,
    /// How many slots there are.
    pub count: usize,
}

impl Starts {
    /// Gives the listed pairs their slots, as long as there are any left.
    pub fn new(pairs: &CheckedPairs, solids: &Solids) -> Starts {
        let (mut first, mut count) = (Vec::with_capacity(pairs.listed.len()), 0_usize);
        for pair in &pairs.listed {
            let [a, b] = [pair.a, pair.b].map(|id| solids.shape_count(id));
            match count.checked_add(a.saturating_mul(b)) {
                Some(end) if end <= MAX_WARM_STARTS => {
                    first.push(Some(count as u32));
                    count = end;
                }
                _ => first.push(None),
            }
        }
        Starts { first, count }
    }
}
