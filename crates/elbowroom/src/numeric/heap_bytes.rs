//! How many bytes a vector holds.

use alloc::vec::Vec;

/// Bytes that a vector allocated, without those that its items allocated.
pub(crate) fn heap_bytes<T>(v: &Vec<T>) -> usize {
    v.capacity() * size_of::<T>()
}
