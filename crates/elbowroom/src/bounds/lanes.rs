//! Lower bounds on the distances of four pairs of capsules at once.
//!
//! A [`CapsuleRecord`] is a capsule prepared for this: the middle of its axis, half the axis, the inverse of
//! its square, and a radius. The rounding of a bound is a few units of the magnitudes of both capsules; each
//! radius includes its capsule's share, so the lanes spend nothing on it. There are no branches, and NaN
//! becomes minus infinity. There are no closures: they would not be compiled for AVX2.

use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::ball::Ball;
use crate::bounds::capsule::Capsule;
use crate::bounds::tolerance::{GAP_PARALLEL, GAP_ROUNDING};
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::numeric::simd::{Kernel, Lanes, V3, abs_lanes, dispatch_kernel, dot_vec3, sub_vec3};
use elbowroom_pair::numeric::tolerance::{LEAST_SQUARE, ROUNDOFF, SHIFT_PER_OFFSET, UNDERFLOW};

/// A radius with this capsule's share of the rounding of a bound.
#[inline(always)]
fn widen_radius(radius: f64, magnitude: f64) -> f64 {
    radius + 2.0 * GAP_ROUNDING * (magnitude + radius) + 4.0 * UNDERFLOW
}

#[inline(always)]
fn sum_of_abs(v: Vec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

/// A capsule prepared for [`capsule_gaps`]; one cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct CapsuleRecord {
    // Middle of the axis and radius; half the axis and the inverse of its square, zero where it is a point.
    pub(crate) center: [f64; 4],
    pub(crate) half: [f64; 4],
}

impl CapsuleRecord {
    /// The capsule in the frame that `at` leads to. `radius` is [`CapsuleRecord::posed_radius`].
    #[inline(always)]
    pub(crate) fn transform_by(&self, at: &Transform, radius: f64) -> CapsuleRecord {
        let ([x, y, z, _], [u, v, w, inverse]) = (self.center, self.half);
        let (center, half) = (at.point(Vec3 { x, y, z }), at.rotation * Vec3 { x: u, y: v, z: w });
        CapsuleRecord {
            center: [center.x, center.y, center.z, radius],
            // The number of the axis before: it only chooses the point on the axis.
            half: [half.x, half.y, half.z, inverse],
        }
    }

    /// The radius of a capsule in another frame, whose origin is at most `distance` away (metres): with the
    /// error of its points (`slack`) and all rounding of transforming it and of a bound. `arm` is its
    /// [`Capsule::reach_from_origin`].
    #[inline]
    pub(crate) fn posed_radius(radius: f64, arm: f64, distance: f64, slack: f64) -> f64 {
        let far = (arm + distance) * (1.0 + 8.0 * ROUNDOFF);
        // Middle and half are each rounded relative to their length; their coordinates sum to less than four
        // times `far`.
        widen_radius(radius + slack + 2.0 * SHIFT_PER_OFFSET * far, 4.0 * far)
    }

    /// A box around it, parallel to the axes of its frame.
    #[inline]
    pub(crate) fn bounding_box(&self) -> AlignedBox {
        let [x, y, z, radius] = self.center;
        let extent = |half: f64, center: f64| {
            let r = half.abs() + radius;
            r + 4.0 * ROUNDOFF * (r + center.abs())
        };
        let r = Vec3 { x: extent(self.half[0], x), y: extent(self.half[1], y), z: extent(self.half[2], z) };
        let center = Vec3 { x, y, z };
        AlignedBox { low: center - r, high: center + r }
    }

    /// A lower bound on the signed distance of the contents of this capsule and a ball (metres), rounding
    /// included: their gap along the line from the ball's centre to the nearest point of the axis.
    #[inline]
    pub fn ball_gap(&self, ball: &Ball) -> f64 {
        let [x, y, z, radius] = self.center;
        let (middle, half) = (Vec3 { x, y, z }, Vec3 { x: self.half[0], y: self.half[1], z: self.half[2] });
        let apart = ball.center - middle;
        let along = (apart.dot(half) * self.half[3]).clamp(-1.0, 1.0);
        let line = apart - half * along;
        let length = line.norm();
        // The centre lies on the axis, or is NaN: there is no direction.
        if !(length > LEAST_SQUARE) {
            return -(radius + widen_radius(ball.radius, sum_of_abs(ball.center)));
        }
        let from_axis = (line.dot(apart) - line.dot(half).abs()) / length;
        (from_axis - (radius + widen_radius(ball.radius, sum_of_abs(ball.center)))).max(f64::NEG_INFINITY)
    }

