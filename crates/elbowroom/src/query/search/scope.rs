//! The pairs that a question is about.

use crate::model::groups::{CollisionGroup, is_pair_between};
use crate::model::id::{BodyId, BodyPair};
use crate::pose::frames::Pose;

/// The pairs that a question is about.
#[derive(Clone, Copy)]
pub(super) enum Scope<'w> {
    All,
    Between(&'w CollisionGroup, &'w CollisionGroup),
}

impl Scope<'_> {
    #[inline]
    pub fn includes_pair(&self, pair: BodyPair) -> bool {
        match self {
            Scope::All => true,
            Scope::Between(j, l) => is_pair_between(j, l, pair),
        }
    }

    /// Whether a pair of a movable body belongs to the question. What a link carries is in the groups of that
    /// link; where groups are named by the description, also in those that name it.
    pub fn includes_movable(&self, pose: &Pose, pair: BodyPair) -> bool {
        let Scope::Between(j, l) = self else { return true };
        let (checks, pairs) = (&pose.world.checks, &pose.world.checks.pairs.movable);
        let links = [pair.a, pair.b].map(|body| pairs.index(body).and_then(|_| pose.hangs_on(body)));
        let in_group = |group: &CollisionGroup, side: usize| {
            let body = [pair.a, pair.b][side];
            // A robot's own group is found by its first body: links come first, with a shape or without.
            let robot = |body: BodyId| pose.world.solids.bodies[body.index()].robot;
            match links[side] {
                None => group.contains(body),
                Some(link) if checks.asked.is_empty() => {
                    group.bodies.first().map(|b| robot(*b)) == Some(robot(link))
                }
                Some(link) => group.contains(link) || group.contains(body),
            }
        };
        (in_group(j, 0) && in_group(l, 1)) || (in_group(j, 1) && in_group(l, 0))
    }
}
