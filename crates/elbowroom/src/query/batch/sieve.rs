//! The sieve of a chunk of poses: bounds in f32 lanes, from the cheapest on, each for what the last left.
//!
//! **Poses, eight by eight.** Eight poses are placed, and their frames are kept. The capsules of all pairs are
//! bounded at once, while they are at hand. What stays of a pair is a bit for each pose.
//!
//! **Pairs, one by one.** The poses whose bits stay are compacted to eights: their two frames are gathered,
//! and B is taken into A's frame. Boxes bound them, then planes; after each, what is left is compacted again.
//! Last, a point is searched for inside both bodies. A pose in which one is found collides, and no further
//! pair looks at it.
//!
//! **What is left** are pairs of poses, with their best bounds. They are asked exactly afterwards, unless
//! another pair decides the pose. A pose without any is clear. A pose whose pairs find no place in the list is
//! asked whole, and so is a row that is not a configuration.
//!
//! Only bounds above the target leave a pair out, and NaN is above nothing. Lanes beyond the last pose repeat
//! it, so a verdict depends on nothing but its row.

use super::eights::{Eights, V, load3};
use super::gaps::{Relative, box_gap, capsule_gap};
use super::lanes::{Column, are_values, columns, place};
use super::model::{LaneCapsule, Model};
use super::planes::plane_gap;
use super::points::overlaps;
use crate::bounds::heights::Heights;
use crate::bounds::inside::Inside;
use crate::numeric::heap_bytes::heap_bytes;
use crate::numeric::simd::{Kernel, Lanes};
use crate::query::tolerance::{BATCH_CHUNK, BATCH_LEFT};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Numbers of a frame of eight poses.
const FRAME: usize = 12 * 8;
/// Eights in a chunk.
const EIGHTS: usize = BATCH_CHUNK / 8;
/// A bit for each pose of a chunk.
type Poses = [u64; BATCH_CHUNK / 64];

/// What the sieve knows of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Every pair is farther apart than the target, but for those that are left.
    Sieved,
    /// Two bodies are proved to overlap.
    Overlap,
    /// Nothing: it is asked whole.
    Whole,
}

/// A pair that stays open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    pub row: u32,
    /// Its index in the order of the world's proofs.
    pub pair: u32,
    /// The best lower bound (metres).
    pub bound: f32,
}

/// How many pairs of poses each stage decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stages {
    pub capsules: usize,
    pub boxes: usize,
    pub planes: usize,
    pub points: usize,
    pub left: usize,
    /// Rows that are not configurations.
    pub refused: usize,
    /// Pairs that found no place in the list.
    pub overflowed: usize,
}

/// The scratch of a sieve, and what it finds. Everything is allocated when it is made.
#[derive(Clone, Debug)]
pub(super) struct Sieve {
    columns: Vec<Column>,
    roots: Vec<[Eights; 12]>,
    /// The frames of the links: eight by eight, the columns and the translation of each.
    frames: Vec<[Eights; 12]>,
    /// The middle and the half axis of each capsule, of eight poses.
    capsules: Vec<[Eights; 6]>,
    /// By pair, the poses that capsules leave.
    open: Vec<[u8; EIGHTS]>,
    /// Of a pair: the poses that are left, their relative frames and bounds.
    numbers: Vec<u32>,
    relative: Vec<[Eights; 12]>,
    bounds: Vec<Eights>,
    /// By row of the chunk.
    pub rows: Vec<Row>,
    /// Pairs that stay open.
    pub left: Vec<Left>,
    pub stages: Stages,
}

