//! Vectors of f32, roots, sines: from `+ - * /` alone, the same bits on every machine.

use crate::tolerance::MAX_ANGLE;

/// Three coordinates.
pub(crate) type V3 = [f32; 3];

#[inline(always)]
pub(crate) fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn difference(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn scaled(a: V3, s: f32) -> V3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
pub(crate) fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The square root, within four units of roundoff; zero for what is not positive.
///
/// Half the exponent is a first guess, 4 % off at most; three steps of Newton's method square that error
/// thrice.
#[inline]
pub fn root(x: f32) -> f32 {
    if !(x >= f32::MIN_POSITIVE) {
        return 0.0;
    }
    let mut y = f32::from_bits(0x1fbd_1df5 + (x.to_bits() >> 1));
    for _ in 0..3 {
        y = 0.5 * (y + x / y);
    }
    y
}

#[inline(always)]
pub(crate) fn norm(a: V3) -> f32 {
    root(dot(a, a))
}

/// Sine and cosine of an angle (radians) up to [`MAX_ANGLE`]; not numbers beyond.
///
/// A multiple of a quarter turn is taken off in three parts, whose products are exact but for the last; then
/// polynomials (Cephes' `sinf`).
#[inline]
pub fn sine_cosine(angle: f32) -> (f32, f32) {
    if !(angle.abs() <= MAX_ANGLE) {
        return (f32::NAN, f32::NAN);
    }
    let turns = angle * core::f32::consts::FRAC_2_PI;
    let quarter = (turns + if turns < 0.0 { -0.5 } else { 0.5 }) as i32;
    let k = quarter as f32;
    let r = ((angle - k * 1.570_312_5) - k * 4.837_513e-4) - k * 7.549_79e-8;
    let z = r * r;
    let sine = r + r * z * (-1.666_665_5e-1 + z * (8.332_161e-3 - z * 1.951_529_6e-4));
    let cosine = 1.0 - 0.5 * z + z * z * (4.166_664_6e-2 + z * (-1.388_731_6e-3 + z * 2.443_315_7e-5));
    match quarter & 3 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

#[cfg(test)]
mod tests {
    use super::{root, sine_cosine};
    use crate::tolerance::{MAX_ANGLE, ROUNDOFF, SINE_ERROR};

    #[test]
    fn sines_are_within_their_error() {
        let (mut worst, mut asked) = (0.0_f64, 0);
        let mut ask = |angle: f32| {
            let (s, c) = sine_cosine(angle);
            let exact = f64::from(angle);
            #[allow(clippy::disallowed_methods, reason = "a reference that need not be the same everywhere")]
            let (exact_s, exact_c) = exact.sin_cos();
            worst = worst.max((f64::from(s) - exact_s).abs()).max((f64::from(c) - exact_c).abs());
            asked += 1;
        };
        for i in 0..=2_000_000 {
            ask(MAX_ANGLE * (i as f32 / 1e6 - 1.0));
            ask(4.0 * (i as f32 / 1e6 - 1.0));
        }
        assert!(worst < SINE_ERROR, "{worst:e}");
        assert!(asked > 4_000_000);
        assert!(sine_cosine(f32::NAN).0.is_nan() && sine_cosine(1001.0).1.is_nan());
    }

    #[test]
    fn roots_are_within_four_roundings() {
        let mut worst = 0.0_f64;
        for i in 0..2_000_000_u32 {
            let x = f32::from_bits(0x0080_0000 + i * 1_000);
            let exact = f64::from(x).sqrt();
            worst = worst.max((f64::from(root(x)) - exact).abs() / exact);
        }
        assert!(worst < 4.0 * ROUNDOFF, "{worst:e}");
        assert_eq!((root(0.0), root(-1.0), root(f32::NAN)), (0.0, 0.0, 0.0));
    }
}
