//! A world with a few changes: a new one, which shares with the old one what the changes leave alone.
//!
//! There are two ways. Where only fixed obstacles come and go, and the moving bodies are checked against all
//! of them ([`crate::model::checked_pairs`]), what comes is added behind what is there, in a small tree of
//! its own, and what goes is excepted from the pairs ([`obstacles`]). That costs what was added and removed
//! so far, however large the world is. Otherwise pairs, groups and the tree are made anew, from shapes that
//! are compiled already ([`again`]). Once much was added or removed, this is done too, so that the small tree
//! stays small: a merge of two levels, as in Bentley and Saxe's logarithmic method (1980).
//!
//! Bodies keep their numbers. The number of a removed body is not used again.

mod again;
mod change;
mod extended;
mod obstacles;
mod plan;

use crate::model::compile::faults::FaultList;
use crate::model::fault::Faults;
use crate::model::like::Like;
use crate::model::world::World;
use alloc::vec;
pub(crate) use change::Change;
use extended::Extended;
use plan::Plan;

/// An edited world.
pub(crate) enum Edited<'w> {
    /// All that was proved holds.
    Complete(World),
    /// Of its pairs nothing is proved yet, but for what the old world knows.
    Unproved(World, Like<'w>),
}

/// A world after changes, or all that is wrong with them.
pub(crate) fn edited<'w>(world: &'w World, changes: &[Change]) -> Result<Edited<'w>, Faults> {
    let mut faults = FaultList::default();
    let plan = Plan::new(world, changes, &mut faults);
    let extended = Extended::new(world, &plan, &mut faults);
    if !faults.0.is_empty() {
        return Err(Faults(faults.0));
    }
    let only_obstacles = plan.rules.is_empty() && plan.padded.is_empty();
    let edited = match extended {
        extended if only_obstacles && obstacles::suffice(world, &plan, &extended) => {
            obstacles::with_obstacles(world, &plan, extended).map(Edited::Complete)
        }
        extended => {
            let padded = plan.padded_links(world);
            again::made_again(world, &plan, extended)
                .map(|made| Edited::Unproved(made, Like::new(world, padded)))
        }
    };
    edited.map_err(|fault| Faults(vec![fault]))
}
