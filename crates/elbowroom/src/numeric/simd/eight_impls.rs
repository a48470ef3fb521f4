//! [`Eight`] implemented with an array and with a register.

use super::Plain;
use super::eight::Eight;

macro_rules! per_lane {
    ($a:ident, $b:ident, |$x:ident, $y:ident| $e:expr) => {{
        let mut r = [0.0; 8];
        for i in 0..8 {
            let ($x, $y) = ($a[i], $b[i]);
            r[i] = $e;
        }
        r
    }};
}

impl Eight for Plain {
    type E = [f32; 8];
    #[inline(always)]
    fn load8(self, a: &[f32; 8]) -> [f32; 8] {
        *a
    }
    #[inline(always)]
    fn splat8(self, x: f32) -> [f32; 8] {
        [x; 8]
    }
    #[inline(always)]
    fn array8(self, a: [f32; 8]) -> [f32; 8] {
        a
    }
    #[inline(always)]
    fn add8(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        per_lane!(a, b, |x, y| x + y)
    }
    #[inline(always)]
    fn sub8(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        per_lane!(a, b, |x, y| x - y)
    }
    #[inline(always)]
    fn mul8(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        per_lane!(a, b, |x, y| x * y)
    }
    #[inline(always)]
    fn div8(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        per_lane!(a, b, |x, y| x / y)
    }
    #[inline(always)]
    fn min8(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        per_lane!(a, b, |x, y| if x < y { x } else { y })
    }
    #[inline(always)]
    fn sqrt8(self, a: [f32; 8]) -> [f32; 8] {
        // Correctly rounded: f64 has more than twice the digits of f32.
        a.map(|x| crate::numeric::math::sqrt(f64::from(x)) as f32)
    }
    #[inline(always)]
    fn max8(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        per_lane!(a, b, |x, y| if x > y { x } else { y })
    }
    #[inline(always)]
    fn least8(self, a: [f32; 8]) -> (f32, u32) {
        let mut least = 0;
        for i in 1..8 {
            if a[i] < a[least] {
                least = i;
            }
        }
        (a[least], least as u32)
    }
    #[inline(always)]
    fn positive8(self, c: [f32; 8], a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        let mut r = b;
        for i in 0..8 {
            if c[i] > 0.0 {
                r[i] = a[i];
            }
        }
        r
    }
}

#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
mod avx2 {
    use super::Eight;
    use crate::numeric::simd::avx2::Avx2;
    use core::arch::x86_64::*;

    macro_rules! op {
        ($(fn $name:ident($($arg:ident),*) = $e:expr;)*) => {$(
            #[inline(always)]
            fn $name(self, $($arg: __m256),*) -> __m256 {
                // SAFETY: an `Avx2` exists only where AVX2 was detected.
                unsafe { $e }
            }
        )*};
    }

    impl Eight for Avx2 {
        type E = __m256;
        #[inline(always)]
        fn load8(self, a: &[f32; 8]) -> __m256 {
            // SAFETY: AVX2 was detected; the pointer covers eight f32 and the load needs no alignment.
            unsafe { _mm256_loadu_ps(a.as_ptr()) }
        }
        #[inline(always)]
        fn splat8(self, x: f32) -> __m256 {
            // SAFETY: AVX2 was detected.
            unsafe { _mm256_set1_ps(x) }
        }
        #[inline(always)]
        fn array8(self, a: __m256) -> [f32; 8] {
            let mut r = [0.0; 8];
            // SAFETY: AVX2 was detected; `r` holds eight f32.
            unsafe { _mm256_storeu_ps(r.as_mut_ptr(), a) };
            r
        }
        op! {
            fn add8(a, b) = _mm256_add_ps(a, b);
            fn sub8(a, b) = _mm256_sub_ps(a, b);
            fn mul8(a, b) = _mm256_mul_ps(a, b);
            fn div8(a, b) = _mm256_div_ps(a, b);
            fn min8(a, b) = _mm256_min_ps(a, b);
            fn sqrt8(a) = _mm256_sqrt_ps(a);
            fn max8(a, b) = _mm256_max_ps(a, b);
            fn positive8(c, a, b) =
                _mm256_blendv_ps(b, a, _mm256_cmp_ps::<_CMP_GT_OQ>(c, _mm256_setzero_ps()));
        }
        #[inline(always)]
        fn least8(self, a: __m256) -> (f32, u32) {
            // SAFETY: AVX2 was detected.
            unsafe {
                let m = _mm256_min_ps(a, _mm256_permute2f128_ps::<1>(a, a));
                let m = _mm256_min_ps(m, _mm256_permute_ps::<0b01_00_11_10>(m));
                let m = _mm256_min_ps(m, _mm256_permute_ps::<0b10_11_00_01>(m));
                let equal = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(a, m)) as u32;
                // Read from the lane, because zeros of both signs compare equal.
                let lane = equal.trailing_zeros();
                let own = _mm256_permutevar8x32_ps(a, _mm256_set1_epi32(lane as i32));
                (_mm256_cvtss_f32(own), lane)
            }
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use crate::numeric::simd::{Kernel, Lanes, Plain, dispatch};

    struct Mix([f32; 8], [f32; 8]);
    impl Kernel for Mix {
        type Output = ([f32; 8], (f32, u32));
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> ([f32; 8], (f32, u32)) {
            let (a, b) = (l.load8(&self.0), l.load8(&self.1));
            let root = l.sqrt8(l.mul8(b, l.splat8(0.7)));
            let c = l.positive8(a, l.mul8(l.min8(a, b), b), l.max8(l.div8(a, b), l.sub8(a, b)));
            (l.array8(l.add8(c, l.positive8(b, root, a))), l.least8(a))
        }
    }

    #[test]
    fn plain_and_avx2_give_the_same_bits() {
        for k in 0..1000 {
            let f = |i: i32| ((k * 7 + i * 13) % 31) as f32 * 0.37 - 4.0;
            let a = core::array::from_fn(|i| f(i as i32));
            let b = core::array::from_fn(|i| if i == 3 { f32::NAN } else { f(i as i32 + 9) });
            let (p, d) = (Mix(a, b).run(Plain), dispatch(Mix(a, b)));
            // NaN has many bit patterns.
            let bits = |r: [f32; 8]| r.map(|x| if x.is_nan() { 0 } else { x.to_bits() });
            assert_eq!((bits(p.0), p.1), (bits(d.0), d.1));
            assert!((0..8).all(|i| a[i] > p.1.0 || a[i] == p.1.0 && i as u32 >= p.1.1));
        }
    }
}
