//! Poses that were asked once more after the events there, for the plot: the way to the next sample begins
//! like this.

use super::stage::Stage;
use crate::limits::CHANGED_DRAWN;
use crate::outcome::sides::is_own;
use crate::outcome::{Outcome, Point};
use elbowroom::PairId;
use std::collections::BTreeSet;

/// A pose after the events behind a sample.
pub struct ChangedPoint {
    /// The sample.
    pub sample: usize,
    /// What was answered.
    pub point: Point,
}

/// The first of them, in order, each with its clearance to itself and to the cell.
pub fn changed_points(stage: &mut Stage<'_>, outcome: &Outcome) -> Vec<ChangedPoint> {
    let still: BTreeSet<PairId> = outcome.cell_pairs.still_pairs().map(|(pair, _)| pair).collect();
    let question = stage.sample_question();
    let point = |moment| {
        let mut point = Point::from_moment(moment);
        if let Some((mut checker, _)) = stage.at_moment(moment) {
            let mut found = Vec::new();
            checker.all_pairs(&question, |pair| found.push(*pair));
            for pair in found.iter().filter(|pair| !still.contains(&pair.pair)) {
                let own = stage.loaded.world.pairs().get(pair.pair).is_some_and(|of| is_own(&checker, of));
                point.sides.add_ends(own, [pair.interval.lower, pair.interval.upper]);
            }
        }
        ChangedPoint { sample: moment.sample, point }
    };
    outcome.changed.iter().take(CHANGED_DRAWN).map(point).collect()
}
