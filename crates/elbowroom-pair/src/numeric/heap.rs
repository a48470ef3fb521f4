//! Binary heaps whose first entry has the least bound.

use alloc::vec::Vec;

/// An entry of a heap.
pub trait Queued: Copy {
    /// A number, never NaN.
    type Bound: PartialOrd;
    /// The bound by which entries are ordered.
    fn lower_bound(&self) -> Self::Bound;
}

/// Adds an entry.
#[inline(always)]
pub fn push<T: Queued>(heap: &mut Vec<T>, entry: T) {
    let mut at = heap.len();
    heap.push(entry);
    while at > 0 {
        let up = (at - 1) / 2;
        if heap[up].lower_bound() <= entry.lower_bound() {
            break;
        }
        heap[at] = heap[up];
        at = up;
    }
    heap[at] = entry;
}

/// Replaces the first entry of a heap, which must not be empty.
#[inline(always)]
pub fn replace_first<T: Queued>(heap: &mut [T], entry: T) {
    let mut at = 0;
    loop {
        let mut down = 2 * at + 1;
        if down >= heap.len() {
            break;
        }
        if down + 1 < heap.len() && heap[down + 1].lower_bound() < heap[down].lower_bound() {
            down += 1;
        }
        if heap[down].lower_bound() >= entry.lower_bound() {
            break;
        }
        heap[at] = heap[down];
        at = down;
    }
    heap[at] = entry;
}

/// Removes and returns the first entry.
#[inline(always)]
pub fn pop<T: Queued>(heap: &mut Vec<T>) -> Option<T> {
    let last = heap.pop()?;
    let Some(&first) = heap.first() else { return Some(last) };
    replace_first(heap, last);
    Some(first)
}
