//! How many bytes a vector holds.

use alloc::vec::Vec;

/// Bytes that a vector allocated, without those that its items allocated.
pub fn heap_bytes<T>(v: &Vec<T>) -> usize {
    v.capacity() * size_of::<T>()
}

/// Bytes that an `Arc` of something of this size allocates: it counts who shares it.
pub fn shared_bytes(size: usize) -> usize {
    size + 2 * size_of::<usize>()
}

/// A copy with the same capacity; a plain clone has room for its elements alone.
pub fn with_room<T: Clone>(list: &Vec<T>) -> Vec<T> {
    let mut copy = Vec::with_capacity(list.capacity());
    copy.extend_from_slice(list);
    copy
}