impl Sieve {
    pub fn new(model: &Model) -> Sieve {
        let all = |root: &[[f32; 3]; 4]| {
            let mut frame = [[0.0; 8]; 12];
            for (out, value) in frame.iter_mut().zip(root.iter().flatten()) {
                *out = [*value; 8];
            }
            frame
        };
        let roots: Vec<[Eights; 12]> = model.roots.iter().map(all).collect();
        let still = |capsule: &LaneCapsule| match model.roots.get(capsule.frame as usize) {
            None => [[0.0; 8]; 6],
            Some(root) => {
                let [x, y, z, t] = root;
                let at = |v: &[f32; 3], k: usize| x[k] * v[0] + y[k] * v[1] + z[k] * v[2];
                let (center, half) = (&capsule.center, &capsule.half);
                core::array::from_fn(|i| [if i < 3 { at(center, i) + t[i] } else { at(half, i - 3) }; 8])
            }
        };
        Sieve {
            columns: vec![[[0.0; 4]; 2]; model.values],
            roots,
            frames: vec![[[0.0; 8]; 12]; model.links.len() * EIGHTS],
            capsules: model.capsules.iter().map(still).collect(),
            open: vec![[0; EIGHTS]; model.pairs.len()],
            numbers: vec![0; BATCH_CHUNK],
            relative: vec![[[0.0; 8]; 12]; EIGHTS],
            bounds: vec![[0.0; 8]; EIGHTS],
            rows: vec![Row::Whole; BATCH_CHUNK],
            left: Vec::with_capacity(BATCH_CHUNK * BATCH_LEFT),
            stages: Stages::default(),
        }
    }

    /// Bytes that it has on the heap.
    pub fn heap_bytes(&self) -> usize {
        heap_bytes(&self.columns)
            + heap_bytes(&self.roots)
            + heap_bytes(&self.frames)
            + heap_bytes(&self.capsules)
            + heap_bytes(&self.open)
            + heap_bytes(&self.numbers)
            + heap_bytes(&self.relative)
            + heap_bytes(&self.bounds)
            + heap_bytes(&self.rows)
            + heap_bytes(&self.left)
    }
}

/// Sieves a chunk of rows.
pub(super) struct Sift<'a> {
    pub model: &'a Model,
    pub sieve: &'a mut Sieve,
    /// Joint values, a row for each of `count` poses.
    pub values: &'a [f64],
    pub count: usize,
    /// By capsule of the world, tables of the bodies' heights and of what is inside them.
    pub heights: &'a [Option<Heights>],
    pub insides: &'a [Option<Inside>],
    /// A pair beyond this is left out (metres, at least zero).
    pub target: f32,
}

impl Kernel for Sift<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Sift { model, sieve, values, count, heights, insides, target } = self;
        sieve.left.clear();
        let mut poses = place_all(l, model, sieve, values, count, target);
        for (number, pair) in model.pairs.iter().enumerate() {
            let mut n = sieve.compact_poses(number, &poses);
            if n == 0 {
                continue;
            }
            let of = [&model.capsules[pair.capsules[0] as usize], &model.capsules[pair.capsules[1] as usize]];
            let [a, b] = [of[0].id.index(), of[1].id.index()];
            n = boxes(l, model, sieve, (of, pair.room), n, target);
            if let ([Some(a), Some(b)], true) = ([&heights[a], &heights[b]], n > 0) {
                n = planes(l, sieve, (of, [a, b], pair.room), n, target);
            }
            if let ([Some(a), Some(b)], true) = ([&insides[a], &insides[b]], n > 0) {
                n = points(l, sieve, ([a, b], pair.room), n, &mut poses);
            }
            sieve.leave(number, n);
        }
    }
}

