//! The order in which nodes of the open list have their turn: a binary heap.

use alloc::vec::Vec;

/// A node's place in the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) lower: f32,
    pub(super) open: u32,
}

/// Adds to a binary heap whose first entry has the least bound.
#[inline(always)]
pub(super) fn push(heap: &mut Vec<Turn>, turn: Turn) {
    let mut at = heap.len();
    heap.push(turn);
    while at > 0 {
        let up = (at - 1) / 2;
        if heap[up].lower <= turn.lower {
            break;
        }
        heap[at] = heap[up];
        at = up;
    }
    heap[at] = turn;
}

/// Puts an entry in the place of the first of a heap that is not empty.
#[inline(always)]
pub(super) fn put(heap: &mut [Turn], turn: Turn) {
    let mut at = 0;
    loop {
        let mut down = 2 * at + 1;
        if down >= heap.len() {
            break;
        }
        if down + 1 < heap.len() && heap[down + 1].lower < heap[down].lower {
            down += 1;
        }
        if heap[down].lower >= turn.lower {
            break;
        }
        heap[at] = heap[down];
        at = down;
    }
    heap[at] = turn;
}
