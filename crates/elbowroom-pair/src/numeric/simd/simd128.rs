//! The lanes as registers of WebAssembly's `simd128`: two hold four f64, or eight f32.

use super::lanes::{Lanes, Processor};
use core::arch::wasm32::*;

/// The build has `simd128`: a module with it runs only where it is known.
#[derive(Clone, Copy)]
pub(crate) struct Simd128(());

impl Processor for Simd128 {
    #[inline(always)]
    fn detect() -> Option<Simd128> {
        Some(Simd128(()))
    }
}

lanes_of_halves!(Simd128, simd128, v128, v128);

impl Simd128 {
    processor_methods! {
        fn load_half(self, from: &[f64; 2]) -> v128 {
            v128_load(from.as_ptr().cast())
        }
        fn load8_half(self, from: &[f32; 4]) -> v128 {
            v128_load(from.as_ptr().cast())
        }
        fn half_to_array(self, a: v128) -> [f64; 2] {
            let mut r = [0.0; 2];
            v128_store(r.as_mut_ptr().cast(), a);
            r
        }
        fn half_to_array8(self, a: v128) -> [f32; 4] {
            let mut r = [0.0; 4];
            v128_store(r.as_mut_ptr().cast(), a);
            r
        }
        fn half_to_indices(self, a: v128) -> [u32; 4] {
            let mut r = [0; 4];
            v128_store(r.as_mut_ptr().cast(), u32x4_trunc_sat_f32x4(a));
            r
        }
        fn splat_half(self, x: f64) -> v128 {
            f64x2_splat(x)
        }
        fn splat8_half(self, x: f32) -> v128 {
            f32x4_splat(x)
        }
        /// The first lanes of both.
        fn join_first(self, a: v128, b: v128) -> v128 {
            i64x2_shuffle::<0, 2>(a, b)
        }
        /// The second lanes of both.
        fn join_second(self, a: v128, b: v128) -> v128 {
            i64x2_shuffle::<1, 3>(a, b)
        }
        /// The second lane of `a` and the first of `b`.
        fn join_inner(self, a: v128, b: v128) -> v128 {
            i64x2_shuffle::<1, 2>(a, b)
        }
        /// The first lane of `a` and the second of `b`.
        fn join_outer(self, a: v128, b: v128) -> v128 {
            i64x2_shuffle::<0, 3>(a, b)
        }
        /// Four f64, each rounded to the nearest f32.
        fn narrow_half(self, low: v128, high: v128) -> v128 {
            i64x2_shuffle::<0, 2>(f32x4_demote_f64x2_zero(low), f32x4_demote_f64x2_zero(high))
        }
        /// Bit i is lane i of the mask.
        fn sign_bits(self, mask: v128) -> u32 {
            u32::from(i64x2_bitmask(mask))
        }
        /// Bit i is `a > b` in lane i.
        fn above_bits(self, a: v128, b: v128) -> u32 {
            u32::from(i32x4_bitmask(f32x4_gt(a, b)))
        }
    }
}