/// Places all poses and bounds all pairs by capsules. Returns the poses that are configurations.
#[inline(always)]
fn place_all<L: Lanes>(
    l: L,
    model: &Model,
    sieve: &mut Sieve,
    values: &[f64],
    count: usize,
    target: f32,
) -> Poses {
    let Sieve { columns: each, roots, frames, capsules, open, rows, stages, .. } = sieve;
    let links = model.links.len();
    let target = l.splat8(target);
    let mut poses = [0; BATCH_CHUNK / 64];
    for eight in 0..count.div_ceil(8) {
        // The last row fills lanes that have no row of their own.
        let mut of_lanes = [0; 8];
        for (k, row) in of_lanes.iter_mut().enumerate() {
            *row = (8 * eight + k).min(count - 1);
        }
        columns(values, of_lanes, each);
        let good = are_values(l, model, each) & of_first(count - 8 * eight) as u8;
        place(l, model, each, roots, &mut frames[eight * links..(eight + 1) * links], capsules);
        for (pair, open) in model.pairs.iter().zip(open.iter_mut()) {
            let [a, b] = pair.capsules;
            let of = [&model.capsules[a as usize], &model.capsules[b as usize]];
            let gap = capsule_gap(l, of, [&capsules[a as usize], &capsules[b as usize]]);
            open[eight] = !l.above8(gap, target) as u8 & good;
        }
        poses[eight / 8] |= u64::from(good) << (8 * (eight % 8));
        for (k, row) in rows[8 * eight..count.min(8 * eight + 8)].iter_mut().enumerate() {
            let refused = good >> k & 1 == 0;
            *row = if refused { Row::Whole } else { Row::Sieved };
            stages.refused += usize::from(refused);
        }
    }
    poses
}

/// A bit for each of the first `n` lanes.
fn of_first(n: usize) -> u32 {
    if n >= 8 { 0xff } else { (1 << n) - 1 }
}

/// Takes B into A's frame for `n` poses and bounds them by boxes; returns how many are left.
#[inline(always)]
fn boxes<L: Lanes>(
    l: L,
    model: &Model,
    sieve: &mut Sieve,
    (of, room): ([&LaneCapsule; 2], f32),
    n: usize,
    target: f32,
) -> usize {
    let target = l.splat8(target);
    let stride = (model.links.len() * FRAME) as u32;
    let mut left = 0;
    for block in 0..n.div_ceil(8) {
        let mut first = [0; 8];
        for (k, at) in first.iter_mut().enumerate() {
            let pose = sieve.numbers[(8 * block + k).min(n - 1)];
            *at = pose / 8 * stride + pose % 8;
        }
        let first = l.load_indices8(&first);
        let a = frame_of(l, sieve, of[0].frame, first);
        let b = frame_of(l, sieve, of[1].frame, first);
        let relative = Relative::new(l, a, b);
        // NaN bounds nothing.
        let gap = l.max8(box_gap(l, of, &relative, room), l.splat8(f32::NEG_INFINITY));
        let keep = !l.above8(gap, target) & of_first(n - 8 * block);
        if keep != 0 {
            sieve.relative[block] = relative.store(l);
            sieve.bounds[block] = l.array8(gap);
            left = sieve.keep(block, keep, left);
        }
    }
    sieve.stages.boxes += n - left;
    left
}

/// The frame of a capsule for eight poses, whose first numbers among those of the frames are given.
#[inline(always)]
fn frame_of<L: Lanes>(l: L, sieve: &Sieve, frame: u32, first: L::I) -> [V<L::E>; 4] {
    if let Some(m) = sieve.roots.get(frame as usize) {
        return [load3(l, m, 0), load3(l, m, 3), load3(l, m, 6), load3(l, m, 9)];
    }
    let table = sieve.frames.as_flattened().as_flattened();
    let link = (frame - sieve.roots.len() as u32) * FRAME as u32;
    let zero = l.splat8(0.0);
    let mut columns = [[zero; 3]; 4];
    for (k, column) in columns.iter_mut().enumerate() {
        for (j, out) in column.iter_mut().enumerate() {
            *out = l.gather8(table, first, link + 8 * (3 * k + j) as u32);
        }
    }
    columns
}

/// Bounds `n` poses by planes; returns how many are left.
#[inline(always)]
fn planes<L: Lanes>(
    l: L,
    sieve: &mut Sieve,
    (of, heights, room): ([&LaneCapsule; 2], [&Heights; 2], f32),
    n: usize,
    target: f32,
) -> usize {
    let mut left = 0;
    for block in 0..n.div_ceil(8) {
        let lanes = of_first(n - 8 * block);
        let relative = Relative::load(l, &sieve.relative[block]);
        let known = l.load8(&sieve.bounds[block]);
        let gap = plane_gap(l, of, heights, &relative, room, known, (lanes, target));
        let keep = !l.above8(gap, l.splat8(target)) & lanes;
        if keep != 0 {
            sieve.bounds[block] = l.array8(gap);
            left = sieve.keep(block, keep, left);
        }
    }
    sieve.stages.planes += n - left;
    left
}

