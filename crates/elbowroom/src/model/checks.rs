//! Which pairs of bodies are checked, and why.

use crate::model::checked_pairs::CheckedPairs;
use crate::model::groups::CollisionGroup;
use crate::model::id::GroupId;
use crate::model::pairs::PairRules;
use alloc::vec::Vec;

/// The rules of a description, the pairs that are checked by them, and the collision groups.
#[derive(Clone, Debug)]
pub(crate) struct Checks {
    pub rules: PairRules,
    pub pairs: CheckedPairs,
    pub groups: Vec<CollisionGroup>,
    /// Whether the description names no groups, so that each robot is one, and `world`.
    pub derived: bool,
    /// Pairs of groups, each with the number of pairs of bodies that are checked between the two, counted
    /// without movable bodies.
    pub index_set: Vec<([GroupId; 2], usize)>,
}
