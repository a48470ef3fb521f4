//! The sieve of a chunk of poses: bounds in f32 lanes, from the cheapest on, each for what the last left.
//!
//! **Poses, eight by eight.** Eight poses are placed, and their frames are kept. The capsules of all pairs
//! are bounded at once, while they are at hand. What stays of a pair is a bit for each pose.
//!
//! **Pairs, one by one.** The poses whose bits stay are compacted to eights: their two frames are gathered,
//! and B is taken into A's frame. Boxes bound them, then a few planes; after each, what is left is compacted
//! again. Then a point is searched for inside both bodies. A pose in which one is found collides, and no
//! further pair looks at it. Last, more planes are tried.
//!
//! **What is left** are pairs of poses, with their best bounds. They are asked exactly afterwards, unless
//! another pair decides the pose. A pose without any is clear. A pose whose pairs find no place in the list
//! is asked whole, and so is a row that is not a configuration.
//!
//! A pair is left out only where a bound exceeds its [`PruneAbove`]. Comparisons with NaN are false, so NaN
//! leaves no pair out. Lanes beyond the last pose repeat it, so a verdict depends on its row alone.

use super::chunk::{Chunk, Poses, Row};
use super::crowds::boxes_around;
use super::eights::{V, load3};
use super::gaps::{Relative, box_gap, capsule_gap};
use super::lanes::{are_values, place_links, split_columns};
use super::model::{LaneCapsule, Model};
use super::planes::{first_direction, plane_gap};
use super::points::find_overlap_lanes;
use crate::bounds::heights::Heights;
use crate::bounds::inside::Inside;
use crate::bounds::tolerance::HEIGHT_LOOKS;
use crate::query::tolerance::{BATCH_CHUNK, BATCH_LOOKS};
use elbowroom_pair::numeric::simd::{Kernel, Lanes};

/// How many numbers the frames of one link in eight poses are.
const FRAME: usize = 12 * 8;

/// The distances beyond which a pair is left out (metres, at least zero).
pub(super) trait PruneAbove {
    /// Whether poses only count as a whole: once one pair of a pose stays open, its other pairs are not
    /// looked at, and no pair is kept to be asked.
    const WHOLE: bool;
    /// The distances for a pair in the eight consecutive poses that begin at `8 * eight`.
    fn of_eight<L: Lanes>(&self, l: L, pair: usize, eight: usize) -> L::E;
    /// The distances for a pair in the eight poses with these numbers.
    fn of_poses<L: Lanes>(&self, l: L, pair: usize, poses: [u32; 8]) -> L::E;
}

/// One distance for all pairs and poses.
impl PruneAbove for f32 {
    const WHOLE: bool = false;
    #[inline(always)]
    fn of_eight<L: Lanes>(&self, l: L, _: usize, _: usize) -> L::E {
        l.splat8(*self)
    }
    #[inline(always)]
    fn of_poses<L: Lanes>(&self, l: L, _: usize, _: [u32; 8]) -> L::E {
        l.splat8(*self)
    }
}

/// Sieves a chunk of rows.
pub(super) struct Sift<'a, T> {
    pub model: &'a Model,
    pub chunk: &'a mut Chunk,
    /// Joint values, a row for each of `count` poses.
    pub values: &'a [f64],
    pub count: usize,
    /// By capsule of the world, tables of the bodies' heights and of what is inside them; of the latter none
    /// where overlaps decide nothing.
    pub heights: &'a [Option<Heights>],
    pub insides: &'a [Option<Inside>],
    pub prune_above: T,
}

impl<T: PruneAbove> Kernel for Sift<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Sift { model, chunk, values, count, heights, insides, prune_above } = self;
        let prune_above = &prune_above;
        chunk.left.clear();
        let mut poses = place_all(l, model, chunk, values, count, prune_above);
        for (number, pair) in model.pairs.iter().enumerate() {
            let mut n = chunk.compact_poses(number, &poses);
            if n == 0 {
                continue;
            }
            let of = [&model.capsules[pair.capsules[0] as usize], &model.capsules[pair.capsules[1] as usize]];
            let [a, b] = [of[0].id.index(), of[1].id.index()];
            n = bound_by_boxes(l, model, chunk, (of, number), n, prune_above);
            let both = [&heights[a], &heights[b]];
            if let ([Some(a), Some(b)], true) = (both, n > 0) {
                n = bound_by_planes(l, chunk, (of, [a, b], pair.room, number), n, (true, prune_above));
            }
            let inside = [insides.get(a), insides.get(b)].map(|i| i.and_then(Option::as_ref));
            if let ([Some(a), Some(b)], true) = (inside, n > 0) {
                n = find_inner_points(l, chunk, ([a, b], pair.room), n, &mut poses);
            }
            if let ([Some(a), Some(b)], true) = (both, n > 0) {
                n = bound_by_planes(l, chunk, (of, [a, b], pair.room, number), n, (false, prune_above));
            }
            if T::WHOLE {
                chunk.give_up(n, &mut poses);
            } else {
                chunk.queue_poses(number, n);
            }
        }
    }
}

