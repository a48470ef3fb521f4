//! A list that a world and its edits share.
//!
//! Most items are in the *base*, one allocation that all of them share. Each edit has its own copy of the
//! items that were added behind the base. So an edit costs no more than the added items, however long the
//! base is.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::{Index, Range};

/// A list: a base that is shared, and items that were added behind it.
#[derive(Clone, Debug)]
pub struct Layered<T> {
    base: Arc<Vec<T>>,
    later: Vec<T>,
}

impl<T> Layered<T> {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.base.len() + self.later.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The item with a number.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        match self.base.get(index) {
            Some(item) => Some(item),
            None => self.later.get(index.checked_sub(self.base.len())?),
        }
    }
    /// All items, in order.
    pub fn iter(&self) -> core::iter::Chain<core::slice::Iter<'_, T>, core::slice::Iter<'_, T>> {
        self.base.iter().chain(&self.later)
    }

    /// How many items are in the base.
    pub(crate) fn shared_count(&self) -> usize {
        self.base.len()
    }
    /// The items of a range that lies in the base, or behind it; empty for a range that lies in both.
    #[inline]
    pub(crate) fn slice_range(&self, range: Range<usize>) -> &[T] {
        let base = self.base.len();
        let found = match range.start < base {
            true => self.base.get(range),
            false => self.later.get(range.start - base..range.end.saturating_sub(base)),
        };
        found.unwrap_or(&[])
    }
    /// Adds an item.
    pub(crate) fn push(&mut self, item: T) {
        self.later.push(item);
    }
    /// Whether two lists share their base.
    pub fn shared_with(&self, other: &Layered<T>) -> bool {
        Arc::ptr_eq(&self.base, &other.base)
    }
    /// The binary search of a list that is sorted by `order`.
    pub(crate) fn find_by(&self, mut order: impl FnMut(&T) -> core::cmp::Ordering) -> Result<usize, usize> {
        let behind = self.base.last().is_some_and(|last| order(last).is_ge());
        let base = self.base.len();
        let in_later = |found: usize| found + base;
        match behind || self.later.is_empty() {
            true => self.base.binary_search_by(order),
            false => self.later.binary_search_by(order).map(in_later).map_err(in_later),
        }
    }
}

impl<T: Clone> Layered<T> {
    /// The base, to be changed. It is copied first if another list shares it.
    pub(crate) fn base_mut(&mut self) -> &mut [T] {
        let base: &mut Vec<T> = Arc::make_mut(&mut self.base);
        base
    }
    /// This list with all items in its base.
    pub(crate) fn fold_into_base(self) -> Layered<T> {
        if self.later.is_empty() {
            return self;
        }
        let Layered { base, later } = self;
        // The base is only copied if another list shares it.
        let mut all = Arc::try_unwrap(base).unwrap_or_else(|shared| {
            let mut copy = Vec::with_capacity(shared.len() + later.len());
            copy.extend_from_slice(&shared);
            copy
        });
        all.extend(later);
        all.into()
    }
}

impl<T> Default for Layered<T> {
    fn default() -> Layered<T> {
        Vec::new().into()
    }
}

impl<T> From<Vec<T>> for Layered<T> {
    fn from(base: Vec<T>) -> Layered<T> {
        Layered { base: Arc::new(base), later: Vec::new() }
    }
}

impl<T> FromIterator<T> for Layered<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Layered<T> {
        items.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T: PartialEq> PartialEq for Layered<T> {
    fn eq(&self, other: &Layered<T>) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'a, T> IntoIterator for &'a Layered<T> {
    type Item = &'a T;
    type IntoIter = core::iter::Chain<core::slice::Iter<'a, T>, core::slice::Iter<'a, T>>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> Index<usize> for Layered<T> {
    type Output = T;
    #[inline]
    fn index(&self, index: usize) -> &T {
        let base = self.base.len();
        if index < base { &self.base[index] } else { &self.later[index - base] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn a_layered_list_is_like_a_list() {
        for base in 0..5_usize {
            for later in 0..4_usize {
                let all: Vec<usize> = (0..base + later).map(|i| 10 * i).collect();
                let mut list: Layered<usize> = all[..base].to_vec().into();
                all[base..].iter().for_each(|x| list.push(*x));
                assert_eq!(
                    (list.len(), list.shared_count(), list.is_empty()),
                    (all.len(), base, all.is_empty())
                );
                assert!(list.iter().eq(&all) && list == Layered::from(all.clone()));
                for i in 0..all.len() + 2 {
                    assert_eq!(list.get(i), all.get(i));
                    for x in [10 * i, 10 * i + 1] {
                        assert_eq!(list.find_by(|y| y.cmp(&x)), all.binary_search(&x), "{x} in {all:?}");
                    }
                }
                assert!((0..all.len()).all(|i| list[i] == all[i]));
                assert_eq!(
                    (list.slice_range(0..base), list.slice_range(base..all.len())),
                    all.split_at(base)
                );
                assert_eq!(list.slice_range(0..all.len() + 1), [0_usize; 0]);
                let copy = list.clone();
                assert!(copy.shared_with(&list) && !copy.shared_with(&all.clone().into()));
                for folded in [copy.fold_into_base(), list.fold_into_base()] {
                    assert!(folded.iter().eq(&all) && folded.shared_count() == all.len());
                }
            }
        }
        assert_eq!(Layered::from(vec![1, 2]).fold_into_base().shared_count(), 2);
    }
}
