//! An edited world takes bounds and proofs from the world before the edit. Both have the same joints, and
//! most bodies are the same.

use crate::model::body_bounds::BodyCapsule;
use crate::model::id::{BodyId, BodyPair};
use crate::model::proofs::BodyTables;
use crate::model::world::World;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The world before an edit. Its bounds and proofs hold for bodies that have the same number and shapes after
/// it.
pub(crate) struct WorldBefore<'w> {
    world: &'w World,
    /// By body, the place of its capsule.
    capsules: BTreeMap<BodyId, usize>,
    /// The bodies whose shapes differ.
    differ: Vec<BodyId>,
}

impl<'w> WorldBefore<'w> {
    pub fn new(world: &'w World, differ: Vec<BodyId>) -> WorldBefore<'w> {
        let capsules = world.bounds.capsules.iter().map(|c| c.body).zip(0..).collect();
        WorldBefore { world, capsules, differ }
    }

    fn is_unchanged(&self, body: BodyId) -> bool {
        body.index() < self.world.solids.bodies.len() && !self.differ.contains(&body)
    }

    /// The capsule of a body.
    pub fn known_capsule(&self, body: BodyId) -> Option<&BodyCapsule> {
        let at = self.capsules.get(&body).filter(|_| self.is_unchanged(body))?;
        Some(&self.world.bounds.capsules[*at])
    }

    /// The tables of a body, if the world has them.
    pub fn known_tables(&self, body: BodyId) -> Option<BodyTables> {
        let (at, proofs) =
            (*self.capsules.get(&body).filter(|_| self.is_unchanged(body))?, &self.world.proofs);
        Some(BodyTables {
            heights: proofs.heights[at].clone()?,
            inside: proofs.insides[at].clone(),
            hull_inside: proofs.hull_insides[at].clone(),
        })
    }

    /// The proved floor of a listed pair (metres).
    pub fn known_floor(&self, pair: BodyPair) -> Option<f64> {
        let at = self.world.checks.pairs.listed.binary_search(&pair).ok()?;
        [pair.a, pair.b].iter().all(|body| self.is_unchanged(*body)).then(|| self.world.proofs.floors[at])
    }
}
