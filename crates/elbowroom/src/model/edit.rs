//! An edit makes a new world from an old one and a list of changes. The two worlds share all data that the
//! changes do not concern.
//!
//! There are two methods. The first ([`obstacles`]) adds and removes fixed obstacles only. It needs moving
//! bodies that are checked against all fixed ones ([`crate::model::checked_pairs`]). New obstacles are
//! appended, and get a small tree of their own. Pairs of removed obstacles become exceptions. The cost grows
//! with the number of obstacles that were added and removed so far, not with the size of the world.
//!
//! The second method ([`again`]) makes pairs, groups and the tree again, but takes the compiled shapes from
//! the old world. It serves all other changes. It also runs after many additions, so that the small tree
//! stays small: two levels of Bentley and Saxe's logarithmic method (1980).
//!
//! Bodies keep their numbers. The number of a removed body is not used again.

mod again;
mod change;
mod extended;
mod obstacles;
mod plan;

use crate::model::compile::faults::FaultList;
use crate::model::world::World;
use crate::model::world_before::WorldBefore;
use alloc::vec;
pub(crate) use change::Change;
use elbowroom_describe::fault::Faults;
use extended::Extended;
use plan::EditPlan;

/// An edited world.
pub(crate) enum Edited<'w> {
    /// The proofs of the old world hold in it.
    Complete(World),
    /// Its pairs are still to be proved. The old world knows the proofs of some of them.
    Unproved(World, WorldBefore<'w>),
}

/// The world after the changes, or all faults of the changes.
pub(crate) fn apply_changes<'w>(world: &'w World, changes: &[Change]) -> Result<Edited<'w>, Faults> {
    let mut faults = FaultList::default();
    let plan = EditPlan::new(world, changes, &mut faults);
    let extended = Extended::new(world, &plan, &mut faults);
    if !faults.0.is_empty() {
        return Err(Faults(faults.0));
    }
    let only_obstacles = plan.rules.is_empty() && plan.padded.is_empty();
    let edited = match extended {
        extended if only_obstacles && obstacles::can_edit_obstacles(world, &plan, &extended) => {
            obstacles::with_obstacles(world, &plan, extended).map(Edited::Complete)
        }
        extended => {
            let before = WorldBefore::new(world, plan.padded_links(world));
            again::made_again(world, &plan, extended, &before).map(|made| Edited::Unproved(made, before))
        }
    };
    edited.map_err(|fault| Faults(vec![fault]))
}
