//! Sine and cosine of four angles at once.
//!
//! An angle is reduced to an eighth of a turn after Cody and Waite, by a quarter turn that is split in three
//! numbers, 118 bits in all. The polynomials of fdlibm (Sun Microsystems 1993) take the rest and its tail.
//! There are no branches, and each result is within one unit in the last place. For angles beyond
//! [`SINE_LIMIT`] the three numbers are too short: these angles go to libm one by one.

use elbowroom_describe::math::sin_cos;
use elbowroom_pair::numeric::simd::Lanes;
use elbowroom_pair::numeric::tolerance::SINE_LIMIT;

/// Adding and subtracting this rounds to a whole number.
const WHOLE: f64 = 6_755_399_441_055_744.0;
const PER_QUARTER: f64 = core::f64::consts::FRAC_2_PI;
/// A quarter turn: its first 33 bits, the next 33, and the rest.
const QUARTER: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];

const SINE: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];
const COSINE: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Sines and cosines of angles (radians), as many as both slices have.
#[inline(always)]
pub(crate) fn all_sines<L: Lanes>(l: L, angles: &[f64], sines: &mut [[f64; 2]]) {
    let count = angles.len().min(sines.len());
    let (mut i, mut large) = (0, false);
    while i < count {
        let here = (count - i).min(4);
        let mut four = [0.0; 4];
        for k in 0..here {
            four[k] = angles[i + k];
            // Also NaN.
            large |= !(four[k].abs() <= SINE_LIMIT);
        }
        let (s, c) = four_sines(l, l.load(&four));
        let (s, c) = (l.to_array(s), l.to_array(c));
        for k in 0..here {
            sines[i + k] = [s[k], c[k]];
        }
        i += 4;
    }
    if large {
        large_sines(angles, sines);
    }
}

#[cold]
#[inline(never)]
fn large_sines(angles: &[f64], sines: &mut [[f64; 2]]) {
    for (angle, sine) in angles.iter().zip(sines) {
        if !(angle.abs() <= SINE_LIMIT) {
            *sine = sin_cos(*angle).into();
        }
    }
}

#[inline(always)]
fn round_to_whole<L: Lanes>(l: L, v: L::F) -> L::F {
    l.sub(l.add(v, l.splat(WHOLE)), l.splat(WHOLE))
}

/// Written out: a closure would not be compiled for the lanes.
#[inline(always)]
fn splat_six<L: Lanes>(l: L, [a, b, c, d, e, f]: &[f64; 6]) -> [L::F; 6] {
    [l.splat(*a), l.splat(*b), l.splat(*c), l.splat(*d), l.splat(*e), l.splat(*f)]
}

#[inline(always)]
fn four_sines<L: Lanes>(l: L, x: L::F) -> (L::F, L::F) {
    let quarters = round_to_whole(l, l.mul(x, l.splat(PER_QUARTER)));
    // What is left, as a number and its tail.
    let t = l.sub(x, l.mul(quarters, l.splat(QUARTER[0])));
    let w = l.mul(quarters, l.splat(QUARTER[1]));
    let r = l.sub(t, w);
    let w = l.sub(l.mul(quarters, l.splat(QUARTER[2])), l.sub(l.sub(t, r), w));
    let y = l.sub(r, w);
    let tail = l.sub(l.sub(r, y), w);

    let z = l.mul(y, y);
    let zz = l.mul(z, z);
    let [s1, s2, s3, s4, s5, s6] = splat_six(l, &SINE);
    let r = l.add(l.add(s2, l.mul(z, l.add(s3, l.mul(z, s4)))), l.mul(l.mul(z, zz), l.add(s5, l.mul(z, s6))));
    let v = l.mul(z, y);
    let rest = l.sub(l.mul(z, l.sub(l.mul(l.splat(0.5), tail), l.mul(v, r))), tail);
    let sine = l.sub(y, l.sub(rest, l.mul(v, s1)));

    let [c1, c2, c3, c4, c5, c6] = splat_six(l, &COSINE);
    let r = l.add(
        l.mul(z, l.add(c1, l.mul(z, l.add(c2, l.mul(z, c3))))),
        l.mul(l.mul(zz, zz), l.add(c4, l.mul(z, l.add(c5, l.mul(z, c6))))),
    );
    let half = l.mul(l.splat(0.5), z);
    let w = l.sub(l.splat(1.0), half);
    let rest = l.add(l.sub(l.sub(l.splat(1.0), w), half), l.sub(l.mul(z, r), l.mul(y, tail)));
    let cosine = l.add(w, rest);

    // Which quarter, -2 to 2.
    let q = l.sub(quarters, l.mul(l.splat(4.0), round_to_whole(l, l.mul(quarters, l.splat(0.25)))));
    let odd = {
        let square = l.mul(q, q);
        l.and(l.gt(square, l.splat(0.5)), l.gt(l.splat(2.0), square))
    };
    let (s, c) = (l.select(odd, cosine, sine), l.select(odd, sine, cosine));
    let (one, minus) = (l.splat(1.0), l.splat(-1.0));
    let sign_s = l.select(l.gt(l.splat(-0.5), q), minus, l.select(l.gt(q, l.splat(1.5)), minus, one));
    let sign_c = l.select(l.gt(q, l.splat(0.5)), minus, l.select(l.gt(l.splat(-1.5), q), minus, one));
    (l.mul(s, sign_s), l.mul(c, sign_c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::vec;
    use alloc::vec::Vec;
    use elbowroom_pair::numeric::simd::{Kernel, dispatch_kernel};

    struct Angles<'a>(&'a [f64], &'a mut [[f64; 2]]);
    impl Kernel for Angles<'_> {
        type Output = ();
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) {
            all_sines(l, self.0, self.1);
        }
    }

    #[test]
    fn within_one_unit_of_libm() {
        let mut rng = Rng::new(3);
        let mut angles: Vec<f64> =
            (0..200_000).map(|i| rng.range(-1.0, 1.0) * [1e-3, 1.0, 4.0, 1e3, 1e5][i % 5]).collect();
        // Next to quarter turns, where one of the two is small.
        for k in -2000..2000 {
            let quarter = f64::from(k) * core::f64::consts::FRAC_PI_2;
            angles.extend([quarter, quarter.next_up(), quarter.next_down(), quarter * 0.5]);
        }
        angles.extend([0.0, -0.0, 1e300, f64::INFINITY, f64::NAN, 2e6, -1e9]);
        let mut all = vec![[0.0; 2]; angles.len()];
        dispatch_kernel(Angles(&angles, &mut all));
        let mut exact = 0;
        for (angle, got) in angles.iter().zip(&all) {
            let (s, c) = libm::sincos(*angle);
            for (got, want) in got.iter().zip([s, c]) {
                if want.is_nan() {
                    assert!(got.is_nan());
                    continue;
                }
                let unit = want.abs().next_up() - want.abs();
                assert!((got - want).abs() <= 1.5 * unit, "{angle}: {got} for {want}");
                exact += usize::from(*got == want);
            }
        }
        assert!(exact > angles.len() * 19 / 10, "{exact} of {}", 2 * angles.len());
    }
}
