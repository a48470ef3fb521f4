//! The least bound of all pairs: of eight poses in f32 lanes, and by tables of heights of one pose at a time.
//! The arithmetic is that of `bounds`.

use super::eights::{Eights, abs8, add3, dot3, image, load3, mul3, sub3, unit8};
use super::model::{LaneCapsule, Model};
use crate::bounds::heights::Heights;
use crate::bounds::inside::Inside;
use crate::numeric::math::{Mat3, Transform, Vec3, round_down};
use crate::numeric::simd::Lanes;
use crate::query::tolerance::{BATCH_AXIS, BATCH_NEAR, BATCH_PARALLEL};

/// What lanes prove about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Every pair is farther apart than the target.
    Clear,
    /// Two bodies are proved to overlap.
    Overlap,
    /// Neither, or the row is not a configuration: it is asked by itself.
    Open,
}

impl Row {
    /// From the least bound in its lane.
    #[inline(always)]
    pub fn of(bound: f32, target: f32) -> Row {
        match bound {
            OVERLAP => Row::Overlap,
            bound if bound > target => Row::Clear,
            _ => Row::Open,
        }
    }
}

/// In place of a bound: a point was found in both bodies. It is less than every finite bound.
const OVERLAP: f32 = f32::MIN;

/// The least bound of all pairs, each by capsules; in lanes where that is not above the target, also by boxes
/// and then by heights, a lane at a time.
#[inline(always)]
pub(super) fn least_gap<L: Lanes>(
    l: L,
    model: &Model,
    frames: &[[Eights; 12]],
    capsules: &[[Eights; 6]],
    heights: &[Option<Heights>],
    insides: &[Option<Inside>],
    target: f32,
) -> L::E {
    let mut least = l.splat8(f32::INFINITY);
    for pair in &model.pairs {
        let [a, b] = [&model.capsules[pair[0] as usize], &model.capsules[pair[1] as usize]];
        // NaN bounds nothing.
        let nothing = l.splat8(f32::NEG_INFINITY);
        let gap = capsule_gap(l, [a, b], [&capsules[pair[0] as usize], &capsules[pair[1] as usize]]);
        let mut gap = l.max8(gap, nothing);
        if !(l.least8(gap).0 > target) {
            // Rows with an overlap are decided, and open rows will be asked by themselves.
            let decided = l.array8(least).map(|gap| !(gap > target));
            if decided.iter().all(|d| *d) {
                break;
            }
            let at = [&frames[a.frame as usize], &frames[b.frame as usize]];
            gap = l.max8(box_gap(l, [a, b], at), gap);
            let mut each = l.array8(gap);
            let known = [&heights[a.id.index()], &heights[b.id.index()]];
            if let [Some(a_heights), Some(b_heights)] = known {
                let insides = [&insides[a.id.index()], &insides[b.id.index()]];
                for (k, bound) in each.iter_mut().enumerate() {
                    if !(*bound > target || decided[k]) {
                        *bound = in_lane([a, b], at, [a_heights, b_heights], insides, k, *bound, target);
                    }
                }
            }
            gap = l.max8(l.load8(&each), nothing);
        }
        least = l.min8(gap, least);
    }
    least
}

/// As `bounds::lanes::four_gaps`.
#[inline(always)]
fn capsule_gap<L: Lanes>(l: L, [of_a, of_b]: [&LaneCapsule; 2], [a, b]: [&[Eights; 6]; 2]) -> L::E {
    let (zero, one) = (l.splat8(0.0), l.splat8(1.0));
    let (half_a, half_b) = (load3(l, a, 3), load3(l, b, 3));
    let r = sub3(l, load3(l, a, 0), load3(l, b, 0));
    let (ra, rb, ab) = (dot3(l, r, half_a), dot3(l, r, half_b), dot3(l, half_a, half_b));
    let (inverse_a, inverse_b) = (l.splat8(of_a.inverse), l.splat8(of_b.inverse));
    let (to_a, to_b) = (l.mul8(ab, inverse_a), l.mul8(ab, inverse_b));
    let (from_a, from_b) = (l.mul8(ra, inverse_a), l.mul8(rb, inverse_b));
    let apart = l.max8(l.sub8(one, l.mul8(to_a, to_b)), l.splat8(BATCH_PARALLEL));
    let s = unit8(l, l.div8(l.sub8(l.mul8(from_b, to_a), from_a), apart));
    let t = unit8(l, l.add8(from_b, l.mul8(s, to_b)));
    let s = unit8(l, l.sub8(l.mul8(t, to_a), from_a));
    let v = sub3(l, add3(l, r, mul3(l, half_a, s)), mul3(l, half_b, t));
    let across = l.add8(abs8(l, dot3(l, v, half_a)), abs8(l, dot3(l, v, half_b)));
    let square = dot3(l, v, v);
    let proved = l.div8(l.sub8(dot3(l, v, r), across), l.sqrt8(square));
    // Without a direction the distance of the axes is only known to be at least zero.
    let proved = l.positive8(l.sub8(square, l.splat8(BATCH_NEAR)), proved, zero);
    l.sub8(l.max8(proved, zero), l.splat8(of_a.radius + of_b.radius))
}

