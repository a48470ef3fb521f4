//! A ball around points: Badoiu and Clarkson's walk, "Smaller core-sets for balls" (2003).
//!
//! The centre moves towards the farthest point by a shrinking fraction. After i steps the radius is within
//! 1/sqrt(i) of the smallest, in practice much closer. The best centre counts; its radius is measured at the
//! end and rounded up.
//!
//! All points are visited from time to time. While the centre is within a distance `d` of the last such
//! place, a point can be the farthest only if its distance there was within `2 d` of the largest. These
//! points are the candidates; the result is the same, bit for bit. Candidates are visited four at a time.
//! Each lane has a run of its own, so that of equal distances the first point still counts.
//!
//! Each step waits for the one before, so eight small sets walk at once, a set to a lane of two registers,
//! with all their points: the results are again the same.

use super::block::Block;
use crate::numeric::simd::{Kernel, Lanes, V3, dispatch_kernel, dot_vec3, select_vec3, splat_vec3, sub_vec3};
use crate::shape::tolerance::{HULL_BALL_TOGETHER, HULL_BALL_WALK, HULL_BALL_WORK};
use alloc::vec::Vec;
use elbowroom_describe::math::{Vec3, sqrt, vec3};

/// The points that can be farthest.
#[derive(Default)]
pub(super) struct Candidates {
    points: Vec<Vec3>,
    blocks: Vec<Block>,
}

impl Candidates {
    /// Number of candidates.
    #[cfg(test)]
    pub(super) fn points(&self) -> usize {
        self.points.len()
    }

    /// Collects the points whose squared distance from a centre is at least `least`.
    fn collect_far_points(&mut self, points: &[Vec3], c: Vec3, least: f64) {
        self.points.clear();
        self.points.extend(points.iter().filter(|p| (**p - c).norm_squared() >= least));
        let run = self.points.len().div_ceil(4);
        // A short run is filled with the first point, which never wins over itself.
        let at = |i: usize, lane: usize| {
            self.points.get(lane * run + i).or(self.points.first()).copied().unwrap_or(c)
        };
        self.blocks.clear();
        self.blocks.extend((0..run).map(|i| Block::new([at(i, 0), at(i, 1), at(i, 2), at(i, 3)])));
    }
}

/// Where a walk starts: the middle of the box around the points.
#[inline(always)]
fn walk_start(points: &[Vec3]) -> Vec3 {
    let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), &p| (l.min(p), h.max(p)));
    low + (high - low) * 0.5
}

/// Steps of a walk over so many points.
#[inline(always)]
fn walk_steps(points: usize) -> usize {
    (HULL_BALL_WORK / points).clamp(8, 256)
}

struct Walk<'a>(&'a [Vec3], &'a mut Candidates);

impl Kernel for Walk<'_> {
    type Output = (Vec3, f64);
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> (Vec3, f64) {
        let Walk(points, candidates) = self;
        let mut c = walk_start(points);
        candidates.collect_far_points(points, c, 0.0);
        let (mut d, mut at) = find_farthest_from(l, &candidates.blocks, c);
        let mut best = (c, d);
        let (mut visited_from, mut square, mut again) = (c, -1.0, 0);
        for i in 0..walk_steps(points.len()) {
            c += (at - c) * (1.0 / (i as f64 + 4.0));
            if i >= again || !((c - visited_from).norm_squared() <= square) {
                // Also from time to time: with shorter steps fewer points are candidates.
                again = i + i / 2 + 4;
                let largest = points.iter().fold(0.0, |d: f64, p| d.max((*p - c).norm_squared()));
                let walk = sqrt(largest) * (HULL_BALL_WALK / (i as f64 + 4.0));
                (visited_from, square) = (c, walk * walk);
                // A billionth of the distance is far more than the rounding.
                let least = (sqrt(largest) * (1.0 - 1e-9) - 2.0 * walk * (1.0 + 1e-9)).max(0.0);
                candidates.collect_far_points(points, c, least * least);
            }
            (d, at) = find_farthest_from(l, &candidates.blocks, c);
            let better = d < best.1;
            best.0.x = if better { c.x } else { best.0.x };
            best.0.y = if better { c.y } else { best.0.y };
            best.0.z = if better { c.z } else { best.0.z };
            best.1 = if better { d } else { best.1 };
        }
        best
    }
}

/// The largest squared distance and the first point that has it; the centre itself if all points are there.
#[inline(always)]
fn find_farthest_from<L: Lanes>(l: L, blocks: &[Block], c: Vec3) -> (f64, Vec3) {
    let from = splat_vec3(l, c);
    let (mut d, mut at) = (l.splat(0.0), from);
    for b in blocks {
        let p = V3 { x: l.load(&b.x), y: l.load(&b.y), z: l.load(&b.z) };
        let away = sub_vec3(l, p, from);
        let e = dot_vec3(l, away, away);
        let farther = l.gt(e, d);
        (d, at) = (l.select(farther, e, d), select_vec3(l, farther, p, at));
    }
    let (d, [x, y, z]) = l.of_largest(d, [at.x, at.y, at.z]);
    (d, vec3(x, y, z))
}