/// Places all poses and bounds all pairs by capsules. Returns the poses that are configurations.
#[inline(always)]
fn place_all<L: Lanes>(
    l: L,
    model: &Model,
    chunk: &mut Chunk,
    values: &[f64],
    count: usize,
    prune_above: &impl PruneAbove,
) -> Poses {
    let Chunk { columns: each, roots, frames, capsules, around, open, rows, stages, .. } = chunk;
    let (links, nodes) = (model.links.len(), model.crowds.len() + model.joins.len());
    let mut poses = [0; BATCH_CHUNK / 64];
    for eight in 0..count.div_ceil(8) {
        // The last row fills lanes that have no row of their own.
        let mut of_lanes = [0; 8];
        for (k, row) in of_lanes.iter_mut().enumerate() {
            *row = (8 * eight + k).min(count - 1);
        }
        split_columns(values, of_lanes, each);
        let good = are_values(l, model, each) & of_first(count - 8 * eight) as u8;
        let frames = &mut frames[eight * links..(eight + 1) * links];
        place_links(l, model, each, roots, frames, capsules);
        boxes_around(l, model, frames, capsules, &mut around[eight * nodes..(eight + 1) * nodes]);
        for (number, (pair, open)) in model.pairs.iter().zip(open.iter_mut()).enumerate() {
            let [a, b] = pair.capsules;
            let of = [&model.capsules[a as usize], &model.capsules[b as usize]];
            let gap = capsule_gap(l, of, [&capsules[a as usize], &capsules[b as usize]]);
            open[eight] = !l.above_mask8(gap, prune_above.of_eight(l, number, eight)) as u8 & good;
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
fn bound_by_boxes<L: Lanes>(
    l: L,
    model: &Model,
    chunk: &mut Chunk,
    (of, number): ([&LaneCapsule; 2], usize),
    n: usize,
    prune_above: &impl PruneAbove,
) -> usize {
    let room = model.pairs[number].room;
    let stride = (model.links.len() * FRAME) as u32;
    let mut left = 0;
    for block in 0..n.div_ceil(8) {
        let poses = chunk.poses_of(block, n);
        let first = l.load_indices8(&poses.map(|pose| pose / 8 * stride + pose % 8));
        let a = frame_of(l, chunk, of[0].frame, first);
        let b = frame_of(l, chunk, of[1].frame, first);
        let relative = Relative::new(l, a, b);
        // NaN bounds nothing.
        let gap = l.max8(box_gap(l, of, &relative, room), l.splat8(f32::NEG_INFINITY));
        let keep = !l.above_mask8(gap, prune_above.of_poses(l, number, poses)) & of_first(n - 8 * block);
        if keep != 0 {
            chunk.relative[block] = relative.store_lanes(l);
            chunk.bounds[block] = l.to_array8(gap);
            left = chunk.retain_lanes(block, keep, left);
        }
    }
    chunk.stages.boxes += n - left;
    left
}

/// The frame of a capsule for eight poses, whose first numbers among those of the frames are given.
#[inline(always)]
fn frame_of<L: Lanes>(l: L, chunk: &Chunk, frame: u32, first: L::I) -> [V<L::E>; 4] {
    if let Some(m) = chunk.roots.get(frame as usize) {
        return [load3(l, m, 0), load3(l, m, 3), load3(l, m, 6), load3(l, m, 9)];
    }
    let table = chunk.frames.as_flattened().as_flattened();
    let link = (frame - chunk.roots.len() as u32) * FRAME as u32;
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
fn bound_by_planes<L: Lanes>(
    l: L,
    chunk: &mut Chunk,
    (of, heights, room, number): ([&LaneCapsule; 2], [&Heights; 2], f32, usize),
    n: usize,
    (first, prune_above): (bool, &impl PruneAbove),
) -> usize {
    let mut left = 0;
    let looks = if first { BATCH_LOOKS } else { HEIGHT_LOOKS - BATCH_LOOKS };
    for block in 0..n.div_ceil(8) {
        let lanes = of_first(n - 8 * block);
        let relative = Relative::load_lanes(l, &chunk.relative[block]);
        let known = l.load8(&chunk.bounds[block]);
        let direction = match first {
            true => first_direction(l, of, &relative),
            false => load3(l, &chunk.directions[block], 0),
        };
        let prune_above = prune_above.of_poses(l, number, chunk.poses_of(block, n));
        let (gap, next) =
            plane_gap(l, heights, &relative, room, direction, known, (looks, lanes, prune_above));
        let keep = !l.above_mask8(gap, prune_above) & lanes;
        if keep != 0 {
            chunk.bounds[block] = l.to_array8(gap);
            chunk.directions[block] = [l.to_array8(next[0]), l.to_array8(next[1]), l.to_array8(next[2])];
            left = chunk.retain_lanes(block, keep, left);
        }
    }
    chunk.stages.planes += n - left;
    left
}

/// Looks for points inside both bodies in `n` poses. Where one is found, the pose is decided, and taken from
/// `poses`. Returns how many are left.
#[inline(always)]
fn find_inner_points<L: Lanes>(
    l: L,
    chunk: &mut Chunk,
    (insides, room): ([&Inside; 2], f32),
    n: usize,
    poses: &mut Poses,
) -> usize {
    let mut left = 0;
    for block in 0..n.div_ceil(8) {
        let lanes = of_first(n - 8 * block);
        let relative = Relative::load_lanes(l, &chunk.relative[block]);
        let mut found = find_overlap_lanes(l, insides, &relative, room, lanes);
        let keep = lanes & !found;
        while found != 0 {
            let pose = chunk.numbers[8 * block + found.trailing_zeros() as usize] as usize;
            chunk.rows[pose] = Row::Overlap;
            poses[pose / 64] &= !(1 << (pose % 64));
            found &= found - 1;
        }
        left = chunk.retain_lanes(block, keep, left);
    }
    chunk.stages.points += n - left;
    left
}
