//! Eight poses in f32 lanes: joint values to frames and capsules.
//!
//! The arithmetic is that of `kinematics::forward`, one pose in each lane. Angles are reduced to an eighth of
//! a turn in f64 before they are rounded. What f32 rounds is paid for where frames are used: in the radius of
//! every capsule and in the room of every pair (`model`).

use super::eights::{
    Eights, V, add_matrix_product, add3, load3, minus3, minus8, mul3, positive_between8, sub3,
};
use super::model::{Fixed, LinkMotion, Model};
use elbowroom_pair::numeric::simd::Lanes;

/// Adding and subtracting these rounds to a whole number.
const WHOLE: f64 = 6_755_399_441_055_744.0;
const WHOLE_F32: f32 = 12_582_912.0;
/// A quarter turn in two parts, the first of 33 bits.
const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];
// Cephes (Moshier 1992), sinf and cosf.
const SINE: [f32; 3] = [-1.666_665_5e-1, 8.332_161e-3, -1.951_529_6e-4];
const COSINE: [f32; 3] = [4.166_664_6e-2, -1.388_731_6e-3, 2.443_315_7e-5];

/// The values of eight rows, joint by joint.
pub(super) type Column = [[f64; 4]; 2];

/// Takes the values of eight rows apart, joint by joint.
#[inline(always)]
pub(super) fn split_columns(values: &[f64], rows: [usize; 8], columns: &mut [Column]) {
    let width = columns.len();
    let row = |k: usize| &values[rows[k] * width..(rows[k] + 1) * width];
    let eight = [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)];
    for (v, column) in columns.iter_mut().enumerate() {
        let at = |k: usize| eight[k][v];
        *column = [[at(0), at(1), at(2), at(3)], [at(4), at(5), at(6), at(7)]];
    }
}

/// `scale * value + shift` for eight rows.
#[inline(always)]
fn scale_and_shift<L: Lanes>(l: L, columns: &[Column], value: u32, scale: f64, shift: f64) -> [L::F; 2] {
    let [low, high] = &columns[value as usize];
    let (low, high) = (l.load(low), l.load(high));
    if scale == 1.0 && shift == 0.0 {
        return [low, high];
    }
    let (scale, shift) = (l.splat(scale), l.splat(shift));
    [l.add(l.mul(low, scale), shift), l.add(l.mul(high, scale), shift)]
}

/// Bit i is set if the values of lane i are within all ranges.
#[inline(always)]
pub(super) fn are_values<L: Lanes>(l: L, model: &Model, columns: &[Column]) -> u8 {
    let (one, minus) = (l.splat(1.0), l.splat(-1.0));
    let mut good = [l.gt(one, minus), l.gt(one, minus)];
    for r in &model.ranges {
        let four = scale_and_shift(l, columns, r.value, r.scale, r.shift);
        let (low, high) = (l.splat(r.low), l.splat(r.high));
        for k in 0..2 {
            // False for NaN.
            good[k] = l.and(good[k], l.and(l.gt(four[k], low), l.gt(high, four[k])));
        }
    }
    (l.mask_bits(good[0]) | l.mask_bits(good[1]) << 4) as u8
}

#[inline(always)]
fn round_to_whole<L: Lanes>(l: L, x: L::F) -> L::F {
    l.sub(l.add(x, l.splat(WHOLE)), l.splat(WHOLE))
}
#[inline(always)]
fn less_quarters<L: Lanes>(l: L, x: L::F, quarters: L::F) -> L::F {
    let x = l.sub(x, l.mul(quarters, l.splat(QUARTER[0])));
    l.sub(x, l.mul(quarters, l.splat(QUARTER[1])))
}
/// `a + b z + c z z`.
#[inline(always)]
fn evaluate_quadratic8<L: Lanes>(l: L, [a, b, c]: [f32; 3], z: L::E) -> L::E {
    l.add8(l.splat8(a), l.mul8(z, l.add8(l.splat8(b), l.mul8(z, l.splat8(c)))))
}
/// Sines and cosines of eight angles.
#[inline(always)]
pub(super) fn sines_and_cosines<L: Lanes>(l: L, [a, b]: [L::F; 2]) -> (L::E, L::E) {
    let per = l.splat(core::f64::consts::FRAC_2_PI);
    let (qa, qb) = (round_to_whole(l, l.mul(a, per)), round_to_whole(l, l.mul(b, per)));
    let x = l.narrow_lanes(less_quarters(l, a, qa), less_quarters(l, b, qb));
    let q = l.narrow_lanes(qa, qb);
    let z = l.mul8(x, x);
    let sine = l.add8(x, l.mul8(l.mul8(x, z), evaluate_quadratic8(l, SINE, z)));
    let cosine = l.sub8(l.splat8(1.0), l.mul8(z, l.splat8(0.5)));
    let cosine = l.add8(cosine, l.mul8(l.mul8(z, z), evaluate_quadratic8(l, COSINE, z)));
    // Which quarter, -2 to 2.
    let whole_f32 = l.splat8(WHOLE_F32);
    let w = l.sub8(l.add8(l.mul8(q, l.splat8(0.25)), whole_f32), whole_f32);
    let q = l.sub8(q, l.mul8(l.splat8(4.0), w));
    let odd = positive_between8(l, 0.5, l.mul8(q, q), 1.5);
    let (s, c) = (l.positive8(odd, cosine, sine), l.positive8(odd, sine, cosine));
    let s = l.positive8(positive_between8(l, -0.5, q, 1.5), s, minus8(l, s));
    let c = l.positive8(positive_between8(l, -1.5, q, 0.5), c, minus8(l, c));
    (s, c)
}

