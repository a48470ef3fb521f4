//! Four f64 lanes, as AVX2 registers or as plain arrays, with the same bits either way.
//!
//! Code is written once over [`Lanes`] with every function `#[inline(always)]`, and entered through
//! [`dispatch_kernel`], which chooses the instruction set once a query. No fused multiply-add is used:
//! results would then differ between machines. Eight f32 lanes (`eight`) serve bounds that only prune.
#![allow(unsafe_code)]

use elbowroom_describe::math::{Vec3, sqrt};

/// An array of what an expression gives for each of 4 or 8 lanes, written out: [`Plain`] says why.
macro_rules! each {
    (4, |$i:ident| $e:expr) => { each!([0 1 2 3], |$i| $e) };
    (8, |$i:ident| $e:expr) => { each!([0 1 2 3 4 5 6 7], |$i| $e) };
    ([$($n:literal)*], |$i:ident| $e:expr) => { [$({ let $i: usize = $n; $e }),*] };
}

mod eight;
mod eight_impls;

/// Four f64 lanes. Comparisons give masks of all ones or all zeros; `select` picks by mask.
pub trait Lanes: eight::Eight {
    /// Four numbers.
    type F: Copy;
    /// Four numbers from memory.
    fn load(self, a: &[f64; 4]) -> Self::F;
    /// The same number four times.
    fn splat(self, x: f64) -> Self::F;
    /// Four numbers into memory.
    fn to_array(self, a: Self::F) -> [f64; 4];
    /// `a + b` in each lane, as are the next ones.
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a - b`.
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b`.
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a / b`.
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// Correctly rounded square root.
    fn sqrt(self, a: Self::F) -> Self::F;
    /// `a < b ? a : b` in each lane (the second operand where unordered).
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a > b ? a : b` in each lane (the second operand where unordered).
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// Mask of `a > b`, false where unordered.
    fn gt(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a & b` of masks.
    fn and(self, a: Self::F, b: Self::F) -> Self::F;
    /// `mask ? a : b` in each lane.
    fn select(self, mask: Self::F, a: Self::F, b: Self::F) -> Self::F;
    /// Bit i is lane i of the mask.
    fn mask_bits(self, mask: Self::F) -> u32;
    /// Lanes 1, 2, 0, 3.
    fn rotate3(self, a: Self::F) -> Self::F;
    /// Lane j of result i is lane i of argument j.
    fn transpose(self, rows: [Self::F; 4]) -> [Self::F; 4];
    /// Four lanes and four more, each rounded to the nearest f32.
    fn narrow_lanes(self, low: Self::F, high: Self::F) -> Self::E;
    /// The largest key, and what `with` holds in its lane. Of equal keys the first counts.
    fn of_largest<const N: usize>(self, key: Self::F, with: [Self::F; N]) -> (f64, [f64; N]);
}

/// Three coordinates of four points.
#[derive(Clone, Copy, Debug)]
pub struct V3<F> {
    /// x of each.
    pub x: F,
    /// y of each.
    pub y: F,
    /// z of each.
    pub z: F,
}

/// One point four times.
#[inline(always)]
pub fn splat_vec3<L: Lanes>(l: L, v: Vec3) -> V3<L::F> {
    V3 { x: l.splat(v.x), y: l.splat(v.y), z: l.splat(v.z) }
}
/// `a - b` in each lane.
#[inline(always)]
pub fn sub_vec3<L: Lanes>(l: L, a: V3<L::F>, b: V3<L::F>) -> V3<L::F> {
    V3 { x: l.sub(a.x, b.x), y: l.sub(a.y, b.y), z: l.sub(a.z, b.z) }
}
/// The scalar product in each lane.
#[inline(always)]
pub fn dot_vec3<L: Lanes>(l: L, a: V3<L::F>, b: V3<L::F>) -> L::F {
    l.add(l.add(l.mul(a.x, b.x), l.mul(a.y, b.y)), l.mul(a.z, b.z))
}
#[inline(always)]
pub(crate) fn cross_vec3<L: Lanes>(l: L, a: V3<L::F>, b: V3<L::F>) -> V3<L::F> {
    V3 {
        x: l.sub(l.mul(a.y, b.z), l.mul(a.z, b.y)),
        y: l.sub(l.mul(a.z, b.x), l.mul(a.x, b.z)),
        z: l.sub(l.mul(a.x, b.y), l.mul(a.y, b.x)),
    }
}
#[inline(always)]
pub(crate) fn select_vec3<L: Lanes>(l: L, m: L::F, a: V3<L::F>, b: V3<L::F>) -> V3<L::F> {
    V3 { x: l.select(m, a.x, b.x), y: l.select(m, a.y, b.y), z: l.select(m, a.z, b.z) }
}

/// 2^52. A whole number plus this is exact in f64, and its low bits are the number itself; reading them costs
/// less than a conversion.
pub(crate) const NUMBER: f64 = 4_503_599_627_370_496.0;

/// The numbers of the lanes, 0, 1, 2, 3, each plus [`NUMBER`].
#[inline(always)]
pub(crate) fn lane_numbers<L: Lanes>(l: L) -> L::F {
    l.load(&[NUMBER, NUMBER + 1.0, NUMBER + 2.0, NUMBER + 3.0])
}

/// The largest value, and the number ([`NUMBER`]) in its lane. Of equal values the first counts.
#[inline(always)]
pub(crate) fn largest_lane<L: Lanes>(l: L, value: L::F, number: L::F) -> (f64, u32) {
    let (value, [number]) = l.of_largest(value, [number]);
    (value, number.to_bits() as u32)
}

/// The lanes as an array, for every target.
///
/// Every operation is written out lane by lane. Kernels consist of thousands of them, all inlined, and the
/// compiler's passes over loops would take more time than all else.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

const fn lane_mask(b: bool) -> f64 {
    f64::from_bits(if b { u64::MAX } else { 0 })
}

macro_rules! per_lane {
    ($a:ident, $b:ident, |$x:ident, $y:ident| $e:expr) => {
        each!(4, |i| {
            let ($x, $y) = ($a[i], $b[i]);
            $e
        })
    };
}

impl Lanes for Plain {
    type F = [f64; 4];
    #[inline(always)]
    fn load(self, a: &[f64; 4]) -> [f64; 4] {
        *a
    }
    #[inline(always)]
    fn splat(self, x: f64) -> [f64; 4] {
        [x; 4]
    }
    #[inline(always)]
    fn to_array(self, a: [f64; 4]) -> [f64; 4] {
        a
    }
    #[inline(always)]
    fn add(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        per_lane!(a, b, |x, y| x + y)
    }
    #[inline(always)]
    fn sub(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        per_lane!(a, b, |x, y| x - y)
    }
    #[inline(always)]
    fn mul(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        per_lane!(a, b, |x, y| x * y)
    }
    #[inline(always)]
    fn div(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        per_lane!(a, b, |x, y| x / y)
    }
    #[inline(always)]
    fn sqrt(self, a: [f64; 4]) -> [f64; 4] {
        each!(4, |i| sqrt(a[i]))
    }
    #[inline(always)]
    fn min(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        per_lane!(a, b, |x, y| if x < y { x } else { y })
    }
    #[inline(always)]
    fn max(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        per_lane!(a, b, |x, y| if x > y { x } else { y })
    }
    #[inline(always)]
    fn gt(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        per_lane!(a, b, |x, y| lane_mask(x > y))
    }
    #[inline(always)]
    fn and(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        per_lane!(a, b, |x, y| f64::from_bits(x.to_bits() & y.to_bits()))
    }
    #[inline(always)]
    fn select(self, m: [f64; 4], a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        each!(4, |i| if m[i].to_bits() >> 63 != 0 { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn mask_bits(self, m: [f64; 4]) -> u32 {
        let [a, b, c, d] = each!(4, |i| ((m[i].to_bits() >> 63) as u32) << i);
        a | b | c | d
    }
    #[inline(always)]
    fn rotate3(self, a: [f64; 4]) -> [f64; 4] {
        [a[1], a[2], a[0], a[3]]
    }
    #[inline(always)]
    fn transpose(self, r: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
        each!(4, |i| each!(4, |j| r[j][i]))
    }
    #[inline(always)]
    fn narrow_lanes(self, low: [f64; 4], high: [f64; 4]) -> [f32; 8] {
        each!(8, |i| if i < 4 { low[i] as f32 } else { high[i - 4] as f32 })
    }
    #[inline(always)]
    fn of_largest<const N: usize>(self, key: [f64; 4], with: [[f64; 4]; N]) -> (f64, [f64; N]) {
        let later = |i: usize, j: usize| if key[j] > key[i] { j } else { i };
        let (low, high) = (later(0, 1), later(2, 3));
        let best = later(low, high);
        (key[best], with.map(|w| w[best]))
    }
}

#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
pub(crate) mod avx2 {
    use super::Lanes;
    use core::arch::x86_64::*;

    /// Proof that the processor has AVX2: only [`super::dispatch`] makes one.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(pub(super) ());

    macro_rules! op {
        ($(fn $name:ident($($arg:ident),*) = $e:expr;)*) => {$(
            #[inline(always)]
            fn $name(self, $($arg: __m256d),*) -> __m256d {
                // SAFETY: an `Avx2` exists only where AVX2 was detected.
                unsafe { $e }
            }
        )*};
    }

    impl Lanes for Avx2 {
        type F = __m256d;
        #[inline(always)]
        fn load(self, a: &[f64; 4]) -> __m256d {
            // SAFETY: AVX2 was detected; the pointer covers four f64 and the load needs no alignment.
            unsafe { _mm256_loadu_pd(a.as_ptr()) }
        }
        #[inline(always)]
        fn splat(self, x: f64) -> __m256d {
            // SAFETY: AVX2 was detected.
            unsafe { _mm256_set1_pd(x) }
        }
        #[inline(always)]
        fn to_array(self, a: __m256d) -> [f64; 4] {
            let mut r = [0.0; 4];
            // SAFETY: AVX2 was detected; `r` holds four f64.
            unsafe { _mm256_storeu_pd(r.as_mut_ptr(), a) };
            r
        }
        op! {
            fn add(a, b) = _mm256_add_pd(a, b);
            fn sub(a, b) = _mm256_sub_pd(a, b);
            fn mul(a, b) = _mm256_mul_pd(a, b);
            fn div(a, b) = _mm256_div_pd(a, b);
            fn sqrt(a) = _mm256_sqrt_pd(a);
            fn min(a, b) = _mm256_min_pd(a, b);
            fn max(a, b) = _mm256_max_pd(a, b);
            fn gt(a, b) = _mm256_cmp_pd::<_CMP_GT_OQ>(a, b);
            fn and(a, b) = _mm256_and_pd(a, b);
            fn select(m, a, b) = _mm256_blendv_pd(b, a, m);
            fn rotate3(a) = _mm256_permute4x64_pd::<0b11_00_10_01>(a);
        }
        #[inline(always)]
        fn transpose(self, [a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
            // SAFETY: AVX2 was detected.
            unsafe {
                let (even_ab, odd_ab) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
                let (even_cd, odd_cd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
                [
                    _mm256_permute2f128_pd::<0x20>(even_ab, even_cd),
                    _mm256_permute2f128_pd::<0x20>(odd_ab, odd_cd),
                    _mm256_permute2f128_pd::<0x31>(even_ab, even_cd),
                    _mm256_permute2f128_pd::<0x31>(odd_ab, odd_cd),
                ]
            }
        }
        #[inline(always)]
        fn narrow_lanes(self, low: __m256d, high: __m256d) -> __m256 {
            // SAFETY: AVX2 was detected.
            unsafe { _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low)) }
        }
        #[inline(always)]
        fn of_largest<const N: usize>(self, key: __m256d, with: [__m256d; N]) -> (f64, [f64; N]) {
            // SAFETY: AVX2 was detected.
            unsafe {
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
        }
        #[inline(always)]
        fn mask_bits(self, m: __m256d) -> u32 {
            // SAFETY: AVX2 was detected.
            unsafe { _mm256_movemask_pd(m) as u32 }
        }
    }
}

/// A computation over lanes.
pub trait Kernel {
    /// What it computes.
    type Output;
    /// This function and all that it calls must be `#[inline(always)]`, or the lanes do not become registers.
    fn run<L: Lanes>(self, l: L) -> Self::Output;
}

#[cfg(not(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2"))))]
pub(crate) use Plain as Wide;
#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
pub(crate) use avx2::Avx2 as Wide;

/// The widest lanes of this build, if this machine has them.
#[inline(always)]
pub(crate) fn detect_wide_lanes() -> Option<Wide> {
    #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
    {
        #[cfg(feature = "std")]
        let has = std::arch::is_x86_feature_detected!("avx2");
        #[cfg(not(feature = "std"))]
        let has = true;
        has.then_some(avx2::Avx2(()))
    }
    #[cfg(not(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2"))))]
    Some(Plain)
}

impl Wide {
    /// Runs the kernel in these lanes.
    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, k: K) -> K::Output {
        #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
        {
            #[target_feature(enable = "avx2")]
            fn with_avx2<K: Kernel>(k: K, l: Wide) -> K::Output {
                k.run(l)
            }
            // SAFETY: an `Avx2` exists only where AVX2 was detected or is part of the target.
            unsafe { with_avx2(k, self) }
        }
        #[cfg(not(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2"))))]
        k.run(self)
    }
}

