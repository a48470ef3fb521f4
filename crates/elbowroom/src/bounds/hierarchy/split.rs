//! Boxes in f32, and the plane that splits a run of them in two.
//!
//! The surface area heuristic over bins: Wald, "On fast construction of SAH-based bounding volume
//! hierarchies" (2007). What is looked for here is not a ray but a body with some room around it, so boxes
//! count as grown by a typical leaf's edge; this also lets leaves without width, all on a line or in a plane,
//! cost more the farther apart they are.

use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::tolerance::WIDE_LIMIT;
use crate::numeric::math::{Vec3, round_down};

const BINS: usize = 16;

/// A box by its corners, in f32. The fourth lane is not used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: [f32; 4],
    pub(super) high: [f32; 4],
}

impl Bounds {
    pub(super) const EMPTY: Bounds = Bounds { low: [f32::INFINITY; 4], high: [f32::NEG_INFINITY; 4] };

    /// A box less an origin, rounded outwards. What is farther than [`WIDE_LIMIT`], or NaN, is infinite.
    pub(super) fn around(b: &AlignedBox, origin: Vec3) -> Bounds {
        let mut r = Bounds { low: [0.0; 4], high: [0.0; 4] };
        for k in 0..3 {
            r.low[k] = low32(b.low[k], origin[k]);
            r.high[k] = -low32(-b.high[k], -origin[k]);
        }
        r
    }
    /// The same, a few millionths wider, for what is asked about: in a fraction of the time.
    #[inline(always)]
    pub(super) fn about(b: &AlignedBox, origin: Vec3) -> Bounds {
        let mut r = Bounds { low: [0.0; 4], high: [0.0; 4] };
        for k in 0..3 {
            r.low[k] = below32(b.low[k], origin[k]);
            r.high[k] = -below32(-b.high[k], -origin[k]);
        }
        r
    }
    #[inline(always)]
    pub(super) fn add(&mut self, b: &Bounds) {
        for k in 0..4 {
            self.low[k] = if b.low[k] < self.low[k] { b.low[k] } else { self.low[k] };
            self.high[k] = if b.high[k] > self.high[k] { b.high[k] } else { self.high[k] };
        }
    }
    pub(super) fn of(run: &[Bounds]) -> Bounds {
        let mut all = Bounds::EMPTY;
        run.iter().for_each(|b| all.add(b));
        all
    }
    /// Half the surface of the box grown by `room`; zero for the empty box.
    #[inline(always)]
    pub(super) fn area(&self, room: f32) -> f32 {
        let size =
            |k: usize| if self.high[k] >= self.low[k] { self.high[k] - self.low[k] + room } else { 0.0 };
        let (x, y, z) = (size(0), size(1), size(2));
        x * y + y * z + z * x
    }
    #[inline(always)]
    fn middle(&self, k: usize) -> f32 {
        0.5 * self.low[k] + 0.5 * self.high[k]
    }
}

/// The largest f32 not above `x - origin`; infinite where that is below [`WIDE_LIMIT`], or NaN.
fn low32(x: f64, origin: f64) -> f32 {
    if x == f64::INFINITY {
        // The box is empty.
        return f32::INFINITY;
    }
    // The difference is rounded to nearest: one number further down is below it.
    let d = (x - origin).next_down();
    if !(d >= -WIDE_LIMIT) {
        return f32::NEG_INFINITY;
    }
    round_down(d.min(WIDE_LIMIT))
}

/// An f32 below `x - origin`. The difference, its conversion, and the margin taken off are each rounded by
/// 2^-24 of it at most.
#[inline(always)]
fn below32(x: f64, origin: f64) -> f32 {
    let d = x - origin;
    if !(d.abs() <= WIDE_LIMIT) {
        return low32(x, origin);
    }
    let r = d as f32;
    r - (r.abs() * f32::EPSILON * 2.0 + f32::MIN_POSITIVE)
}

/// A run of boxes and its common box.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) bounds: Bounds,
}

impl Run {
    pub(super) const NONE: Run = Run { start: 0, end: 0, bounds: Bounds::EMPTY };

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }
}

/// Boxes on their way into a tree, and whose they are.
pub(super) struct Pile {
    pub(super) boxes: alloc::vec::Vec<Bounds>,
    pub(super) leaf: alloc::vec::Vec<u32>,
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
            (at, Bounds::of(&self.boxes[run.start..at]), Bounds::of(&self.boxes[at..run.end]))
        });
        (Run { start: run.start, end: at, bounds: left }, Run { start: at, end: run.end, bounds: right })
    }

    /// The cheapest of the planes between bins; partitions the run and returns where, and both boxes.
    fn best_plane(&mut self, run: &Run) -> Option<(usize, Bounds, Bounds)> {
        let boxes = &self.boxes[run.start..run.end];
        // Twice the middles; boxes without end have none and are left out.
        let mut span = Bounds::EMPTY;
        for b in boxes {
            let c: [f32; 4] = core::array::from_fn(|k| 0.5 * b.low[k] + 0.5 * b.high[k]);
            span.add(&Bounds { low: c, high: c });
        }
        let scale: [f32; 3] = core::array::from_fn(|k| {
            let s = BINS as f32 / (span.high[k] - span.low[k]);
            if s > 0.0 && s.is_finite() { s } else { 0.0 }
        });
        let bin = |b: &Bounds, k: usize| (((b.middle(k) - span.low[k]) * scale[k]) as usize).min(BINS - 1);
        let mut bins = [[(Bounds::EMPTY, 0u32); BINS]; 3];
        for b in boxes {
            for (k, axis) in bins.iter_mut().enumerate() {
                let slot = &mut axis[bin(b, k)];
                slot.0.add(b);
                slot.1 += 1;
            }
        }
        let mut best: Option<(f32, usize, usize, Bounds, Bounds)> = None;
        for (k, axis) in bins.iter().enumerate() {
            if scale[k] == 0.0 {
                continue;
            }
            // Boxes of all bins from each on, then a sweep from the left.
            let mut right = [(Bounds::EMPTY, 0u32); BINS];
            let mut all = (Bounds::EMPTY, 0u32);
            for i in (0..BINS).rev() {
                all.0.add(&axis[i].0);
                all.1 += axis[i].1;
                right[i] = all;
            }
            let (mut left, mut count) = (Bounds::EMPTY, 0u32);
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
