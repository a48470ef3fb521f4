//! [`Eight`] implemented with an array and with a register.

use super::Plain;
use super::eight::Eight;
use elbowroom_describe::math::sqrt;

macro_rules! per_lane {
    ($a:ident, $b:ident, |$x:ident, $y:ident| $e:expr) => {
        each!(8, |i| {
            let ($x, $y) = ($a[i], $b[i]);
            $e
        })
    };
}

impl Eight for Plain {
    type E = [f32; 8];
    type I = [u32; 8];
    #[inline(always)]
    fn load8(self, a: &[f32; 8]) -> [f32; 8] {
        *a
    }
    #[inline(always)]
    fn splat8(self, x: f32) -> [f32; 8] {
        [x; 8]
    }
    #[inline(always)]
    fn to_array8(self, a: [f32; 8]) -> [f32; 8] {
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
        each!(8, |i| sqrt(f64::from(a[i])) as f32)
    }
    #[inline(always)]
    fn max8(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        per_lane!(a, b, |x, y| if x > y { x } else { y })
    }
    #[inline(always)]
    fn least_lane8(self, a: [f32; 8]) -> (f32, u32) {
        let lesser = |i: usize, j: usize| if a[j] < a[i] { j } else { i };
        let halves = [lesser(lesser(0, 1), lesser(2, 3)), lesser(lesser(4, 5), lesser(6, 7))];
        let least = lesser(halves[0], halves[1]);
        (a[least], least as u32)
    }
    #[inline(always)]
    fn positive8(self, c: [f32; 8], a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        each!(8, |i| if c[i] > 0.0 { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn above_mask8(self, a: [f32; 8], b: [f32; 8]) -> u32 {
        let [s, t, u, v, w, x, y, z] = each!(8, |i| u32::from(a[i] > b[i]) << i);
        s | t | u | v | w | x | y | z
    }
    #[inline(always)]
    fn to_indices8(self, a: [f32; 8]) -> [u32; 8] {
        each!(8, |i| a[i] as u32)
    }
    #[inline(always)]
    fn load_indices8(self, a: &[u32; 8]) -> [u32; 8] {
        *a
    }
    #[inline(always)]
    fn gather8(self, table: &[f32], at: [u32; 8], offset: u32) -> [f32; 8] {
        let last = table.len() - 1;
        each!(8, |i| table[(at[i].wrapping_add(offset) as usize).min(last)])
    }
    #[inline(always)]
    fn gather_two8(self, table: &[f32], at: [u32; 8]) -> [[f32; 8]; 2] {
        let last = table.len() - 2;
        let at = each!(8, |i| (at[i] as usize).min(last));
        [each!(8, |i| table[at[i]]), each!(8, |i| table[at[i] + 1])]
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
        type I = __m256i;
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
        fn to_array8(self, a: __m256) -> [f32; 8] {
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
        fn least_lane8(self, a: __m256) -> (f32, u32) {
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
        #[inline(always)]
        fn above_mask8(self, a: __m256, b: __m256) -> u32 {
            // SAFETY: AVX2 was detected.
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b)) as u32 }
        }
        #[inline(always)]
        fn to_indices8(self, a: __m256) -> __m256i {
            // SAFETY: AVX2 was detected.
            unsafe { _mm256_cvttps_epi32(a) }
        }
        #[inline(always)]
        fn load_indices8(self, a: &[u32; 8]) -> __m256i {
            // SAFETY: AVX2 was detected; the pointer covers eight u32 and the load needs no alignment.
            unsafe { _mm256_loadu_si256(a.as_ptr().cast()) }
        }
        #[inline(always)]
        fn gather8(self, table: &[f32], at: __m256i, offset: u32) -> __m256 {
            // The gather instruction reads each index as a signed number. Indices are limited to less than
            // 2^30, so that none is read as negative.
            let last = table.len().min(1 << 30) - 1;
            assert!(!table.is_empty());
            // SAFETY: AVX2 was detected; no index is above `last`, which the table has.
            unsafe {
                let at = _mm256_add_epi32(at, _mm256_set1_epi32(offset as i32));
                let at = _mm256_min_epu32(at, _mm256_set1_epi32(last as i32));
                _mm256_i32gather_ps::<4>(table.as_ptr(), at)
            }
        }
        #[inline(always)]
        fn gather_two8(self, table: &[f32], at: __m256i) -> [__m256; 2] {
            assert!(table.len() >= 2);
            let last = table.len().min(1 << 30) - 2;
            let mut each = [0_u32; 8];
            // SAFETY: AVX2 was detected; `each` has eight numbers. Each is at most `last`, so the table has
            // it and the next, and a load of 64 bits takes both; it needs no alignment.
            unsafe {
                let at = _mm256_min_epu32(at, _mm256_set1_epi32(last as i32));
                _mm256_storeu_si256(each.as_mut_ptr().cast(), at);
                let table = table.as_ptr();
                // Two lanes of each half: 0 and 1 with 4 and 5, 2 and 3 with 6 and 7.
                let mut four = [_mm256_setzero_pd(); 2];
                for (k, out) in four.iter_mut().enumerate() {
                    let (low, high) = (2 * k, 2 * k + 4);
                    let l = _mm_load_sd(table.add(each[low] as usize).cast());
                    let l = _mm_loadh_pd(l, table.add(each[low + 1] as usize).cast());
                    let h = _mm_load_sd(table.add(each[high] as usize).cast());
                    let h = _mm_loadh_pd(h, table.add(each[high + 1] as usize).cast());
                    *out = _mm256_set_m128d(h, l);
                }
                let (p, q) = (_mm256_castpd_ps(four[0]), _mm256_castpd_ps(four[1]));
                [_mm256_shuffle_ps::<0b10_00_10_00>(p, q), _mm256_shuffle_ps::<0b11_01_11_01>(p, q)]
            }
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use crate::numeric::simd::{Kernel, Lanes, Plain, dispatch_kernel};

    struct Mix([f32; 8], [f32; 8]);
    impl Kernel for Mix {
        type Output = ([f32; 8], (f32, u32), u32, [[f32; 8]; 4]);
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> ([f32; 8], (f32, u32), u32, [[f32; 8]; 4]) {
            let (a, b) = (l.load8(&self.0), l.load8(&self.1));
            let root = l.sqrt8(l.mul8(b, l.splat8(0.7)));
            let c = l.positive8(a, l.mul8(l.min8(a, b), b), l.max8(l.div8(a, b), l.sub8(a, b)));
            // Whole numbers up to 10, and a table that ends before them.
            let whole = l.to_indices8(l.max8(a, l.splat8(0.0)));
            let far = l.load_indices8(&[3, 1, 0, 7, 8, 9, u32::MAX, 1 << 31]);
            let taken = [l.gather8(&self.0[..5], whole, 2), l.gather8(&self.0, far, 1)];
            let [first, second] = l.gather_two8(&self.0, far);
            let taken =
                [l.to_array8(taken[0]), l.to_array8(taken[1]), l.to_array8(first), l.to_array8(second)];
            (l.to_array8(l.add8(c, l.positive8(b, root, a))), l.least_lane8(a), l.above_mask8(a, b), taken)
        }
    }

    #[test]
    fn plain_and_avx2_give_the_same_bits() {
        for k in 0..1000 {
            let f = |i: i32| ((k * 7 + i * 13) % 31) as f32 * 0.37 - 4.0;
            let a = core::array::from_fn(|i| f(i as i32));
            let b = core::array::from_fn(|i| if i == 3 { f32::NAN } else { f(i as i32 + 9) });
            let (p, d) = (Mix(a, b).run(Plain), dispatch_kernel(Mix(a, b)));
            // NaN has many bit patterns.
            let bits = |r: [f32; 8]| r.map(|x| if x.is_nan() { 0 } else { x.to_bits() });
            assert_eq!((bits(p.0), p.1, p.2, p.3), (bits(d.0), d.1, d.2, d.3));
            let index = |i: usize| (a[i].max(0.0) as usize + 2).min(4);
            assert!((0..8).all(|i| p.3[0][i] == a[index(i)] && (p.2 >> i & 1 == 1) == (a[i] > b[i])));
            // An index and an offset that overflow begin again.
            assert_eq!(p.3[1], [4, 2, 1, 7, 7, 7, 0, 7].map(|i| a[i]));
            assert_eq!(
                p.3[2..],
                [[3, 1, 0, 6, 6, 6, 6, 6], [4, 2, 1, 7, 7, 7, 7, 7]].map(|r| r.map(|i| a[i]))
            );
            assert!((0..8).all(|i| a[i] > p.1.0 || a[i] == p.1.0 && i as u32 >= p.1.1));
        }
    }
}