/// Runs the kernel with the widest lanes this machine has.
#[inline(always)]
pub fn dispatch_kernel<K: Kernel>(k: K) -> K::Output {
    match detect_wide_lanes() {
        Some(l) => l.run(k),
        None => k.run(Plain),
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    struct Mix([f64; 4], [f64; 4]);
    impl Kernel for Mix {
        type Output = ([f64; 4], (f64, u32), u32, [f32; 8]);
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> ([f64; 4], (f64, u32), u32, [f32; 8]) {
            let (a, b) = (l.load(&self.0), l.load(&self.1));
            let m = l.gt(a, b);
            let root = l.sqrt(l.mul(b, b));
            let c = l.select(m, l.min(a, l.rotate3(b)), l.max(l.div(a, root), l.mul(a, b)));
            let [p, q, r, s] = l.transpose([c, a, b, root]);
            let c = l.add(l.sub(p, q), l.mul(r, s));
            (
                l.to_array(l.add(c, l.sub(a, b))),
                largest_lane(l, a, lane_numbers(l)),
                l.mask_bits(m),
                l.to_array8(l.narrow_lanes(a, b)),
            )
        }
    }

    #[test]
    fn plain_and_avx2_give_the_same_bits() {
        for k in 0..1000 {
            let f = |i: i32| ((k * 7 + i * 13) % 31) as f64 * 0.37 - 4.0;
            let (a, b) = ([f(0), f(1), f(2), f(3)], [f(4), f(5), -f(6), f(7)]);
            let (p, d) = (Mix(a, b).run(Plain), dispatch_kernel(Mix(a, b)));
            assert_eq!((p.0.map(f64::to_bits), p.1, p.2, p.3), (d.0.map(f64::to_bits), d.1, d.2, d.3));
            assert_eq!(p.1.1, (0..4).rev().max_by(|i, j| a[*i].total_cmp(&a[*j])).unwrap() as u32);
        }
    }
}
