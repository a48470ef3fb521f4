//! Which pairs are checked at a pose, and why others are not: the world's rules, where movable bodies are and
//! who carries them, and what is allowed for the time being.

use super::allowed_now::AllowedBy;
use super::frames::Pose;
use crate::model::id::{BodyId, PairId};
use crate::model::movable_pairs::MovablePartner;
use crate::model::pairs::{AllowedReason, FIXED_CLUSTER, PairStatus};

impl Pose<'_> {
    /// All pairs of movable bodies that are checked now, in the order of their numbers.
    pub(crate) fn movable_pairs_now(&self) -> impl Iterator<Item = PairId> {
        let pairs = &self.world.checks.pairs.movable;
        let (moving, still) = (pairs.moving.len() as u32, pairs.still.len() as u32);
        let placements = self.placements.iter();
        placements.flat_map(move |placements| {
            let count = placements.states.len() as u32;
            let here = (0..count).filter(|movable| !placements.states[*movable as usize].is_away());
            here.flat_map(move |movable| {
                // A body at rest is checked neither against fixed bodies nor against other bodies at rest.
                let is_held = placements.held.contains(&movable);
                let still = if is_held { still } else { 0 };
                let others = if placements.held.is_empty() { count } else { movable + 1 };
                let meets =
                    move |other: &u32| is_held || placements.states[*other as usize].cluster != FIXED_CLUSTER;
                let partners = (0..moving)
                    .map(MovablePartner::Moving)
                    .chain((0..still).map(MovablePartner::Still))
                    .chain((others..count).filter(meets).map(MovablePartner::Movable));
                partners.filter_map(move |partner| self.checked_now(movable, partner))
            })
        })
    }

    /// The number of a pair of a movable body, if it is checked now.
    #[inline]
    pub(crate) fn checked_now(&self, movable: u32, partner: MovablePartner) -> Option<PairId> {
        #[cfg(test)]
        crate::tally::add(crate::tally::Work::Movable, 1);
        self.placements().filter(|p| p.can_meet(self.world, movable, partner))?;
        let pair = self.world.checks.pairs.movable.pair_id(movable, partner)?;
        self.allowed_now.allowed_by(pair).is_none().then_some(pair)
    }

    /// Whether a pair of the world is checked now; `None` for a number that it does not have.
    pub(crate) fn is_checked(&self, pair: PairId) -> Option<bool> {
        let pairs = &self.world.checks.pairs;
        pairs.get(pair)?;
        let meets = match (pairs.movable.movable_and_partner(pair), &self.placements) {
            (Some((movable, partner)), Some(placements)) => placements.can_meet(self.world, movable, partner),
            _ => true,
        };
        Some(meets && self.allowed_now.allowed_by(pair).is_none())
    }

    /// Whether two bodies are checked now, and if not, why: as [`World::status`](crate::World::status).
    pub(crate) fn pair_status(&self, a: BodyId, b: BodyId) -> Option<PairStatus<'_>> {
        let status = self.world.status(a, b)?;
        let PairStatus::Checked(pair) = status else { return Some(status) };
        if self.is_checked(pair) == Some(true) {
            return Some(status);
        }
        let reason = match self.allowed_now.allowed_by(pair) {
            Some(AllowedBy::User) => AllowedReason::User(""),
            Some(AllowedBy::Held(_)) => AllowedReason::Held,
            None => {
                let cluster = |body| {
                    let movable = self.world.checks.pairs.movable.index(body);
                    let state = movable.and_then(|movable| self.movable_state(movable));
                    let still = self.world.checks.rules.bodies[body.index()].cluster;
                    state.map_or((false, false, still), |state| (state.empty, state.hidden, state.cluster))
                };
                match [cluster(a), cluster(b)] {
                    [(true, ..), _] | [_, (true, ..)] => AllowedReason::NoShapes,
                    [(_, true, _), _] | [_, (_, true, _)] => AllowedReason::Hidden,
                    [(_, _, FIXED_CLUSTER), _] => AllowedReason::BothFixed,
                    _ => AllowedReason::RigidlyJoined,
                }
            }
        };
        Some(PairStatus::Allowed(reason))
    }

    /// Counts the pairs that are checked now.
    pub(super) fn count_pairs(&mut self) {
        let (world, pairs) = (self.world, &self.world.checks.pairs);
        let mut count = pairs.without_movable();
        if let Some(placements) = &self.placements {
            count += placements.count_meeting_pairs(world);
            let meet =
                |&(movable, partner): &(u32, MovablePartner)| placements.can_meet(world, movable, partner);
            count -= pairs.movable.excepted_parts().filter(meet).count();
        }
        let allowed = self.allowed_now.allowed_pairs().filter(|pair| {
            let parts = pairs.movable.movable_and_partner(*pair);
            parts.is_none_or(|(movable, partner)| {
                self.placements.as_ref().is_some_and(|p| p.can_meet(world, movable, partner))
            })
        });
        self.checked_pair_count = count - allowed.count();
    }

    /// How many pairs are checked now.
    pub(crate) fn checked_pair_count(&self) -> usize {
        self.checked_pair_count
    }
}
