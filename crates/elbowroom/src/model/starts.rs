//! Where each listed pair keeps what its shape queries leave.

use crate::model::checked::CheckedPairs;
use crate::model::solids::Solids;
use crate::model::tolerance::MAX_REMEMBERED;
use alloc::vec::Vec;

/// Places of warm starts, one for each pair of shapes.
#[derive(Clone, Debug)]
pub(crate) struct Starts {
    /// Where each listed pair's begin; `None` if it starts every query cold.
    pub first: Vec<Option<u32>>,
    /// How many there are.
    pub count: usize,
}

impl Starts {
    /// Gives each listed pair its places, until there are no more.
    pub fn new(pairs: &CheckedPairs, solids: &Solids) -> Starts {
        let (mut first, mut count) = (Vec::with_capacity(pairs.listed.len()), 0_usize);
        for pair in &pairs.listed {
            let [a, b] = [pair.a, pair.b].map(|id| solids.shape_count(id));
            match count.checked_add(a.saturating_mul(b)) {
                Some(end) if end <= MAX_REMEMBERED => {
                    first.push(Some(count as u32));
                    count = end;
                }
                _ => first.push(None),
            }
        }
        Starts { first, count }
    }
}