    /// The record of a capsule.
    #[inline]
    pub fn new(c: &Capsule) -> CapsuleRecord {
        let (center, half) = (c.center(), (c.b - c.a) * 0.5);
        let square = half.norm_squared();
        let radius = widen_radius(c.radius, sum_of_abs(center) + sum_of_abs(half));
        // An axis whose square underflows becomes a point, and its length is added to the radius.
        let (half, radius, inverse) = if square > LEAST_SQUARE {
            (half, radius, 1.0 / square)
        } else {
            (Vec3::ZERO, radius + sum_of_abs(half) * 2.0, 0.0)
        };
        CapsuleRecord {
            center: [center.x, center.y, center.z, radius],
            half: [half.x, half.y, half.z, inverse],
        }
    }
    /// Its radius (metres), rounding included.
    pub fn radius(&self) -> f64 {
        self.center[3]
    }
}

#[inline(always)]
fn clamp_lanes<L: Lanes>(l: L, a: L::F, to: L::F) -> L::F {
    l.min(l.max(a, l.sub(l.splat(0.0), to)), to)
}
#[inline(always)]
fn points_along<L: Lanes>(l: L, from: V3<L::F>, step: V3<L::F>, s: L::F) -> V3<L::F> {
    V3 {
        x: l.add(from.x, l.mul(step.x, s)),
        y: l.add(from.y, l.mul(step.y, s)),
        z: l.add(from.z, l.mul(step.z, s)),
    }
}

/// The columns of four rows of four numbers.
#[inline(always)]
fn load_columns<L: Lanes>(l: L, [a, b, c, d]: [&[f64; 4]; 4]) -> [L::F; 4] {
    l.transpose([l.load(a), l.load(b), l.load(c), l.load(d)])
}

/// Four capsules, by coordinate.
struct CapsuleLanes<F> {
    center: V3<F>,
    radius: F,
    half: V3<F>,
    inverse: F,
}

impl<F: Copy> CapsuleLanes<F> {
    #[inline(always)]
    fn gather_records<L: Lanes<F = F>>(l: L, r: [&CapsuleRecord; 4]) -> CapsuleLanes<F> {
        let [x, y, z, radius] = load_columns(l, [&r[0].center, &r[1].center, &r[2].center, &r[3].center]);
        let center = V3 { x, y, z };
        let [x, y, z, inverse] = load_columns(l, [&r[0].half, &r[1].half, &r[2].half, &r[3].half]);
        CapsuleLanes { center, radius, half: V3 { x, y, z }, inverse }
    }
}

/// Lower bounds on the distances of four pairs of capsules.
///
/// Nearest points after Lumelsky (1985): the point of A nearest to B's line, then the point of B nearest to
/// that, then of A again. The gap along the line between them is the bound, but at least zero for the axes.
#[inline(always)]
fn four_gaps<L: Lanes>(l: L, a: &CapsuleLanes<L::F>, b: &CapsuleLanes<L::F>) -> L::F {
    let (zero, one) = (l.splat(0.0), l.splat(1.0));
    let r = sub_vec3(l, a.center, b.center);
    let (ra, rb, ab) = (dot_vec3(l, r, a.half), dot_vec3(l, r, b.half), dot_vec3(l, a.half, b.half));
    // Zero where an axis is a point: then the middle is taken.
    let (to_a, to_b) = (l.mul(ab, a.inverse), l.mul(ab, b.inverse));
    let (from_a, from_b) = (l.mul(ra, a.inverse), l.mul(rb, b.inverse));
    let apart = l.max(l.sub(one, l.mul(to_a, to_b)), l.splat(GAP_PARALLEL));
    let s = clamp_lanes(l, l.div(l.sub(l.mul(from_b, to_a), from_a), apart), one);
    let t = clamp_lanes(l, l.add(from_b, l.mul(s, to_b)), one);
    let s = clamp_lanes(l, l.sub(l.mul(t, to_a), from_a), one);
    let v = points_along(l, points_along(l, r, a.half, s), b.half, l.sub(zero, t));
    let across = l.add(abs_lanes(l, dot_vec3(l, v, a.half)), abs_lanes(l, dot_vec3(l, v, b.half)));
    let proved = l.div(l.sub(dot_vec3(l, v, r), across), l.sqrt(dot_vec3(l, v, v)));
    // Zero where there is no direction. A record with a NaN has a NaN radius.
    let gap = l.sub(l.max(proved, zero), l.add(a.radius, b.radius));
    l.max(gap, l.splat(f64::NEG_INFINITY))
}

