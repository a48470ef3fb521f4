//! The pairs of bodies that are checked, numbered.
//!
//! An arm among ten thousand fixed bodies has a hundred thousand checked pairs, too many for a list. So a
//! moving body that is checked against most fixed bodies keeps only those it is *not* checked against. Such
//! a body against all fixed bodies, with exceptions, is a *crowd*. All other pairs are listed. Listed pairs
//! have the first numbers. The pairs of the crowds follow, crowd by crowd, in the order of the fixed bodies.

use crate::model::id::{BodyId, BodyPair, PairId, order_pair};
use crate::model::movable_pairs::{MovablePairs, excepted_before, indices_of};
use crate::numeric::layered::Layered;
use alloc::vec::Vec;

/// One moving body against all fixed bodies except a few.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Crowd {
    /// The body that moves.
    pub body: BodyId,
    /// Indices in [`CheckedPairs::fixed`] of those it is not checked against, sorted.
    pub except: Vec<u32>,
    /// The number of its first pair.
    pub first: u32,
}

impl Crowd {
    /// How many of the first `index` fixed bodies it is checked against.
    fn checked_before(&self, index: u32) -> u32 {
        index - self.except.partition_point(|e| *e < index) as u32
    }
    /// Whether it is checked against the fixed body at an index.
    #[inline]
    pub fn is_checked_against(&self, index: u32) -> bool {
        self.except.is_empty() || self.except.binary_search(&index).is_err()
    }
    /// The number of its pair with the fixed body at an index.
    pub fn pair_id(&self, index: u32) -> PairId {
        PairId(self.first + self.checked_before(index))
    }
    /// The index of the fixed body that is `nth` among those it is checked against.
    fn nth_checked(&self, nth: u32) -> u32 {
        nth + excepted_before(&self.except, nth)
    }
}

/// The checked pairs of a world by [`PairId`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckedPairs {
    /// Pairs one by one, sorted.
    pub(crate) listed: Vec<BodyPair>,
    /// Sorted by their bodies.
    pub(crate) crowds: Vec<Crowd>,
    /// The bodies with shapes that never move, sorted; none if there are no crowds.
    pub(crate) fixed: Layered<BodyId>,
    /// The pairs of movable bodies. They have the last numbers.
    pub(crate) movable: MovablePairs,
    /// How many listed pairs and pairs of crowds there are.
    count: u32,
}

impl CheckedPairs {
    /// `listed` must be sorted; `crowds` are moving bodies and their exceptions in `fixed`. `None` if there
    /// are more pairs than numbers.
    pub(crate) fn new(
        listed: Vec<BodyPair>,
        crowds: Vec<(BodyId, Vec<u32>)>,
        fixed: Layered<BodyId>,
    ) -> Option<CheckedPairs> {
        let mut count = u32::try_from(listed.len()).ok()?;
        let mut numbered = Vec::with_capacity(crowds.len());
        for (body, except) in crowds {
            let size = (fixed.len() - except.len()) as u32;
            numbered.push(Crowd { body, except, first: count });
            count = count.checked_add(size)?;
        }
        Some(CheckedPairs { listed, crowds: numbered, fixed, movable: MovablePairs::default(), count })
    }

    /// These listed pairs and crowds with `movable` as the pairs of movable bodies.
    pub(crate) fn with_movable(self, movable: MovablePairs) -> CheckedPairs {
        CheckedPairs { movable, ..self }
    }

    /// These pairs after fixed bodies have gone and come; listed pairs stay. The bodies that are `gone` keep
    /// their indices and have no other pairs; those that are `new` come behind. `allowed` tells of a body and
    /// a new one whether a rule excludes the pair. `None` if there are more pairs than numbers.
    pub(crate) fn with_fixed(
        self,
        gone: &[BodyId],
        new: &[BodyId],
        allowed: impl Fn(BodyId, BodyId) -> bool,
    ) -> Option<CheckedPairs> {
        let CheckedPairs { listed, mut crowds, mut fixed, movable, .. } = self;
        let gone_at: Vec<u32> = indices_of(&fixed, gone);
        let first_new = fixed.len() as u32;
        new.iter().for_each(|body| fixed.push(*body));
        let mut count = u32::try_from(listed.len()).ok()?;
        for Crowd { body, except, first } in &mut crowds {
            except.extend(&gone_at);
            except.sort_unstable();
            except.dedup();
            except.extend((first_new..).zip(new).filter(|(_, new)| allowed(*body, **new)).map(|(at, _)| at));
            *first = count;
            count = count.checked_add((fixed.len() - except.len()) as u32)?;
        }
        let movable = match movable.is_empty() {
            true => movable,
            false => movable.with_still(gone, new, count, allowed)?,
        };
        Some(CheckedPairs { listed, crowds, fixed, movable, count })
    }

