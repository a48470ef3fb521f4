//! Which pairs of bodies are checked, and why.

use crate::model::checked_pairs::CheckedPairs;
use crate::model::groups::CollisionGroup;
use crate::model::id::GroupId;
use crate::model::pairs::{PairRules, Selection};
use alloc::string::String;
use alloc::vec::Vec;

/// The rules of a description, the pairs that are checked by them, and the collision groups.
#[derive(Clone, Debug)]
pub(crate) struct Checks {
    pub rules: PairRules,
    pub pairs: CheckedPairs,
    pub groups: Vec<CollisionGroup>,
    /// The names in the list of checks, and what they stand for. Without any, each robot is a group, and
    /// `world`.
    pub asked: Vec<(String, Selection)>,
    /// What the names of robots and groups stand for, sorted by name.
    pub selections: Vec<(String, Selection)>,
    /// Pairs of groups, each with the number of pairs of bodies that are checked between the two, counted
    /// without movable bodies.
    pub index_set: Vec<([GroupId; 2], usize)>,
}

/// The bodies that a name stands for, in a list that is sorted by name.
pub(crate) fn selection_named<'s>(
    selections: &'s [(String, Selection)],
    name: &str,
) -> Option<&'s Selection> {
    let at = selections.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
    Some(&selections[at].1)
}
