//! The plane that splits a run of boxes in two.
//!
//! The surface area heuristic (SAH) over bins: Wald, "On fast construction of SAH-based bounding volume
//! hierarchies" (2007). The heuristic is for rays. Here the tree is searched with solid bodies, so boxes may
//! count as grown by about a body's size. Leaves of no width, on a line or in a plane, then cost more where
//! they are farther apart.

use super::box32::Box32;
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
    pub(super) grown: f32,
}

impl Pile {
    /// Splits a run of at least two boxes into two runs that are not empty.
    pub(super) fn split(&mut self, run: &Run, by: SplitBy) -> (Run, Run) {
        let at_plane = if by == SplitBy::Plane { self.at_best_plane(run) } else { None };
        let (at, left, right) = at_plane.unwrap_or_else(|| {
            let at = run.start + run.len() / 2;
            (at, Box32::of(&self.boxes[run.start..at]), Box32::of(&self.boxes[at..run.end]))
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
        let bin = |b: &Box32, k: usize| (((b.middle(k) - span.low[k]) * scale[k]) as usize).min(BINS - 1);
        let mut bins = [[(Box32::EMPTY, 0u32); BINS]; 3];
        for b in boxes {
            for (k, axis) in bins.iter_mut().enumerate() {
                let slot = &mut axis[bin(b, k)];
                slot.0.add(b);
                slot.1 += 1;
            }
        }
        let mut best: Option<(f32, usize, usize, Box32, Box32)> = None;
        for (k, axis) in bins.iter().enumerate() {
            if scale[k] == 0.0 {
                continue;
            }
            // The common box of each bin and all bins after it, then a sweep from the left.
            let mut right = [(Box32::EMPTY, 0u32); BINS];
            let mut all = (Box32::EMPTY, 0u32);
            for i in (0..BINS).rev() {
                all.0.add(&axis[i].0);
                all.1 += axis[i].1;
                right[i] = all;
            }
            let (mut left, mut count) = (Box32::EMPTY, 0u32);
            for i in 0..BINS - 1 {
                left.add(&axis[i].0);
                count += axis[i].1;
                let (r, rest) = &right[i + 1];
                if count == 0 || *rest == 0 {
                    continue;
                }
                let cost = left.area(self.grown) * count as f32 + r.area(self.grown) * *rest as f32;
                if best.as_ref().is_none_or(|b| cost < b.0) {
                    best = Some((cost, k, i, left, *r));
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
