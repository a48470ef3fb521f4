//! The lanes as registers of AVX2: one holds four f64, or eight f32.

use super::lanes::{Kernel, Lanes, Processor};
use core::arch::x86_64::*;

/// Proof that the processor has AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Processor for Avx2 {
    #[inline(always)]
    fn detect() -> Option<Avx2> {
        #[cfg(feature = "std")]
        let has = std::arch::is_x86_feature_detected!("avx2");
        #[cfg(not(feature = "std"))]
        let has = true;
        has.then_some(Avx2(()))
    }

    #[inline(always)]
    fn run<K: Kernel>(self, k: K) -> K::Output {
        #[target_feature(enable = "avx2")]
        fn with_avx2<K: Kernel>(k: K, l: Avx2) -> K::Output {
            k.run(l)
        }
        // SAFETY: an `Avx2` exists only where AVX2 was detected or is part of the target.
        unsafe { with_avx2(k, self) }
    }
}

/// The rows of the table for AVX2.
macro_rules! avx2_rows {
    ($([$kind:ident $name:ident($($arg:ident),*) $lane:tt [$avx2:expr] $neon:tt $wasm:tt])*) => {
        processor_methods! {$(
            fn $name(self $(, $arg: Self::$kind)*) -> Self::$kind { $avx2 }
        )*}
    };
}

impl Lanes for Avx2 {
    type F = __m256d;
    type E = __m256;
    type I = __m256i;
    with_table!(avx2_rows);
    processor_methods! {
        fn load(self, a: &[f64; 4]) -> __m256d {
            _mm256_loadu_pd(a.as_ptr())
        }
        fn load8(self, a: &[f32; 8]) -> __m256 {
            _mm256_loadu_ps(a.as_ptr())
        }
        fn splat(self, x: f64) -> __m256d {
            _mm256_set1_pd(x)
        }
        fn splat8(self, x: f32) -> __m256 {
            _mm256_set1_ps(x)
        }
        fn to_array(self, a: __m256d) -> [f64; 4] {
            let mut r = [0.0; 4];
            _mm256_storeu_pd(r.as_mut_ptr(), a);
            r
        }
        fn to_array8(self, a: __m256) -> [f32; 8] {
            let mut r = [0.0; 8];
            _mm256_storeu_ps(r.as_mut_ptr(), a);
            r
        }
        fn mask_bits(self, m: __m256d) -> u32 {
            _mm256_movemask_pd(m) as u32
        }
        fn rotate3(self, a: __m256d) -> __m256d {
            _mm256_permute4x64_pd::<0b11_00_10_01>(a)
        }
        fn transpose(self, rows: [__m256d; 4]) -> [__m256d; 4] {
            let [a, b, c, d] = rows;
            let (even_ab, odd_ab) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (even_cd, odd_cd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            [
                _mm256_permute2f128_pd::<0x20>(even_ab, even_cd),
                _mm256_permute2f128_pd::<0x20>(odd_ab, odd_cd),
                _mm256_permute2f128_pd::<0x31>(even_ab, even_cd),
                _mm256_permute2f128_pd::<0x31>(odd_ab, odd_cd),
            ]
        }
        fn narrow_lanes(self, low: __m256d, high: __m256d) -> __m256 {
            _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low))
        }
        fn of_largest<const N: usize>(self, key: __m256d, with: [__m256d; N]) -> (f64, [f64; N]) {
            let k = _mm256_permute_pd::<0b0101>(key);
            let later = _mm256_cmp_pd::<_CMP_GT_OQ>(k, key);
            let key = _mm256_max_pd(k, key);
            // Two pairs are left, each in the first lane of its half.
            let (low, high) = (_mm256_castpd256_pd128(key), _mm256_extractf128_pd::<1>(key));
            let last = _mm_cmpgt_sd(high, low);
            // No closure: it would not be compiled for AVX2.
            let mut of_best = [0.0; N];
            for i in 0..N {
                let w = _mm256_blendv_pd(with[i], _mm256_permute_pd::<0b0101>(with[i]), later);
                let (low, high) = (_mm256_castpd256_pd128(w), _mm256_extractf128_pd::<1>(w));
                of_best[i] = _mm_cvtsd_f64(_mm_blendv_pd(low, high, last));
            }
            (_mm_cvtsd_f64(_mm_max_sd(high, low)), of_best)
        }
        fn least_lane8(self, a: __m256) -> (f32, u32) {
            let m = _mm256_min_ps(a, _mm256_permute2f128_ps::<1>(a, a));
            let m = _mm256_min_ps(m, _mm256_permute_ps::<0b01_00_11_10>(m));
            let m = _mm256_min_ps(m, _mm256_permute_ps::<0b10_11_00_01>(m));
            let equal = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(a, m)) as u32;
            // Read from the lane, because zeros of both signs compare equal.
            let lane = equal.trailing_zeros();
            let own = _mm256_permutevar8x32_ps(a, _mm256_set1_epi32(lane as i32));
            (_mm256_cvtss_f32(own), lane)
        }
        fn above_mask8(self, a: __m256, b: __m256) -> u32 {
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b)) as u32
        }
        fn to_indices8(self, a: __m256) -> __m256i {
            _mm256_cvttps_epi32(a)
        }
        fn load_indices8(self, a: &[u32; 8]) -> __m256i {
            _mm256_loadu_si256(a.as_ptr().cast())
        }
        fn gather8(self, table: &[f32], at: __m256i, offset: u32) -> __m256 {
            // The gather instruction reads each index as a signed number. Indices are limited to less than
            // 2^30, so that none is read as negative.
            assert!(!table.is_empty());
            let last = table.len().min(1 << 30) - 1;
            let at = _mm256_add_epi32(at, _mm256_set1_epi32(offset as i32));
            let at = _mm256_min_epu32(at, _mm256_set1_epi32(last as i32));
            _mm256_i32gather_ps::<4>(table.as_ptr(), at)
        }
        fn gather_two8(self, table: &[f32], at: __m256i) -> [__m256; 2] {
            // No index is above `last`, so the table has its number and the next, and a load of 64 bits takes
            // both.
            assert!(table.len() >= 2);
            let last = table.len().min(1 << 30) - 2;
            let mut each = [0_u32; 8];
            let at = _mm256_min_epu32(at, _mm256_set1_epi32(last as i32));
            _mm256_storeu_si256(each.as_mut_ptr().cast(), at);
            let table = table.as_ptr();
            // Register `k` takes lanes 2k and 2k + 1 into its low half, 2k + 4 and 2k + 5 into its high half.
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