/// Walks of `N` times four sets at once. Block `k` has point `k` of each set of a four; a short set is filled
/// with its first point.
struct Walks<'a, const N: usize>([Block; N], &'a [[Block; N]]);

impl<const N: usize> Kernel for Walks<'_, N> {
    type Output = [Block; N];
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [Block; N] {
        let Walks(starts, blocks) = self;
        let zero = V3 { x: l.splat(0.0), y: l.splat(0.0), z: l.splat(0.0) };
        let mut c = [zero; N];
        let mut n = 0;
        while n < N {
            c[n] = starts[n].load_lanes(l);
            n += 1;
        }
        let (mut least, mut at) = ([zero.x; N], [zero; N]);
        farthest_of_each(l, blocks, &c, &mut least, &mut at);
        let (mut best, mut d) = (c, least);
        for i in 0..walk_steps(blocks.len()) {
            let share = l.splat(1.0 / (i as f64 + 4.0));
            let mut n = 0;
            while n < N {
                let to = sub_vec3(l, at[n], c[n]);
                c[n].x = l.add(c[n].x, l.mul(to.x, share));
                c[n].y = l.add(c[n].y, l.mul(to.y, share));
                c[n].z = l.add(c[n].z, l.mul(to.z, share));
                n += 1;
            }
            farthest_of_each(l, blocks, &c, &mut d, &mut at);
            let mut n = 0;
            while n < N {
                let better = l.gt(least[n], d[n]);
                least[n] = l.select(better, d[n], least[n]);
                best[n] = select_vec3(l, better, c[n], best[n]);
                n += 1;
            }
        }
        let mut out = starts;
        let mut n = 0;
        while n < N {
            out[n] = Block { x: l.to_array(best[n].x), y: l.to_array(best[n].y), z: l.to_array(best[n].z) };
            n += 1;
        }
        out
    }
}

/// In each lane the largest squared distance and the first point that has it.
#[inline(always)]
fn farthest_of_each<L: Lanes, const N: usize>(
    l: L,
    blocks: &[[Block; N]],
    c: &[V3<L::F>; N],
    d: &mut [L::F; N],
    at: &mut [V3<L::F>; N],
) {
    (*d, *at) = ([l.splat(0.0); N], *c);
    let mut i = 0;
    while i < blocks.len() {
        let mut n = 0;
        while n < N {
            let p = blocks[i][n].load_lanes(l);
            let away = sub_vec3(l, p, c[n]);
            let e = dot_vec3(l, away, away);
            at[n] = select_vec3(l, l.gt(e, d[n]), p, at[n]);
            d[n] = l.max(e, d[n]);
            n += 1;
        }
        i += 1;
    }
}

/// By set of points, its [`ball_center`].
pub(super) fn ball_centers(sets: &[&[Vec3]], candidates: &mut Candidates) -> Vec<Vec3> {
    let mut centers = alloc::vec![Vec3::ZERO; sets.len()];
    // Sets of about the same size walk together.
    let mut small: Vec<usize> = Vec::with_capacity(sets.len());
    for (i, set) in sets.iter().enumerate() {
        match set.len() {
            0 => {}
            1..=HULL_BALL_TOGETHER => small.push(i),
            _ => centers[i] = ball_center(set, candidates),
        }
    }
    small.sort_unstable_by_key(|i| (sets[*i].len(), *i));
    let (mut eights, mut fours) = (Vec::new(), Vec::new());
    for group in small.chunks(8) {
        if group.len() > 4 {
            walk_together::<2>(sets, group, &mut eights, &mut centers);
        } else {
            walk_together::<1>(sets, group, &mut fours, &mut centers);
        }
    }
    centers
}

/// The centres of a group of up to `N` times four small sets. `blocks` is work space.
fn walk_together<const N: usize>(
    sets: &[&[Vec3]],
    group: &[usize],
    blocks: &mut Vec<[Block; N]>,
    centers: &mut [Vec3],
) {
    let four = |n: usize| -> [&[Vec3]; 4] {
        core::array::from_fn(|lane| sets[group[(4 * n + lane).min(group.len() - 1)]])
    };
    let fours: [[&[Vec3]; 4]; N] = core::array::from_fn(four);
    let most = fours.iter().flatten().map(|set| set.len()).max().unwrap_or(0);
    let point = |k: usize| fours.map(|four| Block::new(four.map(|set| *set.get(k).unwrap_or(&set[0]))));
    blocks.clear();
    blocks.extend((0..most).map(point));
    let starts = fours.map(|four| Block::new(four.map(walk_start)));
    let found = dispatch_kernel(Walks(starts, blocks));
    group.iter().enumerate().for_each(|(k, i)| centers[*i] = found[k / 4].point(k % 4));
}

/// The centre of a ball around points; the origin if there are none. Not proved.
pub(super) fn ball_center(points: &[Vec3], candidates: &mut Candidates) -> Vec3 {
    if points.is_empty() { Vec3::ZERO } else { approximate_ball(points, candidates).0 }
}

/// Centre of a ball around points, and its squared radius. Not proved.
pub(super) fn approximate_ball(points: &[Vec3], candidates: &mut Candidates) -> (Vec3, f64) {
    dispatch_kernel(Walk(points, candidates))
}