    /// How many there are. A pair of a movable obstacle counts, wherever the obstacle is, and that of a spare
    /// place whether it is filled or empty.
    pub fn len(&self) -> usize {
        self.count as usize + self.movable.len()
    }
    /// How many pairs there are without movable obstacles.
    pub(crate) fn without_movable(&self) -> usize {
        self.count as usize
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The bodies of a pair. `None` for a number that this world does not have. A number of another world
    /// means something else here.
    pub fn get(&self, pair: PairId) -> Option<BodyPair> {
        if pair.0 >= self.count {
            return self.movable.get(pair);
        }
        if let Some(listed) = self.listed.get(pair.index()) {
            return Some(*listed);
        }
        let after = self.crowds.partition_point(|c| c.first <= pair.0);
        let crowd = self.crowds.get(after.checked_sub(1)?)?;
        let other = self.fixed[crowd.nth_checked(pair.0 - crowd.first) as usize];
        let (a, b) = order_pair(crowd.body, other);
        Some(BodyPair { a, b })
    }
    /// The number of a pair; `None` if the pair is not checked.
    pub fn find_pair(&self, pair: BodyPair) -> Option<PairId> {
        if let Ok(index) = self.listed.binary_search(&pair) {
            return Some(PairId(index as u32));
        }
        let of_crowds = [(pair.a, pair.b), (pair.b, pair.a)].into_iter().find_map(|(mover, other)| {
            let crowd = &self.crowds[self.crowds.binary_search_by_key(&mover, |c| c.body).ok()?];
            let index = self.fixed.find_by(|id| id.cmp(&other)).ok()? as u32;
            crowd.is_checked_against(index).then(|| crowd.pair_id(index))
        });
        of_crowds.or_else(|| self.movable.find_pair(pair))
    }
    /// All of them in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = BodyPair> + '_ {
        let crowds = self.crowds.iter().flat_map(|crowd| {
            let indices = (0..self.fixed.len() as u32).filter(|index| crowd.is_checked_against(*index));
            indices.map(|index| {
                let (a, b) = order_pair(crowd.body, self.fixed[index as usize]);
                BodyPair { a, b }
            })
        });
        self.listed.iter().copied().chain(crowds).chain(self.movable.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn numbers_and_pairs_agree() {
        let pair = |a, b| BodyPair { a: BodyId(a), b: BodyId(b) };
        let listed = vec![pair(3, 4), pair(4, 5)];
        let fixed: Vec<BodyId> = [0, 1, 2, 6, 7, 8, 9].map(BodyId).to_vec();
        let crowds = vec![
            (BodyId(3), vec![0, 1, 6]),
            (BodyId(4), vec![]),
            (BodyId(5), vec![0, 1, 2, 3, 4, 5, 6]),
            (BodyId(10), vec![3]),
        ];
        let checked = CheckedPairs::new(listed, crowds, fixed.into()).unwrap();
        assert_eq!(checked.len(), 2 + 4 + 7 + 6);
        let all: Vec<BodyPair> = checked.iter().collect();
        assert_eq!(all.len(), checked.len());
        for (i, p) in all.iter().enumerate() {
            assert_eq!(checked.get(PairId(i as u32)), Some(*p), "{i}");
            assert_eq!(checked.find_pair(*p), Some(PairId(i as u32)), "{p:?}");
            assert!(p.a < p.b);
        }
        assert_eq!(checked.get(PairId(19)), None);
        for other in [pair(0, 3), pair(5, 6), pair(6, 10), pair(0, 1), pair(3, 11)] {
            assert_eq!(checked.find_pair(other), None, "{other:?}");
        }
    }
}
