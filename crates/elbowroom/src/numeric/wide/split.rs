//! The plane that splits a run of boxes in two.
//!
//! The surface area heuristic over bins: Wald, "On fast construction of SAH-based bounding volume
//! hierarchies" (2007). What is looked for in a tree is a body with some room around it rather than a ray, so
//! boxes may count as grown; this also lets leaves without width, all on a line or in a plane, cost more the
//! farther apart they are.

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

/// Boxes on their way into a tree, and whose they are.
pub(super) struct Pile {
    pub(super) boxes: Vec<Box32>,
    pub(super) leaf: Vec<u32>,
    /// Boxes count as grown by this.
    pub(super) room: f32,
}

impl Pile {
    /// Splits a run of at least two into two that are not empty: at the cheapest plane, or in half by number
    /// where there is none or where planes are not wanted.
    pub(super) fn split(&mut self, run: &Run, planes: bool) -> (Run, Run) {
        let found = if planes { self.best_plane(run) } else { None };
        let (at, left, right) = found.unwrap_or_else(|| {
            let at = run.start + run.len() / 2;
            (at, Box32::of(&self.boxes[run.start..at]), Box32::of(&self.boxes[at..run.end]))
        });
        (Run { start: run.start, end: at, bounds: left }, Run { start: at, end: run.end, bounds: right })
    }

    /// The cheapest of the planes between bins; partitions the run and returns where, and both boxes.
    fn best_plane(&mut self, run: &Run) -> Option<(usize, Box32, Box32)> {
        let boxes = &self.boxes[run.start..run.end];
        // Twice the middles; boxes without end have none and are left out.
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
            // Boxes of all bins from each on, then a sweep from the left.
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
                let cost = left.area(self.room) * count as f32 + r.area(self.room) * *rest as f32;
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