/// Looks for points inside both bodies in `n` poses. Where one is found, the pose is decided, and taken from
/// `poses`. Returns how many are left.
#[inline(always)]
fn points<L: Lanes>(
    l: L,
    sieve: &mut Sieve,
    (insides, room): ([&Inside; 2], f32),
    n: usize,
    poses: &mut Poses,
) -> usize {
    let mut left = 0;
    for block in 0..n.div_ceil(8) {
        let lanes = of_first(n - 8 * block);
        let relative = Relative::load(l, &sieve.relative[block]);
        let mut found = overlaps(l, insides, &relative, room, lanes);
        let keep = lanes & !found;
        while found != 0 {
            let pose = sieve.numbers[8 * block + found.trailing_zeros() as usize] as usize;
            sieve.rows[pose] = Row::Overlap;
            poses[pose / 64] &= !(1 << (pose % 64));
            found &= found - 1;
        }
        left = sieve.keep(block, keep, left);
    }
    sieve.stages.points += n - left;
    left
}

impl Sieve {
    /// Numbers the poses that capsules leave of a pair; returns how many there are.
    #[inline(always)]
    fn compact_poses(&mut self, pair: usize, poses: &Poses) -> usize {
        let mut n = 0;
        for (word, (poses, open)) in poses.iter().zip(self.open[pair].as_chunks::<8>().0).enumerate() {
            let mut bits = poses & u64::from_le_bytes(*open);
            self.stages.capsules += (poses & !bits).count_ones() as usize;
            while bits != 0 {
                self.numbers[n] = (64 * word) as u32 + bits.trailing_zeros();
                n += 1;
                bits &= bits - 1;
            }
        }
        n
    }

    /// Moves the lanes of a block that stay behind the first `left` poses; returns how many these are then.
    #[inline(always)]
    fn keep(&mut self, block: usize, mut lanes: u32, mut left: usize) -> usize {
        if lanes == 0xff && left == 8 * block {
            return left + 8;
        }
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            let (to, k) = (left / 8, left % 8);
            self.numbers[left] = self.numbers[8 * block + lane];
            self.bounds[to][k] = self.bounds[block][lane];
            for j in 0..12 {
                self.relative[to][j][k] = self.relative[block][j][lane];
            }
            left += 1;
            lanes &= lanes - 1;
        }
        left
    }

    /// Sorts the pairs that are left by row, and those of a row by their bounds: the one that overlaps the
    /// deepest comes first.
    pub fn sort_left(&mut self) {
        let order = |a: &Left, b: &Left| a.row.cmp(&b.row).then(a.bound.total_cmp(&b.bound));
        self.left.sort_unstable_by(|a, b| order(a, b).then(a.pair.cmp(&b.pair)));
    }

    /// What is known of a row, and its pairs in `left`, which do not begin before `from`.
    pub fn of_row(&self, row: usize, from: usize) -> (Row, Range<usize>) {
        let count = self.left[from..].iter().take_while(|left| left.row as usize == row).count();
        (self.rows[row], from..from + count)
    }

    /// Keeps the first `n` poses of a pair to be asked.
    fn leave(&mut self, pair: usize, n: usize) {
        self.stages.left += n;
        for (k, pose) in self.numbers[..n].iter().enumerate() {
            if self.left.len() == self.left.capacity() {
                self.rows[*pose as usize] = Row::Whole;
                self.stages.overflowed += 1;
            } else {
                let bound = self.bounds[k / 8][k % 8];
                self.left.push(Left { row: *pose, pair: pair as u32, bound });
            }
        }
    }
}
