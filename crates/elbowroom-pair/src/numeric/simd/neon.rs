//! The lanes as registers of NEON, which every 64-bit ARM has: two hold four f64, or eight f32.

use super::lanes::{Lanes, Processor};
use core::arch::aarch64::*;

/// The processor has NEON: this exists in builds for such ones only.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

impl Processor for Neon {
    #[inline(always)]
    fn detect() -> Option<Neon> {
        Some(Neon(()))
    }
}

lanes_of_halves!(Neon, neon, float64x2_t, float32x4_t);

impl Neon {
    processor_methods! {
        fn load_half(self, from: &[f64; 2]) -> float64x2_t {
            vld1q_f64(from.as_ptr())
        }
        fn load8_half(self, from: &[f32; 4]) -> float32x4_t {
            vld1q_f32(from.as_ptr())
        }
        fn half_to_array(self, a: float64x2_t) -> [f64; 2] {
            let mut r = [0.0; 2];
            vst1q_f64(r.as_mut_ptr(), a);
            r
        }
        fn half_to_array8(self, a: float32x4_t) -> [f32; 4] {
            let mut r = [0.0; 4];
            vst1q_f32(r.as_mut_ptr(), a);
            r
        }
        fn half_to_indices(self, a: float32x4_t) -> [u32; 4] {
            let mut r = [0; 4];
            vst1q_u32(r.as_mut_ptr(), vcvtq_u32_f32(a));
            r
        }
        fn splat_half(self, x: f64) -> float64x2_t {
            vdupq_n_f64(x)
        }
        fn splat8_half(self, x: f32) -> float32x4_t {
            vdupq_n_f32(x)
        }
        /// The first lanes of both.
        fn join_first(self, a: float64x2_t, b: float64x2_t) -> float64x2_t {
            vzip1q_f64(a, b)
        }
        /// The second lanes of both.
        fn join_second(self, a: float64x2_t, b: float64x2_t) -> float64x2_t {
            vzip2q_f64(a, b)
        }
        /// The second lane of `a` and the first of `b`.
        fn join_inner(self, a: float64x2_t, b: float64x2_t) -> float64x2_t {
            vextq_f64::<1>(a, b)
        }
        /// The first lane of `a` and the second of `b`.
        fn join_outer(self, a: float64x2_t, b: float64x2_t) -> float64x2_t {
            vcopyq_laneq_f64::<0, 0>(b, a)
        }
        /// Four f64, each rounded to the nearest f32.
        fn narrow_half(self, low: float64x2_t, high: float64x2_t) -> float32x4_t {
            vcvt_high_f32_f64(vcvt_f32_f64(low), high)
        }
        /// Bit i is lane i of the mask.
        fn sign_bits(self, mask: float64x2_t) -> u32 {
            vaddvq_u64(vandq_u64(vreinterpretq_u64_f64(mask), vld1q_u64([1, 2].as_ptr()))) as u32
        }
        /// Bit i is `a > b` in lane i.
        fn above_bits(self, a: float32x4_t, b: float32x4_t) -> u32 {
            vaddvq_u32(vandq_u32(vcgtq_f32(a, b), vld1q_u32([1, 2, 4, 8].as_ptr())))
        }
    }
}
