//! A ball around points: Badoiu and Clarkson's shrinking walk, "Smaller core-sets for balls" (2003).
//!
//! The centre moves towards the farthest point by a shrinking fraction; after i steps the radius is within
//! 1/sqrt(i) of the smallest, in practice far closer. The best centre seen counts; its radius is measured at
//! the end and rounded up.
//!
//! As long as the centre is within some distance of where all points were looked at, only those can be
//! farthest that were farthest there to within twice that: the others are left out, and the walk is the same
//! to the last bit. What is left is looked at four at a time, each lane along a run of its own, so that of
//! equals the first still wins.

use super::block::Block;
use crate::numeric::math::{Vec3, sqrt, vec3};
use crate::numeric::simd::{Kernel, Lanes, V3, dispatch, dot3, select3, splat3, sub3};
use crate::shape::tolerance::{HULL_BALL_WALK, HULL_BALL_WORK};
use alloc::vec::Vec;

/// HullScratch for work.
#[derive(Default)]
pub(super) struct Near {
    points: Vec<Vec3>,
    blocks: Vec<Block>,
}

impl Near {
    /// How many points it holds.
    #[cfg(test)]
    pub(super) fn points(&self) -> usize {
        self.points.len()
    }

    /// The points that are at least so far (squared) from a centre.
    fn fill(&mut self, points: &[Vec3], c: Vec3, least: f64) {
        self.points.clear();
        self.points.extend(points.iter().filter(|p| (**p - c).norm_squared() >= least));
        let run = self.points.len().div_ceil(4);
        // Where a run is short, the first point once more: what equals it comes after it.
        let at = |i: usize, lane: usize| {
            self.points.get(lane * run + i).or(self.points.first()).copied().unwrap_or(c)
        };
        self.blocks.clear();
        self.blocks.extend((0..run).map(|i| Block::new([at(i, 0), at(i, 1), at(i, 2), at(i, 3)])));
    }
}

struct Walk<'a>(&'a [Vec3], &'a mut Near);

impl Kernel for Walk<'_> {
    type Output = (Vec3, f64);
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> (Vec3, f64) {
        let Walk(points, near) = self;
        let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), &p| (l.min(p), h.max(p)));
        let mut c = low + (high - low) * 0.5;
        near.fill(points, c, 0.0);
        let (mut d, mut at) = farthest(l, &near.blocks, c);
        let mut best = (c, d);
        let steps = (HULL_BALL_WORK / points.len()).clamp(8, 256);
        let (mut looked_from, mut square, mut again) = (c, -1.0, 0);
        for i in 0..steps {
            c += (at - c) * (1.0 / (i as f64 + 4.0));
            if i >= again || !((c - looked_from).norm_squared() <= square) {
                // Also where steps have become shorter: fewer points can be farthest then.
                again = i + i / 2 + 4;
                let largest = points.iter().fold(0.0, |d: f64, p| d.max((*p - c).norm_squared()));
                let walk = sqrt(largest) * (HULL_BALL_WALK / (i as f64 + 4.0));
                (looked_from, square) = (c, walk * walk);
                // A billionth of the distance is far more than all rounding.
                let least = (sqrt(largest) * (1.0 - 1e-9) - 2.0 * walk * (1.0 + 1e-9)).max(0.0);
                near.fill(points, c, least * least);
            }
            (d, at) = farthest(l, &near.blocks, c);
            let better = d < best.1;
            best.0.x = if better { c.x } else { best.0.x };
            best.0.y = if better { c.y } else { best.0.y };
            best.0.z = if better { c.z } else { best.0.z };
            best.1 = if better { d } else { best.1 };
        }
        best
    }
}

/// The largest squared distance, and the first point that has it; the centre itself if none is away from it.
#[inline(always)]
fn farthest<L: Lanes>(l: L, blocks: &[Block], c: Vec3) -> (f64, Vec3) {
    let from = splat3(l, c);
    let (mut d, mut at) = (l.splat(0.0), from);
    for b in blocks {
        let p = V3 { x: l.load(&b.x), y: l.load(&b.y), z: l.load(&b.z) };
        let away = sub3(l, p, from);
        let e = dot3(l, away, away);
        let farther = l.gt(e, d);
        (d, at) = (l.select(farther, e, d), select3(l, farther, p, at));
    }
    let (d, [x, y, z]) = l.of_largest(d, [at.x, at.y, at.z]);
    (d, vec3(x, y, z))
}

/// Centre and largest squared distance.
pub(super) fn around(points: &[Vec3], near: &mut Near) -> (Vec3, f64) {
    dispatch(Walk(points, near))
}
