//! Eight poses in f32 lanes: joint values to capsules, and to the least bound of all pairs (`gaps`).
//!
//! The arithmetic is that of `kinematics::forward`, one pose in each lane. Angles are reduced to an eighth of
//! a turn in f64 before they are rounded. A result is only a lower bound: the radius of every capsule
//! includes the rounding of f32 (`model`).

use super::gaps::{Row, least_gap};
use super::model::{Fixed, LinkMotion, Model};
use crate::bounds::heights::Heights;
use crate::bounds::inside::Inside;
use crate::numeric::simd::{Kernel, Lanes};
use crate::query::batch::eights::{Eights, V, add3, between8, image, load3, minus3, minus8, mul3, sub3};

/// Adding and subtracting these rounds to a whole number.
const WHOLE: f64 = 6_755_399_441_055_744.0;
const WHOLE_F32: f32 = 12_582_912.0;
/// A quarter turn in two parts, the first of 33 bits.
const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];
// Cephes (Moshier 1992), sinf and cosf.
const SINE: [f32; 3] = [-1.666_665_5e-1, 8.332_161e-3, -1.951_529_6e-4];
const COSINE: [f32; 3] = [4.166_664_6e-2, -1.388_731_6e-3, 2.443_315_7e-5];

/// Bounds rows of joint values.
pub(super) struct Bounds<'a> {
    pub model: &'a Model,
    /// One row for each pose.
    pub values: &'a [f64],
    /// Scratch: the columns of each frame; the centre and the half axis of each capsule.
    pub frames: &'a mut [[Eights; 12]],
    pub capsules: &'a mut [[Eights; 6]],
    /// By capsule of the world, tables of the bodies' heights and of what is inside them.
    pub heights: &'a [Option<Heights>],
    pub insides: &'a [Option<Inside>],
    /// No better bound is looked for above this (metres).
    pub target: f32,
    pub rows: &'a mut [Row],
}

impl Kernel for Bounds<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Bounds { model, values, frames, capsules, heights, insides, target, rows: out } = self;
        let n = model.values;
        let mut at = 0;
        while at < out.len() {
            let left = out.len() - at;
            // The last row fills lanes that have no row of their own.
            let mut rows = [0; 8];
            for (k, row) in rows.iter_mut().enumerate() {
                *row = (at + if k < left { k } else { left - 1 }) * n;
            }
            frames_and_capsules(l, model, values, rows, frames, capsules);
            let gap = least_gap(l, model, frames, capsules, heights, insides, target);
            let good = are_values(l, model, values, rows);
            let gap = l.array8(l.positive8(good, gap, l.splat8(f32::NEG_INFINITY)));
            for (row, bound) in out[at..].iter_mut().zip(gap) {
                *row = Row::of(bound, target);
            }
            at += 8;
        }
    }
}

/// `scale * value + shift` for eight rows.
#[inline(always)]
fn gather<L: Lanes>(l: L, values: &[f64], rows: [usize; 8], value: u32, scale: f64, shift: f64) -> [L::F; 2] {
    let v = value as usize;
    let low = [values[rows[0] + v], values[rows[1] + v], values[rows[2] + v], values[rows[3] + v]];
    let high = [values[rows[4] + v], values[rows[5] + v], values[rows[6] + v], values[rows[7] + v]];
    let (low, high) = (l.load(&low), l.load(&high));
    if scale == 1.0 && shift == 0.0 {
        return [low, high];
    }
    let (scale, shift) = (l.splat(scale), l.splat(shift));
    [l.add(l.mul(low, scale), shift), l.add(l.mul(high, scale), shift)]
}

