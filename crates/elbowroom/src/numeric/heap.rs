//! Binary heaps whose first entry has the least bound.

use alloc::vec::Vec;

/// What waits for its turn.
pub(crate) trait Waiting: Copy {
    /// Its turn comes before those of larger ones.
    fn lower(&self) -> f32;
}

/// Adds an entry.
#[inline(always)]
pub(crate) fn push<T: Waiting>(heap: &mut Vec<T>, entry: T) {
    let mut at = heap.len();
    heap.push(entry);
    while at > 0 {
        let up = (at - 1) / 2;
        if heap[up].lower() <= entry.lower() {
            break;
        }
        heap[at] = heap[up];
        at = up;
    }
    heap[at] = entry;
}

/// Puts an entry in the place of the first of a heap that is not empty.
#[inline(always)]
pub(crate) fn put<T: Waiting>(heap: &mut [T], entry: T) {
    let mut at = 0;
    loop {
        let mut down = 2 * at + 1;
        if down >= heap.len() {
            break;
        }
        if down + 1 < heap.len() && heap[down + 1].lower() < heap[down].lower() {
            down += 1;
        }
        if heap[down].lower() >= entry.lower() {
            break;
        }
        heap[at] = heap[down];
        at = down;
    }
    heap[at] = entry;
}

/// Takes the first entry.
#[inline(always)]
pub(crate) fn pop<T: Waiting>(heap: &mut Vec<T>) -> Option<T> {
    let last = heap.pop()?;
    let Some(&first) = heap.first() else { return Some(last) };
    put(heap, last);
    Some(first)
}
