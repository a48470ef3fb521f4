//! A list whose copies have its capacity.
//!
//! A work space is made once, with room for all that a question may need. A plain clone of a list has room
//! for its elements alone, so a copied work space would allocate in the middle of a question.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// A list of a work space: see the module's docs.
#[derive(Debug, Default)]
pub struct WorkList<T>(Vec<T>);

impl<T> WorkList<T> {
    /// An empty list with room for so many elements.
    pub fn with_capacity(capacity: usize) -> WorkList<T> {
        WorkList(Vec::with_capacity(capacity))
    }
}

impl<T: Clone> Clone for WorkList<T> {
    fn clone(&self) -> WorkList<T> {
        let mut copy = Vec::with_capacity(self.0.capacity());
        copy.extend_from_slice(&self.0);
        WorkList(copy)
    }

    /// Allocates nothing where there is room for the elements.
    fn clone_from(&mut self, other: &WorkList<T>) {
        self.0.clone_from(&other.0);
    }
}

impl<T> Deref for WorkList<T> {
    type Target = Vec<T>;
    #[inline(always)]
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for WorkList<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<'a, T> IntoIterator for &'a WorkList<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;
    fn into_iter(self) -> core::slice::Iter<'a, T> {
        self.0.iter()
    }
}

impl<T> From<Vec<T>> for WorkList<T> {
    fn from(list: Vec<T>) -> WorkList<T> {
        WorkList(list)
    }
}
