//! Which pairs of bodies are checked, and why.

use crate::model::checked::CheckedPairs;
use crate::model::groups::CollisionGroup;
use crate::model::id::GroupId;
use crate::model::pairs::PairRules;
use alloc::vec::Vec;

/// The rules of a description, the pairs that they leave to be checked, and the groups of these.
#[derive(Clone, Debug)]
pub(crate) struct Checks {
    pub rules: PairRules,
    pub pairs: CheckedPairs,
    pub groups: Vec<CollisionGroup>,
    /// With how many pairs of bodies are checked between them.
    pub index_set: Vec<([GroupId; 2], usize)>,
}