/// Computes the frames of all links, which follow the `roots`, and the capsules.
#[inline(always)]
pub(super) fn place_links<L: Lanes>(
    l: L,
    model: &Model,
    columns: &[Column],
    roots: &[[Eights; 12]],
    frames: &mut [[Eights; 12]],
    capsules: &mut [[Eights; 6]],
) {
    let zero = [l.splat8(0.0); 3];
    for (i, link) in model.links.iter().enumerate() {
        let parent = link.parent as usize;
        let parent = if parent < roots.len() { &roots[parent] } else { &frames[parent - roots.len()] };
        let mut r = [load3(l, parent, 0), load3(l, parent, 3), load3(l, parent, 6)];
        let mut t = add_matrix_product(l, &r, &link.offset, load3(l, parent, 9));
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
                r = [
                    add_matrix_product(l, &r, &m[0], zero),
                    add_matrix_product(l, &r, &m[1], zero),
                    add_matrix_product(l, &r, &m[2], zero),
                ];
            }
        }
        match link.motion {
            LinkMotion::None => {}
            LinkMotion::Slide(axis) => {
                let [a, b] = scale_and_shift(l, columns, link.value, link.scale, link.shift);
                let way = add_matrix_product(l, &r, &axis, zero);
                t = add3(l, t, mul3(l, way, l.narrow_lanes(a, b)));
            }
            _ => {
                let (s, c) =
                    sines_and_cosines(l, scale_and_shift(l, columns, link.value, link.scale, link.shift));
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
                    LinkMotion::Axis(k) => r = rotate_about(l, &r, k, s, c),
                    LinkMotion::None | LinkMotion::Slide(_) => {}
                }
            }
        }
        let out = &mut frames[i];
        for k in 0..3 {
            for j in 0..3 {
                out[3 * k + j] = l.to_array8(r[k][j]);
            }
            out[9 + k] = l.to_array8(t[k]);
        }
    }
    for (capsule, out) in model.capsules.iter().zip(capsules) {
        let frame = capsule.frame as usize;
        // Capsules that never move are where they were.
        if frame < roots.len() {
            continue;
        }
        let frame = &frames[frame - roots.len()];
        let r = [load3(l, frame, 0), load3(l, frame, 3), load3(l, frame, 6)];
        let center = add_matrix_product(l, &r, &capsule.center, load3(l, frame, 9));
        let half = add_matrix_product(l, &r, &capsule.half, zero);
        for k in 0..3 {
            (out[k], out[3 + k]) = (l.to_array8(center[k]), l.to_array8(half[k]));
        }
    }
}

/// A rotation turned about a unit axis (Rodrigues).
#[inline(always)]
fn rotate_about<L: Lanes>(l: L, r: &[V<L::E>; 3], k: [f32; 3], s: L::E, c: L::E) -> [V<L::E>; 3] {
    let t = l.sub8(l.splat8(1.0), c);
    let (xx, yy, zz) = (k[0] * k[0], k[1] * k[1], k[2] * k[2]);
    let (xy, xz, yz) = (k[0] * k[1], k[0] * k[2], k[1] * k[2]);
    let m = [
        [
            l.add8(rotation_entry(l, xx, t, 0.0, s), c),
            rotation_entry(l, xy, t, k[2], s),
            rotation_entry(l, xz, t, -k[1], s),
        ],
        [
            rotation_entry(l, xy, t, -k[2], s),
            l.add8(rotation_entry(l, yy, t, 0.0, s), c),
            rotation_entry(l, yz, t, k[0], s),
        ],
        [
            rotation_entry(l, xz, t, k[1], s),
            rotation_entry(l, yz, t, -k[0], s),
            l.add8(rotation_entry(l, zz, t, 0.0, s), c),
        ],
    ];
    [rotate_column(l, r, m[0]), rotate_column(l, r, m[1]), rotate_column(l, r, m[2])]
}
#[inline(always)]
fn rotation_entry<L: Lanes>(l: L, square: f32, t: L::E, sine: f32, s: L::E) -> L::E {
    l.add8(l.mul8(l.splat8(square), t), l.mul8(l.splat8(sine), s))
}
#[inline(always)]
fn rotate_column<L: Lanes>(l: L, r: &[V<L::E>; 3], m: V<L::E>) -> V<L::E> {
    add3(l, add3(l, mul3(l, r[0], m[0]), mul3(l, r[1], m[1])), mul3(l, r[2], m[2]))
}