/// Positive in the lanes whose values are within all ranges.
#[inline(always)]
fn are_values<L: Lanes>(l: L, model: &Model, values: &[f64], rows: [usize; 8]) -> L::E {
    let (one, minus) = (l.splat(1.0), l.splat(-1.0));
    // The largest number below zero. Comparisons with NaN are false.
    let below = l.splat(-f64::from_bits(1));
    let mut good = [l.gt(one, minus), l.gt(one, minus)];
    for r in &model.ranges {
        let four = gather(l, values, rows, r.value, r.scale, r.shift);
        let (low, high) = (l.splat(r.low), l.splat(r.high));
        for k in 0..2 {
            let inside = l.min(l.sub(four[k], low), l.sub(high, four[k]));
            good[k] = l.and(good[k], l.gt(inside, below));
        }
    }
    l.narrow(l.select(good[0], one, minus), l.select(good[1], one, minus))
}

#[inline(always)]
fn whole<L: Lanes>(l: L, x: L::F) -> L::F {
    l.sub(l.add(x, l.splat(WHOLE)), l.splat(WHOLE))
}
#[inline(always)]
fn less_quarters<L: Lanes>(l: L, x: L::F, quarters: L::F) -> L::F {
    let x = l.sub(x, l.mul(quarters, l.splat(QUARTER[0])));
    l.sub(x, l.mul(quarters, l.splat(QUARTER[1])))
}
/// `a + b z + c z z`.
#[inline(always)]
fn square8<L: Lanes>(l: L, [a, b, c]: [f32; 3], z: L::E) -> L::E {
    l.add8(l.splat8(a), l.mul8(z, l.add8(l.splat8(b), l.mul8(z, l.splat8(c)))))
}
/// Sines and cosines of eight angles.
#[inline(always)]
pub(super) fn sines<L: Lanes>(l: L, [a, b]: [L::F; 2]) -> (L::E, L::E) {
    let per = l.splat(core::f64::consts::FRAC_2_PI);
    let (qa, qb) = (whole(l, l.mul(a, per)), whole(l, l.mul(b, per)));
    let x = l.narrow(less_quarters(l, a, qa), less_quarters(l, b, qb));
    let q = l.narrow(qa, qb);
    let z = l.mul8(x, x);
    let sine = l.add8(x, l.mul8(l.mul8(x, z), square8(l, SINE, z)));
    let cosine = l.sub8(l.splat8(1.0), l.mul8(z, l.splat8(0.5)));
    let cosine = l.add8(cosine, l.mul8(l.mul8(z, z), square8(l, COSINE, z)));
    // Which quarter, -2 to 2.
    let whole_f32 = l.splat8(WHOLE_F32);
    let w = l.sub8(l.add8(l.mul8(q, l.splat8(0.25)), whole_f32), whole_f32);
    let q = l.sub8(q, l.mul8(l.splat8(4.0), w));
    let odd = between8(l, 0.5, l.mul8(q, q), 1.5);
    let (s, c) = (l.positive8(odd, cosine, sine), l.positive8(odd, sine, cosine));
    let s = l.positive8(between8(l, -0.5, q, 1.5), s, minus8(l, s));
    let c = l.positive8(between8(l, -1.5, q, 0.5), c, minus8(l, c));
    (s, c)
}

