//! The order of points in the tree.

use super::blocks::{Record, bounding_corners};
use elbowroom_pair::numeric::wide::WIDTH;

/// Orders points so that aligned blocks of 8, 16, 32 and so on lie close together. Blocks are cut at the
/// median along the longest edge of their box. `room` is at least the number of points, and eight
/// times a power of two.
pub(super) fn order_records(mut records: &mut [Record], mut room: usize) {
    while records.len() > WIDTH {
        let half = room / 2;
        room = half;
        if records.len() <= half {
            continue;
        }
        let k = longest_axis(records);
        // Coordinates are finite, so this is their order; it takes linear time whatever they are.
        records.select_nth_unstable_by(half, |a, b| a.at[k].total_cmp(&b.at[k]));
        let (near, far) = records.split_at_mut(half);
        // The recursion is as deep as the tree.
        order_records(near, half);
        records = far;
    }
}

/// The axis along which points extend farthest.
fn longest_axis(records: &[Record]) -> usize {
    let (low, high) = bounding_corners(records);
    let edge = |k: usize| high[k] - low[k];
    let xy = if edge(1) > edge(0) { 1 } else { 0 };
    if edge(2) > edge(xy) { 2 } else { xy }
}
