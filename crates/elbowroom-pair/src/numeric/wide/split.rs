//! The plane that splits a run of boxes in two.
//!
//! The surface area heuristic (SAH) over bins: Wald, "On fast construction of SAH-based bounding volume
//! hierarchies" (2007). The heuristic is for rays. Here the tree is searched with solid bodies, so boxes may
//! count as grown by about a body's size. Leaves of no width, on a line or in a plane, then cost more where
//! they are farther apart.

use super::box32::Box32;
use alloc::boxed::Box;
use alloc::vec::Vec;

const BINS: usize = 16;

/// A run of boxes and its common box.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) bounds: Box32,
}

impl Run {
    pub(super) const NONE: Run = Run { start: 0, end: 0, bounds: Box32::EMPTY };

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }
}

/// How a run is split.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SplitBy {
    /// At the cheapest plane, or by number where there is none.
    Plane,
    /// Into halves by number.
    Number,
}

/// The boxes that a tree is built over.
pub(super) struct Pile {
    pub(super) boxes: Vec<Box32>,
    /// The leaf that each box belongs to.
    pub(super) leaf: Vec<u32>,
    /// The edges of boxes count as grown by this (metres).
    grown: f32,
    bins: Box<Bins>,
}

/// Work space: bins along each coordinate.
struct Bins {
    /// The box around what is in each bin, and how many boxes are in it.
    around: [[Box32; BINS]; 3],
    counts: [[u32; BINS]; 3],
    /// Of one coordinate: for each bin, the box around everything in the bins after it.
    after: [Box32; BINS],
}

impl Pile {
    /// Leaf `i` is box `i`.
    pub(super) fn new(boxes: Vec<Box32>, grown: f32) -> Pile {
        let leaf = (0..boxes.len() as u32).collect();
        let bins =
            Bins { around: [[Box32::EMPTY; BINS]; 3], counts: [[0; BINS]; 3], after: [Box32::EMPTY; BINS] };
        Pile { boxes, leaf, grown, bins: Box::new(bins) }
    }

    /// Splits a run of at least two boxes into two runs that are not empty.
    pub(super) fn split(&mut self, run: &Run, by: SplitBy) -> (Run, Run) {
        let at_plane = if by == SplitBy::Plane { self.at_best_plane(run) } else { None };
        let (at, left, right) = at_plane.unwrap_or_else(|| {
            let at = run.start + run.len() / 2;
            (
                at,
                Box32::around_boxes(&self.boxes[run.start..at]),
                Box32::around_boxes(&self.boxes[at..run.end]),
            )
        });
        (Run { start: run.start, end: at, bounds: left }, Run { start: at, end: run.end, bounds: right })
    }

    /// Partitions the run at the cheapest of the planes between bins. Returns where the second half begins,
    /// and the boxes of both halves.
    fn at_best_plane(&mut self, run: &Run) -> Option<(usize, Box32, Box32)> {
        let boxes = &self.boxes[run.start..run.end];
        // The box of the middles. A box that is infinite in both directions has no middle and is left out.
        let mut span = Box32::EMPTY;
        for b in boxes {
            let c: [f32; 4] = core::array::from_fn(|k| 0.5 * b.low[k] + 0.5 * b.high[k]);
            span.add(&Box32 { low: c, high: c });
        }
        let scale: [f32; 3] = core::array::from_fn(|k| {
            let s = BINS as f32 / (span.high[k] - span.low[k]);
            if s > 0.0 && s.is_finite() { s } else { 0.0 }
        });
        if let [a, b] = boxes {
            // Along each coordinate, one box is in the first bin and the other in the last. So all planes
            // cost the same, and the first one is taken.
            let k = (0..3).find(|&k| scale[k] != 0.0)?;
            let (mut low, mut high) = (*a, *b);
            if low.middle_along(k) > high.middle_along(k) {
                core::mem::swap(&mut low, &mut high);
                self.boxes.swap(run.start, run.start + 1);
                self.leaf.swap(run.start, run.start + 1);
            }
            return Some((run.start + 1, low, high));
        }
        let bin =
            |b: &Box32, k: usize| (((b.middle_along(k) - span.low[k]) * scale[k]) as usize).min(BINS - 1);
        // Few runs fill all bins. Which ones have boxes is in the bits of `filled`; the others hold what
        // another run left there.
        let Bins { around, counts, after } = &mut *self.bins;
        let mut filled = [0_u32; 3];
        for b in boxes {
            for k in 0..3 {
                let i = bin(b, k);
                if filled[k] & 1 << i == 0 {
                    filled[k] |= 1 << i;
                    (around[k][i], counts[k][i]) = (*b, 1);
                } else {
                    around[k][i].add(b);
                    counts[k][i] += 1;
                }
            }
        }
        let mut best: Option<(f32, usize, usize, Box32, Box32)> = None;
        for k in 0..3 {
            if scale[k] == 0.0 {
                continue;
            }
            // The common box of all filled bins after each, then a sweep from the left. Planes with only
            // empty bins between them cost the same: the first counts.
            let (mut all, mut left_over) = (Box32::EMPTY, filled[k]);
            while left_over != 0 {
                let i = left_over.ilog2() as usize;
                left_over &= !(1 << i);
                after[i] = all;
                all.add(&around[k][i]);
            }
            let (mut left, mut count, mut next) = (Box32::EMPTY, 0_u32, filled[k]);
            while next & next.wrapping_sub(1) != 0 {
                let i = next.trailing_zeros() as usize;
                next &= next - 1;
                left.add(&around[k][i]);
                count += counts[k][i];
                let (right, rest) = (&after[i], run.len() as u32 - count);
                let cost = left.half_surface(self.grown) * count as f32
                    + right.half_surface(self.grown) * rest as f32;
                if best.as_ref().is_none_or(|b| cost < b.0) {
                    best = Some((cost, k, i, left, *right));
                }
            }
        }
        let (_, k, last, left, right) = best?;
        let (mut i, mut j) = (run.start, run.end);
        while i < j {
            if bin(&self.boxes[i], k) <= last {
                i += 1;
            } else {
                j -= 1;
                self.boxes.swap(i, j);
                self.leaf.swap(i, j);
            }
        }
        Some((i, left, right))
    }
}