/// Computes the frames of all links, and the capsules on them.
#[inline(always)]
fn frames_and_capsules<L: Lanes>(
    l: L,
    model: &Model,
    values: &[f64],
    rows: [usize; 8],
    frames: &mut [[Eights; 12]],
    capsules: &mut [[Eights; 6]],
) {
    let zero = [l.splat8(0.0); 3];
    for (i, link) in model.links.iter().enumerate() {
        let parent = &frames[link.parent as usize];
        let mut r = [load3(l, parent, 0), load3(l, parent, 3), load3(l, parent, 6)];
        let mut t = image(l, &r, &link.offset, load3(l, parent, 9));
        match &link.fixed {
            Fixed::Same => {}
            Fixed::Columns(columns) => {
                let old = r;
                for k in 0..3 {
                    let (from, turned) = columns[k];
                    let column = old[from as usize];
                    r[k] = if turned { minus3(l, column) } else { column };
                }
            }
            Fixed::Full(m) => {
                r = [image(l, &r, &m[0], zero), image(l, &r, &m[1], zero), image(l, &r, &m[2], zero)];
            }
        }
        match link.motion {
            LinkMotion::None => {}
            LinkMotion::Slide(axis) => {
                let [a, b] = gather(l, values, rows, link.value, link.scale, link.shift);
                let way = image(l, &r, &axis, zero);
                t = add3(l, t, mul3(l, way, l.narrow(a, b)));
            }
            _ => {
                let (s, c) = sines(l, gather(l, values, rows, link.value, link.scale, link.shift));
                let [x, y, z] = r;
                match link.motion {
                    LinkMotion::X => {
                        r[1] = add3(l, mul3(l, y, c), mul3(l, z, s));
                        r[2] = sub3(l, mul3(l, z, c), mul3(l, y, s));
                    }
                    LinkMotion::Y => {
                        r[0] = sub3(l, mul3(l, x, c), mul3(l, z, s));
                        r[2] = add3(l, mul3(l, z, c), mul3(l, x, s));
                    }
                    LinkMotion::Z => {
                        r[0] = add3(l, mul3(l, x, c), mul3(l, y, s));
                        r[1] = sub3(l, mul3(l, y, c), mul3(l, x, s));
                    }
                    LinkMotion::Axis(k) => r = about(l, &r, k, s, c),
                    LinkMotion::None | LinkMotion::Slide(_) => {}
                }
            }
        }
        let out = &mut frames[model.roots.len() + i];
        for k in 0..3 {
            for j in 0..3 {
                out[3 * k + j] = l.array8(r[k][j]);
            }
            out[9 + k] = l.array8(t[k]);
        }
    }
    for (capsule, out) in model.capsules.iter().zip(capsules) {
        let frame = &frames[capsule.frame as usize];
        let r = [load3(l, frame, 0), load3(l, frame, 3), load3(l, frame, 6)];
        let center = image(l, &r, &capsule.center, load3(l, frame, 9));
        let half = image(l, &r, &capsule.half, zero);
        for k in 0..3 {
            (out[k], out[3 + k]) = (l.array8(center[k]), l.array8(half[k]));
        }
    }
}

/// A rotation turned about a unit axis (Rodrigues).
#[inline(always)]
fn about<L: Lanes>(l: L, r: &[V<L::E>; 3], k: [f32; 3], s: L::E, c: L::E) -> [V<L::E>; 3] {
    let t = l.sub8(l.splat8(1.0), c);
    let (xx, yy, zz) = (k[0] * k[0], k[1] * k[1], k[2] * k[2]);
    let (xy, xz, yz) = (k[0] * k[1], k[0] * k[2], k[1] * k[2]);
    let m = [
        [l.add8(entry(l, xx, t, 0.0, s), c), entry(l, xy, t, k[2], s), entry(l, xz, t, -k[1], s)],
        [entry(l, xy, t, -k[2], s), l.add8(entry(l, yy, t, 0.0, s), c), entry(l, yz, t, k[0], s)],
        [entry(l, xz, t, k[1], s), entry(l, yz, t, -k[0], s), l.add8(entry(l, zz, t, 0.0, s), c)],
    ];
    [column(l, r, m[0]), column(l, r, m[1]), column(l, r, m[2])]
}
#[inline(always)]
fn entry<L: Lanes>(l: L, square: f32, t: L::E, sine: f32, s: L::E) -> L::E {
    l.add8(l.mul8(l.splat8(square), t), l.mul8(l.splat8(sine), s))
}
#[inline(always)]
fn column<L: Lanes>(l: L, r: &[V<L::E>; 3], m: V<L::E>) -> V<L::E> {
    add3(l, add3(l, mul3(l, r[0], m[0]), mul3(l, r[1], m[1])), mul3(l, r[2], m[2]))
}