/// Indices of four pairs from `i` on, none beyond `last`; beyond the `n` pairs the last is repeated.
#[inline(always)]
fn four_pairs(pairs: &[[CapsuleId; 2]], i: usize, n: usize, last: usize) -> [[usize; 2]; 4] {
    let mut four = [[0; 2]; 4];
    let mut k = 0;
    while k < 4 {
        let [a, b] = pairs[(i + k).min(n - 1)];
        four[k] = [a.index().min(last), b.index().min(last)];
        k += 1;
    }
    four
}

/// Stores four results at `i`, or fewer at the end.
#[inline(always)]
fn store_four(gaps: &mut [f64], i: usize, n: usize, four: &[f64; 4]) {
    if i + 4 <= n {
        gaps[i..i + 4].copy_from_slice(four);
    } else {
        gaps[i..n].copy_from_slice(&four[..n - i]);
    }
}

/// The number of a capsule among records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapsuleId(pub u32);

impl CapsuleId {
    /// The number as an index.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

struct Pairs<'a> {
    records: &'a [CapsuleRecord],
    pairs: &'a [[CapsuleId; 2]],
    gaps: &'a mut [f64],
}

impl Kernel for Pairs<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let n = self.pairs.len().min(self.gaps.len());
        let last = match self.records.len() {
            0 => return self.gaps[..n].fill(f64::NEG_INFINITY),
            n => n - 1,
        };
        let mut i = 0;
        while i < n {
            let p = four_pairs(self.pairs, i, n, last);
            let r = self.records;
            let a = CapsuleLanes::gather_records(l, [&r[p[0][0]], &r[p[1][0]], &r[p[2][0]], &r[p[3][0]]]);
            let b = CapsuleLanes::gather_records(l, [&r[p[0][1]], &r[p[1][1]], &r[p[2][1]], &r[p[3][1]]]);
            store_four(self.gaps, i, n, &l.to_array(four_gaps(l, &a, &b)));
            i += 4;
        }
    }
}

/// Lower bounds on the signed distances of the contents of pairs of capsules (metres), rounding included:
/// `pairs` are numbers of `records`, `gaps` gets one bound a pair. A bound equals the distance of the
/// capsules up to rounding. Where axes are parallel to a millionth, or nearer than a millionth of their
/// length, it may be lower by a ten-millionth of the length.
///
/// `gaps` and `pairs` are taken as far as the shorter one goes. A number without a record counts as the last
/// record.
pub fn capsule_gaps(records: &[CapsuleRecord], pairs: &[[CapsuleId; 2]], gaps: &mut [f64]) {
    dispatch_kernel(Pairs { records, pairs, gaps });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::capsule::Capsule;
    use crate::rng::Rng;
    use alloc::vec::Vec;
    use elbowroom_pair::numeric::simd::Plain;

    #[test]
    fn wide_lanes_give_the_bits_of_arrays() {
        let rng = &mut Rng::new(9);
        let bits = |gaps: &[f64]| gaps.iter().map(|g| g.to_bits()).collect::<Vec<_>>();
        for _ in 0..500 {
            let r = rng.decades(-3.0, 3.0);
            let records: Vec<CapsuleRecord> = (0..8)
                .map(|k| {
                    let (a, b) = (rng.point(r), rng.point(r));
                    CapsuleRecord::new(&Capsule { a, b: if k == 0 { a } else { b }, radius: 0.1 * r })
                })
                .collect();
            let pairs: Vec<[CapsuleId; 2]> =
                (0..11).map(|k| [k % 8, rng.below(8) as u32].map(CapsuleId)).collect();
            let (mut p, mut q) = ([0.0; 11], [0.0; 11]);
            Pairs { records: &records, pairs: &pairs, gaps: &mut p }.run(Plain);
            capsule_gaps(&records, &pairs, &mut q);
            assert_eq!(bits(&p), bits(&q));
        }
    }
}
