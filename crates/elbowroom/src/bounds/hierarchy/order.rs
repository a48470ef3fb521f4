//! Orders of leaves that keep neighbours together, in place.
//!
//! [`by_halves`] splits the leaves in two at the median of the coordinate in which their middles are widest,
//! and splits the halves again, as a k-d tree does (Bentley 1975). [`along_curve`] sorts them along a curve
//! that fills space (Morton, after Lauterbach et al., "Fast BVH construction on GPUs", 2009). It takes a
//! third of the time, and a search of the tree visits half as many nodes more.

use super::wide::WIDTH;
use alloc::vec::Vec;
use elbowroom_pair::numeric::wide::Box32;

/// Bits of a coordinate on the curve. Nodes of eight boxes share a place on it where there are more than
/// two million.
const BITS: u32 = 7;
/// Bits that one pass of the sort takes; two passes take them all.
const DIGIT: u32 = 11;

/// A key, and the number of a leaf.
type Leaf = (u32, u32);

/// The box around the middles of leaves. Empty and unbounded boxes have no middle.
fn around_middles(leaves: &[Leaf], boxes: &[Box32]) -> Box32 {
    let mut all = Box32::EMPTY;
    for (_, leaf) in leaves {
        let b = &boxes[*leaf as usize];
        let middle = [b.middle_along(0), b.middle_along(1), b.middle_along(2), 0.0];
        if middle.iter().all(|x| x.is_finite()) {
            all.add(&Box32 { low: middle, high: middle });
        }
    }
    all
}

/// Orders leaves so that runs of `most`, and of an eighth of that, and so on, are compact.
pub(super) fn by_halves(leaves: &mut [Leaf], boxes: &[Box32], most: usize) {
    let runs = leaves.len().div_ceil(most.max(1));
    if runs < 2 {
        if most >= 2 * WIDTH {
            by_halves(leaves, boxes, most / WIDTH);
        }
        return;
    }
    let all = around_middles(leaves, boxes);
    let size = |k: usize| all.high[k] - all.low[k];
    let longer = |i: usize, j: usize| if size(j) > size(i) { j } else { i };
    let axis = longer(longer(0, 1), 2);
    // Keys are ordered as the middles are. NaN comes last.
    for (key, leaf) in leaves.iter_mut() {
        *key = sortable_bits(boxes[*leaf as usize].middle_along(axis));
    }
    let left = runs.div_ceil(2) * most;
    leaves.select_nth_unstable(left);
    let (left, right) = leaves.split_at_mut(left);
    by_halves(left, boxes, most);
    by_halves(right, boxes, most);
}

/// A number that is ordered among others of its kind as `x` is.
fn sortable_bits(x: f32) -> u32 {
    let bits = x.to_bits();
    if x.is_nan() {
        u32::MAX
    } else if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}

/// Orders leaves along the curve. `scratch` is as long.
pub(super) fn along_curve(leaves: &mut Vec<Leaf>, boxes: &[Box32], scratch: &mut Vec<Leaf>) {
    let all = around_middles(leaves, boxes);
    let scale = [0, 1, 2].map(|k| ((1 << BITS) - 1) as f32 / (all.high[k] - all.low[k]));
    for (key, leaf) in leaves.iter_mut() {
        *key = curve_code(&boxes[*leaf as usize], &all, scale);
    }
    sort(leaves, scratch);
}

/// The place of a box on the curve through the middles of all, `scale` steps to a metre; the last one for a
/// box without a middle.
fn curve_code(b: &Box32, all: &Box32, scale: [f32; 3]) -> u32 {
    let mut code = 0;
    for (k, scale) in scale.iter().enumerate() {
        let middle = b.middle_along(k);
        if !middle.is_finite() {
            return (1 << (3 * BITS)) - 1;
        }
        // If all middles coincide, the scale is infinite and the product is NaN, which the cast turns into
        // zero.
        let at = ((middle - all.low[k]) * scale) as u32;
        code |= spread_bits(at.min((1 << BITS) - 1)) << k;
    }
    code
}

/// Sorts leaves by their places on the curve, and of equal places by number, which they are in. `scratch` is
/// as long. A radix sort, the low digit first.
fn sort(curve: &mut Vec<Leaf>, scratch: &mut Vec<Leaf>) {
    // To clear the counts takes longer than to sort a few.
    if curve.len() < 64 {
        curve.sort_unstable();
        return;
    }
    const { assert!(2 * DIGIT >= 3 * BITS) };
    let mut counts = [[0_u32; 1 << DIGIT]; 2];
    let digit = |place: u32, pass: usize| (place >> (pass as u32 * DIGIT) & ((1 << DIGIT) - 1)) as usize;
    for (place, _) in curve.iter() {
        counts[0][digit(*place, 0)] += 1;
        counts[1][digit(*place, 1)] += 1;
    }
    for (pass, counts) in counts.iter_mut().enumerate() {
        let mut before = 0;
        for count in counts.iter_mut() {
            before += core::mem::replace(count, before);
        }
        for leaf in curve.iter() {
            let to = &mut counts[digit(leaf.0, pass)];
            scratch[*to as usize] = *leaf;
            *to += 1;
        }
        core::mem::swap(curve, scratch);
    }
}

/// Puts two zeros after each of ten bits.
fn spread_bits(bits: u32) -> u32 {
    let x = (bits | bits << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}
