//! Overlapping pairs whose depth is only known roughly, and which of them are measured more closely.
//!
//! The search asks all pairs for rough depths, which cost little more than a yes or no. The smallest distance
//! is that of the pair with the least lower end, so only this pair is asked again. Its new ends may leave
//! another pair with the least lower end, which is asked next. It ends when that pair was asked already, or
//! after [`CLOSER_PAIRS`] pairs; for a tight depth only when none waits. All others keep their rough ends,
//! which are proved as well.

use super::state::PairSearch;
use crate::model::id::PairId;
use crate::query::bodies::{Measured, ask_shapes};
use crate::query::resolved::Resolved;
use crate::query::rough_pair::RoughPair;
use crate::query::tolerance::{CLOSER_PAIRS, ROUGH_PAIRS};
use crate::query::warm_starts::WarmStartSlots;
use crate::query::workspace::Workspace;
use core::ops::Range;
use elbowroom_pair::{Ask, Effort};

impl PairSearch<'_, '_> {
    /// Takes what was measured of a pair: at once, or when it is known whether it is asked again.
    #[inline]
    pub fn add_measured(
        &mut self,
        pair: PairId,
        measured: Measured,
        shapes: [Range<u32>; 2],
        start: WarmStartSlots,
    ) {
        if self.best.keep > 0 {
            self.keep_pair(pair, measured);
            return;
        }
        let PairSearch { space, best, .. } = self;
        if best.asked.ask != Ask::Distance || best.depth == Effort::Rough || !measured.is_rough() {
            best.add_measured(pair, measured);
            return;
        }
        best.cap_upper_bound(measured.interval.upper);
        let rough = &mut space.rough;
        if rough.len() == ROUGH_PAIRS {
            // Only pairs with the least lower ends are asked again, so the one with the highest goes.
            let highest =
                (0..ROUGH_PAIRS).max_by(|i, j| rough[*i].lower_bound().total_cmp(&rough[*j].lower_bound()));
            if let Some(i) = highest {
                let gone = rough.swap_remove(i);
                best.add_measured(gone.pair, gone.measured);
            }
        }
        rough.push(RoughPair { pair, measured, shapes, start });
    }

    /// Asks the pairs again that have the least lower end, and takes all that wait.
    pub fn refine_pairs(&mut self) {
        let PairSearch { space, best, .. } = self;
        let Workspace { pose, work, rough, .. } = &mut **space;
        let asked = Resolved { depth: best.depth, ..best.asked };
        let most = if matches!(asked.depth, Effort::Within(_)) { ROUGH_PAIRS } else { CLOSER_PAIRS };
        for _ in 0..most {
            let least = |i: &usize, j: &usize| {
                let of = |i: usize| (rough[i].lower_bound(), rough[i].pair);
                of(*i).0.total_cmp(&of(*j).0).then(of(*i).1.cmp(&of(*j).1))
            };
            let Some(i) = (0..rough.len()).min_by(least).filter(|i| best.is_least(rough[*i].lower_bound()))
            else {
                break;
            };
            let RoughPair { pair, shapes, start, .. } = rough.swap_remove(i);
            let measured = ask_shapes(pose, shapes, &asked, f64::INFINITY, start, work);
            best.add_measured(pair, measured);
        }
        rough.drain(..).for_each(|r| best.add_measured(r.pair, r.measured));
    }
}
