//! Pairs that are not checked for the time being, though the world checks them.

use crate::model::id::PairId;
use crate::numeric::work_list::WorkList;
use crate::pose::tolerance::MAX_ALLOWED_NOW;

/// Who allows a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AllowedBy {
    /// A movable body, by its number: while it is carried it may touch the other.
    Held(u32),
    /// The user.
    User,
}

/// The pairs, sorted, each as often as it is allowed. There is room for [`MAX_ALLOWED_NOW`].
#[derive(Clone, Debug)]
pub(crate) struct AllowedNow {
    allowed: WorkList<(PairId, AllowedBy)>,
}

impl AllowedNow {
    /// No pair is allowed.
    pub fn new() -> AllowedNow {
        AllowedNow { allowed: WorkList::with_capacity(MAX_ALLOWED_NOW) }
    }

    /// Takes the pairs of another; allocates nothing.
    pub fn copy_from(&mut self, other: &AllowedNow) {
        self.allowed.clone_from(&other.allowed);
    }

    /// Whether no pair is allowed.
    pub fn is_empty(&self) -> bool {
        self.allowed.is_empty()
    }

    /// How many more can be allowed.
    pub fn free_count(&self) -> usize {
        self.allowed.capacity() - self.allowed.len()
    }

    /// Allows a pair; it must have room.
    pub fn allow_pair(&mut self, pair: PairId, by: AllowedBy) {
        if let Err(at) = self.allowed.binary_search(&(pair, by))
            && self.free_count() > 0
        {
            self.allowed.insert(at, (pair, by));
        }
    }

    /// Ends what the user allowed. False if that was not allowed.
    pub fn forbid_pair(&mut self, pair: PairId) -> bool {
        let found = self.allowed.binary_search(&(pair, AllowedBy::User));
        found.map(|at| self.allowed.remove(at)).is_ok()
    }

    /// Ends what a movable body was allowed to touch.
    pub fn let_go(&mut self, movable: u32) {
        self.allowed.retain(|(_, by)| *by != AllowedBy::Held(movable));
    }

    /// Who allows a pair; `None` if it is not allowed.
    #[inline]
    pub fn allowed_by(&self, pair: PairId) -> Option<AllowedBy> {
        if self.allowed.is_empty() {
            return None;
        }
        let at = self.allowed.partition_point(|(other, _)| *other < pair);
        self.allowed.get(at).filter(|(other, _)| *other == pair).map(|(_, by)| *by)
    }

    /// The pairs with who allows them.
    pub fn entries(&self) -> impl Iterator<Item = (PairId, AllowedBy)> + '_ {
        self.allowed.iter().copied()
    }

    /// The pairs, each once, in the order of their numbers.
    pub fn allowed_pairs(&self) -> impl Iterator<Item = PairId> + '_ {
        let mut last = None;
        let pairs = self.allowed.iter().map(|(pair, _)| *pair);
        pairs.filter(move |pair| last.replace(*pair) != Some(*pair))
    }
}
