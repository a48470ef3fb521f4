//! How many bytes a vector holds.

use alloc::vec::Vec;

/// What a vector holds, beside what its items hold.
pub(crate) fn heap_bytes<T>(v: &Vec<T>) -> usize {
    v.capacity() * size_of::<T>()
}