/// As `BodyBox::faces_gap`. The result is a bound only where it is positive.
#[inline(always)]
fn box_gap<L: Lanes>(l: L, [of_a, of_b]: [&LaneCapsule; 2], [a, b]: [&[Eights; 12]; 2]) -> L::E {
    let ra = [load3(l, a, 0), load3(l, a, 3), load3(l, a, 6)];
    let rb = [load3(l, b, 0), load3(l, b, 3), load3(l, b, 6)];
    let (center_a, center_b) =
        (image(l, &ra, &of_a.box_center, load3(l, a, 9)), image(l, &rb, &of_b.box_center, load3(l, b, 9)));
    let apart = sub3(l, center_b, center_a);
    let mut best = l.splat8(f32::NEG_INFINITY);
    let mut across_b = [l.splat8(0.0); 3];
    let (own_a, own_b) = (own_reach(l, &ra, &of_a.box_half), own_reach(l, &rb, &of_b.box_half));
    for (k, axis) in ra.into_iter().enumerate() {
        let half = l.splat8(of_a.box_half[k]);
        let mut reach = own_a[k];
        for j in 0..3 {
            let m = abs8(l, dot3(l, axis, rb[j]));
            reach = l.add8(reach, l.mul8(m, l.splat8(of_b.box_half[j])));
            across_b[j] = l.add8(across_b[j], l.mul8(m, half));
        }
        best = l.max8(l.sub8(abs8(l, dot3(l, apart, axis)), reach), best);
    }
    for j in 0..3 {
        let reach = l.add8(own_b[j], across_b[j]);
        best = l.max8(l.sub8(abs8(l, dot3(l, apart, rb[j])), reach), best);
    }
    // The length of a computed axis differs from one by less than `BATCH_AXIS`.
    l.sub8(l.mul8(best, l.splat8(1.0 - BATCH_AXIS)), l.splat8(of_a.slack + of_b.slack))
}

/// As `body_box::own_extent`.
#[inline(always)]
fn own_reach<L: Lanes>(l: L, [x, y, z]: &[[L::E; 3]; 3], half: &[f32; 3]) -> [L::E; 3] {
    let [hx, hy, hz] = [l.splat8(half[0]), l.splat8(half[1]), l.splat8(half[2])];
    let (xy, yz, zx) = (abs8(l, dot3(l, *x, *y)), abs8(l, dot3(l, *y, *z)), abs8(l, dot3(l, *z, *x)));
    let (xx, yy, zz) = (dot3(l, *x, *x), dot3(l, *y, *y), dot3(l, *z, *z));
    let half = [hx, hy, hz];
    [dot3(l, [xx, xy, zx], half), dot3(l, [xy, yy, yz], half), dot3(l, [zx, yz, zz], half)]
}

/// A bound by the heights of two bodies, for one lane; [`OVERLAP`] if a point is found in both.
#[inline(never)]
fn in_lane(
    [of_a, of_b]: [&LaneCapsule; 2],
    at: [&[Eights; 12]; 2],
    heights: [&Heights; 2],
    insides: [&Option<Inside>; 2],
    lane: usize,
    known: f32,
    target: f32,
) -> f32 {
    let transform = |frame: &[Eights; 12]| {
        let v = |i: usize| {
            let [x, y, z] = [frame[i][lane], frame[i + 1][lane], frame[i + 2][lane]].map(f64::from);
            Vec3 { x, y, z }
        };
        Transform { rotation: Mat3 { cols: [v(0), v(3), v(6)] }, translation: v(9) }
    };
    let [a_at, b_at] = at.map(transform);
    let middle = |c: &LaneCapsule| {
        let [x, y, z] = c.box_center.map(f64::from);
        Vec3 { x, y, z }
    };
    let direction = b_at.point(middle(of_b)) - a_at.point(middle(of_a));
    let slack = f64::from(of_a.slack) + f64::from(of_b.slack);
    let gap = Heights::gap(heights, [&a_at, &b_at], direction, slack, f64::from(known), f64::from(target));
    if !(gap > f64::from(target))
        && let [Some(a), Some(b)] = insides
        && Inside::overlap([a, b], [&a_at, &b_at], slack).is_some()
    {
        return OVERLAP;
    }
    round_down(gap)
}
